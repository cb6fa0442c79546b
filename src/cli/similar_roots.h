/* Which function may have been meant by a name that none has. */
#ifndef IRDIFF_CLI_SIMILAR_ROOTS_H
#define IRDIFF_CLI_SIMILAR_ROOTS_H

#include "cgprofile/profile.h"

/* No function is called `root`, at which `what`, "tree" or "graph", was to begin: of the functions
 * whose name has it at its end, after "::" and without parameters, or is spelled much like it, the
 * message names one that --root takes, "expr::Parser::factor" for "factor". If there is none `err`
 * stays as it is. CG_EINVAL, or CG_ENOMEM. */
int fail_similar_root(const struct cg_profile *p, const char *root, const char *what,
		      struct cg_error *err);

#endif
