/* Which function a user may have meant by an unknown name. */
#ifndef IRDIFF_CLI_SIMILAR_ROOTS_H
#define IRDIFF_CLI_SIMILAR_ROOTS_H

#include "cgprofile/profile.h"

/* No function has the name `root`. Suggests one that --root takes: a function whose name ends with
 * "::" and `root`, ignoring parameters, or that is spelled much like it, such as
 * "expr::Parser::factor" for "factor". Without one, `err` is unchanged. CG_EINVAL or CG_ENOMEM. */
int fail_similar_root(const struct cg_profile *p, const char *root, struct cg_error *err);

#endif
