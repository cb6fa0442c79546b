/* What builds and measures on this machine: facts that counts depend on, whatever the revision. */
#ifndef IRDIFF_COMMITS_BUILD_TOOLS_H
#define IRDIFF_COMMITS_BUILD_TOOLS_H

#include <stdio.h>

#include "src/config/config.h"
#include "src/digest/digest.h"
#include "src/git/git.h"
#include "src/run/interrupt.h"

struct build_tools {
	const char *valgrind; /* NULL: see run.h */
	struct interrupts *interrupts;
	const struct git *git;
	const struct config *config;     /* NULL: the project has no irdiff.yml */
	const struct digest_key *secret; /* distinguishes values of variables */
};

/* Makes lines of a key: compilers by path, size and time, names of variables with digests of their
 * values, git's settings, Valgrind, irdiff. Runs Valgrind once. *text is the caller's.
 * CG_EINTERNAL: Valgrind is missing. */
int build_tools_describe(const struct build_tools *t, char **text, struct cg_error *err);

/* Whether these lines say that programs can be traced. */
bool build_tools_trace(const char *text);

/* Adds the library that freezes random numbers and the time. */
void build_tools_put_freeze(FILE *to);

#endif
