/*
 * Private to the library: which recursion levels are one place of the tree.
 *
 * Callgrind adds nothing to a context when a function calls itself. So the
 * contexts of what f calls are the same at each of f's levels, and would have as
 * many ways in, among which the file does not divide what lies deeper. One way is
 * left, and the tree exact, when the levels of a function in one context are one
 * place: all of them where the context goes back to a root, and, where it was cut
 * short, those that call each other directly.
 *
 * Without contexts the levels are what tells paths apart, and stay as they are.
 */
#ifndef CG_TREE_LEVELS_H
#define CG_TREE_LEVELS_H

#include "callgrind/profile.h"

/* stands_for[r]: the record in whose place record r is, the first of them (order.h).
 * CG_OK or CG_ENOMEM; free() it. */
int cg_tree_fold_levels(const struct cg_profile *p, uint32_t **stands_for);

#endif
