/* The step "rename" of tree_match.h. */
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "src/diff/tree_steps.h"

enum {
	MOST_COMPARED = 32, /* functions of each side, the costliest */
	MOST_CALLEES = 64,  /* of each, the costliest */
	LEAST_PERCENT = 40,
};

/* What a function that one side has calls. */
struct candidate {
	uint32_t pair;
	uint64_t all; /* what its callees cost */
	uint32_t count;
	struct callee {
		uint32_t function;
		uint64_t cost;
	} callees[MOST_CALLEES]; /* by function, each once */
};

struct likeness {
	uint32_t base, head; /* candidates */
	uint32_t share;      /* of 2^30 */
};

struct renaming {
	struct matching *x;
	struct candidate of[SIDES][MOST_COMPARED];
	uint32_t count[SIDES];
	struct likeness pairs[MOST_COMPARED * MOST_COMPARED];
	size_t npairs;
};

static int compare_callees(const void *left, const void *right)
{
	const struct callee *a = left, *b = right;
	return (a->function > b->function) - (a->function < b->function);
}

static void add_callees(const struct matching *x, uint32_t side, uint32_t node, struct candidate *c)
{
	const struct cg_tree_node *nodes = x->trees[side]->nodes;
	for (uint32_t i = node + 1; i < nodes[node].end && c->count < MOST_CALLEES;
	     i = nodes[i].end) {
		uint64_t cost = cg_magnitude(matching_inclusive(x, side, i));
		c->callees[c->count++] = (struct callee){ matching_function(x, side, i), cost };
	}
}

/* Sums of callees stay below 2^63: so do the sizes of all costs of a profile. */
static void collect_callees(const struct matching *x, uint32_t side, uint32_t id,
			    struct candidate *c)
{
	uint32_t merged = 0;

	*c = (struct candidate){ .pair = id };
	for (uint32_t n = x->m.pairs[id].first[side]; n && c->count < MOST_CALLEES;
	     n = x->m.next[side][n])
		add_callees(x, side, n, c);
	qsort(c->callees, c->count, sizeof *c->callees, compare_callees);
	for (uint32_t i = 0; i < c->count; i++) {
		c->all += c->callees[i].cost;
		if (merged && c->callees[merged - 1].function == c->callees[i].function)
			c->callees[merged - 1].cost += c->callees[i].cost;
		else
			c->callees[merged++] = c->callees[i];
	}
	c->count = merged;
}

/* The share of callees that both have, by cost, each in parts of its own callees. */
static uint32_t compare_candidates(const struct candidate *a, const struct candidate *b)
{
	const uint64_t whole = UINT64_C(1) << 30;
	uint64_t common = 0;

	for (uint32_t i = 0, j = 0; a->all && b->all && i < a->count && j < b->count;) {
		const struct callee *p = &a->callees[i], *q = &b->callees[j];
		if (p->function == q->function) {
			uint64_t x = (uint64_t)((unsigned __int128)p->cost * whole / a->all);
			uint64_t y = (uint64_t)((unsigned __int128)q->cost * whole / b->all);
			common += x < y ? x : y;
		}
		i += p->function <= q->function;
		j += q->function <= p->function;
	}
	return (uint32_t)common;
}

/* "parse(char const*)" and "parse(std::string_view)" */
static bool are_overloads(const struct renaming *r, uint32_t base, uint32_t head)
{
	const struct tree_pair *pairs = r->x->m.pairs;
	const char *a = r->x->functions->name[pairs[base].function];
	const char *b = r->x->functions->name[pairs[head].function];
	size_t len = strcspn(a, "(<");
	return len && len == strcspn(b, "(<") && (a[len] || b[len]) && strncmp(a, b, len) == 0;
}

static void add_likeness(struct renaming *r, uint32_t base, uint32_t head)
{
	const struct candidate *b = &r->of[BASE][base], *h = &r->of[HEAD][head];
	uint32_t share = compare_candidates(b, h);

	/* The name says more than what a function calls. */
	if (are_overloads(r, b->pair, h->pair))
		share += UINT32_C(1) << 30;
	if ((uint64_t)share * 100 >= (uint64_t)LEAST_PERCENT << 30)
		r->pairs[r->npairs++] = (struct likeness){ base, head, share };
}

/* The most similar first, then the costliest: candidates are in that order. The sum
 * of places is the same whichever side is base. */
static int compare_likeness(const void *left, const void *right)
{
	const struct likeness *a = left, *b = right;
	if (a->share != b->share)
		return a->share < b->share ? 1 : -1;
	uint32_t x = a->base + a->head, y = b->base + b->head;
	if (x != y)
		return x < y ? -1 : 1;
	return (a->base > b->base) - (a->base < b->base);
}

static int collect(struct renaming *r)
{
	size_t count;
	int status = matching_list_one_sided(r->x, false, &count);

	for (size_t i = 0; !status && i < count; i++) {
		uint32_t id = r->x->order[i];
		uint32_t side = r->x->m.pairs[id].first[BASE] ? BASE : HEAD;
		if (r->count[side] < MOST_COMPARED)
			collect_callees(r->x, side, id, &r->of[side][r->count[side]++]);
	}
	return status;
}

static void join(struct renaming *r)
{
	struct tree_pair *pairs = r->x->m.pairs;

	for (size_t i = 0; i < r->npairs; i++) {
		uint32_t base = r->of[BASE][r->pairs[i].base].pair;
		uint32_t head = r->of[HEAD][r->pairs[i].head].pair;
		if (pairs[base].gone || pairs[head].first[BASE])
			continue;
		matching_join(r->x, head, base);
		pairs[head].how = DIFF_RENAMED;
	}
}

static bool has_both(const struct matching *x)
{
	bool found[SIDES] = { false, false };
	for (uint32_t i = x->start; i < x->m.count; i++) {
		const struct tree_pair *pair = &x->m.pairs[i];
		if (pair->gone || pair->dissolved)
			continue;
		found[BASE] |= !pair->first[HEAD];
		found[HEAD] |= !pair->first[BASE];
	}
	return found[BASE] && found[HEAD];
}

int matching_rename(struct matching *x)
{
	if (!has_both(x))
		return CG_OK;
	struct renaming *r = malloc(sizeof *r);
	if (!r)
		return CG_ENOMEM;
	*r = (struct renaming){ .x = x };

	int status = collect(r);
	for (uint32_t i = 0; i < r->count[BASE]; i++)
		for (uint32_t j = 0; j < r->count[HEAD]; j++)
			add_likeness(r, i, j);
	qsort(r->pairs, r->npairs, sizeof *r->pairs, compare_likeness);
	if (!status)
		join(r);
	free(r);
	return status;
}
