/* The call paths of a comparison, and what is said where a profile has no calls. */
#ifndef IRDIFF_COMPARE_COMPARE_PATHS_H
#define IRDIFF_COMPARE_COMPARE_PATHS_H

#include "src/compare/comparison.h"

/* CG_EINVAL if what is to be shown needs calls, or lines, that a profile does not have. */
int comparison_check_calls(const struct comparison *c, struct cg_error *err);

/* Makes c->tree, and if the options ask for them, c->paths and c->depth. Without calls there is no
 * tree, and a warning instead if the total changed. Errors: those of tree_diff_make and of
 * choose_paths. */
int comparison_compare_paths(struct comparison *c, struct cg_error *err);

/* Makes c->tree with these rows, in place of the one that it has; nothing may refer to that any
 * more. Errors: those of tree_diff_make. */
int comparison_make_tree(struct comparison *c, enum tree_rows rows, struct cg_error *err);

#endif
