/* How often a function is called whose calls are not counted, if all it does says the same. */
#include <stdlib.h>

#include "callgrind/build.h"
#include "callgrind/support/number.h"
#include "src/diff/exact_events.h"
#include "src/diff/matching_steps.h"

enum {
	MOST_PARTS = 64,
	MOST_VISITED_BELOW = 1024, /* nodes: work at one pair is bounded */
	LEAST_NUMBERS = 3,         /* that grew in one proportion */
	LEAST_COUNT = 64,          /* of such a number, on the side that has more */
	LEAST_SELF = 8,            /* of its own code, in one event, to be compared */
	LEAST_PART = 50,           /* 1/50 of the whole cost: what is less is not compared */
	MOST_DEVIATION = 1000,     /* 1/1000 of a number: still the same proportion */
	LEAST_GROWTH = 10,         /* 1/10 of the whole cost: what is less may be chance */
};

/* The own code of a function that is inlined below a pair, or what a function costs that is called
 * there. */
struct part_below {
	uint32_t function;
	bool called, uncounted;
	uint64_t cost[SIDES], calls[SIDES];
};

struct parts_below {
	struct part_below of[MOST_PARTS];
	uint32_t count;
};

/* What a pair costs, or the calls of its costliest callee; and which numbers grew in this
 * proportion. */
struct scale {
	unsigned __int128 base, head;
	unsigned exact, rough;     /* how many did, to 0.1 %, or roughly */
	bool not_exact, not_rough; /* one did not */
};

static struct part_below *find_part_below(struct parts_below *w, uint32_t function, bool called)
{
	for (uint32_t i = 0; i < w->count; i++)
		if (w->of[i].function == function && w->of[i].called == called)
			return &w->of[i];
	if (w->count == MOST_PARTS)
		return NULL;
	w->of[w->count] = (struct part_below){ .function = function, .called = called };
	return &w->of[w->count++];
}

static bool add_part_below(const struct matching *x, uint32_t side, uint32_t node,
			   struct parts_below *w)
{
	const struct cg_tree_node *n = &x->trees[side]->nodes[node];
	struct part_below *found = find_part_below(w, matching_function(x, side, node),
						   !n->inlined);

	if (!found)
		return false;
	found->cost[side] += cg_magnitude(n->inlined ? matching_self(x, side, node)
						     : matching_inclusive(x, side, node));
	if (__builtin_add_overflow(found->calls[side], n->calls, &found->calls[side]))
		return false;
	found->uncounted |= !n->calls;
	return true;
}

/* False: they are too many, or what they cost is estimated. */
static bool collect_parts_below(const struct matching *x, const struct tree_pair *pair,
				uint32_t side, struct parts_below *w)
{
	const struct cg_tree_node *nodes = x->trees[side]->nodes;
	uint32_t visited = 0;

	for (uint32_t n = pair->first[side]; n; n = x->m.next[side][n]) {
		/* The costs of what a level calls have those of the levels below it. */
		if (nodes[n].estimated || nodes[n].estimated_below || x->m.folded[side][n])
			return false;
		for (uint32_t c = n + 1; c < nodes[n].end;) {
			if (!add_part_below(x, side, c, w) || ++visited > MOST_VISITED_BELOW)
				return false;
			c = nodes[c].inlined ? c + 1 : nodes[c].end;
		}
	}
	return true;
}

/* Whether base and head are in the proportion of the whole. */
static void compare_growth(struct scale *s, uint64_t base, uint64_t head)
{
	unsigned __int128 a = s->head * base, b = s->base * head;
	unsigned __int128 apart = a > b ? a - b : b - a, larger = a > b ? a : b;
	unsigned __int128 growth = s->head > s->base ? s->head - s->base : s->base - s->head;
	bool counts = base && head && (base >= LEAST_COUNT || head >= LEAST_COUNT);

	if (apart > larger / MOST_DEVIATION)
		s->not_exact = true;
	else
		s->exact += counts;
	if (apart > growth * (base < head ? base : head) / 2)
		s->not_rough = true;
	else
		s->rough += counts;
}

/* Whether it matters on one side. */
static bool is_large_part(const struct tree_pair *pair, uint64_t base, uint64_t head)
{
	return base > cg_magnitude(pair->cost[BASE]) / LEAST_PART ||
	       head > cg_magnitude(pair->cost[HEAD]) / LEAST_PART;
}

static void compare_parts_below(struct scale *s, const struct tree_pair *pair,
				const struct parts_below *w)
{
	for (uint32_t i = 0; i < w->count; i++) {
		const struct part_below *f = &w->of[i];
		bool large = is_large_part(pair, f->cost[BASE], f->cost[HEAD]);
		if (large && f->called && !f->uncounted)
			compare_growth(s, f->calls[BASE], f->calls[HEAD]);
		else if (large)
			compare_growth(s, f->cost[BASE], f->cost[HEAD]);
	}
}

/* Its own code, in each event, or the metric if that is no such event. */
static void compare_self_growth(struct scale *s, const struct matching *x,
				const struct tree_pair *pair)
{
	struct exact_events events = find_exact_events(x->d);
	int64_t base[CG_MAX_EVENTS], head[CG_MAX_EVENTS];

	matching_sum_self(x, pair, BASE, base);
	matching_sum_self(x, pair, HEAD, head);
	if (!events.count)
		compare_growth(s, cg_magnitude(matching_value(x, BASE, base)),
			       cg_magnitude(matching_value(x, HEAD, head)));
	for (size_t i = 0; i < events.count; i++) {
		uint64_t b = cg_magnitude(base[events.of[BASE][i]]);
		uint64_t h = cg_magnitude(head[events.of[HEAD][i]]);
		if (b >= LEAST_SELF || h >= LEAST_SELF)
			compare_growth(s, b, h);
	}
}

/* Where it is inlined on one side only, its code is not the same: the calls that it makes are. */
static void scale_by_calls(struct scale *s, struct parts_below *w)
{
	uint64_t most = 0;
	uint32_t kept = 0;

	s->base = s->head = 0;
	for (uint32_t i = 0; i < w->count; i++) {
		if (!w->of[i].called || w->of[i].uncounted)
			continue;
		uint64_t cost = w->of[i].cost[BASE] + w->of[i].cost[HEAD];
		if (cost > most) {
			most = cost;
			s->base = w->of[i].calls[BASE];
			s->head = w->of[i].calls[HEAD];
		}
		w->of[kept++] = w->of[i];
	}
	w->count = kept;
}

static bool grew_much(const struct scale *s)
{
	unsigned __int128 growth = s->head > s->base ? s->head - s->base : s->base - s->head;
	return growth > (s->base < s->head ? s->base : s->head) / LEAST_GROWTH;
}

bool matching_find_scale(const struct matching *x, const struct tree_pair *pair, uint64_t *base,
			 uint64_t *head)
{
	struct scale s = { .base = cg_magnitude(pair->cost[BASE]),
			   .head = cg_magnitude(pair->cost[HEAD]) };
	struct parts_below w = { .count = 0 };

	if (!pair->parent || !collect_parts_below(x, pair, BASE, &w) ||
	    !collect_parts_below(x, pair, HEAD, &w))
		return false;
	if (pair->how == DIFF_INLINED || pair->how == DIFF_NO_LONGER_INLINED)
		scale_by_calls(&s, &w);
	else
		compare_self_growth(&s, x, pair);
	compare_parts_below(&s, pair, &w);
	*base = (uint64_t)s.base;
	*head = (uint64_t)s.head;
	if (!s.base || !s.head)
		return false;
	return (!s.not_exact && s.exact >= LEAST_NUMBERS) ||
	       (!s.not_rough && s.rough >= LEAST_NUMBERS && grew_much(&s));
}
