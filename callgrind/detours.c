#include "callgrind/detours.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/interpreter.h"
#include "callgrind/support/grow.h"
#include "callgrind/support/index.h"
#include "cgprofile/error.h"

/* More C functions than Python calls one through the other: without a limit, a crafted file with
 * long ways would take time that grows with its square. */
#define LONGEST_WAY 32

int cg_detours_add(struct cg_detours *d, const struct cg_detour *detour, const int64_t *costs,
		   uint32_t nevents)
{
	if (cg_grow(&d->items, &d->items_cap, d->count + 1, sizeof *d->items) ||
	    cg_grow(&d->costs, &d->costs_cap, (d->count + 1) * nevents, sizeof *d->costs))
		return CG_ENOMEM;
	memcpy(d->costs + d->count * nevents, costs, nevents * sizeof *costs);
	d->items[d->count] = *detour;
	d->items[d->count].number = d->count;
	d->count++;
	return CG_OK;
}

void cg_detours_free(struct cg_detours *d)
{
	free(d->items);
	free(d->costs);
}

/* ---- the calls of a file ---- */

/* What is known of the callers of a record: those before the interpreter's functions at its end,
 * which are there instead of what they run if too few callers were recorded. */
struct known_callers {
	uint64_t hash; /* 0: not yet known */
	size_t count;
};

struct known_call {
	uint32_t callee, caller; /* caller: the record whose machine code has it */
	uint32_t call;
};

/* All calls of one record by another one. */
struct call_link {
	uint32_t callee, caller;
	cg_str name; /* of the caller */
	uint64_t callers;
	size_t first, end;   /* of the known calls */
	int64_t *sum, *left; /* what they cost, and what is left of that; `nevents` each */
};

struct way {
	const cg_str *callers;
	size_t count; /* 0: it cannot be gone */
};

struct taking_back {
	struct cg_builder *b;
	const struct cg_profile *p;
	struct known_callers *callers; /* by the context */
	struct known_call *calls;
	size_t ncalls;
	struct call_link *links;    /* sorted by callee and caller */
	struct call_link **by_name; /* by callee, name, callers; of equals, costliest first */
	size_t nlinks;
	int64_t *costs; /* of the links */
	bool has_callers;
};

/* Inlined code calls on behalf of the function that it is in. */
static uint32_t real_caller(const struct cg_profile *p, uint32_t call)
{
	return cg_machine_record(p, p->calls[call].caller);
}

static uint64_t hash_caller(uint64_t before, cg_str name)
{
	return cg_hash_keyed(before, name) | 1;
}

static const struct known_callers *find_callers(const struct taking_back *t, uint32_t record)
{
	const uint32_t context = t->p->records[record].context;
	const cg_str *callers = cg_contexts_get(&t->p->contexts, context);
	const size_t count = cg_contexts_size(&t->p->contexts, context);
	struct known_callers *known = &t->callers[context];
	uint64_t hash = cg_builder_secret(t->b) | 1;

	if (known->hash)
		return known;
	known->hash = hash;
	for (size_t i = 0; i < count; i++) {
		const char *name = cg_string(t->p, callers[i]);
		hash = hash_caller(hash, callers[i]);
		if (!cg_interpreter_function(name, strlen(name)))
			*known = (struct known_callers){ hash, i + 1 };
	}
	return known;
}

static int compare_known_calls(const void *left, const void *right)
{
	const struct known_call *a = left, *b = right;

	if (a->callee != b->callee)
		return a->callee < b->callee ? -1 : 1;
	if (a->caller != b->caller)
		return a->caller < b->caller ? -1 : 1;
	return (a->call > b->call) - (a->call < b->call);
}

static void sort_known_calls(struct taking_back *t)
{
	for (uint32_t i = 1; i < t->p->ncalls; i++)
		t->calls[t->ncalls++] = (struct known_call){ t->p->calls[i].callee,
							     real_caller(t->p, i), i };
	qsort(t->calls, t->ncalls, sizeof *t->calls, compare_known_calls);
}

static const int64_t *call_costs(const struct taking_back *t, size_t known)
{
	return t->p->call_cost + (size_t)t->calls[known].call * t->p->nevents;
}

/* Costs below 0 are in no file of Valgrind's: nothing is taken from them. */
static void sum_link(struct taking_back *t, struct call_link *l)
{
	for (size_t i = l->first; i < l->end; i++)
		for (uint32_t e = 0; e < t->p->nevents; e++) {
			int64_t cost = call_costs(t, i)[e];
			if (cost > 0 && __builtin_add_overflow(l->sum[e], cost, &l->sum[e]))
				l->sum[e] = INT64_MAX;
		}
	memcpy(l->left, l->sum, t->p->nevents * sizeof *l->sum);
}

static void make_call_link(struct taking_back *t, size_t first, size_t end)
{
	const struct known_call *call = &t->calls[first];
	const struct known_callers *known = find_callers(t, call->caller);
	struct call_link *l = &t->links[t->nlinks];

	*l = (struct call_link){
		.callee = call->callee,
		.caller = call->caller,
		.name = t->p->functions[t->p->records[call->caller].function].name,
		.callers = known->hash,
		.first = first,
		.end = end,
		.sum = t->costs + t->nlinks * 2 * t->p->nevents,
		.left = t->costs + (t->nlinks * 2 + 1) * t->p->nevents,
	};
	t->has_callers |= known->count != 0;
	t->by_name[t->nlinks++] = l;
	sum_link(t, l);
}

static int compare_names(const struct call_link *a, const struct call_link *b)
{
	if (a->callee != b->callee)
		return a->callee < b->callee ? -1 : 1;
	if (a->name != b->name)
		return a->name < b->name ? -1 : 1;
	return (a->callers > b->callers) - (a->callers < b->callers);
}

static int compare_links_by_name(const void *left, const void *right)
{
	const struct call_link *a = *(struct call_link *const *)left;
	const struct call_link *b = *(struct call_link *const *)right;
	int order = compare_names(a, b);

	if (order)
		return order;
	if (a->sum[0] != b->sum[0])
		return a->sum[0] > b->sum[0] ? -1 : 1;
	return (a->caller > b->caller) - (a->caller < b->caller);
}

static void make_call_links(struct taking_back *t)
{
	for (size_t first = 0, end; first < t->ncalls; first = end) {
		for (end = first + 1; end < t->ncalls; end++)
			if (t->calls[end].callee != t->calls[first].callee ||
			    t->calls[end].caller != t->calls[first].caller)
				break;
		make_call_link(t, first, end);
	}
	qsort(t->by_name, t->nlinks, sizeof *t->by_name, compare_links_by_name);
}

/* ---- one call on the way ---- */

static struct call_link *find_host_link(const struct taking_back *t, uint32_t callee, uint32_t host)
{
	size_t low = 0, high = t->nlinks;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct call_link *l = &t->links[middle];
		if (l->callee < callee || (l->callee == callee && l->caller < host))
			low = middle + 1;
		else
			high = middle;
	}
	struct call_link *l = &t->links[low];
	return low < t->nlinks && l->callee == callee && l->caller == host ? l : NULL;
}

/* The first link that does not come before one with these names. */
static struct call_link *find_first_link(const struct taking_back *t, const struct call_link *names)
{
	size_t low = 0, high = t->nlinks;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (compare_names(t->by_name[middle], names) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < t->nlinks ? t->by_name[low] : NULL;
}

/* Whether the callers that are known of a link are these. */
static bool has_these_callers(const struct taking_back *t, const struct call_link *l,
			      const cg_str *callers, size_t count)
{
	const uint32_t context = t->p->records[l->caller].context;

	return find_callers(t, l->caller)->count == count &&
	       (!count || memcmp(cg_contexts_get(&t->p->contexts, context), callers,
				 count * sizeof *callers) == 0);
}

/* The call of `callee` by the function at `i` of the way. Of several callers, the one of which most
 * callers are known, and of these the costliest. NULL: none. */
static struct call_link *find_caller(const struct taking_back *t, const struct way *w,
				     uint32_t callee, size_t i)
{
	const cg_str *callers = w->callers + i + 1;
	struct call_link names = { .callee = callee, .name = w->callers[i] };
	const struct call_link *any = find_first_link(t, &names);
	uint64_t hashes[LONGEST_WAY] = { cg_builder_secret(t->b) | 1 };
	size_t count = 1;

	if (!any || any->callee != callee || any->name != names.name)
		return NULL;
	for (; t->has_callers && i + count < w->count; count++)
		hashes[count] = hash_caller(hashes[count - 1], callers[count - 1]);
	while (count--) {
		names.callers = hashes[count];
		struct call_link *l = find_first_link(t, &names);
		if (l && !compare_names(l, &names) && has_these_callers(t, l, callers, count))
			return l;
	}
	return NULL;
}

static bool take_from_link(const struct taking_back *t, struct call_link *l, const int64_t *costs)
{
	for (uint32_t e = 0; e < t->p->nevents; e++)
		if (costs[e] < 0 || costs[e] > l->left[e])
			return false;
	for (uint32_t e = 0; e < t->p->nevents; e++)
		l->left[e] -= costs[e];
	return true;
}

static void give_back(const struct taking_back *t, struct call_link *l, const int64_t *costs)
{
	for (uint32_t e = 0; e < t->p->nevents; e++)
		l->left[e] += costs[e];
}

/* ---- all of them ---- */

static struct way way_of(const struct taking_back *t, uint32_t context)
{
	const size_t count = cg_contexts_size(&t->p->contexts, context);

	return (struct way){ cg_contexts_get(&t->p->contexts, context),
			     count <= LONGEST_WAY ? count : 0 };
}

/* Takes the costs from all calls on the way, or from none. */
static bool take_from_way(struct taking_back *t, const struct cg_detour *d, const int64_t *costs)
{
	struct call_link *taken[LONGEST_WAY];
	size_t count = 0;
	uint32_t callee = cg_machine_record(t->p, d->caller);
	const struct way way = way_of(t, d->way);

	for (size_t i = 1; i < way.count; i++) {
		struct call_link *l = i + 1 == way.count ? find_host_link(t, callee, d->host)
							 : find_caller(t, &way, callee, i);
		if (!l || !take_from_link(t, l, costs))
			break;
		taken[count++] = l;
		callee = l->caller;
	}
	if (count && count + 1 == way.count)
		return true;
	while (count--)
		give_back(t, taken[count], costs);
	return false;
}

/* What was taken from a link, each of its calls costs less, in proportion to its costs. */
static int reduce_link(struct taking_back *t, const struct call_link *l, int64_t *reduced)
{
	int64_t *sum = l->sum, *taken = l->left;
	int status = CG_OK;

	for (uint32_t e = 0; e < t->p->nevents; e++)
		taken[e] = sum[e] - l->left[e];
	for (size_t i = l->first; !status && i < l->end; i++) {
		const struct cg_call call = t->p->calls[t->calls[i].call];
		const struct cg_position at = cg_call_place(t->p, t->calls[i].call);
		for (uint32_t e = 0; e < t->p->nevents; e++) {
			int64_t cost = call_costs(t, i)[e];
			int64_t some = cost < 0 ? 0 : cost < sum[e] ? cost : sum[e];
			int64_t share = some ? (int64_t)((__int128)taken[e] * some / sum[e]) : 0;
			sum[e] -= some;
			taken[e] -= share;
			reduced[e] = -share;
		}
		status = cg_build_call(t->b, call.caller, call.callee, &at, 0, reduced);
	}
	return status;
}

static bool is_reduced(const struct taking_back *t, const struct call_link *l)
{
	return memcmp(l->sum, l->left, t->p->nevents * sizeof *l->sum) != 0;
}

static int reduce_links(struct taking_back *t)
{
	int64_t *reduced = malloc(t->p->nevents * sizeof *reduced);
	int status = reduced ? CG_OK : CG_ENOMEM;

	for (size_t i = 0; !status && i < t->nlinks; i++)
		if (is_reduced(t, &t->links[i]))
			status = reduce_link(t, &t->links[i], reduced);
	free(reduced);
	return status;
}

static int compare_ways(const void *left, const void *right)
{
	const struct cg_detour *a = left, *b = right;

	if (a->way != b->way)
		return a->way < b->way ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

/* Of a detour that is one, `caller` becomes 0. */
static void take_from_ways(struct taking_back *t, struct cg_detours *d)
{
	qsort(d->items, d->count, sizeof *d->items, compare_ways);
	for (size_t i = 0; i < d->count; i++)
		if (take_from_way(t, &d->items[i], d->costs + d->items[i].number * t->p->nevents))
			d->items[i].caller = 0;
}

static int count_calls(struct taking_back *t, const struct cg_detours *d)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < d->count; i++) {
		const struct cg_detour *call = &d->items[i];
		const int64_t *costs = d->costs + call->number * t->p->nevents;
		if (call->caller)
			status = cg_build_call(t->b, call->caller, call->host, &call->at,
					       call->count, costs);
		else if (call->inner)
			status = cg_build_entries(t->b, call->inner, call->count);
	}
	return status;
}

static int take_all_back(struct taking_back *t, struct cg_detours *d)
{
	sort_known_calls(t);
	make_call_links(t);
	take_from_ways(t, d);
	int status = reduce_links(t);
	return status ? status : count_calls(t, d);
}

int cg_detours_take_back(struct cg_detours *d, struct cg_builder *b)
{
	struct taking_back t = { .b = b, .p = cg_builder_profile(b) };
	const size_t most = (size_t)t.p->ncalls + 1;
	int status = CG_ENOMEM;

	if (!d->count)
		return CG_OK;
	t.callers = calloc(t.p->contexts.count + 1, sizeof *t.callers);
	t.calls = malloc(most * sizeof *t.calls);
	t.links = malloc(most * sizeof *t.links);
	t.by_name = malloc(most * sizeof(struct call_link *));
	t.costs = calloc(most * 2 * t.p->nevents, sizeof *t.costs);
	if (t.callers && t.calls && t.links && t.by_name && t.costs)
		status = take_all_back(&t, d);
	free(t.callers);
	free(t.calls);
	free(t.links);
	free(t.by_name);
	free(t.costs);
	return status;
}
