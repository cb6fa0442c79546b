/*
 * Processes that are one program. A process that is forked and executes nothing else continues the
 * work of its parent; what it does before it executes something else is its parent's work as well.
 *
 * Profiles are sorted by pid, generation and part. The index of the first part represents the
 * whole profile.
 */
#ifndef IRDIFF_RUN_FAMILY_H
#define IRDIFF_RUN_FAMILY_H

#include <stdbool.h>
#include <stddef.h>

#include "src/run/result.h"

/* The profile of the first process of a family: that of `index` itself (its first part) if it was
 * not forked, or if its parent left no profile. */
size_t family_root(const struct run_profile *profiles, size_t nprofiles, size_t index);

/* Whether what a process has counted begins with a copy of what its parent had, which wrote no part
 * when it forked. */
bool family_has_copy(const struct run_profile *profiles, size_t nprofiles,
		     const struct run_profile *profile);

/* Whether a process has forked one that left no profile because it was killed. */
bool family_is_bereft(const struct run_profile *profiles, size_t nprofiles,
		      const struct run_profile *profile);

/* Whether a part was written because its process was about to fork. */
bool family_is_fork(const char *trigger);

/* The last image of a process; NULL: it has left no profile. */
const struct run_profile *family_last(const struct run_profile *profiles, size_t nprofiles,
				      pid_t pid);

/* The functions before which a process writes its counts, ended by NULL. */
const char *const *family_functions(void);

#endif
