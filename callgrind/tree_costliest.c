#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "callgrind/support/number.h"
#include "callgrind/tree_growth.h"

/* What a node of the draft is the way to: until that is followed, its self cost is all it costs. */
struct tree_place {
	uint32_t record;
	uint64_t share;
};

/* With the cost by which it waits, beside it in memory. */
struct waiting {
	int64_t cost;
	uint32_t node;
};

struct costliest {
	struct tree_growth *g;
	struct cg_tree_draft *draft;
	struct tree_place *places; /* per node */
	size_t places_cap;
	struct waiting *heap; /* estimated nodes, the costliest on top */
	size_t waiting, heap_cap;
};

/* ---- the costliest estimated path ---- */

static bool tree_is_before(struct waiting a, struct waiting b)
{
	int order = cg_compare_sizes(a.cost, b.cost);
	return order ? order < 0 : a.node < b.node;
}

static int tree_push(struct costliest *c, uint32_t node)
{
	const struct tree_growth *g = c->g;
	struct waiting new = { c->draft->self[(size_t)node * g->p->nevents + g->options.event],
			       node };
	size_t at = c->waiting;
	if (cg_grow(&c->heap, &c->heap_cap, at + 1, sizeof *c->heap))
		return CG_ENOMEM;
	for (c->waiting++; at && tree_is_before(new, c->heap[(at - 1) / 2]); at = (at - 1) / 2)
		c->heap[at] = c->heap[(at - 1) / 2];
	c->heap[at] = new;
	return CG_OK;
}

static uint32_t pop(struct costliest *c)
{
	struct waiting top = c->heap[0], last = c->heap[--c->waiting];
	size_t at = 0;
	for (size_t child; (child = 2 * at + 1) < c->waiting; at = child) {
		if (child + 1 < c->waiting && tree_is_before(c->heap[child + 1], c->heap[child]))
			child++;
		if (!tree_is_before(c->heap[child], last))
			break;
		c->heap[at] = c->heap[child];
	}
	c->heap[at] = last;
	return top.node;
}

/* ---- nodes ---- */

static int tree_add_node(struct costliest *c, const struct tree_way *way, const int64_t *costs)
{
	uint32_t n = c->g->p->nevents, id = (uint32_t)c->draft->count;
	int status = cg_tree_draft_add(c->draft, n, &way->node);

	if (!status)
		status = cg_grow(&c->places, &c->places_cap, c->draft->count, sizeof *c->places);
	if (status)
		return status;
	memcpy(c->draft->self + (size_t)id * n, costs, n * sizeof *costs);
	c->places[id] = (struct tree_place){ way->record, way->share };
	const bool followed = way->node.estimated && !way->node.cut;
	return followed && cg_tree_count_callees(c->g, way->record) ? tree_push(c, id) : CG_OK;
}

static struct tree_way way_to(const struct costliest *c, uint32_t node)
{
	return (struct tree_way){ .node = c->draft->nodes[node],
				  .record = c->places[node].record,
				  .share = c->places[node].share };
}

/* Gives the callees of a node what is theirs; the node keeps the rest. */
static int tree_expand(struct costliest *c, uint32_t node)
{
	const struct tree_way way = way_to(c, node);
	const uint32_t n = c->g->p->nevents, first = c->g->flow.records[way.record].first;
	const uint32_t end = first + cg_tree_count_callees(c->g, way.record);
	int64_t all[CG_MAX_EVENTS], costs[CG_MAX_EVENTS];
	struct tree_way callee;
	int status = CG_OK;

	memcpy(all, c->draft->self + (size_t)node * n, n * sizeof *all);
	for (uint32_t i = first; !status && i < end; i++) {
		if (!cg_tree_follow(c->g, &way, all, i, node, &callee, costs))
			continue;
		if (!cg_subtract_costs(c->draft->self + (size_t)node * n, costs, n))
			status = CG_ERANGE;
		if (!status)
			status = tree_add_node(c, &callee, costs);
	}
	return status;
}

/* ---- the tree ---- */

static int add_roots(struct costliest *c)
{
	static const struct cg_tree_node whole_program;
	const struct tree_growth *g = c->g;
	int status = cg_tree_draft_add(c->draft, g->p->nevents, &whole_program);

	if (!status)
		status = cg_grow(&c->places, &c->places_cap, 1, sizeof *c->places);
	for (uint32_t r = 1; !status && r < g->p->nrecords; r++) {
		if (!cg_tree_is_root(g, r))
			continue;
		struct tree_way way = cg_tree_way_into_root(c->g, r);
		status = tree_add_node(c, &way, g->flow.outside + (size_t)r * g->p->nevents);
	}
	return status;
}

/* An exact node is the only place of its record, or the end of one call: they are at most as
 * many as records and calls, so all are expanded. */
static int grow_exact(struct costliest *c)
{
	int status = CG_OK;
	for (uint32_t i = 1; !status && i < c->draft->count; i++)
		if (!c->draft->nodes[i].estimated)
			status = tree_expand(c, i);
	return status;
}

static int grow_by_cost(struct costliest *c)
{
	int status = CG_OK;
	while (!status && c->waiting) {
		uint32_t node = pop(c);
		struct tree_way way = way_to(c, node);
		if (cg_tree_has_room(c->g, &way))
			status = tree_expand(c, node);
		else
			c->draft->nodes[node].cut = true;
	}
	return status;
}

int cg_tree_grow_costliest(struct tree_growth *g, struct cg_tree_draft *draft)
{
	struct costliest c = { .g = g, .draft = draft };
	int status;

	g->nestimated = 0;
	status = add_roots(&c);
	if (!status)
		status = grow_exact(&c);
	if (!status)
		status = grow_by_cost(&c);
	free(c.places);
	free(c.heap);
	return status;
}
