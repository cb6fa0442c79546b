#include "src/diff/tree_match.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "callgrind/support/number.h"
#include "src/diff/tree_steps.h"

/* Of fewer calls, shares that were estimated are mostly rounding. */
#define LEAST_ESTIMATED_CALLS 16

/* Inlined code may cost a fraction of what it did as a function. */
#define LEAST_MOVED 4

/* ---- pairs ---- */

struct wanted_pair {
	const struct tree_pair *pairs;
	uint32_t parent, function;
	bool inlined;
};

/* Nothing is added to what is dissolved: its callees have been taken out of it. */
static bool is_wanted_pair(const void *context, uint32_t id)
{
	const struct wanted_pair *w = context;
	const struct tree_pair *pair = &w->pairs[id];
	return pair->parent == w->parent && pair->function == w->function &&
	       pair->inlined == w->inlined && !pair->dissolved && (!pair->gone || pair->into);
}

static uint32_t hash_of_pair(uint32_t parent, uint32_t function, bool inlined)
{
	return (uint32_t)cg_hash_mix(cg_hash_mix(parent, function), inlined);
}

uint32_t matching_find(const struct matching *x, uint32_t function, bool inlined)
{
	struct wanted_pair w = { x->m.pairs, x->parent, function, inlined };
	uint32_t id = cg_index_find(&x->index, hash_of_pair(x->parent, function, inlined),
				    is_wanted_pair, &w);
	return x->m.pairs[id].gone ? x->m.pairs[id].into : id;
}

static int add_tree_pair(struct matching *x, uint32_t function, bool inlined, uint32_t *id)
{
	struct tree_match *m = &x->m;
	if (m->count >= UINT32_MAX)
		return CG_ERANGE;
	if (cg_grow(&m->pairs, &m->cap, m->count + 1, sizeof *m->pairs) ||
	    cg_index_reserve(&x->index))
		return CG_ENOMEM;
	*id = (uint32_t)m->count++;
	m->pairs[*id] = (struct tree_pair){ .parent = x->parent,
					    .function = function,
					    .inlined = inlined };
	cg_index_insert(&x->index, hash_of_pair(x->parent, function, inlined), *id);
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

/* Costs in which both signs meet are only weighed here: a sum may saturate. */
static void add_pair_cost(int64_t *sum, int64_t cost)
{
	if (__builtin_add_overflow(*sum, cost, sum))
		*sum = cost < 0 ? INT64_MIN : INT64_MAX;
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
	add_pair_cost(&x->m.pairs[id].cost[side], matching_inclusive(x, side, node));
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
		add_pair_cost(&to->cost[s], pair->cost[s]);
		if (!to->via[s])
			to->via[s] = pair->via[s];
	}
	pair->gone = true;
	pair->into = into;
}

/* ---- what only one side has ---- */

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

/* ---- inlined here, called there ---- */

static __int128 size_of_cost(__int128 n)
{
	return n < 0 ? -n : n;
}

/* 0: only called, 1: both, 2: only inlined */
static int inlining(const struct tree_pair *called, const struct tree_pair *inlined, uint32_t side)
{
	return (inlined->first[side] != 0) + (called->first[side] == 0);
}

static bool is_on(const struct tree_pair *a, const struct tree_pair *b, uint32_t side)
{
	return a->first[side] || b->first[side];
}

/* How much more head costs than base. */
static __int128 growth(const struct tree_pair *pair)
{
	return (__int128)pair->cost[HEAD] - pair->cost[BASE];
}

/* Where both sides do both: whether what became less of the one became the other. */
static bool moved(const struct tree_pair *called, const struct tree_pair *inlined)
{
	__int128 a = growth(called), b = growth(inlined);
	return (a < 0) != (b < 0) && size_of_cost(a) >= size_of_cost(b) / LEAST_MOVED &&
	       size_of_cost(b) >= size_of_cost(a) / LEAST_MOVED && a && b;
}

/* One pair of a function that is called and one where it is inlined; where both
 * sides do both, they stay apart unless one took from the other. */
static void join_inlined(struct matching *x)
{
	for (uint32_t i = x->start; i < x->m.count; i++) {
		struct tree_pair *called = &x->m.pairs[i];
		if (called->inlined || called->dissolved)
			continue;
		uint32_t twin = matching_find(x, called->function, true);
		struct tree_pair *inlined = &x->m.pairs[twin];
		if (!twin || !is_on(called, inlined, BASE) || !is_on(called, inlined, HEAD))
			continue;
		int before = inlining(called, inlined, BASE), now = inlining(called, inlined, HEAD);
		bool less_called = growth(called) < 0;
		if (before == now && (before != 1 || !moved(called, inlined)))
			continue;
		matching_join(x, i, twin);
		called->how = now > before || (now == before && less_called)
				      ? DIFF_INLINED
				      : DIFF_NO_LONGER_INLINED;
	}
}

/* ---- calls ---- */

uint64_t matching_count_calls(const struct matching *x, const struct tree_pair *pair, uint32_t side)
{
	uint64_t sum = 0;
	for (uint32_t n = pair->first[side]; n; n = x->m.next[side][n]) {
		const struct cg_tree_node *node = &x->trees[side]->nodes[n];
		if (node->inlined || node->calls == 0)
			return 0;
		if (__builtin_add_overflow(sum, node->calls, &sum))
			return UINT64_MAX;
	}
	return sum;
}

static bool is_estimated(const struct matching *x, const struct tree_pair *pair)
{
	for (uint32_t s = 0; s < SIDES; s++)
		for (uint32_t n = pair->first[s]; n; n = x->m.next[s][n])
			if (x->trees[s]->nodes[n].estimated)
				return true;
	return false;
}

/* Whether the cost per call makes up for most of what the number of calls would mean:
 * a buffer of twice the size is filled half as often. */
static bool explain_nothing(const struct tree_pair *pair, struct weights counted)
{
	__int128 base = weight_scale(pair->weights.base, pair->cost[BASE]);
	__int128 head = weight_scale(pair->weights.head, pair->cost[HEAD]);
	__int128 each = weight_scale(counted.head, pair->cost[HEAD]) -
			weight_scale(counted.base, pair->cost[BASE]);
	__int128 by_calls = head - base - each;
	return size_of_cost(head - base) < (size_of_cost(by_calls) + size_of_cost(each)) / 4;
}

static void set_weights(const struct matching *x, struct tree_pair *pair)
{
	uint64_t least = is_estimated(x, pair) ? LEAST_ESTIMATED_CALLS : 1;

	for (uint32_t s = 0; s < SIDES; s++)
		pair->calls[s] = matching_count_calls(x, pair, s);
	pair->weights = x->m.pairs[pair->parent].weights;
	if (pair->calls[BASE] < least || pair->calls[HEAD] < least)
		return;
	struct weights counted = weights_below(pair->weights, pair->calls[BASE], pair->calls[HEAD]);
	if (!explain_nothing(pair, counted))
		pair->weights = counted;
}

/* ---- the walk ---- */

static int match_callees(struct matching *x)
{
	int status = x->last >= TREE_ABSORB ? matching_absorb_parts(x) : CG_OK;
	if (!status && x->last >= TREE_SPLICE)
		status = matching_splice(x);
	if (!status)
		join_inlined(x);
	if (!status && x->last >= TREE_RENAME)
		status = matching_rename(x);
	if (!status && x->last >= TREE_ABSORB)
		status = matching_absorb(x);
	return status;
}

/* What is below a pair; a pair that only one side has has callees of that side. */
static int walk_pair(struct matching *x, uint32_t id)
{
	bool both = id == 0 || (x->m.pairs[id].first[BASE] && x->m.pairs[id].first[HEAD]);
	int status = CG_OK;

	x->parent = id;
	x->start = (uint32_t)x->m.count;
	for (uint32_t s = 0; !status && s < SIDES; s++)
		if (id == 0 || x->m.pairs[id].first[s])
			status = matching_add_callees(x, id, s);
	if (!status && both)
		status = match_callees(x);
	for (uint32_t i = x->start; !status && i < x->m.count; i++) {
		struct tree_pair *pair = &x->m.pairs[i];
		if (pair->first[BASE] && pair->first[HEAD] && pair->how == DIFF_ONE_SIDED)
			pair->how = DIFF_SAME;
		set_weights(x, pair);
	}
	return status;
}

static void assign_nodes(struct matching *x)
{
	for (uint32_t i = 1; i < x->m.count; i++)
		for (uint32_t s = 0; s < SIDES && !x->m.pairs[i].gone; s++)
			for (uint32_t n = x->m.pairs[i].first[s]; n; n = x->m.next[s][n])
				x->m.pair_of[s][n] = i;
	for (size_t i = 0; i < x->m.nabsorbed; i++) {
		const struct tree_absorbed *a = &x->m.absorbed[i];
		x->m.pair_of[a->side][a->node] = a->pair;
	}
}

static int walk(struct matching *x)
{
	int status = cg_grow(&x->m.pairs, &x->m.cap, 1, sizeof *x->m.pairs);
	if (status)
		return status;
	x->m.pairs[0] = (struct tree_pair){ .how = DIFF_SAME, .weights = WEIGHTS_ALL };
	x->m.count = 1;
	for (size_t i = 0; !status && i < x->m.count; i++)
		if (!x->m.pairs[i].gone && !x->m.pairs[i].dissolved)
			status = walk_pair(x, (uint32_t)i);
	if (!status)
		assign_nodes(x);
	return status;
}

int tree_match(const struct diff *d, enum tree_step last, const struct cg_tree *const trees[SIDES],
	       const uint32_t *const group_of[SIDES], const struct tree_functions *functions,
	       struct tree_match *out)
{
	struct matching x = {
		.d = d, .last = last, .trees = trees, .functions = functions, .group_of = group_of
	};
	int status = CG_OK;

	for (uint32_t s = 0; s < SIDES; s++) {
		x.m.pair_of[s] = calloc((size_t)trees[s]->count + 1, sizeof *x.m.pair_of[s]);
		x.m.next[s] = calloc((size_t)trees[s]->count + 1, sizeof *x.m.next[s]);
		if (!x.m.pair_of[s] || !x.m.next[s])
			status = CG_ENOMEM;
	}
	if (!status)
		status = walk(&x);
	cg_index_free(&x.index);
	free(x.order);
	*out = x.m;
	return status;
}

void tree_match_free(struct tree_match *m)
{
	for (uint32_t s = 0; s < SIDES; s++) {
		free(m->pair_of[s]);
		free(m->next[s]);
	}
	free(m->pairs);
	free(m->absorbed);
	*m = (struct tree_match){ 0 };
}
