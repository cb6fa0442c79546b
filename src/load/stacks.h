/* Writing what the paths of calls of a profile cost: folded stacks and other viewers' formats. */
#ifndef IRDIFF_LOAD_STACKS_H
#define IRDIFF_LOAD_STACKS_H

#include <stdio.h>

#include "src/load/load.h"

enum stack_format { STACKS_FOLDED, STACKS_SPEEDSCOPE, STACKS_PPROF };

/* The profile is best read with contexts; `lines`, which may be NULL, is the same without them
 * and with lines, if the profile has none. `events` is a list of names, NULL: all of them, for
 * folded stacks the one to be counted. Warns of paths that are estimated. CG_EINVAL if events
 * are not there or do not fit the format; errors of writing are for the caller to explain. */
int stacks_write(const struct loaded *l, const struct cg_profile *lines, enum stack_format format,
		 const char *events, FILE *to, const struct notices *notices, struct cg_error *err);

#endif
