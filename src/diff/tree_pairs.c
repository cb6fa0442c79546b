#include "src/diff/tree_pairs.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "callgrind/support/number.h"
#include "cgprofile/names.h"
#include "src/diff/same_code.h"

static uint32_t *latest_pair(const struct matching *x, uint32_t function, bool inlined)
{
	return &x->latest[2 * (size_t)function + inlined];
}

/* Nothing is added to what is dissolved: its callees have been taken out of it. */
static bool takes_nodes(const struct tree_pair *pair)
{
	return !pair->dissolved && (!pair->gone || pair->into);
}

uint32_t matching_find(const struct matching *x, uint32_t function, bool inlined)
{
	uint32_t id = *latest_pair(x, function, inlined);
	if (id < x->start || !takes_nodes(&x->m.pairs[id]))
		return 0;
	return x->m.pairs[id].gone ? x->m.pairs[id].into : id;
}

static int add_tree_pair(struct matching *x, uint32_t function, bool inlined, uint32_t *id)
{
	struct tree_match *m = &x->m;
	if (m->count >= UINT32_MAX)
		return CG_ERANGE;
	if (cg_grow(&m->pairs, &m->cap, m->count + 1, sizeof *m->pairs))
		return CG_ENOMEM;
	*id = (uint32_t)m->count++;
	m->pairs[*id] = (struct tree_pair){ .parent = x->parent,
					    .function = function,
					    .inlined = inlined };
	*latest_pair(x, function, inlined) = *id;
	return CG_OK;
}

static void append_nodes(struct matching *x, uint32_t id, uint32_t side, uint32_t first,
			 uint32_t last)
{
	struct tree_pair *pair = &x->m.pairs[id];
	if (pair->first[side])
		x->m.next[side][pair->last[side]] = first;
	else
		pair->first[side] = first;
	pair->last[side] = last;
}

void matching_append_level(struct matching *x, uint32_t id, uint32_t side, uint32_t node)
{
	append_nodes(x, id, side, node, node);
}

static int add_node_to_pair(struct matching *x, uint32_t side, uint32_t node, uint32_t via)
{
	bool inlined = x->trees[side]->nodes[node].inlined;
	uint32_t function = matching_function(x, side, node);
	uint32_t id = matching_find(x, function, inlined);
	int status = id ? CG_OK : add_tree_pair(x, function, inlined, &id);

	if (status)
		return status;
	append_nodes(x, id, side, node, node);
	if (via)
		x->m.pairs[id].via[side] = via;
	cg_add_cost_clipped(&x->m.pairs[id].cost[side], matching_inclusive(x, side, node));
	return CG_OK;
}

int matching_add_callees(struct matching *x, uint32_t from, uint32_t side)
{
	const struct cg_tree_node *nodes = x->trees[side]->nodes;
	uint32_t via = x->m.pairs[from].dissolved ? from : 0;
	uint32_t node = x->m.pairs[from].first[side];
	int status = CG_OK;

	/* Node 0 stands for itself alone, and ends no list. */
	do {
		for (uint32_t c = node + 1; !status && c < nodes[node].end; c = nodes[c].end)
			if (!x->m.folded[side][c])
				status = add_node_to_pair(x, side, c, via);
		node = x->m.next[side][node];
	} while (!status && node);
	return status;
}

void matching_join(struct matching *x, uint32_t into, uint32_t from)
{
	struct tree_pair *to = &x->m.pairs[into], *pair = &x->m.pairs[from];
	for (uint32_t s = 0; s < SIDES; s++) {
		if (!pair->first[s])
			continue;
		append_nodes(x, into, s, pair->first[s], pair->last[s]);
		cg_add_cost_clipped(&to->cost[s], pair->cost[s]);
		if (!to->via[s])
			to->via[s] = pair->via[s];
	}
	pair->gone = true;
	pair->into = into;
}

enum build_known { BUILD_SAME = 1, BUILD_OTHER };

static bool object_is_of_same_build(const struct matching *x, uint32_t side, cg_str object)
{
	uint8_t *known = &x->builds[side][object];

	if (!*known) {
		const char *name = cg_string(x->trees[side]->profile, object);
		*known = same_build_of(x->d, cg_base_name(name)) ? BUILD_SAME : BUILD_OTHER;
	}
	return *known == BUILD_SAME;
}

/* On each side that has it: a function that is matched by name may be in another object there. */
static bool is_of_same_build(const struct matching *x, const struct tree_pair *pair)
{
	for (uint32_t s = 0; s < SIDES; s++) {
		const struct cg_tree *t = x->trees[s];
		const uint32_t function = t->nodes[pair->first[s]].function;
		if (pair->first[s] &&
		    !object_is_of_same_build(x, s, t->profile->functions[function].object))
			return false;
	}
	return true;
}

bool matching_is_same_code(const struct matching *x, const struct tree_pair *pair)
{
	return x->d->base->has_inlined == x->d->head->has_inlined && x->parent &&
	       is_of_same_build(x, &x->m.pairs[x->parent]) && is_of_same_build(x, pair);
}

uint64_t matching_count_calls(const struct matching *x, const struct tree_pair *pair, uint32_t side)
{
	uint64_t sum = 0;
	for (uint32_t n = pair->first[side]; n; n = x->m.next[side][n]) {
		const struct cg_tree_node *node = &x->trees[side]->nodes[n];
		if (x->m.folded[side][n])
			continue;
		if (node->calls == 0 || node->inlined != pair->inlined)
			return 0;
		if (__builtin_add_overflow(sum, node->calls, &sum))
			return UINT64_MAX;
	}
	return sum;
}

void matching_sum_self(const struct matching *x, const struct tree_pair *pair, uint32_t side,
		       int64_t *sum)
{
	const struct cg_tree *t = x->trees[side];
	uint32_t nevents = t->profile->nevents;

	memset(sum, 0, nevents * sizeof *sum);
	for (uint32_t n = pair->first[side]; n; n = x->m.next[side][n])
		cg_add_costs(sum, t->self + (size_t)n * nevents, nevents);
}

/* ---- pairs that only one side has ---- */

static bool is_one_sided(const struct tree_pair *pair)
{
	return !pair->gone && (!pair->first[BASE] || !pair->first[HEAD]);
}

static int compare_pair_costs(const void *left, const void *right, void *context)
{
	const struct tree_pair *pairs = context;
	const struct tree_pair *a = &pairs[*(const uint32_t *)left];
	const struct tree_pair *b = &pairs[*(const uint32_t *)right];
	int order = cg_compare_sizes(a->cost[BASE] ? a->cost[BASE] : a->cost[HEAD],
				     b->cost[BASE] ? b->cost[BASE] : b->cost[HEAD]);
	if (!order)
		order = (a->function > b->function) - (a->function < b->function);
	return order ? order : a->inlined - b->inlined;
}

int matching_list_one_sided(struct matching *x, bool dissolved, size_t *count)
{
	size_t n = 0;
	if (cg_grow(&x->order, &x->order_cap, x->m.count - x->start + 1, sizeof *x->order))
		return CG_ENOMEM;
	for (uint32_t i = x->start; i < x->m.count; i++)
		if (is_one_sided(&x->m.pairs[i]) && (dissolved || !x->m.pairs[i].dissolved))
			x->order[n++] = i;
	qsort_r(x->order, n, sizeof *x->order, compare_pair_costs, x->m.pairs);
	*count = n;
	return CG_OK;
}
