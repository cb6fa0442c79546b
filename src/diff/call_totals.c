#include "src/diff/call_totals.h"

#include <stdlib.h>

#include "callgrind/support/grow.h"
#include "callgrind/support/number.h"
#include "src/diff/tree_pairs.h"

static bool is_same_total(const void *context, uint32_t id)
{
	const struct call_total *items = context;
	return items[id].caller == items[0].caller && items[id].callee == items[0].callee;
}

static uint32_t find_total(struct matching *x, uint32_t side, uint32_t caller, uint32_t callee,
			   uint32_t *hash)
{
	const uint64_t secret = x->d->strings.secret;
	struct call_totals *t = &x->totals[side];

	*hash = (uint32_t)cg_hash_keyed(cg_hash_keyed(secret, caller), callee);
	t->items[0] = (struct call_total){ .caller = caller, .callee = callee };
	return cg_index_find(&t->index, *hash, is_same_total, t->items);
}

static int find_or_add_call_total(struct matching *x, uint32_t side, uint32_t caller,
				  uint32_t callee, uint32_t *id)
{
	struct call_totals *t = &x->totals[side];
	uint32_t hash;

	if (cg_grow(&t->items, &t->cap, t->count + 2, sizeof *t->items) ||
	    cg_index_reserve(&t->index))
		return CG_ENOMEM;
	*id = find_total(x, side, caller, callee, &hash);
	if (*id)
		return CG_OK;
	*id = (uint32_t)++t->count;
	t->items[*id] = t->items[0];
	t->items[*id].next = t->functions[caller].first;
	t->functions[caller].first = *id;
	cg_index_insert(&t->index, hash, *id);
	return CG_OK;
}

static int add_call(struct matching *x, uint32_t side, uint32_t caller, uint32_t call)
{
	const struct cg_profile *p = x->trees[side]->profile;
	const struct cg_call *c = &p->calls[call];
	uint32_t id, callee = x->functions->of[side][p->records[c->callee].function];
	int status = find_or_add_call_total(x, side, caller, callee, &id);
	if (status)
		return status;
	struct call_total *total = &x->totals[side].items[id];
	cg_add_count_clipped(&total->calls, c->count);
	total->uncounted |= !c->count && p->records[c->callee].inlined_into;
	cg_add_cost_clipped(&total->cost,
			    matching_value(x, side, p->call_cost + (size_t)call * p->nevents));
	return CG_OK;
}

static void sum_functions(struct matching *x, uint32_t side)
{
	const struct cg_profile *p = x->trees[side]->profile;
	struct call_totals *t = &x->totals[side];

	for (uint32_t i = 1; i < p->nrecords; i++) {
		uint32_t function = p->records[i].function;
		struct function_total *total = &t->functions[x->functions->of[side][function]];
		cg_add_cost_clipped(
			&total->self,
			matching_value(x, side, p->record_self + (size_t)i * p->nevents));
		total->function = function;
	}
	for (size_t i = 1; i <= t->count; i++) {
		const struct call_total *total = &t->items[i];
		if (!total->caller || total->caller == total->callee)
			continue;
		cg_add_cost_clipped(&t->functions[total->callee].called, total->cost);
		cg_add_cost_clipped(&t->functions[total->caller].calls, total->cost);
	}
}

static int make_side(struct matching *x, uint32_t side)
{
	const struct cg_profile *p = x->trees[side]->profile;
	struct call_totals *t = &x->totals[side];
	int status = CG_OK;

	t->functions = calloc(x->functions->count, sizeof *t->functions);
	if (!t->functions || cg_grow(&t->items, &t->cap, 1, sizeof *t->items))
		return CG_ENOMEM;
	for (uint32_t i = 1; !status && i < p->ncalls; i++) {
		uint32_t caller = p->records[p->calls[i].caller].function;
		status = add_call(x, side, x->functions->of[side][caller], i);
		if (!status)
			status = add_call(x, side, 0, i);
	}
	if (!status)
		sum_functions(x, side);
	return status;
}

int call_totals_make(struct matching *x)
{
	int status = CG_OK;

	for (uint32_t s = 0; !status && s < SIDES; s++)
		if (!x->totals[s].functions)
			status = make_side(x, s);
	return status;
}

const struct call_total *call_totals_find(struct matching *x, uint32_t side, uint32_t caller,
					  uint32_t callee)
{
	uint32_t hash, id = find_total(x, side, caller, callee, &hash);

	return id ? &x->totals[side].items[id] : NULL;
}

void call_totals_free(struct call_totals *t)
{
	free(t->items);
	free(t->functions);
	cg_index_free(&t->index);
	*t = (struct call_totals){ 0 };
}
