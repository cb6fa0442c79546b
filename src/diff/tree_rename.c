/* The step "rename" of tree_match.h. */
#include <stdlib.h>
#include <string.h>

#include "callgrind/build.h"
#include "callgrind/support/number.h"
#include "src/diff/installed.h"
#include "src/diff/matching_steps.h"
#include "src/diff/metric.h"

enum {
	MOST_COMPARED = 32, /* functions of each side, the costliest */
	MOST_CALLEES = 64,  /* of each, the costliest */
	LEAST_PERCENT = 40,
	LEAST_ALIKE = 75,    /* percent of the cost; what differs more is another algorithm */
	LEAST_AS_OFTEN = 90, /* percent of the calls of a leaf … */
	LEAST_CALLS = 16,    /* … of which fewer say nothing */
};

/* What a function calls that only one side has. */
struct candidate {
	uint32_t pair;
	uint64_t calls;   /* of a heap: the blocks that it allocates; 0: not known */
	const char *file; /* "": not known */
	bool inlined;
	bool counted; /* its calls; not of a heap */
	bool ours;    /* somebody of the project gave it its name */
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

struct function_renaming {
	struct matching *x;
	struct candidate of[SIDES][MOST_COMPARED];
	uint32_t count[SIDES];
	struct likeness pairs[MOST_COMPARED * MOST_COMPARED];
	size_t npairs;
};

static int compare_candidate_callees(const void *left, const void *right)
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

/* The stacks of a heap have no numbers of calls, but a function that calls nothing else allocates
 * in each of them. */
static uint64_t count_blocks(const struct matching *x, const struct tree_pair *pair, uint32_t side)
{
	const int event = cg_event_index(x->trees[side]->profile, metric_event_name("allocs"));
	int64_t self[CG_MAX_EVENTS];

	matching_sum_self(x, pair, side, self);
	return event < 0 ? 0 : cg_magnitude(self[event]);
}

static void describe_candidate(const struct matching *x, uint32_t side, struct candidate *c)
{
	const struct tree_pair *pair = &x->m.pairs[c->pair];
	const struct cg_tree *t = x->trees[side];
	const struct cg_profile *p = t->profile;
	const struct cg_function *f = &p->functions[t->nodes[pair->first[side]].function];

	c->file = cg_string(p, f->file);
	c->counted = !metric_is_of_heap(x->d->options.metric);
	c->calls = c->counted ? matching_count_calls(x, pair, side) : count_blocks(x, pair, side);
	c->inlined = pair->inlined;
	c->ours = !is_installed_path(c->file) && !is_installed_path(cg_string(p, f->object));
}

/* Sums of callees stay below 2^63: so do the sizes of all costs of a profile. */
static void collect_callees(const struct matching *x, uint32_t side, uint32_t id,
			    struct candidate *c)
{
	uint32_t merged = 0;

	*c = (struct candidate){ .pair = id };
	describe_candidate(x, side, c);
	for (uint32_t n = x->m.pairs[id].first[side]; n && c->count < MOST_CALLEES;
	     n = x->m.next[side][n])
		add_callees(x, side, n, c);
	qsort(c->callees, c->count, sizeof *c->callees, compare_candidate_callees);
	for (uint32_t i = 0; i < c->count; i++) {
		c->all += c->callees[i].cost;
		if (merged && c->callees[merged - 1].function == c->callees[i].function)
			c->callees[merged - 1].cost += c->callees[i].cost;
		else
			c->callees[merged++] = c->callees[i];
	}
	c->count = merged;
}

static uint64_t share_of_callee(const struct candidate *c, uint32_t i)
{
	return (uint64_t)(((unsigned __int128)c->callees[i].cost << 30) / c->all);
}

/* The part of its callees that only its side has, by cost. */
static uint64_t share_of_one_sided(const struct function_renaming *r, const struct candidate *c)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < c->count; i++)
		if (!tree_function_in_both(&r->x->functions->list[c->callees[i].function]))
			sum += share_of_callee(c, i);
	return sum;
}

/* Whether the smaller is at least so many percent of the larger. */
static bool are_near(uint64_t a, uint64_t b, unsigned percent)
{
	uint64_t less = a < b ? a : b, more = a < b ? b : a;

	return less && (unsigned __int128)less * 100 >= (unsigned __int128)more * percent;
}

static bool cost_alike(const struct candidate *a, const struct candidate *b)
{
	return are_near(a->all, b->all, LEAST_ALIKE);
}

/* The share of callees that both have, by cost, each in parts of its own callees. In the same file,
 * those that only one side has may be those that only the other has: renamed, too. */
static uint32_t compare_candidates(const struct function_renaming *r, const struct candidate *a,
				   const struct candidate *b)
{
	uint64_t common = 0;

	for (uint32_t i = 0, j = 0; a->all && b->all && i < a->count && j < b->count;) {
		const struct callee *p = &a->callees[i], *q = &b->callees[j];
		if (p->function == q->function) {
			uint64_t x = share_of_callee(a, i), y = share_of_callee(b, j);
			common += x < y ? x : y;
		}
		i += p->function <= q->function;
		j += q->function <= p->function;
	}
	if (cost_alike(a, b) && *a->file && strcmp(a->file, b->file) == 0) {
		uint64_t x = share_of_one_sided(r, a), y = share_of_one_sided(r, b);
		common += x < y ? x : y;
	}
	return (uint32_t)common;
}

/* "parse(char const*)" and "parse(std::string_view)" */
static bool are_overloads(const struct function_renaming *r, uint32_t base, uint32_t head)
{
	const struct tree_pair *pairs = r->x->m.pairs;
	const char *a = r->x->functions->list[pairs[base].function].matched;
	const char *b = r->x->functions->list[pairs[head].function].matched;
	size_t len = strcspn(a, "(<");
	return len && len == strcspn(b, "(<") && (a[len] || b[len]) && strncmp(a, b, len) == 0;
}

/* In all events that both sides have. */
static bool cost_the_same(const struct matching *x, const struct candidate *b,
			  const struct candidate *h)
{
	const struct cg_profile *base = x->d->base, *head = x->d->head;
	int64_t in_base[CG_MAX_EVENTS], in_head[CG_MAX_EVENTS];

	matching_sum_self(x, &x->m.pairs[b->pair], BASE, in_base);
	matching_sum_self(x, &x->m.pairs[h->pair], HEAD, in_head);
	for (uint32_t e = 0; e < base->nevents; e++) {
		int other = cg_event_index(head, cg_string(base, base->events[e].name));
		if (other >= 0 && in_base[e] != in_head[other])
			return false;
	}
	return true;
}

static bool call_the_same(const struct candidate *b, const struct candidate *h)
{
	for (uint32_t i = 0; i < b->count && i < h->count; i++)
		if (b->callees[i].function != h->callees[i].function)
			return false;
	return b->count == h->count;
}

/* Where calls are counted, what is inlined has none that can be compared. */
static bool may_be_one_leaf(const struct candidate *b, const struct candidate *h)
{
	const bool same_file = *b->file && strcmp(b->file, h->file) == 0;

	return b->ours && h->ours && !b->count && !h->count &&
	       (b->counted ? !b->inlined && !h->inlined : same_file);
}

/* A leaf has no callees to be compared by. If it is called as often by the same function and
 * costs exactly the same, and not next to nothing, that is no coincidence. */
static bool is_same_leaf(const struct function_renaming *r, const struct candidate *b,
			 const struct candidate *h)
{
	int64_t cost = r->x->m.pairs[b->pair].cost[BASE];

	return may_be_one_leaf(b, h) && b->calls && b->calls == h->calls &&
	       diff_classify_change(r->x->d, 0, cost) != DIFF_UNCHANGED &&
	       cost_the_same(r->x, b, h);
}

/* The smaller as a part of the larger, of 2^30. */
static uint64_t nearness(uint64_t a, uint64_t b)
{
	uint64_t less = a < b ? a : b, more = a < b ? b : a;

	return (uint64_t)(((unsigned __int128)less << 30) / more);
}

/* A leaf of the same file that the same function calls nearly as often and that costs nearly the
 * same: renamed and edited, or another one in its place. How near both are, of 2^30; 0: they are
 * not. */
static uint32_t compare_leaves(const struct function_renaming *r, const struct candidate *b,
			       const struct candidate *h)
{
	const struct tree_pair *pairs = r->x->m.pairs;
	uint64_t base = cg_magnitude(pairs[b->pair].cost[BASE]);
	uint64_t head = cg_magnitude(pairs[h->pair].cost[HEAD]);

	if (!may_be_one_leaf(b, h) || !*b->file || strcmp(b->file, h->file) != 0 ||
	    b->calls < LEAST_CALLS || !are_near(b->calls, h->calls, LEAST_AS_OFTEN) ||
	    !are_near(base, head, LEAST_ALIKE))
		return 0;
	return (uint32_t)(nearness(b->calls, h->calls) * nearness(base, head) >> 30);
}

/* Of what is inlined, or not the project's, one function is easily taken for another: unless it is
 * the only one that there is to take. */
static bool may_be_one_function(const struct function_renaming *r, const struct candidate *b,
				const struct candidate *h)
{
	bool only = r->count[BASE] == 1 && r->count[HEAD] == 1 && *b->file &&
		    strcmp(b->file, h->file) == 0;
	bool visible = (!b->inlined && !h->inlined) || only;
	return (b->ours && h->ours && visible) ||
	       (*b->file && strcmp(b->file, h->file) == 0 && call_the_same(b, h) &&
		cost_the_same(r->x, b, h));
}

static void add_likeness(struct function_renaming *r, uint32_t base, uint32_t head)
{
	const struct candidate *b = &r->of[BASE][base], *h = &r->of[HEAD][head];
	uint32_t share = compare_candidates(r, b, h);

	if (!share)
		share = compare_leaves(r, b, h);
	if (is_same_leaf(r, b, h))
		share = UINT32_C(1) << 30;
	/* A similar name is better evidence than similar callees. */
	if (are_overloads(r, b->pair, h->pair))
		share += UINT32_C(1) << 30;
	if ((uint64_t)share * 100 >= (uint64_t)LEAST_PERCENT << 30 && may_be_one_function(r, b, h))
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

static int collect_candidates(struct function_renaming *r)
{
	size_t count;
	int status = matching_list_one_sided(r->x, false, &count);

	for (size_t i = 0; !status && i < count; i++) {
		uint32_t id = r->x->order[i];
		uint32_t side = r->x->m.pairs[id].first[BASE] ? BASE : HEAD;
		if (r->count[side] < MOST_COMPARED &&
		    !matching_is_same_code(r->x, &r->x->m.pairs[id]))
			collect_callees(r->x, side, id, &r->of[side][r->count[side]++]);
	}
	return status;
}

static void join_renamed(struct function_renaming *r)
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

static bool has_unmatched_of_both(const struct matching *x)
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
	if (!has_unmatched_of_both(x))
		return CG_OK;
	struct function_renaming *r = malloc(sizeof *r);
	if (!r)
		return CG_ENOMEM;
	*r = (struct function_renaming){ .x = x };

	int status = collect_candidates(r);
	for (uint32_t i = 0; i < r->count[BASE]; i++)
		for (uint32_t j = 0; j < r->count[HEAD]; j++)
			add_likeness(r, i, j);
	qsort(r->pairs, r->npairs, sizeof *r->pairs, compare_likeness);
	if (!status)
		join_renamed(r);
	free(r);
	return status;
}
