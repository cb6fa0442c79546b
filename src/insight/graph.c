#include "src/insight/graph.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"

static int64_t call_cost(const struct graph *g, uint32_t call)
{
	const struct cg_profile *p = g->profile;
	return metric_value(&g->metric, p->call_cost + (size_t)call * p->nevents);
}

/* Sorts calls by a record at one of their ends. */
static int sort_calls(const struct cg_profile *p, bool by_caller, uint32_t **first_out,
		      uint32_t **calls_out)
{
	uint32_t *first = calloc((size_t)p->nrecords + 2, sizeof *first);
	uint32_t *calls = calloc((size_t)p->ncalls + 1, sizeof *calls);

	*first_out = first;
	*calls_out = calls;
	if (!first || !calls)
		return CG_ENOMEM;
	/* Counted one index further on, so that filling in moves each to its start. */
	for (uint32_t i = 1; i < p->ncalls; i++)
		first[(by_caller ? p->calls[i].caller : p->calls[i].callee) + 2]++;
	for (uint32_t r = 2; r < p->nrecords + 2; r++)
		first[r] += first[r - 1];
	for (uint32_t i = 1; i < p->ncalls; i++)
		calls[first[(by_caller ? p->calls[i].caller : p->calls[i].callee) + 1]++] = i;
	return CG_OK;
}

static int find_uncalled(struct graph *g)
{
	const struct cg_profile *p = g->profile;
	int64_t *rest = calloc((size_t)p->nrecords + 1, sizeof *rest);

	g->uncalled = rest;
	if (!rest)
		return CG_ENOMEM;
	for (uint32_t r = 1; r < p->nrecords; r++)
		rest[r] = metric_value(&g->metric, p->record_self + (size_t)r * p->nevents);
	for (uint32_t i = 1; i < p->ncalls; i++) {
		int64_t cost = call_cost(g, i);
		cg_add_cost_clipped(&rest[p->calls[i].caller], cost);
		rest[p->calls[i].callee] = cg_delta(cost, rest[p->calls[i].callee]);
	}
	return CG_OK;
}

int graph_make(const struct cg_profile *p, const struct metric *m, struct graph *out)
{
	*out = (struct graph){ .profile = p, .metric = *m };
	int status = sort_calls(p, true, &out->first_out, &out->out);
	if (!status)
		status = sort_calls(p, false, &out->first_in, &out->in);
	return status ? status : find_uncalled(out);
}

void graph_free(struct graph *g)
{
	free(g->first_out);
	free(g->out);
	free(g->first_in);
	free(g->in);
	free(g->uncalled);
	*g = (struct graph){ 0 };
}

/* ---- who is outside, and who is called from inside ---- */

struct reach {
	const struct graph *g;
	const bool *member;
	bool *outside, *inside; /* per record */
	uint32_t *waiting;
	size_t nwaiting;
};

static bool is_member(const struct reach *r, uint32_t record)
{
	return r->member[r->g->profile->records[record].function];
}

static void reach_one(struct reach *r, bool *reached, uint32_t record)
{
	if (reached[record])
		return;
	reached[record] = true;
	r->waiting[r->nwaiting++] = record;
}

/* Everything that those waiting call, directly or not; not beyond the group. */
static void spread(struct reach *r, bool *reached)
{
	const struct graph *g = r->g;

	while (r->nwaiting) {
		uint32_t from = r->waiting[--r->nwaiting];
		for (uint32_t i = g->first_out[from]; i < g->first_out[from + 1]; i++) {
			uint32_t to = g->profile->calls[g->out[i]].callee;
			if (!is_member(r, to))
				reach_one(r, reached, to);
		}
	}
}

static void find_sides_of_entries(struct reach *r)
{
	const struct graph *g = r->g;
	uint32_t n = g->profile->nrecords;

	for (uint32_t i = 1; i < n; i++)
		if (!is_member(r, i) &&
		    (g->uncalled[i] > 0 || g->first_in[i] == g->first_in[i + 1]))
			reach_one(r, r->outside, i);
	spread(r, r->outside);
	for (uint32_t i = 1; i < n; i++) {
		if (!is_member(r, i))
			continue;
		r->waiting[r->nwaiting++] = i;
		spread(r, r->inside);
	}
	/* Records that nothing reaches call each other in a circle; they were executed all the
	 * same. */
	for (uint32_t i = 1; i < n; i++)
		if (!is_member(r, i) && !r->outside[i] && !r->inside[i])
			r->outside[i] = true;
}

/* ---- callers ---- */

/* The only record that calls this one; 0: none, or several. */
static uint32_t only_calling_record(const struct graph *g, uint32_t record)
{
	uint32_t found = 0;

	for (uint32_t i = g->first_in[record]; i < g->first_in[record + 1]; i++) {
		uint32_t from = g->profile->calls[g->in[i]].caller;
		if (from == record)
			continue;
		if (found && from != found)
			return 0;
		found = from;
	}
	return found;
}

static uint32_t asking_function(const struct graph *g, const bool *through, uint32_t record)
{
	enum { STEPS = 64 }; /* a circle of them has no end */
	const struct cg_record *records = g->profile->records;

	for (unsigned i = 0; i < STEPS && through[records[record].function]; i++) {
		uint32_t caller = only_calling_record(g, record);
		if (!caller)
			break;
		record = caller;
	}
	return records[record].function;
}

struct entry_tally {
	const struct graph *g;
	const bool *through;
	int event; /* that is counted; -1: calls are */
	struct entries *to;
	uint32_t *place; /* per function: of its caller + 1 */
};

static void tally_caller(struct entry_tally *t, uint32_t record, int64_t cost, uint64_t calls)
{
	uint32_t function = asking_function(t->g, t->through, record);

	if (!t->place[function]) {
		t->to->callers[t->to->ncallers++].function = function;
		t->place[function] = (uint32_t)t->to->ncallers;
	}
	struct entry_caller *c = &t->to->callers[t->place[function] - 1];
	cg_add_cost_clipped(&c->cost, cost);
	cg_add_count_clipped(&c->calls, calls);
}

static uint64_t count_of_call(const struct entry_tally *t, uint32_t call)
{
	const struct cg_profile *p = t->g->profile;

	if (t->event < 0)
		return p->calls[call].count;
	int64_t count = p->call_cost[(size_t)call * p->nevents + (size_t)t->event];
	return count > 0 ? (uint64_t)count : 0;
}

/* Whatever the calls between its functions leave open, the group has all of the event. */
static void tally_event(struct entry_tally *t)
{
	const int64_t total = t->g->profile->total[t->event];

	t->to->any |= total > 0;
	t->to->counted = true;
	t->to->calls_least = t->to->calls_most = total > 0 ? (uint64_t)total : 0;
}

static void tally_entries(struct entry_tally *t, const struct reach *r)
{
	const struct cg_profile *p = t->g->profile;
	struct entries *e = t->to;

	for (uint32_t i = 1; i < p->ncalls; i++) {
		const struct cg_call *c = &p->calls[i];
		const int64_t cost = call_cost(t->g, i);
		const uint64_t count = count_of_call(t, i);
		if (!is_member(r, c->callee) || is_member(r, c->caller) || !r->outside[c->caller])
			continue;
		e->any = true;
		e->counted &= count > 0;
		cg_add_cost_clipped(&e->most, cost);
		cg_add_count_clipped(&e->calls_most, count);
		if (r->inside[c->caller])
			continue;
		cg_add_cost_clipped(&e->least, cost);
		cg_add_count_clipped(&e->calls_least, count);
		tally_caller(t, c->caller, cost, count);
	}
	/* Members without callers: a thread may begin in one. */
	for (uint32_t i = 1; i < p->nrecords; i++) {
		if (!is_member(r, i) || t->g->uncalled[i] <= 0)
			continue;
		e->any = true;
		e->counted = false;
		cg_add_cost_clipped(&e->least, t->g->uncalled[i]);
		cg_add_cost_clipped(&e->most, t->g->uncalled[i]);
	}
}

static const char *name_of_function(const struct cg_profile *p, uint32_t function)
{
	return cg_string(p, p->functions[function].name);
}

static int compare_callers(const void *left, const void *right, void *context)
{
	const struct entry_caller *a = left, *b = right;
	const struct cg_profile *p = context;
	int order = cg_compare_sizes(a->cost, b->cost);
	if (!order)
		order = (b->calls > a->calls) - (b->calls < a->calls);
	if (!order)
		order = strcmp(name_of_function(p, a->function), name_of_function(p, b->function));
	return order ? order : (a->function > b->function) - (a->function < b->function);
}

int entries_find(const struct graph *g, const bool *member, const bool *through, int event,
		 struct entries *out)
{
	const struct cg_profile *p = g->profile;
	struct entries e = { .counted = true };
	struct reach r = { .g = g, .member = member };
	struct entry_tally t = { .g = g, .through = through, .event = event, .to = &e };
	int status = CG_ENOMEM;

	r.outside = calloc((size_t)p->nrecords + 1, sizeof *r.outside);
	r.inside = calloc((size_t)p->nrecords + 1, sizeof *r.inside);
	r.waiting = calloc((size_t)p->nrecords + 1, sizeof *r.waiting);
	t.place = calloc((size_t)p->nfunctions + 1, sizeof *t.place);
	e.callers = calloc((size_t)p->nfunctions + 1, sizeof *e.callers);
	if (r.outside && r.inside && r.waiting && t.place && e.callers) {
		find_sides_of_entries(&r);
		tally_entries(&t, &r);
		if (event >= 0)
			tally_event(&t);
		qsort_r(e.callers, e.ncallers, sizeof *e.callers, compare_callers, (void *)p);
		*out = e;
		e.callers = NULL;
		status = CG_OK;
	}
	free(r.outside);
	free(r.inside);
	free(r.waiting);
	free(t.place);
	free(e.callers);
	return status;
}

void entries_free(struct entries *e)
{
	free(e->callers);
	*e = (struct entries){ 0 };
}
