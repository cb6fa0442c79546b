/* Private to diff/: the steps of tree_match.h, on what is called below one pair. */
#ifndef IRDIFF_DIFF_MATCHING_STEPS_H
#define IRDIFF_DIFF_MATCHING_STEPS_H

#include "src/diff/tree_pairs.h"

/* CG_OK, CG_ENOMEM or CG_ERANGE. */
int matching_splice(struct matching *x);
int matching_rename(struct matching *x);
int matching_absorb(struct matching *x);

/* If a function that both sides have calls g, which calls it again, and the other side inlines g
 * into it, or lacks g: if the function calls itself there, its levels are one node. So they are one
 * pair here, too. CG_OK or CG_ENOMEM. */
int matching_fold_recursion(struct matching *x, uint32_t id);

/* Whether all that a pair does, whose calls are not counted on both sides, grew or shrank in one
 * proportion: *base to *head. That is how the number of its calls did. */
bool matching_find_scale(const struct matching *x, const struct tree_pair *pair, uint64_t *base,
			 uint64_t *head);

#endif
