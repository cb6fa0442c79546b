#include "src/diff/call_totals.h"

#include <stdlib.h>

#include "callgrind/support/grow.h"

static bool is_same_total(const void *context, uint32_t id)
{
	const struct call_total *items = context;
	return items[id].caller == items[0].caller && items[id].callee == items[0].callee;
}

static uint32_t hash_of_total(uint64_t secret, uint32_t caller, uint32_t callee)
{
	return (uint32_t)cg_hash_keyed(cg_hash_keyed(secret, caller), callee);
}

static uint32_t find_total(struct call_totals *t, uint32_t hash, uint32_t caller, uint32_t callee)
{
	t->items[0] = (struct call_total){ .caller = caller, .callee = callee };
	return cg_index_find(&t->index, hash, is_same_total, t->items);
}

static int add_to_total(struct call_totals *t, uint64_t secret, uint32_t caller, uint32_t callee,
			uint64_t calls, bool uncounted)
{
	uint32_t hash = hash_of_total(secret, caller, callee);

	if (cg_grow(&t->items, &t->cap, t->count + 2, sizeof *t->items) ||
	    cg_index_reserve(&t->index))
		return CG_ENOMEM;
	uint32_t id = find_total(t, hash, caller, callee);
	if (!id) {
		id = (uint32_t)++t->count;
		t->items[id] = t->items[0];
		cg_index_insert(&t->index, hash, id);
	}
	struct call_total *total = &t->items[id];
	if (__builtin_add_overflow(total->calls, calls, &total->calls))
		total->calls = UINT64_MAX;
	total->uncounted |= uncounted;
	return CG_OK;
}

int call_totals_make(struct call_totals *t, const struct cg_profile *p, const uint32_t *number,
		     uint64_t secret)
{
	int status = cg_grow(&t->items, &t->cap, 1, sizeof *t->items);

	for (uint32_t i = 1; !status && i < p->ncalls; i++) {
		const struct cg_call *c = &p->calls[i];
		uint32_t caller = number[p->records[c->caller].function];
		uint32_t callee = number[p->records[c->callee].function];
		bool uncounted = !c->count && p->records[c->callee].inlined_into;

		status = add_to_total(t, secret, caller, callee, c->count, uncounted);
		if (!status)
			status = add_to_total(t, secret, 0, callee, c->count, uncounted);
	}
	return status;
}

bool call_totals_find(struct call_totals *t, uint64_t secret, uint32_t caller, uint32_t callee,
		      uint64_t *calls)
{
	uint32_t id = find_total(t, hash_of_total(secret, caller, callee), caller, callee);

	*calls = id ? t->items[id].calls : 0;
	return !id || !t->items[id].uncounted;
}

void call_totals_free(struct call_totals *t)
{
	free(t->items);
	cg_index_free(&t->index);
	*t = (struct call_totals){ 0 };
}
