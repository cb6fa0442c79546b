#include "callgrind/detours.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/interpreter.h"
#include "callgrind/support/grow.h"
#include "callgrind/support/number.h"
#include "cgprofile/error.h"
#include "cgprofile/names.h"

int cg_detours_add(struct cg_detours *d, const struct cg_detour *detour, const int64_t *costs,
		   uint32_t nevents)
{
	if (cg_grow(&d->items, &d->items_cap, d->count + 1, sizeof *d->items) ||
	    cg_grow(&d->costs, &d->costs_cap, (d->count + 1) * nevents, sizeof *d->costs))
		return CG_ENOMEM;
	memcpy(d->costs + d->count * nevents, costs, nevents * sizeof *costs);
	d->items[d->count++] = *detour;
	return CG_OK;
}

void cg_detours_free(struct cg_detours *d)
{
	free(d->items);
	free(d->costs);
}

/* ---- the calls of a file, by what they call and who does ---- */

struct known_call {
	uint32_t callee, call;
	cg_str caller; /* the name of the function whose machine code has it */
};

struct taking_back {
	struct cg_builder *b;
	struct known_call *calls;
	size_t ncalls;
	int64_t *left, *sum, *taken; /* `nevents` each */
};

static int compare_known_calls(const void *left, const void *right)
{
	const struct known_call *a = left, *b = right;

	if (a->callee != b->callee)
		return (a->callee > b->callee) - (a->callee < b->callee);
	if (a->caller != b->caller)
		return (a->caller > b->caller) - (a->caller < b->caller);
	return (a->call > b->call) - (a->call < b->call);
}

/* Inlined code calls on behalf of the function that it is in. */
static uint32_t real_caller(const struct cg_profile *p, uint32_t call)
{
	uint32_t caller = p->calls[call].caller;

	while (p->records[caller].inlined_into)
		caller = p->records[caller].inlined_into;
	return caller;
}

static int sort_known_calls(struct taking_back *t)
{
	const struct cg_profile *p = cg_builder_profile(t->b);

	t->calls = malloc(((size_t)p->ncalls + 1) * sizeof *t->calls);
	if (!t->calls)
		return CG_ENOMEM;
	for (uint32_t i = 1; i < p->ncalls; i++)
		t->calls[t->ncalls++] = (struct known_call){
			.callee = p->calls[i].callee,
			.call = i,
			.caller = p->functions[p->records[real_caller(p, i)].function].name,
		};
	qsort(t->calls, t->ncalls, sizeof *t->calls, compare_known_calls);
	return CG_OK;
}

/* The first one that calls `callee` from a function of this name. */
static size_t first_call_from(const struct taking_back *t, uint32_t callee, cg_str caller)
{
	const struct known_call key = { .callee = callee, .caller = caller };
	size_t low = 0, high = t->ncalls;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (compare_known_calls(&t->calls[middle], &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* ---- one call on the way ---- */

/* A call of `callee` by a function of this name, which has these callers, or by the host. */
struct step {
	uint32_t callee, host; /* host: 0 if it is another one's */
	cg_str caller;
	const char *callers;
};

static const char *next_of_way(const char *name)
{
	const char *end = name + cg_name_split(name, strlen(name)).name_len;

	return *end ? end + 1 : end;
}

/* How many of the callers that a record names are these; -1: it has others. It may name only the
 * nearest ones, and then functions of the interpreter instead of what they run, as it lacks their
 * callers. */
static int count_callers(const char *named, const char *callers)
{
	int count = 0;

	for (; *named && *callers; count++) {
		size_t len = cg_name_split(named, strlen(named)).name_len;
		if (len != cg_name_split(callers, strlen(callers)).name_len ||
		    memcmp(named, callers, len) != 0)
			return cg_interpreter_function(named, len) ? count : -1;
		named = next_of_way(named);
		callers = next_of_way(callers);
	}
	return count;
}

/* -1: the call is not the step; else the larger, the more is known of it to be. */
static int fitness(const struct cg_profile *p, const struct step *s, uint32_t call)
{
	uint32_t caller = real_caller(p, call);

	if (s->host)
		return caller == s->host ? 0 : -1;
	return count_callers(cg_string(p, p->records[caller].context), s->callers);
}

/* The range of calls that may be the step; not all of them are. */
struct call_range {
	size_t first, end;
};

static struct call_range find_calls(const struct taking_back *t, const struct step *s)
{
	struct call_range range = { first_call_from(t, s->callee, s->caller), 0 };

	for (range.end = range.first; range.end < t->ncalls; range.end++)
		if (t->calls[range.end].callee != s->callee ||
		    t->calls[range.end].caller != s->caller)
			break;
	return range;
}

/* Of costs that are left to be taken, the share of a call, in proportion to what it and the calls
 * after it have. */
static void find_share(struct taking_back *t, const int64_t *cost, uint32_t nevents)
{
	for (uint32_t e = 0; e < nevents; e++) {
		int64_t share = 0;
		if (t->sum[e] > 0)
			share = (int64_t)((__int128)t->left[e] * cost[e] / t->sum[e]);
		t->left[e] -= share;
		t->sum[e] -= cost[e];
		t->taken[e] = -share;
	}
}

static int take_from_call(struct taking_back *t, uint32_t number)
{
	const struct cg_profile *p = cg_builder_profile(t->b);
	const struct cg_call *call = &p->calls[number];
	struct cg_position at = { call->file, call->line, call->address };

	find_share(t, p->call_cost + (size_t)number * p->nevents, p->nevents);
	return cg_build_call(t->b, call->caller, call->callee, &at, 0, t->taken);
}

/* The record whose calls are the step: of several, one that names more of the callers, and of these
 * the one with the costliest call. 0: none. */
static uint32_t find_caller(const struct taking_back *t, const struct step *s,
			    struct call_range range)
{
	const struct cg_profile *p = cg_builder_profile(t->b);
	uint32_t found = 0;
	int64_t most = 0;
	int best = 0;

	for (size_t i = range.first; i < range.end; i++) {
		uint32_t call = t->calls[i].call;
		int64_t cost = p->call_cost[(size_t)call * p->nevents];
		int fits = fitness(p, s, call);
		if (fits < 0 || (found && (fits < best || (fits == best && cost <= most))))
			continue;
		found = real_caller(p, call);
		best = fits;
		most = cost;
	}
	return found;
}

/* *caller is the record to go on with. */
static int take_from_step(struct taking_back *t, const struct step *s, const int64_t *costs,
			  uint32_t *caller)
{
	const struct cg_profile *p = cg_builder_profile(t->b);
	const struct call_range range = find_calls(t, s);
	const uint32_t n = p->nevents;
	int status = CG_OK;

	*caller = find_caller(t, s, range);
	memset(t->sum, 0, n * sizeof *t->sum);
	for (size_t i = range.first; i < range.end; i++)
		if (real_caller(p, t->calls[i].call) == *caller &&
		    !cg_add_costs(t->sum, p->call_cost + (size_t)t->calls[i].call * n, n))
			return CG_ERANGE;
	for (uint32_t e = 0; e < n; e++)
		t->left[e] = costs[e] < t->sum[e] ? costs[e] : t->sum[e];
	for (size_t i = range.first; !status && i < range.end; i++)
		if (real_caller(cg_builder_profile(t->b), t->calls[i].call) == *caller)
			status = take_from_call(t, t->calls[i].call);
	return status;
}

/* ---- all of them ---- */

static int take_from_way(struct taking_back *t, const struct cg_detour *d, const char *way,
			 const int64_t *costs)
{
	uint32_t callee = d->from;
	int status = CG_OK;

	for (const char *name = next_of_way(way); !status && callee && *name;
	     name = next_of_way(name)) {
		struct step s = { .callee = callee, .callers = next_of_way(name) };
		if (!*s.callers)
			s.host = d->host;
		size_t len = cg_name_split(name, strlen(name)).name_len;
		status = cg_build_string(t->b, name, len, &s.caller);
		if (!status)
			status = take_from_step(t, &s, costs, &callee);
	}
	return status;
}

static int take_all_back(struct taking_back *t, const struct cg_detours *d, uint32_t nevents)
{
	int status = sort_known_calls(t);

	for (size_t i = 0; !status && i < d->count; i++) {
		const char *text = cg_string(cg_builder_profile(t->b), d->items[i].way);
		char *way = strdup(text);
		status = way ? take_from_way(t, &d->items[i], way, d->costs + i * nevents)
			     : CG_ENOMEM;
		free(way);
	}
	return status;
}

int cg_detours_take_back(const struct cg_detours *d, struct cg_builder *b)
{
	struct taking_back t = { .b = b };
	uint32_t nevents = cg_builder_profile(b)->nevents;
	int status = CG_OK;

	if (!d->count)
		return CG_OK;
	t.left = malloc(nevents * 3 * sizeof *t.left);
	if (!t.left)
		return CG_ENOMEM;
	t.sum = t.left + nevents;
	t.taken = t.sum + nevents;
	status = take_all_back(&t, d, nevents);
	free(t.calls);
	free(t.left);
	return status;
}
