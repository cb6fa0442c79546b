/*
 * Directories that survive between builds: those that keep: in irdiff.yml lists or, if there is no
 * keep:, the target directory of Cargo. They are stored as a set (src/store/kept.h), and moved to
 * the build area before a build, and back before the build area is cleared.
 *
 * A build gets a set only if all is equal that decides what a dependency becomes: the command, the
 * environment, tools, packages of the system, the CPU, the place, and files of the project that
 * tell build systems what to build (kept_key.h). So a set has nothing that this build would not
 * make itself. What survives of a directory:
 *
 *   - of Cargo's target directory: dependencies (cargo_target.h),
 *   - of others, which only keep: can list: all but programs and links, if no benchmark names a
 *     file there. They are meant to be caches that find what they need by contents.
 *
 * Counts must never depend on it, so it is no part of the keys of measurements.
 */
#ifndef IRDIFF_COMMITS_KEPT_FILES_H
#define IRDIFF_COMMITS_KEPT_FILES_H

#include "src/commits/build_area.h"
#include "src/run/build.h"

/* Moves what is kept into the project's directory of the side that has the place. Nothing goes
 * through symbolic links of it, and nothing replaces its own files. */
int kept_files_bring(struct build_area *w, const struct revision *side, const char *directory,
		     struct cg_error *err);

/* Notes how the build ended. Nothing is kept of one that was interrupted, or was elsewhere than
 * expected (kept_key.h). */
void kept_files_note_end(struct build_area *w, const struct build_result *result);

/* Moves what survives back, before the place is cleared. Warns if it cannot. */
void kept_files_save(struct build_area *w);

/* Stores a copy of what survives, and leaves the place as it is. */
void kept_files_copy(struct build_area *w);

void kept_files_free(struct build_area *w);

#endif
