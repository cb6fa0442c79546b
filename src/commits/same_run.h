/*
 * Runs that need not be made again. The tracer tells which files a run names (src/guest/names.h),
 * and the cache keeps what they were (src/run/dependencies.h). Where all of them are the same
 * now, and the settings are, the run would be the same: for a commit that changes nothing that the
 * benchmark reads, once it is built, or that need not even be built (same_build.h). If the program
 * stays the same although its sources change, it runs all the same: a mistake in the build must
 * show.
 */
#ifndef IRDIFF_COMMITS_SAME_RUN_H
#define IRDIFF_COMMITS_SAME_RUN_H

#include "src/commits/revision.h"

/* Appends the entries of such an earlier run of a benchmark of the revision, or nothing; `text` is
 * the key of its own entry. If the revision is built at the place, nothing runs there now. */
int same_run_find(struct build_area *w, const struct revision *side,
		  const struct config_benchmark *b, const char *text, struct path_list *entries,
		  struct cg_error *err);

/* Makes entries called `name` or after its cases, with this key, that share the runs of these ones,
 * and replaces them in the list. */
int same_run_share(const struct build_area *w, const struct revision *side,
		   const struct config_benchmark *b, const char *name, const char *text,
		   struct path_list *entries, struct cg_error *err);

#endif
