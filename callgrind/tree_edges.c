#include "callgrind/tree_edges.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "callgrind/support/sort.h"

/* The calls that an edge stands for: calls[first] and those that follow it. */
struct edge_calls {
	uint32_t first, count;
	int64_t cost; /* of all, of the event that decides */
};

struct edges_making {
	const struct cg_profile *p;
	const struct cg_tree_places *places;
	uint32_t event;
	struct cg_flow *f;
	struct edge_calls *calls_of; /* per edge */
	uint32_t *calls;             /* by caller, then by callee */
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

/* Adds calls[at] to the last edge or makes a new one. */
static int add_call_to_edge(struct edges_making *m, uint32_t at)
{
	const uint32_t call = m->calls[at];
	const uint32_t caller = caller_of_call(m, call), callee = callee_of_call(m, call);
	struct cg_flow_edge *last = m->f->nedges ? &m->f->edges[m->f->nedges - 1] : NULL;

	if (!last || last->caller != caller || last->callee != callee) {
		m->calls_of[m->f->nedges].first = at;
		last = &m->f->edges[m->f->nedges++];
		*last = (struct cg_flow_edge){ .caller = caller, .callee = callee };
	}
	last->uncounted |= m->p->records[m->p->calls[call].callee].inlined_into &&
			   !m->p->calls[call].count;
	cg_add_count_clipped(&last->count, m->p->calls[call].count);
	if (last->uncounted)
		last->count = 0;
	struct edge_calls *of = &m->calls_of[m->f->nedges - 1];
	const int64_t *cost = m->p->call_cost + (size_t)call * m->p->nevents + m->event;
	of->count++;
	return cg_add_costs(&of->cost, cost, 1) ? CG_OK : CG_ERANGE;
}

/* Edges in the order of their callers, without costs. */
static int make_edges(struct edges_making *m)
{
	const struct cg_profile *p = m->p;
	uint32_t *callers = calloc((size_t)p->ncalls + 1, sizeof *callers);
	int status = callers ? CG_OK : CG_ENOMEM;

	/* Calls that go nowhere count for record 0, which comes first. */
	for (uint32_t i = 1; !status && i < p->ncalls; i++)
		callers[i] = caller_of_call(m, i) != callee_of_call(m, i) ? caller_of_call(m, i)
									  : 0;
	if (!status &&
	    !(m->calls = sort_by_record(m, callers, p->ncalls, compare_callees_of_calls)))
		status = CG_ENOMEM;
	for (uint32_t i = 0; !status && i < p->ncalls; i++)
		if (callers[m->calls[i]])
			status = add_call_to_edge(m, i);
	free(callers);
	return status;
}

static int compare_out(const void *left, const void *right, void *context)
{
	const struct edges_making *m = context;
	uint32_t x = *(const uint32_t *)left, y = *(const uint32_t *)right;
	int order = cg_compare_sizes(m->calls_of[x].cost, m->calls_of[y].cost);
	return order ? order
		     : cg_tree_places_compare(m->places, m->f->edges[x].callee,
					      m->f->edges[y].callee);
}

static int compare_in(const void *left, const void *right, void *context)
{
	const struct edges_making *m = context;
	uint32_t x = *(const uint32_t *)left, y = *(const uint32_t *)right;
	return cg_tree_places_compare(m->places, m->f->edges[x].caller, m->f->edges[y].caller);
}

/* Edge numbers by one of their ends; NULL if memory ran out. */
static uint32_t *sort_edges(struct edges_making *m, bool by_callee)
{
	uint32_t *ends = malloc(((size_t)m->f->nedges + 1) * sizeof *ends), *rows;
	if (!ends)
		return NULL;
	for (uint32_t i = 0; i < m->f->nedges; i++)
		ends[i] = by_callee ? m->f->edges[i].callee : m->f->edges[i].caller;
	rows = sort_by_record(m, ends, m->f->nedges, by_callee ? compare_in : compare_out);
	free(ends);
	return rows;
}

/* What all calls of an edge cost. */
static int add_up_edge(const struct edges_making *m, struct edge_calls of, int64_t *cost)
{
	const size_t n = m->p->nevents;
	const uint32_t *calls = m->calls + of.first;

	memcpy(cost, m->p->call_cost + calls[0] * n, n * sizeof *cost);
	for (uint32_t i = 1; i < of.count; i++)
		if (!cg_add_costs(cost, m->p->call_cost + calls[i] * n, n))
			return CG_ERANGE;
	return CG_OK;
}

/* Costs are added up where they stay: they take most of the memory. */
static int order_edges(struct edges_making *m)
{
	const size_t nedges = m->f->nedges, n = m->p->nevents;
	uint32_t *rows = sort_edges(m, false);
	struct cg_flow_edge *edges = malloc((nedges + 1) * sizeof *edges);
	int status = rows && edges ? CG_OK : CG_ENOMEM;

	m->f->cost = malloc((nedges * n + 1) * sizeof *m->f->cost);
	if (!m->f->cost)
		status = CG_ENOMEM;
	for (size_t i = 0; !status && i < nedges; i++) {
		edges[i] = m->f->edges[rows[i]];
		status = add_up_edge(m, m->calls_of[rows[i]], m->f->cost + i * n);
	}
	free(rows);
	free(m->f->edges);
	m->f->edges = edges;
	return status;
}

int cg_tree_edges_make(const struct cg_profile *p, const struct cg_tree_places *places,
		       uint32_t event, struct cg_flow *f)
{
	struct edges_making m = { .p = p, .places = places, .event = event, .f = f };
	int status = CG_ENOMEM;

	f->edges = calloc((size_t)p->ncalls + 1, sizeof *f->edges);
	m.calls_of = calloc((size_t)p->ncalls + 1, sizeof *m.calls_of);
	if (f->edges && m.calls_of)
		status = make_edges(&m);
	if (!status)
		status = order_edges(&m);
	free(m.calls_of);
	free(m.calls);
	return status;
}

uint32_t *cg_tree_edges_by_callee(const struct cg_profile *p, const struct cg_tree_places *places,
				  struct cg_flow *f)
{
	struct edges_making m = { .p = p, .places = places, .f = f };

	return sort_edges(&m, true);
}
