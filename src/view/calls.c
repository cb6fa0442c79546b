#include "src/view/calls.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/order.h"
#include "callgrind/support/number.h"
#include "cgprofile/inclusive.h"

struct calls_ranking {
	const struct cg_profile *p;
	uint32_t event;
};

static int compare_u32(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int compare_cost(const struct calls_ranking *r, const struct calls_edge *a,
			const struct calls_edge *b)
{
	int order = cg_compare_sizes(a->cost[r->event], b->cost[r->event]);
	if (!order)
		order = cg_compare_functions(r->p, a->caller, b->caller);
	return order ? order : cg_compare_functions(r->p, a->callee, b->callee);
}

static int compare_by_caller(const void *left, const void *right, void *context)
{
	const struct calls_edge *a = left, *b = right;
	int order = compare_u32(a->caller, b->caller);
	return order ? order : compare_cost(context, a, b);
}

static int compare_by_callee(const void *left, const void *right, void *context)
{
	const struct calls_edge *a = left, *b = right;
	int order = compare_u32(a->callee, b->callee);
	return order ? order : compare_cost(context, a, b);
}

struct endpoints {
	uint32_t caller, callee, call;
};

static int compare_endpoints(const void *left, const void *right)
{
	const struct endpoints *a = left, *b = right;
	int order = compare_u32(a->caller, b->caller);
	if (!order)
		order = compare_u32(a->callee, b->callee);
	return order ? order : compare_u32(a->call, b->call);
}

bool calls_recursive(const struct cg_profile *p, const struct cg_call *c)
{
	const struct cg_record *from = &p->records[c->caller], *to = &p->records[c->callee];
	return to->level > 1 || to->function == from->function;
}

static int add_edge_call(const struct cg_profile *p, uint32_t call, struct calls_edge *edge,
			 int64_t *cost)
{
	const struct cg_call *c = &p->calls[call];
	bool recursive = calls_recursive(p, c);

	if (__builtin_add_overflow(edge->count, c->count, &edge->count))
		return CG_ERANGE;
	edge->recursive += recursive ? c->count : 0;
	if (p->records[c->callee].inlined_into) {
		edge->inlined += c->count;
		edge->inlined_recursive += recursive ? c->count : 0;
		edge->uncounted |= !c->count;
	}
	if (!recursive && !cg_add_costs(cost, p->call_cost + (size_t)call * p->nevents, p->nevents))
		return CG_ERANGE;
	return CG_OK;
}

static void leave_out_uncounted(struct calls_edge *edge)
{
	if (!edge->uncounted)
		return;
	edge->count -= edge->inlined;
	edge->recursive -= edge->inlined_recursive;
}

/* Adds up the calls between each pair of functions. */
static int merge_calls(const struct cg_profile *p, struct endpoints *ends, size_t nends,
		       struct calls *c)
{
	uint32_t n = p->nevents;

	for (size_t i = 0; i < nends; i++) {
		struct calls_edge *edge = c->count ? &c->by_caller[c->count - 1] : NULL;
		if (!edge || edge->caller != ends[i].caller || edge->callee != ends[i].callee) {
			edge = &c->by_caller[c->count];
			*edge = (struct calls_edge){ .caller = ends[i].caller,
						     .callee = ends[i].callee,
						     .cost = c->cost + c->count * n };
			c->count++;
		}
		int status = add_edge_call(p, ends[i].call, edge, c->cost + (c->count - 1) * n);
		if (status)
			return status;
	}
	for (size_t i = 0; i < c->count; i++)
		leave_out_uncounted(&c->by_caller[i]);
	return CG_OK;
}

/* Without recursion levels the calls inside a cycle count each other again. */
static int cap(const struct cg_profile *p, struct calls *c)
{
	bool *negative = cg_negative_events(p);
	if (!negative)
		return CG_ENOMEM;
	for (size_t i = 0; i < c->count * p->nevents; i++)
		if (!negative[i % p->nevents] && c->cost[i] > p->total[i % p->nevents])
			c->cost[i] = p->total[i % p->nevents];
	free(negative);
	return CG_OK;
}

int calls_make(const struct cg_profile *p, uint32_t event, struct calls **out, struct cg_error *err)
{
	size_t n = p->ncalls;
	struct calls_ranking ranking = { p, event };
	struct endpoints *ends = calloc(n + 1, sizeof *ends);
	struct calls *c = calloc(1, sizeof *c);
	int status = CG_ENOMEM;

	if (!ends || !c)
		goto done;
	c->by_caller = calloc(n + 1, sizeof *c->by_caller);
	c->by_callee = calloc(n + 1, sizeof *c->by_callee);
	c->cost = calloc((n + 1) * p->nevents, sizeof *c->cost);
	if (!c->by_caller || !c->by_callee || !c->cost)
		goto done;

	for (uint32_t i = 1; i < n; i++)
		ends[i - 1] = (struct endpoints){ p->records[p->calls[i].caller].function,
						  p->records[p->calls[i].callee].function, i };
	qsort(ends, n - 1, sizeof *ends, compare_endpoints);
	status = merge_calls(p, ends, n - 1, c);
	if (status)
		goto done;
	if (!p->has_levels || p->has_inlined)
		status = cap(p, c);
	if (status)
		goto done;
	memcpy(c->by_callee, c->by_caller, c->count * sizeof *c->by_callee);
	qsort_r(c->by_caller, c->count, sizeof *c->by_caller, compare_by_caller, &ranking);
	qsort_r(c->by_callee, c->count, sizeof *c->by_callee, compare_by_callee, &ranking);
	*out = c;
	c = NULL;
done:
	free(ends);
	calls_free(c);
	if (status == CG_ENOMEM)
		return cg_fail_nomem(err);
	return status ? cg_fail(err, status, NULL, 0, "a sum of call costs exceeds 2^64") : CG_OK;
}

void calls_free(struct calls *c)
{
	if (!c)
		return;
	free(c->by_callee);
	free(c->by_caller);
	free(c->cost);
	free(c);
}

static uint32_t key_of_edge(const struct calls_edge *edge, bool callee)
{
	return callee ? edge->callee : edge->caller;
}

static const struct calls_edge *find_edges(const struct calls_edge *edges, size_t total,
					   bool callee, uint32_t function, size_t *count)
{
	size_t low = 0, high = total;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (key_of_edge(&edges[middle], callee) < function)
			low = middle + 1;
		else
			high = middle;
	}
	size_t end = low;
	while (end < total && key_of_edge(&edges[end], callee) == function)
		end++;
	*count = end - low;
	return edges + low;
}

const struct calls_edge *calls_to(const struct calls *c, uint32_t function, size_t *count)
{
	return find_edges(c->by_callee, c->count, true, function, count);
}

const struct calls_edge *calls_from(const struct calls *c, uint32_t function, size_t *count)
{
	return find_edges(c->by_caller, c->count, false, function, count);
}
