/*
 * Private to the library: how a tree grows along the flows of a profile.
 *
 * A way is one record at the end of one path. It is a node, or one of several that are siblings of
 * one group, or part of its caller's node. What comes to a way flows on to its callees, as far as
 * the flow of its record does, and it keeps the rest.
 */
#ifndef CG_TREE_GROWTH_H
#define CG_TREE_GROWTH_H

#include "callgrind/build.h"
#include "callgrind/tree_flow.h"
#include "callgrind/tree_shape.h"

struct tree_way {
	struct cg_tree_node node; /* as if it were one of its own; `end` is left open */
	uint32_t record;
	uint64_t share; /* of the record's costs */
};

struct tree_growth {
	const struct cg_profile *p;
	struct cg_tree_options options; /* with all limits set */
	struct cg_flow flow;
	size_t nestimated; /* ways so far */
};

static inline uint32_t cg_tree_count_callees(const struct tree_growth *g, uint32_t record)
{
	return g->flow.records[record + 1].first - g->flow.records[record].first;
}

/* Whether an estimated way may be followed: there is room for its callees. */
static inline bool cg_tree_has_room(const struct tree_growth *g, const struct tree_way *way)
{
	return g->nestimated + cg_tree_count_callees(g, way->record) <= g->options.max_nodes;
}

/* Whether a record is a root of the tree. */
bool cg_tree_is_root(const struct tree_growth *g, uint32_t record);

/* The way into a root, to which flow.outside comes; it is counted. */
struct tree_way cg_tree_way_into_root(struct tree_growth *g, uint32_t record);

/* What flows along an edge of a way to which `costs` come. False if that is no way to follow;
 * otherwise *callee is it, which is counted, below the node `parent`, and callee_costs is what
 * comes to it. */
bool cg_tree_follow(struct tree_growth *g, const struct tree_way *way, const int64_t *costs,
		    uint32_t edge, uint32_t parent, struct tree_way *callee, int64_t *callee_costs);

/* ---- tree_whole.c ---- */

/* Grows all paths, in the order of the tree and with inclusive costs, with siblings of one group
 * as one node. *whole is false if they are too many; the draft, which is empty before, is empty
 * then. CG_OK, CG_ENOMEM or CG_ERANGE; the draft is the caller's, also on failure. */
int cg_tree_grow_whole(struct tree_growth *g, struct cg_tree_draft *draft, bool *whole);

/* ---- tree_costliest.c ---- */

/* Grows the costliest paths, one node for each way. Errors as above. */
int cg_tree_grow_costliest(struct tree_growth *g, struct cg_tree_draft *draft);

#endif
