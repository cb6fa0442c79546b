/*
 * Private to diff/: where two trees are the same.
 *
 * Most of a program is what it was, so most of two trees is, too. Two nodes are the same below if
 * what they call is: node by node in the order of the trees, the same functions, called or inlined
 * alike, with the same numbers of calls, the same self costs in all events, and as certain. No step
 * of tree_match.h finds anything to do there, and if both nodes count with the same weight
 * (weight.h), nothing there decided anything.
 */
#ifndef IRDIFF_DIFF_TREE_SAME_H
#define IRDIFF_DIFF_TREE_SAME_H

#include "src/diff/tree_pairs.h"

/* Hashes each node of x->trees with all below it. Until then, and if the profiles have different
 * events, nothing is the same. CG_OK or CG_ENOMEM. */
int tree_same_make(struct matching *x);
void tree_same_free(struct matching *x);

/* Whether a node of base and one of head, which call something, are the same with all below. */
bool tree_same_below(const struct matching *x, uint32_t base, uint32_t head);

#endif
