/*
 * Private to diff/: which parts of a difference are one cause.
 *
 * A part is of one function, or of one caller and callee. One cause are
 *
 *     instances    parts of the same kind (own code, or calls) whose functions are instances of
 *                  one template in one file (tree_function.source)
 *     inlining     the own code of a function that is called on one side and inlined on the
 *                  other, or less of it, and that of the functions it is inlined into, or
 *                  which are inlined into it: the compiler moves code between them. So that
 *                  no other change of these hides here, the own code of each, and of all
 *                  together, may differ by at most MOST_PER_CALL instructions for each call.
 *                  Nor does what is inlined into it belong to it if that was edited
 *
 *     together     what one function decides (its own code and its calls), if the sizes of these
 *                  add up to more than MOST_CANCELLED times their sum, and it was edited or
 *                  they are estimated: it does the same in another way, or only seems to do so
 *
 * Sums stay the same, whatever is joined.
 */
#ifndef IRDIFF_DIFF_CAUSE_PARTS_H
#define IRDIFF_DIFF_CAUSE_PARTS_H

#include "src/diff/causes.h"

/* What a call may cost besides the function: arguments, registers saved, and code that the
 * compiler could not simplify. */
#define MOST_PER_CALL 24

/* Half of the sum for what the same work costs besides in another way. */
#define MOST_CANCELLED 1.5

/* Sorts c->parts by cause, and makes c->items and c->sum_of_sizes of them. `own_of` has per row of
 * the tree the number of the part that is its own code, counted from 1, or 0; `estimated` has per
 * function in the source whether it is on a path without a row that is an estimate. CG_OK or
 * CG_ENOMEM. */
int join_causes(struct causes *c, const uint32_t *own_of, const bool *estimated);

#endif
