/*
 * Processes that are one program: whoever is forked and executes nothing else goes on with the work of its
 * parent, and what it does on the way to executing something else is its parent's work as well.
 *
 * Profiles are sorted by pid, generation and part. A profile stands for all of its parts by the index of the
 * first one.
 */
#ifndef IRDIFF_RUN_FAMILY_H
#define IRDIFF_RUN_FAMILY_H

#include <stdbool.h>
#include <stddef.h>

#include "src/run/result.h"

/* The profile that began the family of the one that `index` is a part of: its own first part, if that
 * was not forked, or its parent left nothing. */
size_t family_root(const struct run_profile *profiles, size_t nprofiles, size_t index);

/* Whether what a process has counted begins with a copy of what its parent had, which wrote no part
 * when it forked. */
bool family_has_copy(const struct run_profile *profiles, size_t nprofiles,
		     const struct run_profile *profile);

/* Whether a process has forked one that left nothing: that was killed. */
bool family_is_bereft(const struct run_profile *profiles, size_t nprofiles,
		      const struct run_profile *profile);

/* Whether a trigger is that of a part that was written because its process forks. */
bool family_is_fork(const char *trigger);

/* The last image of a process; NULL: it has left no profile. */
const struct run_profile *family_last(const struct run_profile *profiles, size_t nprofiles,
				      pid_t pid);

/* The functions before which a process is to write what it has counted, the last one NULL. */
const char *const *family_functions(void);

#endif
