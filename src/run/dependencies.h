/* What a run depended on: the files, directories and links that it named, and what they were. */
#ifndef IRDIFF_RUN_DEPENDENCIES_H
#define IRDIFF_RUN_DEPENDENCIES_H

#include "cgprofile/error.h"

/*
 * Lines of a state (path_state.h), a blank and a path, from the names that a run has told
 * (names.h) when it is over. Paths below `top` begin with "./"; the others are absolute. What the
 * run has made, and removed, was absent before it. *text is the caller's; NULL: the run may depend
 * on more than that, or has left something behind. CG_OK or CG_ENOMEM.
 */
int dependencies_find(const char *names, const char *top, char **text, struct cg_error *err);

#endif
