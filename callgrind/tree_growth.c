#include "callgrind/tree_growth.h"

#include "callgrind/support/number.h"

static bool is_small(const struct tree_growth *g, const int64_t *costs)
{
	size_t e = g->options.event;
	return (unsigned __int128)cg_magnitude(costs[e]) * 1000000000u <
	       (unsigned __int128)cg_magnitude(g->p->total[e]) * g->options.min_share_ppb;
}

/* Of a way that leads on from `from`; `costs` come to it. */
static struct tree_way make_way(struct tree_growth *g, const struct cg_tree_node *from,
				uint32_t parent, uint32_t record, const int64_t *costs)
{
	const struct cg_flow_record *r = &g->flow.records[record];
	struct tree_way way = {
		.node = { .function = r->function,
			  .parent = parent,
			  .inlined = parent && r->inlined,
			  .estimated = from->estimated || !r->sure,
			  .estimated_below = !r->known,
			  .truncated = from->truncated || r->returns },
		.record = record,
	};
	way.node.cut = way.node.estimated && cg_tree_count_callees(g, record) && is_small(g, costs);
	g->nestimated += way.node.estimated;
	return way;
}

/* A record without cost or callee represents only a name that the file mentions. */
static bool is_mentioned_only(const struct tree_growth *g, uint32_t record)
{
	for (uint32_t e = 0; e < g->p->nevents; e++)
		if (g->flow.outside[(size_t)record * g->p->nevents + e])
			return false;
	return cg_tree_count_callees(g, record) == 0;
}

bool cg_tree_is_root(const struct tree_growth *g, uint32_t record)
{
	return g->flow.records[record].is_root && !is_mentioned_only(g, record);
}

struct tree_way cg_tree_way_into_root(struct tree_growth *g, uint32_t record)
{
	static const struct cg_tree_node whole_program;
	struct tree_way way = make_way(g, &whole_program, 0, record,
				       g->flow.outside + (size_t)record * g->p->nevents);

	way.share = g->flow.outside_share[record];
	return way;
}

/* What of an edge's costs flows on from a way; rounded down, so that nothing is left to pay where
 * nothing is negative. */
static int64_t flow_along(const struct tree_growth *g, const struct tree_way *way,
			  const int64_t *costs, uint32_t edge, uint32_t event)
{
	size_t n = g->p->nevents;
	int64_t flow = g->flow.cost[edge * n + event], here = costs[event];
	int64_t through = g->flow.through[way->record * n + event], product;

	if (g->flow.negative[event])
		return (int64_t)(flow * (__int128)way->share / (__int128)CG_SHARE_ALL);
	if (through == 0 || here == through)
		return through ? flow : 0;
	if (!__builtin_mul_overflow(flow, here, &product))
		return product / through;
	return (int64_t)((__int128)flow * here / through);
}

static uint64_t part_of_share(uint64_t whole, uint64_t share)
{
	unsigned __int128 rounded = (unsigned __int128)whole * share + CG_SHARE_ALL / 2;
	return (uint64_t)(rounded / CG_SHARE_ALL);
}

bool cg_tree_follow(struct tree_growth *g, const struct tree_way *way, const int64_t *costs,
		    uint32_t edge, uint32_t parent, struct tree_way *callee, int64_t *callee_costs)
{
	const struct cg_flow_edge *e = &g->flow.edges[edge];
	bool any = false;

	if (e->back)
		return false;
	for (uint32_t i = 0; i < g->p->nevents; i++)
		any |= (callee_costs[i] = flow_along(g, way, costs, edge, i)) != 0;
	if (!any && way->node.estimated)
		return false;
	*callee = make_way(g, &way->node, parent, e->callee, callee_costs);
	callee->share = part_of_share(e->share, way->share);
	callee->node.calls = part_of_share(e->count, way->share);
	callee->node.uncounted = callee->node.inlined && !callee->node.calls;
	return true;
}
