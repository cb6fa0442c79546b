#include "cgprofile/tree.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/build.h"
#include "callgrind/support/grow.h"
#include "callgrind/support/number.h"
#include "callgrind/tree_flow.h"
#include "callgrind/tree_shape.h"

#define DEFAULT_MIN_SHARE_PPB 100
#define NODES_PER_RECORD 16
/* Edges between one and another whose callee is asked for. */
#define AHEAD 3
#define LEAST_NODES 100000
/* What trees may take: this, and three times the size of the file. */
#define FREE_BYTES ((uint64_t)56 << 20)
/* Of a node with its costs, while another tree is made of it (tree_merge.c). */
#define NODE_BYTES 200
#define EVENT_BYTES 44

/* A node on its way: until it is expanded, its self cost is all it costs. */
struct tree_place {
	uint32_t record;
	uint64_t share; /* of the record's costs */
};

/* With the cost by which it waits, beside it in memory. */
struct waiting {
	int64_t cost;
	uint32_t node;
};

struct growing {
	const struct cg_profile *p;
	struct cg_tree_options options;
	struct cg_flow flow;
	struct cg_tree_draft draft;
	struct tree_place *places; /* per node */
	size_t places_cap;
	size_t nestimated;
	bool by_cost;         /* estimated nodes wait for their turn: */
	struct waiting *heap; /* the costliest on top */
	size_t waiting, heap_cap;
};

/* ---- the costliest estimated path ---- */

static bool tree_is_before(struct waiting a, struct waiting b)
{
	int order = cg_compare_sizes(a.cost, b.cost);
	return order ? order < 0 : a.node < b.node;
}

static int tree_push(struct growing *g, uint32_t node)
{
	struct waiting new = { g->draft.self[(size_t)node * g->p->nevents + g->options.event],
			       node };
	size_t at = g->waiting;
	if (cg_grow(&g->heap, &g->heap_cap, at + 1, sizeof *g->heap))
		return CG_ENOMEM;
	for (g->waiting++; at && tree_is_before(new, g->heap[(at - 1) / 2]); at = (at - 1) / 2)
		g->heap[at] = g->heap[(at - 1) / 2];
	g->heap[at] = new;
	return CG_OK;
}

static uint32_t pop(struct growing *g)
{
	struct waiting top = g->heap[0], last = g->heap[--g->waiting];
	size_t at = 0;
	for (size_t child; (child = 2 * at + 1) < g->waiting; at = child) {
		if (child + 1 < g->waiting && tree_is_before(g->heap[child + 1], g->heap[child]))
			child++;
		if (!tree_is_before(g->heap[child], last))
			break;
		g->heap[at] = g->heap[child];
	}
	g->heap[at] = last;
	return top.node;
}

/* ---- nodes ---- */

static bool is_small(const struct growing *g, uint32_t node)
{
	size_t n = g->p->nevents, e = g->options.event;
	uint64_t cost = cg_magnitude(g->draft.self[node * n + e]);
	return (unsigned __int128)cost * 1000000000u <
	       (unsigned __int128)cg_magnitude(g->p->total[e]) * g->options.min_share_ppb;
}

static uint32_t count_callees(const struct growing *g, uint32_t record)
{
	return g->flow.records[record + 1].first - g->flow.records[record].first;
}

/* An estimated node waits for its turn, if that could come. */
static int let_wait(struct growing *g, uint32_t node)
{
	if (count_callees(g, g->places[node].record) == 0)
		return CG_OK;
	if (!is_small(g, node))
		return g->by_cost ? tree_push(g, node) : CG_OK;
	g->draft.nodes[node].cut = true;
	return CG_OK;
}

static int tree_add_node(struct growing *g, uint32_t parent, uint32_t record, uint64_t share,
			 uint64_t calls, const int64_t *costs)
{
	uint32_t n = g->p->nevents;
	const struct cg_flow_record *r = &g->flow.records[record];
	struct cg_tree_node node = {
		.function = r->function,
		.parent = parent,
		.inlined = parent && r->inlined,
		.uncounted = parent && r->inlined && !calls,
		.estimated = g->draft.nodes[parent].estimated || !r->sure,
		.estimated_below = !r->known,
		.truncated = g->draft.nodes[parent].truncated || r->returns,
		.calls = calls,
	};
	uint32_t id = (uint32_t)g->draft.count;
	int status = cg_tree_draft_add(&g->draft, n, &node);
	if (!status)
		status = cg_grow(&g->places, &g->places_cap, g->draft.count, sizeof *g->places);
	if (status)
		return status;
	memcpy(g->draft.self + (size_t)id * n, costs, n * sizeof *costs);
	g->places[id] = (struct tree_place){ record, share };
	g->nestimated += node.estimated;
	return node.estimated ? let_wait(g, id) : CG_OK;
}

/* What of an edge's costs flows below one node of the caller; rounded down, so
 * that nothing is left to pay where nothing is negative. */
static int64_t flow_below(const struct growing *g, uint32_t node, uint32_t edge, uint32_t event)
{
	const struct tree_place *at = &g->places[node];
	size_t n = g->p->nevents;
	int64_t flow = g->flow.cost[edge * n + event], self = g->draft.self[node * n + event];
	int64_t through = g->flow.through[at->record * n + event], product;

	if (g->flow.negative[event])
		return (int64_t)(flow * (__int128)at->share / (__int128)CG_SHARE_ALL);
	if (through == 0 || self == through)
		return through ? flow : 0;
	if (!__builtin_mul_overflow(flow, self, &product))
		return product / through;
	return (int64_t)((__int128)flow * self / through);
}

static uint64_t tree_part_of(uint64_t whole, uint64_t share)
{
	unsigned __int128 rounded = (unsigned __int128)whole * share + CG_SHARE_ALL / 2;
	return (uint64_t)(rounded / CG_SHARE_ALL);
}

/* Costs of all events along one edge; true if there are any. */
static bool find_costs(const struct growing *g, uint32_t node, uint32_t edge, int64_t *costs)
{
	bool any = false;
	for (uint32_t e = 0; e < g->p->nevents; e++)
		any |= (costs[e] = flow_below(g, node, edge, e)) != 0;
	return any;
}

static int subtract(int64_t *rest, const int64_t *costs, uint32_t n)
{
	bool overflow = false;
	for (uint32_t e = 0; e < n; e++)
		overflow |= __builtin_sub_overflow(rest[e], costs[e], &rest[e]);
	return overflow ? CG_ERANGE : CG_OK;
}

/* Callees are anywhere in memory. */
static void prefetch_callee(const struct growing *g, uint32_t edge)
{
	if (edge < g->flow.nedges)
		__builtin_prefetch(&g->flow.records[g->flow.edges[edge].callee]);
}

/* Gives the callees of a node what is theirs; the node keeps the rest. */
static int tree_expand(struct growing *g, uint32_t node)
{
	uint32_t record = g->places[node].record, n = g->p->nevents;
	uint32_t first = g->flow.records[record].first;
	int64_t costs[CG_MAX_EVENTS], rest[CG_MAX_EVENTS];
	int status = CG_OK;

	memcpy(rest, g->draft.self + (size_t)node * n, n * sizeof *rest);
	for (uint32_t i = first; !status && i < first + count_callees(g, record); i++) {
		const struct cg_flow_edge *edge = &g->flow.edges[i];
		prefetch_callee(g, i + AHEAD);
		uint64_t share = g->places[node].share;
		bool any = !edge->back && find_costs(g, node, i, costs);
		if (edge->back || (!any && g->draft.nodes[node].estimated))
			continue;
		status = subtract(rest, costs, n);
		if (!status)
			status = tree_add_node(g, node, edge->callee,
					       tree_part_of(edge->share, share),
					       tree_part_of(edge->count, share), costs);
	}
	if (!status)
		memcpy(g->draft.self + (size_t)node * n, rest, n * sizeof *rest);
	return status;
}

/* ---- the tree ---- */

/* A record without cost or callee represents only a name that the file mentions. */
static bool is_mentioned_only(const struct growing *g, uint32_t record)
{
	for (uint32_t e = 0; e < g->p->nevents; e++)
		if (g->flow.outside[(size_t)record * g->p->nevents + e])
			return false;
	return count_callees(g, record) == 0;
}

static int add_roots(struct growing *g)
{
	static const struct cg_tree_node whole_program;
	int status = cg_tree_draft_add(&g->draft, g->p->nevents, &whole_program);
	if (!status)
		status = cg_grow(&g->places, &g->places_cap, 1, sizeof *g->places);
	for (uint32_t r = 1; !status && r < g->p->nrecords; r++)
		if (g->flow.records[r].is_root && !is_mentioned_only(g, r))
			status = tree_add_node(g, 0, r, g->flow.outside_share[r], 0,
					       g->flow.outside + (size_t)r * g->p->nevents);
	return status;
}

/* An exact node is the only place of its record, or the end of one call: they are at most as
 * many as records and calls, so all are expanded. */
static int grow_exact(struct growing *g)
{
	int status = CG_OK;
	for (uint32_t i = 1; !status && i < g->draft.count; i++)
		if (!g->draft.nodes[i].estimated)
			status = tree_expand(g, i);
	return status;
}

static bool has_room_for(const struct growing *g, uint32_t ncallees)
{
	return g->nestimated + ncallees <= g->options.max_nodes;
}

static int grow_by_cost(struct growing *g)
{
	int status = CG_OK;
	while (!status && g->waiting) {
		uint32_t node = pop(g);
		if (has_room_for(g, count_callees(g, g->places[node].record)))
			status = tree_expand(g, node);
		else
			g->draft.nodes[node].cut = true;
	}
	return status;
}

static int grow_in_order(struct growing *g, bool *all)
{
	int status = CG_OK;

	*all = true;
	for (uint32_t i = 1; !status && *all && i < g->draft.count; i++) {
		const struct cg_tree_node *node = &g->draft.nodes[i];
		uint32_t ncallees = count_callees(g, g->places[i].record);
		*all = has_room_for(g, node->estimated ? ncallees : 0);
		if (node->estimated && !node->cut && *all)
			status = tree_expand(g, i);
	}
	return status;
}

/* If there is room for all estimated nodes, it does not matter which ones are first. */
static int grow(struct growing *g)
{
	bool all = false;

	g->draft.count = g->nestimated = 0;
	int status = add_roots(g);
	if (!status)
		status = grow_exact(g);
	if (!status && g->by_cost)
		return grow_by_cost(g);
	if (!status)
		status = grow_in_order(g, &all);
	if (status || all)
		return status;
	g->by_cost = true;
	return grow(g);
}

static uint32_t most_nodes(const struct cg_profile *p)
{
	uint64_t wanted = (uint64_t)p->nrecords * NODES_PER_RECORD;
	uint64_t room = (FREE_BYTES + 3 * p->bytes) / (NODE_BYTES + EVENT_BYTES * p->nevents);

	if (wanted < LEAST_NODES)
		wanted = LEAST_NODES;
	if (wanted > room)
		wanted = room;
	return wanted > UINT32_MAX ? UINT32_MAX : (uint32_t)wanted;
}

static void set_defaults(struct growing *g)
{
	struct cg_tree_options *o = &g->options;
	if (!o->min_share_ppb)
		o->min_share_ppb = DEFAULT_MIN_SHARE_PPB;
	if (!o->max_nodes)
		o->max_nodes = most_nodes(g->p);
}

/* The audit knows what of it was lost by Valgrind. */
static int tree_find_misfit(const struct growing *g, struct cg_misfit *misfit)
{
	struct cg_audit *audit = NULL;
	int status = g->flow.balanced ? CG_OK : cg_audit_make(g->p, &audit);

	*misfit = audit ? audit->misfit : (struct cg_misfit){ 0 };
	cg_audit_free(audit);
	return status;
}

int cg_tree_make(const struct cg_profile *p, const struct cg_tree_options *options,
		 struct cg_tree **out)
{
	struct growing g = { .p = p, .options = *options };
	struct cg_misfit misfit;
	if (options->event >= p->nevents)
		return CG_EINVAL;

	set_defaults(&g);
	int status = cg_flow_make(p, options->event, options->frames, &g.flow);
	if (!status)
		status = tree_find_misfit(&g, &misfit);
	if (!status)
		status = grow(&g);
	cg_flow_free(&g.flow);
	free(g.places);
	free(g.heap);
	if (!status && options->group)
		status = cg_tree_draft_merge(&g.draft, p->nevents, options->group);
	if (!status)
		status = cg_tree_shape(&g.draft, p, options->event, &misfit, out);
	cg_tree_draft_free(&g.draft);
	return status;
}
