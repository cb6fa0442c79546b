/* Checks limits before anything is built and measured for them. */
#ifndef IRDIFF_COMPARE_CHECK_LIMITS_H
#define IRDIFF_COMPARE_CHECK_LIMITS_H

#include "src/config/config.h"
#include "src/text/text_list.h"

/* Whether the limits of irdiff.yml (NULL: the project has none) and of --limit (NULL: none) can
 * be judged by what irdiff measures: CG_EINVAL, with the place, if a regex is invalid, or if
 * callgrind counts no such event. Not for profiles given as files, which may have events of
 * other producers. */
int check_limits(const struct config *config, const struct text_list *own, struct cg_error *err);

/* The same of all that apply to a benchmark: CG_EINVAL if there is one on cache misses or memory
 * accesses, and the benchmark simulates no caches, or one on system calls, branches or the
 * bus, which it does not count, or one on the heap, and neither the benchmark counts that nor, if
 * it is a limit of all benchmarks, any other. */
int check_counted_limits(const struct config *config, const struct config_benchmark *b,
			 const struct text_list *own, struct cg_error *err);

#endif
