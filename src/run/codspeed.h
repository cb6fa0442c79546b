/*
 * What benchmarks expect that were written for CodSpeed: with codspeed-criterion-compat and its kin
 * in Rust, pytest-codspeed, codspeed-cpp, CodSpeed's plugins for vitest and tinybench.
 *
 * Its runner tells them by variables where they are, and they tell callgrind what to count: a
 * "Metadata:" dump, then for each case zero, start, run, stop, and a dump with the name (cases.h).
 * Since version 6 codspeed-rust starts itself again for each case, with
 * CODSPEED_ISOLATED_BENCHMARK. All of that works with any Valgrind. Source: the integrations' own
 * code, codspeed-rust 4 to 6, pytest-codspeed 3 to 5.
 */
#ifndef IRDIFF_RUN_CODSPEED_H
#define IRDIFF_RUN_CODSPEED_H

#include "cgprofile/error.h"
#include "src/run/hermetic.h"

/* The function below which integrations run a case: trees begin there. */
#define CODSPEED_ROOT_FRAME "__codspeed_root_frame__*"

/* Sets what the environment does not have yet. `folder` is where integrations write files of their
 * own, `root` the project's root, both as the benchmark sees them. */
int codspeed_environment(struct environment *environment, const char *folder, const char *root,
			 struct cg_error *err);

#endif
