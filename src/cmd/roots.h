/* Which function may have been meant by a name that none has. */
#ifndef IRDIFF_CMD_ROOTS_H
#define IRDIFF_CMD_ROOTS_H

#include "callgrind/profile.h"

/* Of the functions whose name has `root` at its end, behind "::" and without parameters, or is
 * spelled much like it, one that --root takes: "expr::Parser::factor" for "factor". *out is
 * allocated, NULL if there is none. Errors: CG_ENOMEM. */
int suggest_root(const struct cg_profile *p, const char *root, char **out);

#endif
