/*
 * The calling-context tree of a profile: the cost of every call path.
 *
 * A node is a function at one place of one call path; its self cost is what the
 * function spent there, its inclusive cost includes everything below it:
 *
 *     inclusive(n) = self(n) + the inclusive costs of its children
 *     total        = the self costs of all nodes, for every event
 *
 * Both hold exactly, by construction. Node 0 is the whole program, whose children
 * are the functions without callers.
 *
 * A profile determines its tree where every record (function, level, context)
 * was entered by one path only: in folded stacks that were read with contexts, or
 * with callgrind's --separate-callers. Elsewhere the costs of a record are divided
 * among its callers in proportion to the costs of their calls, and everything
 * below is estimated and marked. A function without callees needs no
 * estimate: each call has its cost.
 *
 *   - In a context, a function that calls itself is one node, because contexts do
 *     not distinguish its levels (tree_places.h). Without contexts each level is a node.
 *   - Calls into a running function beyond the recursion levels of the file are
 *     folded: the deeper levels count for the first. A function that calls itself is
 *     one exact node. If a longer cycle was folded, its paths and everything below them
 *     are truncated: each also represents longer ones. If the cycle can be entered by
 *     one path only, they are exact otherwise; else they are estimated.
 *   - Costs of a record that no call to it accounts for become a root.
 *   - There may be as many estimated paths as ways through the calls. The
 *     costliest are followed first, until their number reaches a limit or one is
 *     below a smallest share; a path that was cut counts everything below its end
 *     as the self cost of its last node.
 *
 * Estimates divide whole counts; the remainder stays with the caller.
 *
 * A tree is exact if nothing in it is in doubt:
 *
 *   - no node and no call of it is estimated; none is truncated or cut;
 *   - the file is consistent: the calls to a record add up to its self cost and the costs of
 *     its own calls, for every event that calls have. Recursive calls count on both sides of
 *     this equation, so they cancel out. If it fails, cost belongs to other paths than those
 *     of the calls, and it is unknown which (struct cg_misfit, which the audit also reports);
 *   - the file has calls, or only one function.
 *
 * Whoever shows a tree reports `exact`, and what is in doubt (cg_tree_find_doubt).
 */
#ifndef CGPROFILE_TREE_H
#define CGPROFILE_TREE_H

#include "cgprofile/api.h"
#include "cgprofile/audit.h"
#include "cgprofile/profile.h"

CG_BEGIN_DECLS

struct cg_tree_node {
	uint32_t function;        /* of the profile; 0 only for node 0 and [outside] */
	uint32_t parent;          /* a lower number; 0: a root, which has no caller */
	uint32_t end;             /* its descendants are the nodes after it and before this one */
	bool inlined : 1;         /* into its parent */
	bool uncounted : 1;       /* how often, is not known */
	bool outside : 1;         /* cg_tree_root: everything outside is below this node */
	bool estimated : 1;       /* the path by which it was reached, and so its cost */
	bool estimated_below : 1; /* the costs of its callees here, and so its inclusive cost */
	bool truncated : 1;       /* its path also represents longer ones */
	bool cut : 1;             /* its self cost includes everything below it */
	uint64_t calls;           /* from the parent, not by itself; 0: unknown */
};

struct cg_tree {
	const struct cg_profile *profile;
	uint32_t event;             /* by which paths were chosen and ordered */
	struct cg_tree_node *nodes; /* depth first: a node, then its children, the
	                               costliest first, then by name */
	uint32_t count;             /* nodes, with node 0 */
	int64_t *self, *inclusive;  /* count * nevents */
	struct cg_misfit misfit;    /* of the profile's calls and their callees */
	bool exact;                 /* as above */
};

struct cg_tree_options {
	uint32_t event;
	/* Treat records as if they named at most this many functions of a path, themselves and
	 * the nearest callers (--separate-callers=N: N + 1). 0: all. To compare trees, make both
	 * with the same number. */
	uint32_t frames;
	/* Limits on estimated paths, 0 for the defaults: a ten-millionth of the
	 * total, and 16 nodes per record but at least 100,000, provided that they take
	 * at most 56 MB and three times the size of the file. */
	uint64_t min_share_ppb;
	uint32_t max_nodes;
	/* A number for each function of the profile. Siblings of one group are one node, as
	 * cg_tree_merge makes it. So are a function and what it calls of its group, if one of both
	 * is inlined or they have different names: compilers split a function, or inline part of it
	 * into itself. Calls of such a part are not calls of the node. NULL: all stay apart. */
	const uint32_t *group;
};

/* The profile must outlive the tree; free that with cg_tree_free. Errors:
 * CG_ENOMEM; CG_ERANGE, if costs of both signs exceed 2^63 on a path. */
int cg_tree_make(const struct cg_profile *p, const struct cg_tree_options *options,
		 struct cg_tree **out);

/* The tree with siblings of one group (a number for each function of the profile,
 * or NULL: each is its own) as one node, unless one is inlined and the other is not.
 * Of their functions, the first by name represents it. Errors as above. */
int cg_tree_merge(const struct cg_tree *t, const uint32_t *group, struct cg_tree **out);

/* The tree whose paths begin at the first call of some functions
 * (is_root[function]). The functions that lead there, and everything else below
 * them, move below one node for the outside. Stacks without a root, such as those
 * of threads and signal handlers, stay unchanged. Siblings of the same function
 * become one node. Errors as above. */
int cg_tree_root(const struct cg_tree *t, const bool *is_root, struct cg_tree **out);

/* The function `main` of the executable, or 0: not one in a library, and if there are
 * several, the one in the program that the command started. */
uint32_t cg_tree_main(const struct cg_tree *t);

#define CG_TREE_OUTSIDE "[outside]" /* name of that node */

/*
 * How much of the cost (of the tree's event, absolute values) belongs to nodes that are
 * in doubt: the sum of their self costs. A node counts as estimated if it or its calls
 * are, like its mark in every output.
 */
struct cg_tree_doubt {
	double estimated, truncated, cut;  /* percent; truncated: and not estimated */
	bool any_estimated, any_truncated; /* such nodes exist, perhaps without cost */
	bool recorded;                     /* the file has paths */
};

void cg_tree_find_doubt(const struct cg_tree *t, struct cg_tree_doubt *out);

/* The largest number of functions of a path that is named by records without the whole path,
 * as in the options; 0 if every record names the whole path. CG_OK or CG_ENOMEM. */
int cg_tree_frames(const struct cg_profile *p, uint32_t *frames);

void cg_tree_free(struct cg_tree *t);

CG_END_DECLS

#endif
