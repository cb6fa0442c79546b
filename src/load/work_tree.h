/* Which files belong to the project, so that those may be shown that a profile names. */
#ifndef IRDIFF_LOAD_WORK_TREE_H
#define IRDIFF_LOAD_WORK_TREE_H

#include "cgprofile/error.h"

/* The work tree of git that the project's root lies in, or else the root itself. *out is the
 * caller's, and NULL for the root of the file system, where all files are. CG_ENOMEM. */
int work_tree_find(const char *root, char **out, struct cg_error *err);

#endif
