/*
 * Private to the library: nodes as they were found become a tree: in depth-first
 * order, with inclusive costs.
 */
#ifndef CG_TREE_SHAPE_H
#define CG_TREE_SHAPE_H

#include "cgprofile/tree.h"

/* Nodes in any order that has parents first, and `nevents` self costs for each.
 * Node 0 is the whole program. Costs take most of a tree's memory, so what a draft has taken is
 * kept for what comes next. */
struct cg_tree_draft {
	struct cg_tree_node *nodes;
	int64_t *self;
	int64_t *inclusive; /* room; filled only by cg_tree_grow_whole */
	size_t count, nodes_cap, self_cap, inclusive_cap;
};

/* Makes room for so many nodes in all. CG_OK or CG_ENOMEM. */
int cg_tree_draft_reserve(struct cg_tree_draft *d, uint32_t nevents, size_t count);
/* Adds a node; its costs are 0. CG_OK, CG_ENOMEM or CG_ERANGE. */
int cg_tree_draft_add(struct cg_tree_draft *d, uint32_t nevents, const struct cg_tree_node *node);
void cg_tree_draft_free(struct cg_tree_draft *d);

/* Whether no siblings of a tree are of one place, so that cg_tree_merge would change nothing. CG_OK
 * or CG_ENOMEM. */
int cg_tree_is_merged(const struct cg_tree *t, const uint32_t *group, bool *merged);

/* Makes one node of those that are one by `group` of a tree's options; the children of a node have
 * to stand together. CG_OK, CG_ENOMEM or CG_ERANGE. */
int cg_tree_draft_merge(struct cg_tree_draft *d, const struct cg_profile *p, const uint32_t *group);

/* Which of two functions of a group represents it: the first in order, whatever was met first. */
uint32_t cg_tree_representative(const struct cg_profile *p, uint32_t a, uint32_t b);

/* Adds to a node what is known of another one of the same place, but for costs. */
void cg_tree_node_join(const struct cg_profile *p, struct cg_tree_node *node,
		       const struct cg_tree_node *other);

/* Whether a callee is part of its caller, by `group` of a tree's options; NULL: none is. */
bool cg_tree_is_part(const struct cg_profile *p, const uint32_t *group,
		     const struct cg_tree_node *caller, const struct cg_tree_node *callee);

/* Adds to a node what is known of such a part, but for costs. */
void cg_tree_node_join_part(struct cg_tree_node *node, const struct cg_tree_node *part);

/* Fills in an empty tree from a draft that is in order and has inclusive costs; the draft is empty
 * then. */
void cg_tree_take_whole(struct cg_tree_draft *d, struct cg_tree *t);

/* Fills in the nodes of an empty tree, and their costs; the draft is empty then. Siblings of one
 * function stay in the draft's order. CG_OK, CG_ENOMEM or CG_ERANGE; both are the caller's, also
 * on failure. */
int cg_tree_shape(struct cg_tree_draft *d, const struct cg_profile *p, uint32_t event,
		  struct cg_tree *t);

/* Fills in the rest of a tree that has its nodes. `misfit` is the profile's. */
void cg_tree_describe(struct cg_tree *t, const struct cg_profile *p, uint32_t event,
		      const struct cg_misfit *misfit);

#endif
