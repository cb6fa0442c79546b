#include "src/diff/taken_over.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "src/diff/tree_pairs.h"

enum {
	MOST_GAINED = 4, /* inlined code may cost a fraction of what it did as a function */
	DEEPEST = 4,     /* functions that were inlined one into the other */
	/* So that the work stays bounded: */
	MOST_VISITED = 256,     /* callees of one function */
	MOST_LOOKED_AT = 20000, /* of all that the caller calls through others, on each side */
};

/* What may have been taken over. */
struct taken_candidate {
	uint32_t callee, side;
	bool in_both; /* both sides call it, this one at higher cost */
	bool found;   /* the other side calls it by what was taken over */
	bool if_dissolved;
	double cost; /* of its own, in calls by the caller, weighed */
};

struct search {
	const uint32_t *caller; /* in base and in head */
	double weight[SIDES];   /* how much of each side's costs counts */
	uint32_t looked_at;     /* calls by callees, and by theirs */
	struct taken_candidate *list;
	size_t count, cap;
};

/* ---- what could have been taken over ---- */

static double share_of_calls(const struct matching *x, uint32_t side, const struct call_total *call)
{
	int64_t all = x->totals[side].functions[call->callee].called;
	return all > 0 && call->cost > 0 ? (double)call->cost / (double)all : 0;
}

static double self_in_calls(const struct matching *x, uint32_t side, const struct call_total *call)
{
	return (double)x->totals[side].functions[call->callee].self * share_of_calls(x, side, call);
}

static const char *object_of_number(const struct matching *x, uint32_t side, uint32_t number)
{
	const struct cg_profile *p = x->trees[side]->profile;
	return cg_string(p, p->functions[x->totals[side].functions[number].function].object);
}

/* No compiler inlines what is in another file of machine code. */
static bool is_of_other_object(const struct matching *x, uint32_t side, uint32_t caller,
			       uint32_t callee)
{
	const char *around = object_of_number(x, side, caller);
	const char *object = object_of_number(x, side, callee);
	return *around && *object && strcmp(around, object) != 0;
}

static bool is_mostly_own(const struct matching *x, uint32_t side, uint32_t function)
{
	const struct function_total *total = &x->totals[side].functions[function];
	return total->self >= total->calls;
}

/* Whether the other side's caller calls most of what it calls. */
static bool left_its_callees(struct matching *x, struct search *s, uint32_t side, uint32_t function,
			     int depth)
{
	const struct call_totals *t = &x->totals[side];
	unsigned __int128 found = 0, all = 0;
	uint32_t visited = 0;

	for (uint32_t i = t->functions[function].first; i && visited++ < MOST_VISITED;
	     i = t->items[i].next) {
		const struct call_total *call = &t->items[i];
		uint64_t cost = call->cost > 0 ? (uint64_t)call->cost : 0;
		if (call->callee == function)
			continue;
		all += cost;
		if (call_totals_find(x, !side, s->caller[!side], call->callee))
			found += cost;
	}
	s->looked_at += depth ? visited : 0;
	return found > 0 && found >= all - found;
}

static int add_taken_candidate(struct search *s, struct taken_candidate c)
{
	if (!(c.cost > 0) && !c.found)
		return CG_OK;
	if (cg_grow(&s->list, &s->cap, s->count + 1, sizeof *s->list))
		return CG_ENOMEM;
	s->list[s->count++] = c;
	return CG_OK;
}

static int list_taken_callees(struct matching *x, struct search *s, uint32_t side, uint32_t of,
			      double share, int depth);

static int list_taken_callee(struct matching *x, struct search *s, uint32_t side,
			     const struct call_total *call, double share, int depth)
{
	uint32_t caller = s->caller[side], callee = call->callee;
	const struct call_total *other = call_totals_find(x, !side, s->caller[!side], callee);
	double cost = s->weight[side] * share * self_in_calls(x, side, call);

	if (other)
		cost -= s->weight[!side] * self_in_calls(x, !side, other);
	if (callee == caller || (other && cost <= 0) || is_of_other_object(x, side, caller, callee))
		return CG_OK;
	bool own = is_mostly_own(x, side, callee);
	bool left = left_its_callees(x, s, side, callee, depth);
	struct taken_candidate c = { .callee = callee,
				     .side = side,
				     .in_both = other != NULL,
				     .if_dissolved = !own,
				     .cost = cost };
	int status = own || left ? add_taken_candidate(s, c) : CG_OK;
	if (status || other || !left || depth == DEEPEST)
		return status;
	share *= share_of_calls(x, side, call);
	return list_taken_callees(x, s, side, callee, share, depth + 1);
}

/* Each way to a function counts, and there may be very many. */
static bool may_look_at_more(struct search *s, int depth, uint32_t visited)
{
	return !depth || (visited < MOST_VISITED && s->looked_at++ < MOST_LOOKED_AT);
}

static int list_taken_callees(struct matching *x, struct search *s, uint32_t side, uint32_t of,
			      double share, int depth)
{
	const struct call_totals *t = &x->totals[side];
	uint32_t visited = 0;
	int status = CG_OK;

	for (uint32_t i = t->functions[of].first;
	     !status && i && may_look_at_more(s, depth, visited++); i = t->items[i].next) {
		const struct call_total *call = &t->items[i];
		if (call->callee == of)
			continue;
		struct taken_candidate found = { .callee = call->callee,
						 .side = !side,
						 .found = true };
		if (depth && call_totals_find(x, !side, s->caller[!side], call->callee))
			status = add_taken_candidate(s, found);
		else
			status = list_taken_callee(x, s, side, call, share, depth);
	}
	return status;
}

/* ---- which of them were ---- */

static int compare_taken_numbers(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int compare_taken_callees(const void *left, const void *right)
{
	const struct taken_candidate *a = left, *b = right;
	int order = compare_taken_numbers(a->callee, b->callee);
	return order ? order : compare_taken_numbers(a->side, b->side);
}

static int compare_taken_over(const void *left, const void *right)
{
	const struct taken_candidate *a = left, *b = right;
	if (a->in_both != b->in_both)
		return a->in_both - b->in_both;
	int order = (a->cost < b->cost) - (a->cost > b->cost);
	return order ? order : compare_taken_callees(a, b);
}

/* One of each callee: it may be called directly and by others that were taken over. */
static void join_same_callees(struct search *s)
{
	size_t kept = 0;

	if (!s->count)
		return;
	qsort(s->list, s->count, sizeof *s->list, compare_taken_callees);
	for (size_t i = 1; i < s->count; i++)
		if (compare_taken_callees(&s->list[kept], &s->list[i]) == 0) {
			s->list[kept].cost += s->list[i].cost;
			s->list[kept].found |= s->list[i].found;
		} else {
			s->list[++kept] = s->list[i];
		}
	s->count = kept + 1;
	qsort(s->list, s->count, sizeof *s->list, compare_taken_over);
}

static bool is_same_taken_over(const void *context, uint32_t id)
{
	const struct taken_over_item *items = context, *a = &items[id], *b = &items[0];
	return a->caller[BASE] == b->caller[BASE] && a->caller[HEAD] == b->caller[HEAD] &&
	       a->callee == b->callee && a->side == b->side;
}

static uint32_t find_taken_over(struct matching *x, struct taken_over_item item, uint32_t *hash)
{
	uint64_t h = cg_hash_keyed(x->d->strings.secret, item.caller[BASE]);

	*hash = (uint32_t)cg_hash_keyed(cg_hash_keyed(h, item.caller[HEAD]),
					(uint64_t)item.callee << 1 | item.side);
	x->taken_over.items[0] = item;
	return cg_index_find(&x->taken_over.index, *hash, is_same_taken_over, x->taken_over.items);
}

static int add_taken_over(struct matching *x, struct taken_over_item item)
{
	struct taken_over *t = &x->taken_over;
	uint32_t hash;

	if (cg_grow(&t->items, &t->cap, t->count + 2, sizeof *t->items) ||
	    cg_index_reserve(&t->index))
		return CG_ENOMEM;
	if (!find_taken_over(x, item, &hash)) {
		t->items[++t->count] = item;
		cg_index_insert(&t->index, hash, (uint32_t)t->count);
	}
	return CG_OK;
}

static double weighed_self(const struct matching *x, const struct search *s, uint32_t side)
{
	return s->weight[side] * (double)x->totals[side].functions[s->caller[side]].self;
}

static int choose_taken_over(struct matching *x, const struct search *s)
{
	double grown = weighed_self(x, s, HEAD) - weighed_self(x, s, BASE);
	int status = CG_OK;

	for (size_t i = 0; !status && i < s->count; i++) {
		const struct taken_candidate *c = &s->list[i];
		double sign = c->side == BASE ? 1 : -1, moved = sign * grown;
		if (c->found || moved <= 0 || moved < floor(c->cost / MOST_GAINED))
			continue;
		grown -= sign * c->cost;
		status = add_taken_over(x, (struct taken_over_item){
						   .caller = { s->caller[BASE], s->caller[HEAD] },
						   .callee = c->callee,
						   .side = c->side,
						   .if_dissolved = c->if_dissolved,
					   });
	}
	return status;
}

/* As in weight.h. */
static void weigh_callers(struct matching *x, struct search *s)
{
	const struct call_total *total[SIDES];
	bool counted = true;

	for (uint32_t i = 0; i < SIDES; i++) {
		total[i] = call_totals_find(x, i, 0, s->caller[i]);
		counted &= total[i] && total[i]->calls && !total[i]->uncounted;
		s->weight[i] = 1;
	}
	for (uint32_t i = 0; i < SIDES && counted; i++)
		s->weight[i] = fmin(1, (double)total[!i]->calls / (double)total[i]->calls);
}

static int decide_taken_over(struct matching *x, const uint32_t caller[SIDES])
{
	struct search s = { .caller = caller };
	int status = call_totals_make(x);

	if (!status)
		weigh_callers(x, &s);
	for (uint32_t i = 0; !status && i < SIDES; i++) {
		s.looked_at = 0;
		status = list_taken_callees(x, &s, i, caller[i], 1, 0);
	}
	if (!status) {
		join_same_callees(&s);
		status = choose_taken_over(x, &s);
	}
	free(s.list);
	return status;
}

int taken_over_find(struct matching *x, const uint32_t caller[SIDES], uint32_t callee,
		    uint32_t side, const struct taken_over_item **item)
{
	struct taken_over_item wanted = { .caller = { caller[BASE], caller[HEAD] } };
	struct taken_over *t = &x->taken_over;
	uint32_t hash;
	int status = cg_grow(&t->items, &t->cap, 1, sizeof *t->items);

	if (!status && !find_taken_over(x, wanted, &hash)) {
		status = add_taken_over(x, wanted);
		if (!status)
			status = decide_taken_over(x, caller);
	}
	if (status)
		return status;
	wanted.callee = callee;
	wanted.side = side;
	uint32_t id = find_taken_over(x, wanted, &hash);
	*item = id ? &t->items[id] : NULL;
	return CG_OK;
}

void taken_over_free(struct taken_over *t)
{
	free(t->items);
	cg_index_free(&t->index);
	*t = (struct taken_over){ 0 };
}
