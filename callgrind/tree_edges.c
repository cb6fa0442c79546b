#include "callgrind/tree_edges.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "callgrind/support/number.h"
#include "callgrind/support/sort.h"

/* An edge of the caller that is being looked at. */
struct draft_edge {
	struct cg_flow_edge edge;
	uint32_t first, count; /* its calls: calls[first] and those that follow it */
	int64_t cost;          /* of all, of the event that decides */
};

struct edges_making {
	const struct cg_profile *p;
	const struct cg_tree_places *places;
	uint32_t event;
	struct cg_flow *f;
	uint32_t *calls;           /* by caller, then by callee */
	struct draft_edge *drafts; /* by callee, then as they are ordered */
	size_t ndrafts, drafts_cap;
};

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static uint32_t caller_of_call(const struct edges_making *m, uint32_t call)
{
	return m->places->stands_for[m->p->calls[call].caller];
}

static uint32_t callee_of_call(const struct edges_making *m, uint32_t call)
{
	return m->places->stands_for[m->p->calls[call].callee];
}

/* Numbers 0 … count - 1 in the order of record[number], and those of one record in
 * that of `compare`: of most records there are few. NULL if memory ran out. */
static uint32_t *sort_by_record(struct edges_making *m, const uint32_t *record, uint32_t count,
				int (*compare)(const void *, const void *, void *))
{
	uint32_t *rows = malloc(((size_t)count + 1) * sizeof *rows);
	uint32_t *end = calloc((size_t)m->p->nrecords + 2, sizeof *end);
	if (!rows || !end) {
		free(rows);
		free(end);
		return NULL;
	}
	for (uint32_t i = 0; i < count; i++)
		end[record[i] + 1]++;
	for (uint32_t r = 0; r < m->p->nrecords; r++)
		end[r + 1] += end[r];
	for (uint32_t i = 0; i < count; i++)
		rows[end[record[i]]++] = i;
	for (uint32_t r = 1; r < m->p->nrecords; r++)
		cg_sort_unordered(rows + end[r - 1], end[r] - end[r - 1], sizeof *rows, compare, m);
	free(end);
	return rows;
}

static int compare_callees_of_calls(const void *left, const void *right, void *context)
{
	const struct edges_making *m = context;
	uint32_t x = *(const uint32_t *)left, y = *(const uint32_t *)right;
	return compare_numbers(callee_of_call(m, x), callee_of_call(m, y));
}

/* ---- the edges of one caller ---- */

static int compare_drafts(const void *left, const void *right, void *context)
{
	const struct edges_making *m = context;
	const struct draft_edge *x = left, *y = right;
	int order = cg_compare_sizes(x->cost, y->cost);
	return order ? order : cg_tree_places_compare(m->places, x->edge.callee, y->edge.callee);
}

static int begin_edge(struct edges_making *m, uint32_t at)
{
	if (cg_grow(&m->drafts, &m->drafts_cap, m->ndrafts + 1, sizeof *m->drafts))
		return CG_ENOMEM;
	m->drafts[m->ndrafts++] = (struct draft_edge){
		.first = at,
		.edge = { .caller = caller_of_call(m, m->calls[at]),
			  .callee = callee_of_call(m, m->calls[at]) }
	};
	return CG_OK;
}

/* Adds calls[at] to the last edge or makes a new one. */
static int add_call_to_edge(struct edges_making *m, uint32_t at)
{
	const uint32_t number = m->calls[at], callee = callee_of_call(m, number);
	const struct cg_call *call = &m->p->calls[number];

	if ((!m->ndrafts || m->drafts[m->ndrafts - 1].edge.callee != callee) && begin_edge(m, at))
		return CG_ENOMEM;
	struct draft_edge *last = &m->drafts[m->ndrafts - 1];
	last->edge.uncounted |= m->p->records[call->callee].inlined_into && !call->count;
	cg_add_count_clipped(&last->edge.count, call->count);
	if (last->edge.uncounted)
		last->edge.count = 0;
	last->count++;
	const int64_t *cost = m->p->call_cost + (size_t)number * m->p->nevents + m->event;
	return cg_add_costs(&last->cost, cost, 1) ? CG_OK : CG_ERANGE;
}

/* What all calls of an edge cost. */
static int add_up_edge(const struct edges_making *m, const struct draft_edge *d, int64_t *cost)
{
	const size_t n = m->p->nevents;
	const uint32_t *calls = m->calls + d->first;

	memcpy(cost, m->p->call_cost + calls[0] * n, n * sizeof *cost);
	for (uint32_t i = 1; i < d->count; i++)
		if (!cg_add_costs(cost, m->p->call_cost + calls[i] * n, n))
			return CG_ERANGE;
	return CG_OK;
}

/* Makes the edges of the caller of calls[*at], and moves on to the next one. */
static int make_edges_of_caller(struct edges_making *m, uint32_t *at)
{
	const uint32_t caller = caller_of_call(m, m->calls[*at]);
	int status = CG_OK;

	m->ndrafts = 0;
	while (!status && *at < m->p->ncalls && caller_of_call(m, m->calls[*at]) == caller)
		status = add_call_to_edge(m, (*at)++);
	cg_sort_unordered(m->drafts, m->ndrafts, sizeof *m->drafts, compare_drafts, m);
	for (size_t i = 0; !status && i < m->ndrafts; i++) {
		const uint32_t edge = m->f->nedges++;
		m->f->edges[edge] = m->drafts[i].edge;
		status = add_up_edge(m, &m->drafts[i], m->f->cost + (size_t)edge * m->p->nevents);
	}
	return status;
}

/* ---- all of them ---- */

/* Sorts the calls that go somewhere; the others come before calls[*first]. */
static int sort_calls_by_caller(struct edges_making *m, uint32_t *first)
{
	const struct cg_profile *p = m->p;
	uint32_t *callers = calloc((size_t)p->ncalls + 1, sizeof *callers);

	if (!callers)
		return CG_ENOMEM;
	*first = 0;
	for (uint32_t i = 0; i < p->ncalls; i++) {
		uint32_t caller = i ? caller_of_call(m, i) : 0;
		callers[i] = caller && caller != callee_of_call(m, i) ? caller : 0;
		*first += !callers[i];
	}
	m->calls = sort_by_record(m, callers, p->ncalls, compare_callees_of_calls);
	free(callers);
	return m->calls ? CG_OK : CG_ENOMEM;
}

/* There may be as many edges as calls, but what is not written to takes no memory. */
static int make_edges(struct edges_making *m)
{
	const size_t count = (size_t)m->p->ncalls + 1;
	uint32_t at;
	int status = sort_calls_by_caller(m, &at);

	m->f->edges = malloc(count * sizeof *m->f->edges);
	m->f->cost = malloc(count * m->p->nevents * sizeof *m->f->cost);
	if (!m->f->edges || !m->f->cost)
		return CG_ENOMEM;
	while (!status && at < m->p->ncalls)
		status = make_edges_of_caller(m, &at);
	return status;
}

int cg_tree_edges_make(const struct cg_profile *p, const struct cg_tree_places *places,
		       uint32_t event, struct cg_flow *f)
{
	struct edges_making m = { .p = p, .places = places, .event = event, .f = f };
	int status = make_edges(&m);

	free(m.drafts);
	free(m.calls);
	return status;
}

static int compare_in(const void *left, const void *right, void *context)
{
	const struct edges_making *m = context;
	uint32_t x = *(const uint32_t *)left, y = *(const uint32_t *)right;
	return cg_tree_places_compare(m->places, m->f->edges[x].caller, m->f->edges[y].caller);
}

uint32_t *cg_tree_edges_by_callee(const struct cg_profile *p, const struct cg_tree_places *places,
				  struct cg_flow *f)
{
	struct edges_making m = { .p = p, .places = places, .f = f };
	uint32_t *callees = malloc(((size_t)f->nedges + 1) * sizeof *callees), *rows = NULL;

	for (uint32_t i = 0; callees && i < f->nedges; i++)
		callees[i] = f->edges[i].callee;
	if (callees)
		rows = sort_by_record(&m, callees, f->nedges, compare_in);
	free(callees);
	return rows;
}
