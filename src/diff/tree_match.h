/*
 * Private to diff/: which paths of two trees are the same path.
 *
 * Paths are matched from the roots down. Functions that were renamed and count exactly what they
 * did have one number by then (same_counts.h). What is called below two matched paths is matched
 * by, in this order,
 *
 *     name      the same function (match.h), called or inlined alike
 *     inlined   the same function, inlined on one side and called on the other, or more
 *               of it where both sides do both and the one grew as the other shrank
 *     splice    a function that only one side has, at least half of whose callees'
 *               cost appears among what only the other side calls there: it was
 *               inlined without a trace, or is a wrapper. It is dissolved: its
 *               callees count as its caller's, and it keeps its own cost
 *     rename    two functions, each on one side, whose callees are at least 40 %
 *               the same by cost (in one file, and if all callees cost nearly the
 *               same, those that only base has are taken for those that only head
 *               has: they may be renamed, too), or which are
 *               overloads of one name, or which call nothing, and are called as often and
 *               cost exactly the same, or are in one file, called at least 16 times and
 *               within 10 % as often, and cost within 25 % the same (in a heap: are in one file,
 *               and allocate so many blocks, as calls are not counted). What belongs to a
 *               library must have the same file, costs and callees; so must what is
 *               inlined, unless one of the same file is the only one on each side
 *     absorb    a function that only one side has, whose self cost its caller took over
 *               (taken_over.h): it counts as its caller's, and so do its callees
 *
 * What a function calls of itself is itself in both trees, if one of both is inlined, or a part
 * that the compiler split off (`group` in cgprofile/tree.h): that is how it was compiled, and no
 * call that anybody decided.
 *
 * Machine code of which both sides ran the same build (same_code.h) takes other ways, but is not
 * compiled otherwise: only names match there.
 *
 * A function that calls itself is one path, whatever its levels. So it is where it does by another
 * one, which the other side inlines into it, or by a new one where the other side calls itself.
 *
 * How often a path is called is known where calls are counted. Where they are not, as of some
 * inlined code, its number of calls changed in the proportion in which
 *
 *     - all of its own code and of what is inlined below it did, and all calls counted there, by
 *       at least three numbers that agree to 0.1 %; or, if its cost changed by more than 10 %,
 *       three that changed by half of that to one and a half times as much, and none that did not;
 *     - if one side inlines it and the other calls it: at least three calls below it did.
 *
 * Where paths are estimates, so are the calls on them; but those over all paths are known. What a
 * function calls as often as before, or so nearly that the difference explains less than an eighth
 * of how the cost of these calls changed, is not called more or less, unless that function is
 * itself.
 * Nor is it where that function is inlined and its own calls are not counted, if nothing above
 * changed how often it is executed: then other paths have what this one lacks (calls_moved).
 *
 * Code that costs more itself does not make all that it calls cost more.
 *
 * Every node of both trees counts for one pair with its self cost, so the pairs add
 * up to the totals whatever was matched; but what is below a pair of two nodes and the same on
 * both sides (tree_same.h) needs none, where only changes are asked for. All steps treat both
 * sides alike, and the work at one node is bounded, however many siblings it has.
 */
#ifndef IRDIFF_DIFF_TREE_MATCH_H
#define IRDIFF_DIFF_TREE_MATCH_H

#include "src/diff/tree_pairs.h"

/* Errors: CG_ENOMEM, CG_ERANGE (more than 2^32 pairs). Free with tree_match_free, also on
 * failure. */
int tree_match(const struct diff *d, enum tree_step last, enum tree_rows rows,
	       const struct cg_tree *const trees[SIDES], const struct tree_functions *functions,
	       struct tree_match *out);
void tree_match_free(struct tree_match *m);

#endif
