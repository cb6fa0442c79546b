/*
 * The calling-context tree of a profile: what every path of calls cost.
 *
 * A node is a function at one place of one path; its self cost is what the
 * function spent there, its inclusive cost that and all below it:
 *
 *     inclusive(n) = self(n) + the inclusive costs of its children
 *     total        = the self costs of all nodes, for every event
 *
 * Both hold to the last count, by construction. Node 0 is the whole program:
 * what is below it and nobody called.
 *
 * A profile determines its tree where every record (function, level, context)
 * was entered by one way only: folded stacks that were read with contexts, or
 * callgrind's --separate-callers. Elsewhere the costs of a record are shared
 * out among its callers in proportion to what its calls from them cost, and all
 * below is estimated and marked so. A function without callees needs no
 * estimate: each call says what it cost.
 *
 *   - In a context, a function that calls itself is one node, because contexts do
 *     not tell its levels apart (tree_places.h). Without contexts each level is one.
 *   - Calls into a function that is running, where the file tells no more levels
 *     of recursion, are folded: the deeper levels count for the first. A function
 *     that calls itself is one exact node; where a longer cycle was folded, its
 *     paths and all below them are truncated: each stands for longer ones, too.
 *     If the cycle can be entered by one way only, no more than that is wrong with
 *     them; otherwise they are estimated.
 *   - What a record costs and no call to it accounts for is a root of its own.
 *   - Estimated paths could be as many as there are ways through the calls. The
 *     costliest are followed first, until their number reaches a limit or one
 *     is worth less than a smallest share; what is below the end of a path that
 *     was cut counts as the self cost of the node where it was.
 *
 * Estimates divide whole counts; what division leaves over stays with the caller.
 *
 * A tree is exact if nothing in it is in doubt:
 *
 *   - no node, nor what is called there, is estimated; none is truncated or cut;
 *   - the file agrees with itself: all calls to a record together cost what it costs
 *     itself and in its own calls, for every event that calls have. Recursive calls count
 *     on both sides, so they cancel out. Where this fails, cost lies at other paths than
 *     those that the calls tell of, and nobody knows which (struct cg_misfit, which is
 *     also what the audit says);
 *   - the file has calls at all, or but one function.
 *
 * Who shows a tree says so by `exact`, and what is in doubt by cg_tree_find_doubt.
 */
#ifndef CGPROFILE_TREE_H
#define CGPROFILE_TREE_H

#include "cgprofile/api.h"
#include "cgprofile/audit.h"
#include "cgprofile/profile.h"

CG_BEGIN_DECLS

struct cg_tree_node {
	uint32_t function;    /* of the profile; 0 only for node 0 and [outside] */
	uint32_t parent;      /* a lower number; 0: a root, which nobody called */
	uint32_t end;         /* its descendants are the nodes after it and before this one */
	bool inlined;         /* into its parent */
	bool outside;         /* cg_tree_root: all that is outside is below this node */
	bool estimated;       /* by which path it was reached, and so what it cost */
	bool estimated_below; /* what its callees cost here, and so its inclusive cost */
	bool truncated;       /* its path stands for longer ones, too */
	bool cut;             /* its self cost holds all below it */
	uint64_t calls;       /* from the parent, not by itself; 0: not known, or inlined */
};

struct cg_tree {
	const struct cg_profile *profile;
	uint32_t event;             /* that chose and ordered the paths */
	struct cg_tree_node *nodes; /* depth first: a node, then its children, the
	                               costliest first, then by name */
	uint32_t count;             /* nodes, with node 0 */
	int64_t *self, *inclusive;  /* count * nevents */
	struct cg_misfit misfit;    /* of the profile's calls and what they call */
	bool exact;                 /* as above */
};

struct cg_tree_options {
	uint32_t event;
	/* As if records had named no more functions of a path than this, themselves and
	 * the nearest callers (--separate-callers=N: N + 1). 0: all. Trees are compared
	 * best if both were made from equally much. */
	uint32_t frames;
	/* Limits of estimated paths, 0 for the defaults: a ten-millionth of the
	 * total, and 16 nodes for each record but at least 100,000, as far as these take
	 * no more than 56 MB and three times the size of the file. */
	uint64_t min_share_ppb;
	uint32_t max_nodes;
};

/* The profile must outlive the tree; free that with cg_tree_free. Errors:
 * CG_ENOMEM; CG_ERANGE, if costs of both signs exceed 2^63 on a path. */
int cg_tree_make(const struct cg_profile *p, const struct cg_tree_options *options,
		 struct cg_tree **out);

/* The tree with siblings of one group (a number for each function of the profile,
 * or NULL: each is its own) as one node, unless one is inlined and the other is not.
 * Errors as above. */
int cg_tree_merge(const struct cg_tree *t, const uint32_t *group, struct cg_tree **out);

/* The tree whose paths begin at some functions (is_root[function]), wherever they
 * are called first: what leads there, and what else is below that, moves below one
 * node for all that is outside. Stacks that never get there - threads, signal
 * handlers - stay as they are. Siblings of one function become one node. Errors as
 * above. */
int cg_tree_root(const struct cg_tree *t, const bool *is_root, struct cg_tree **out);

/* The function `main` of the executable, 0 if there is none: not one in a library,
 * and of several that in what the command started. */
uint32_t cg_tree_main(const struct cg_tree *t);

#define CG_TREE_OUTSIDE "[outside]" /* how that node is called */

/*
 * How much of the cost (of the tree's event, sizes of either sign) lies at nodes that are
 * in doubt: the self costs of these. A node counts as estimated if it is, or if what it
 * calls here is, as every output marks it.
 */
struct cg_tree_doubt {
	double estimated, truncated, cut;  /* percent; truncated: and not estimated */
	bool any_estimated, any_truncated; /* there are such nodes, though they may cost nothing */
	bool recorded;                     /* the file has paths */
};

void cg_tree_find_doubt(const struct cg_tree *t, struct cg_tree_doubt *out);

/* How many functions of a path the records of a profile name at most, 0 if none
 * names fewer than the path has: what a tree can be made from, as in the options.
 * CG_OK or CG_ENOMEM. */
int cg_tree_frames(const struct cg_profile *p, uint32_t *frames);

void cg_tree_free(struct cg_tree *t);

CG_END_DECLS

#endif
