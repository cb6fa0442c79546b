/*
 * Private to the library: the calls of a profile as edges of a flow. All calls from one place to
 * another are one edge; those from a place to itself are none.
 */
#ifndef CG_TREE_EDGES_H
#define CG_TREE_EDGES_H

#include "callgrind/tree_flow.h"
#include "callgrind/tree_places.h"

/* Fills in the edges of a flow, by caller and then the costliest first by `event`, and what their
 * calls cost in all events. CG_OK, CG_ENOMEM or CG_ERANGE; free with cg_flow_free, also on
 * failure. */
int cg_tree_edges_make(const struct cg_profile *p, const struct cg_tree_places *places,
		       uint32_t event, struct cg_flow *f);

/* Numbers of edges by callee, then in the order of their callers: the caller's, for free. NULL if
 * memory ran out. */
uint32_t *cg_tree_edges_by_callee(const struct cg_profile *p, const struct cg_tree_places *places,
				  struct cg_flow *f);

#endif
