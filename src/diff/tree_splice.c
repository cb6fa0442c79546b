/* The step "splice" of tree_match.h. */
#include "callgrind/support/number.h"
#include "src/diff/matching_steps.h"

enum {
	DEEPEST = 32,       /* a callee may be found below so many functions that are gone, too */
	MOST_VISITED = 256, /* callees of one function, so that the work stays bounded */
	PASSES = 3,
};

static uint64_t cost_on(const struct tree_pair *pair, uint32_t side)
{
	return pair->first[side] ? cg_magnitude(pair->cost[side]) : 0;
}

/* How much of a callee's cost the other side could have taken over: what only that side has,
 * or has more of. */
static uint64_t find_elsewhere(const struct matching *x, uint32_t function, uint32_t side,
			       uint64_t cost)
{
	uint32_t ids[] = { matching_find(x, function, false), matching_find(x, function, true) };
	uint64_t here = 0, there = 0;
	bool is_here = false, is_there = false;

	for (int i = 0; i < 2; i++) {
		const struct tree_pair *pair = &x->m.pairs[ids[i]];
		if (!ids[i])
			continue;
		is_here |= pair->first[side] != 0;
		is_there |= pair->first[!side] != 0;
		here += cost_on(pair, side);
		there += cost_on(pair, !side);
	}
	if (!is_there)
		return 0;
	if (!is_here)
		return cost;
	uint64_t excess = there > here ? there - here : 0;
	return excess < cost ? excess : cost;
}

struct splice_search {
	uint32_t ends[DEEPEST]; /* of the functions the search is in */
	uint32_t depth;
	uint32_t visited;
	unsigned __int128 found, all;
};

/* Adds the costs of the callees of one node that the other side has. */
static void search_node(const struct matching *x, uint32_t side, uint32_t node,
			struct splice_search *s)
{
	const struct cg_tree_node *nodes = x->trees[side]->nodes;
	uint32_t i = node + 1;

	s->depth = 0;
	while (i < nodes[node].end && s->visited++ < MOST_VISITED) {
		while (s->depth && i >= s->ends[s->depth - 1])
			s->depth--;
		if (x->m.folded[side][i]) {
			i = nodes[i].end;
			continue;
		}
		uint64_t cost = cg_magnitude(matching_inclusive(x, side, i));
		uint64_t found = find_elsewhere(x, matching_function(x, side, i), side, cost);
		s->found += found;
		if (s->depth == 0)
			s->all += cost;
		if (found || s->depth == DEEPEST || nodes[i].end == i + 1) {
			i = nodes[i].end;
		} else {
			s->ends[s->depth++] = nodes[i].end;
			i++;
		}
	}
}

static bool is_spliced(const struct matching *x, const struct tree_pair *pair, uint32_t side)
{
	struct splice_search s = { .visited = 0 };

	for (uint32_t n = pair->first[side]; n && s.visited < MOST_VISITED; n = x->m.next[side][n])
		search_node(x, side, n, &s);
	return s.found > 0 && s.found >= s.all - s.found;
}

/* Only its self cost remains its own. */
static int dissolve(struct matching *x, uint32_t id, uint32_t side)
{
	__int128 self = 0;

	for (uint32_t n = x->m.pairs[id].first[side]; n; n = x->m.next[side][n])
		self += matching_self(x, side, n);
	x->m.pairs[id].dissolved = true;
	x->m.pairs[id].how = DIFF_DISSOLVED;
	x->m.pairs[id].cost[side] = (int64_t)self;
	return matching_add_callees(x, id, side);
}

static int try_splice(struct matching *x, uint32_t id, bool *any)
{
	const struct tree_pair *pair = &x->m.pairs[id];
	uint32_t side = pair->first[BASE] ? BASE : HEAD;
	uint32_t twin = matching_find(x, pair->function, !pair->inlined);

	if (pair->dissolved || pair->first[!side] || x->m.pairs[twin].first[!side] ||
	    !is_spliced(x, pair, side) || matching_is_same_code(x, pair))
		return CG_OK;
	*any = true;
	return dissolve(x, id, side);
}

/* The callees of what was dissolved are tried in the same pass; another pass is for
 * those whose callees have turned up since. */
int matching_splice(struct matching *x)
{
	bool any = true;
	int status = CG_OK;

	for (int pass = 0; !status && any && pass < PASSES; pass++) {
		uint32_t tail = (uint32_t)x->m.count;
		size_t count;
		any = false;
		status = matching_list_one_sided(x, false, &count);
		for (size_t i = 0; !status && i < count; i++)
			status = try_splice(x, x->order[i], &any);
		for (; !status && tail < x->m.count; tail++)
			status = try_splice(x, tail, &any);
	}
	return status;
}
