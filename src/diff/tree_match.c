#include "src/diff/tree_match.h"

#include <stdlib.h>

#include "callgrind/support/grow.h"
#include "callgrind/support/number.h"
#include "src/diff/matching_steps.h"
#include "src/diff/tree_same.h"

/* Of fewer calls in base and head, shares that were estimated are mostly rounding. */
#define LEAST_ESTIMATED_CALLS 16

/* What explains less than one part in so many explains nothing. */
#define MUCH_MORE 8

/* Inlined code may cost a fraction of what it did as a function. */
#define LEAST_MOVED 4

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

/* head - base */
static __int128 growth(const struct tree_pair *pair)
{
	return (__int128)pair->cost[HEAD] - pair->cost[BASE];
}

/* Where both sides call and inline it: whether the cost moved from the one to the other. */
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
		if (matching_is_same_code(x, called))
			continue;
		matching_join(x, i, twin);
		called->how = now > before || (now == before && less_called)
				      ? DIFF_INLINED
				      : DIFF_NO_LONGER_INLINED;
	}
}

/* ---- calls ---- */

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

/* Where calls are not counted, what is done in them may tell how many there were. */
static void count_or_scale(const struct matching *x, struct tree_pair *pair, uint64_t calls[SIDES])
{
	for (uint32_t s = 0; s < SIDES; s++)
		calls[s] = pair->calls[s] = matching_count_calls(x, pair, s);
	if ((!calls[BASE] || !calls[HEAD]) && pair->first[BASE] && pair->first[HEAD] &&
	    !matching_find_scale(x, pair, &calls[BASE], &calls[HEAD]))
		calls[BASE] = calls[HEAD] = 0;
}

enum totals { TOTALS_SAME, TOTALS_CHANGED, TOTALS_UNKNOWN };

/* What one function calls of another over all paths, per side; NULL: nothing. */
struct totals_of_sides {
	const struct call_total *of[SIDES];
};

static struct totals_of_sides find_call_totals(struct matching *x, const uint32_t caller[SIDES],
					       const uint32_t callee[SIDES])
{
	struct totals_of_sides t;

	for (uint32_t s = 0; s < SIDES; s++)
		t.of[s] = call_totals_find(x, s, caller[s], callee[s]);
	return t;
}

static int64_t cost_of_total(const struct call_total *total)
{
	return total ? total->cost : 0;
}

/* Whether so many calls more or less explain next to nothing of how all that a function calls of
 * another one changed, of which each of `calls` is a part. */
static bool is_next_to_nothing(uint64_t more, uint64_t calls, const struct totals_of_sides *all,
			       uint32_t side)
{
	uint64_t cost = cg_magnitude(cost_of_total(all->of[side]));
	uint64_t change = cg_distance(cost_of_total(all->of[BASE]), cost_of_total(all->of[HEAD]));

	return !more || (calls && (unsigned __int128)more * cost / calls < change / MUCH_MORE);
}

/* Whether a function is called as often on both sides, or so nearly that this explains nothing of
 * how `all` changed. */
static enum totals compare_totals(struct totals_of_sides totals, const struct totals_of_sides *all)
{
	uint64_t calls[SIDES];

	for (uint32_t s = 0; s < SIDES; s++) {
		if (totals.of[s] && totals.of[s]->uncounted)
			return TOTALS_UNKNOWN;
		calls[s] = totals.of[s] ? totals.of[s]->calls : 0;
	}
	if (!calls[BASE] && !calls[HEAD])
		return TOTALS_UNKNOWN;
	uint64_t more = calls[BASE] > calls[HEAD] ? calls[BASE] - calls[HEAD]
						  : calls[HEAD] - calls[BASE];
	return is_next_to_nothing(more, calls[BASE], all, BASE) &&
			       is_next_to_nothing(more, calls[HEAD], all, HEAD)
		       ? TOTALS_SAME
		       : TOTALS_CHANGED;
}

/* Its number on each side; on one that lacks it, that of the other. */
static void functions_of_pair(const struct matching *x, const struct tree_pair *pair,
			      uint32_t of[SIDES])
{
	for (uint32_t s = 0; s < SIDES; s++) {
		uint32_t side = pair->first[s] ? s : !s;
		of[s] = matching_function(x, side, pair->first[side]);
	}
}

/* Whether a pair's caller calls it as often as before over all paths, or nearly so, and is not
 * known to be called more or less often itself. */
static int is_called_as_often(struct matching *x, const struct tree_pair *pair, bool *same)
{
	const uint32_t nobody[SIDES] = { 0, 0 };
	uint32_t caller[SIDES], callee[SIDES];
	int status = call_totals_make(x);

	if (status)
		return status;
	functions_of_pair(x, &x->m.pairs[pair->parent], caller);
	functions_of_pair(x, pair, callee);
	const struct totals_of_sides calls = find_call_totals(x, caller, callee);
	*same = compare_totals(calls, &calls) == TOTALS_SAME &&
		compare_totals(find_call_totals(x, nobody, caller), &calls) != TOTALS_CHANGED;
	return CG_OK;
}

static bool is_uncounted(const struct matching *x, const struct tree_pair *pair)
{
	for (uint32_t s = 0; s < SIDES; s++)
		if (pair->first[s] && x->trees[s]->nodes[pair->first[s]].inlined && !pair->calls[s])
			return true;
	return false;
}

static bool is_in_both(const struct tree_pair *pair)
{
	return pair->first[BASE] && pair->first[HEAD];
}

/* Whether nothing above changed how often a pair is called, and the path does not tell it. */
static bool may_have_moved(const struct matching *x, const struct tree_pair *pair)
{
	const struct tree_pair *parent = &x->m.pairs[pair->parent];

	if (parent->weights.base != parent->weights.head)
		return false;
	return parent->calls_moved ||
	       (is_in_both(parent) && pair->calls[BASE] != pair->calls[HEAD] &&
		(is_uncounted(x, parent) || is_estimated(x, pair)));
}

/* Whether the calls of a pair only seem to have changed, as they are as many over all paths:
 * estimates divide them otherwise, or (calls_moved) the program does. */
static int seems_to_change(struct matching *x, struct tree_pair *pair, bool *seems)
{
	const struct tree_pair *parent = &x->m.pairs[pair->parent];
	bool same = false, may_move = pair->parent && may_have_moved(x, pair);
	int status = CG_OK;

	*seems = false;
	if (!pair->parent || pair->via[BASE] || pair->via[HEAD])
		return CG_OK;
	if (may_move && pair->inlined && is_uncounted(x, pair)) {
		pair->calls_moved = parent->calls_moved;
		return CG_OK;
	}
	if (may_move || (is_in_both(pair) && is_in_both(parent) && is_estimated(x, pair)))
		status = is_called_as_often(x, pair, &same);
	*seems = same;
	pair->calls_moved = same && may_move;
	return status;
}

static int set_weights(struct matching *x, struct tree_pair *pair)
{
	bool seems;
	uint64_t least = is_estimated(x, pair) ? LEAST_ESTIMATED_CALLS : 1;

	uint64_t calls[SIDES];
	count_or_scale(x, pair, calls);
	int status = seems_to_change(x, pair, &seems);
	pair->weights = x->m.pairs[pair->parent].weights;
	if (status || seems || !calls[BASE] || !calls[HEAD] ||
	    (calls[BASE] < least && calls[HEAD] < least))
		return status;
	struct weights counted = weights_below(pair->weights, calls[BASE], calls[HEAD]);
	if (!explain_nothing(pair, counted))
		pair->weights = counted;
	return CG_OK;
}

/* ---- the walk ---- */

static int match_callees(struct matching *x)
{
	int status = x->last >= TREE_SPLICE ? matching_splice(x) : CG_OK;
	if (!status)
		join_inlined(x);
	if (!status && x->last >= TREE_RENAME)
		status = matching_rename(x);
	if (!status && x->last >= TREE_ABSORB)
		status = matching_absorb(x);
	return status;
}

/* Matches the callees of a pair; where only one side has the pair, they are all of that side. */
static int walk_pair(struct matching *x, uint32_t id)
{
	bool both = id == 0 || (x->m.pairs[id].first[BASE] && x->m.pairs[id].first[HEAD]);
	int status = CG_OK;

	x->parent = id;
	x->start = (uint32_t)x->m.count;
	if (both && id && x->last >= TREE_SPLICE)
		status = matching_fold_recursion(x, id);
	for (uint32_t s = 0; !status && s < SIDES; s++)
		if (id == 0 || x->m.pairs[id].first[s])
			status = matching_add_callees(x, id, s);
	if (!status && both)
		status = match_callees(x);
	for (uint32_t i = x->start; !status && i < x->m.count; i++) {
		struct tree_pair *pair = &x->m.pairs[i];
		if (pair->first[BASE] && pair->first[HEAD] && pair->how == DIFF_ONE_SIDED)
			pair->how = DIFF_SAME;
		status = set_weights(x, pair);
	}
	return status;
}

/* What is inlined belongs to the function around it, which looks at all of it (causes.c). */
static bool is_unchanged_below(const struct matching *x, const struct tree_pair *pair)
{
	return pair->how == DIFF_SAME && !pair->inlined &&
	       pair->weights.base == pair->weights.head && pair->first[BASE] == pair->last[BASE] &&
	       pair->first[HEAD] == pair->last[HEAD] &&
	       tree_same_below(x, pair->first[BASE], pair->first[HEAD]);
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

/* Pairs that are yet to be walked. */
struct to_walk {
	uint32_t *pairs;
	size_t count, cap;
};

/* Those from `start` on, the last first: then the order is that of the trees in memory. */
static int push_callees(const struct matching *x, uint32_t start, struct to_walk *w)
{
	if (cg_grow(&w->pairs, &w->cap, w->count + x->m.count - start, sizeof *w->pairs))
		return CG_ENOMEM;
	for (uint32_t i = (uint32_t)x->m.count; i-- > start;)
		if (!x->m.pairs[i].gone && !x->m.pairs[i].dissolved)
			w->pairs[w->count++] = i;
	return CG_OK;
}

static int walk_all(struct matching *x, struct to_walk *w)
{
	int status = walk_pair(x, 0);

	if (!status)
		status = push_callees(x, 1, w);
	while (!status && w->count) {
		uint32_t id = w->pairs[--w->count], start = (uint32_t)x->m.count;
		x->m.pairs[id].unchanged_below = is_unchanged_below(x, &x->m.pairs[id]);
		if (x->m.pairs[id].unchanged_below)
			continue;
		status = walk_pair(x, id);
		if (!status)
			status = push_callees(x, start, w);
	}
	return status;
}

static int walk(struct matching *x)
{
	struct to_walk w = { 0 };
	int status = cg_grow(&x->m.pairs, &x->m.cap, 1, sizeof *x->m.pairs);

	if (status)
		return status;
	x->m.pairs[0] = (struct tree_pair){ .how = DIFF_SAME, .weights = WEIGHTS_ALL };
	x->m.count = 1;
	status = walk_all(x, &w);
	free(w.pairs);
	if (!status)
		assign_nodes(x);
	return status;
}

int tree_match(const struct diff *d, enum tree_step last, enum tree_rows rows,
	       const struct cg_tree *const trees[SIDES], const struct tree_functions *functions,
	       struct tree_match *out)
{
	struct matching x = { .d = d,
			      .last = last,
			      .trees = trees,
			      .functions = functions,
			      .latest = calloc(functions->count, 2 * sizeof *x.latest) };
	int status = x.latest ? CG_OK : CG_ENOMEM;

	for (uint32_t s = 0; s < SIDES; s++) {
		x.m.pair_of[s] = calloc((size_t)trees[s]->count + 1, sizeof *x.m.pair_of[s]);
		x.m.next[s] = calloc((size_t)trees[s]->count + 1, sizeof *x.m.next[s]);
		x.m.folded[s] = calloc((size_t)trees[s]->count + 1, sizeof *x.m.folded[s]);
		x.builds[s] = calloc((size_t)trees[s]->profile->strings.count + 1,
				     sizeof *x.builds[s]);
		if (!x.m.pair_of[s] || !x.m.next[s] || !x.m.folded[s] || !x.builds[s])
			status = CG_ENOMEM;
	}
	if (!status && rows == TREE_CHANGED_ROWS)
		status = tree_same_make(&x);
	if (!status)
		status = walk(&x);
	tree_same_free(&x);
	free(x.latest);
	free(x.order);
	for (uint32_t s = 0; s < SIDES; s++) {
		free(x.builds[s]);
		free(x.recursive[s]);
		call_totals_free(&x.totals[s]);
	}
	taken_over_free(&x.taken_over);
	*out = x.m;
	return status;
}

void tree_match_free(struct tree_match *m)
{
	for (uint32_t s = 0; s < SIDES; s++) {
		free(m->pair_of[s]);
		free(m->next[s]);
		free(m->folded[s]);
	}
	free(m->pairs);
	free(m->absorbed);
	*m = (struct tree_match){ 0 };
}
