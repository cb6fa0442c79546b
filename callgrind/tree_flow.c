#include "callgrind/tree_flow.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/build.h"
#include "callgrind/support/number.h"
#include "callgrind/tree_edges.h"
#include "cgprofile/inclusive.h"

/* What was met when cycles were cut. */
struct flow_visit {
	enum { UNSEEN, ON_PATH, DONE } state;
	uint32_t next;   /* the edge to follow next */
	uint32_t open;   /* ways in that were not cut … */
	uint32_t caller; /* … of the last of these */
};

struct flow_making {
	const struct cg_profile *p;
	uint32_t event, frames;
	struct cg_flow f;
	int64_t *excess;              /* per record: what goes out and no call brought in */
	uint32_t *into;               /* edges by callee, then in the order of their callers */
	uint32_t *into_first;         /* as first */
	uint32_t *callees_first;      /* records in an order in which callees come first */
	struct cg_tree_places places; /* only representatives have costs and calls here */
	struct flow_visit *visits;    /* per record */
	struct span *spans;           /* per record */
	bool *recorded;               /* per record: what flows to it is what its calls cost */
};

/* What can be reached only by way of a record, itself included: numbers first … end - 1. */
struct span {
	uint32_t first, end;
	uint32_t above; /* the only caller from which anything comes; 0: a root, or several */
};

static void describe_records(struct flow_making *m)
{
	for (uint32_t r = 1; r < m->p->nrecords; r++) {
		m->f.records[r].function = m->p->records[r].function;
		m->f.records[r].inlined = m->p->records[r].inlined_into != 0;
	}
}

static void count_edges(struct flow_making *m)
{
	for (uint32_t i = 0; i < m->f.nedges; i++) {
		m->f.records[m->f.edges[i].caller + 1].first++;
		m->into_first[m->f.edges[i].callee + 1]++;
	}
	for (uint32_t r = 0; r < m->p->nrecords; r++) {
		m->f.records[r + 1].first += m->f.records[r].first;
		m->into_first[r + 1] += m->into_first[r];
	}
}

static int64_t edge_cost(const struct flow_making *m, uint32_t edge)
{
	return m->f.cost[(size_t)edge * m->p->nevents + m->event];
}

/* ---- cutting cycles ---- */

static int64_t excess_at(const struct flow_making *m, uint32_t record)
{
	return m->excess[(size_t)record * m->p->nevents + m->event];
}

static int compare_starts(const void *left, const void *right, void *context)
{
	const struct flow_making *m = context;
	uint32_t x = *(const uint32_t *)left, y = *(const uint32_t *)right;
	int order = cg_compare_sizes(excess_at(m, x), excess_at(m, y));
	return order ? order : cg_tree_places_compare(&m->places, x, y);
}

struct walk {
	uint32_t *path;
	uint32_t depth, done;
};

static void enter_record(struct flow_making *m, struct walk *w, uint32_t record)
{
	m->visits[record].state = ON_PATH;
	m->visits[record].next = m->f.records[record].first;
	w->path[w->depth++] = record;
}

/* An edge to a record on the path closes a cycle. */
static void follow_edge(struct flow_making *m, struct walk *w, struct cg_flow_edge *edge)
{
	struct flow_visit *callee = &m->visits[edge->callee];

	edge->back = callee->state == ON_PATH;
	if (!edge->back) {
		callee->open++;
		callee->caller = edge->caller;
	}
	if (callee->state == UNSEEN)
		enter_record(m, w, edge->callee);
}

/* Depth first, costliest calls first. */
static void walk_from(struct flow_making *m, struct walk *w, uint32_t start)
{
	enter_record(m, w, start);
	while (w->depth) {
		uint32_t record = w->path[w->depth - 1];
		struct flow_visit *visit = &m->visits[record];
		if (visit->next < m->f.records[record + 1].first) {
			follow_edge(m, w, &m->f.edges[visit->next++]);
			continue;
		}
		visit->state = DONE;
		m->callees_first[w->done++] = record;
		w->depth--;
	}
}

/* From all records that were not met yet, or of them those that cost comes to from
 * outside; `starts` is room for their numbers. */
static void walk_from_all(struct flow_making *m, struct walk *w, bool from_outside,
			  uint32_t *starts)
{
	uint32_t count = 0;
	for (uint32_t r = 1; r < m->p->nrecords; r++)
		if (m->visits[r].state == UNSEEN && (!from_outside || excess_at(m, r)))
			starts[count++] = r;
	qsort_r(starts, count, sizeof *starts, compare_starts, m);
	for (uint32_t i = 0; i < count; i++)
		if (m->visits[starts[i]].state == UNSEEN)
			walk_from(m, w, starts[i]);
}

/* Starting where most cost comes from outside, cycles are cut where they were
 * entered. Few are left then to be put in order. */
static int cut_cycles(struct flow_making *m)
{
	uint32_t n = m->p->nrecords;
	uint32_t *starts = malloc(((size_t)n + 1) * sizeof *starts);
	struct walk w = { .path = calloc((size_t)n + 1, sizeof *w.path) };
	bool made = starts && w.path;

	if (made) {
		walk_from_all(m, &w, true, starts);
		walk_from_all(m, &w, false, starts);
	}
	free(starts);
	free(w.path);
	return made ? CG_OK : CG_ENOMEM;
}

/* ---- sharing out ---- */

/* The ways into one record. */
struct ways {
	const uint32_t *edges;
	uint32_t count, open; /* open: not cut */
};

static struct ways ways_into(const struct flow_making *m, uint32_t record)
{
	uint32_t first = m->into_first[record];

	return (struct ways){ m->into + first, m->into_first[record + 1] - first,
			      m->visits[record].open };
}

/* What no call accounts for. Where nothing can be negative, a call that cost
 * more than its callee is a slip of the file. */
static int64_t uncalled_cost(const struct flow_making *m, uint32_t record, uint32_t event)
{
	int64_t excess = m->excess[(size_t)record * m->p->nevents + event];
	return excess < 0 && !m->f.negative[event] ? 0 : excess;
}

/* The only caller from which anything comes; 0: it is a root, or has several. */
static uint32_t only_caller_with_cost(const struct flow_making *m, uint32_t record)
{
	const struct flow_visit *visit = &m->visits[record];

	for (uint32_t e = 0; e < m->p->nevents; e++)
		if (uncalled_cost(m, record, e))
			return 0;
	return visit->open == 1 ? visit->caller : 0;
}

/* Numbers the records so that those below one have the numbers that follow its own. First the
 * span of each starts at 0; `end` is then its size, and later what is given away. */
static void find_spans(struct flow_making *m)
{
	uint32_t n = m->p->nrecords - 1, free_number = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t record = m->callees_first[i], caller = only_caller_with_cost(m, record);
		m->spans[record].end++;
		m->spans[record].above = caller;
		if (caller)
			m->spans[caller].end += m->spans[record].end;
	}
	for (uint32_t i = n; i-- > 0;) {
		uint32_t record = m->callees_first[i], caller = m->spans[record].above;
		uint32_t size = m->spans[record].end;
		uint32_t *next = caller ? &m->spans[caller].end : &free_number;
		m->spans[record].first = *next;
		m->spans[record].end = *next + 1;
		*next += size;
	}
}

/* Whether all calls that come back to a record come from below it alone. */
static bool comes_back_from_below(const struct flow_making *m, uint32_t record,
				  const struct ways *w)
{
	if (w->open == w->count)
		return true;
	for (uint32_t i = 0; i < w->count; i++) {
		const struct cg_flow_edge *edge = &m->f.edges[w->edges[i]];
		uint32_t number = m->spans[edge->caller].first;
		if (edge->back &&
		    (number < m->spans[record].first || number >= m->spans[record].end))
			return false;
	}
	return true;
}

/* Whether calls come back to a record from others than what was inlined into it:
 * those are calls by the function itself, as contexts have it. */
static bool comes_back_in_turns(const struct flow_making *m, uint32_t record, const struct ways *w)
{
	if (w->open == w->count)
		return false;
	for (uint32_t i = 0; i < w->count; i++) {
		const struct cg_flow_edge *edge = &m->f.edges[w->edges[i]];
		uint32_t caller = cg_machine_record(m->p, edge->caller);
		if (edge->back && m->places.stands_for[caller] != record)
			return true;
	}
	return false;
}

/* Divides `whole` by sizes that add up to `sizes`: each way gets the difference
 * of two rounded sums, so that nothing is lost. The rest comes from outside. */
static int64_t divide_among_ways(struct flow_making *m, const struct ways *w, uint32_t event,
				 int64_t whole, uint64_t sizes)
{
	uint64_t sum = 0;
	int64_t before = 0;

	for (uint32_t i = 0; i < w->count; i++) {
		int64_t *cost = &m->f.cost[(size_t)w->edges[i] * m->p->nevents + event];
		if (m->f.edges[w->edges[i]].back)
			continue;
		sum += cg_magnitude(*cost);
		int64_t up_to = (int64_t)((__int128)whole * (__int128)sum / (__int128)sizes);
		*cost = up_to - before;
		before = up_to;
	}
	return whole - before;
}

/* Of what comes into a record, per event: the sum, and that of the sizes. */
struct inflow {
	int64_t sum[CG_MAX_EVENTS];
	uint64_t sizes[CG_MAX_EVENTS];
};

static bool add_inflow(struct inflow *in, uint32_t event, int64_t cost)
{
	return !__builtin_add_overflow(in->sum[event], cost, &in->sum[event]) &&
	       !__builtin_add_overflow(in->sizes[event], cg_magnitude(cost), &in->sizes[event]);
}

/* One way after the other: the costs of each are together in memory. */
static int add_up_inflow(const struct flow_making *m, uint32_t record, const struct ways *w,
			 struct inflow *in)
{
	const uint32_t n = m->p->nevents;
	bool fits = true;

	for (uint32_t e = 0; e < n; e++) {
		in->sum[e] = uncalled_cost(m, record, e);
		in->sizes[e] = cg_magnitude(in->sum[e]);
	}
	for (uint32_t i = 0; fits && i < w->count; i++) {
		const int64_t *cost = m->f.cost + (size_t)w->edges[i] * n;
		if (m->f.edges[w->edges[i]].back)
			continue;
		for (uint32_t e = 0; fits && e < n; e++)
			fits = add_inflow(in, e, cost[e]);
	}
	return fits ? CG_OK : CG_ERANGE;
}

/* Makes the flows into a record add up to what goes through it. `recorded` is
 * cleared if the file's own numbers do not. */
static int share_out(struct flow_making *m, uint32_t record, const struct ways *w, bool *recorded)
{
	const size_t n = m->p->nevents;
	const int64_t *through = m->f.through + record * n;
	int64_t *outside = m->f.outside + record * n;
	struct inflow in;

	if (add_up_inflow(m, record, w, &in))
		return CG_ERANGE;
	for (uint32_t e = 0; e < n; e++) {
		int64_t rest = uncalled_cost(m, record, e);
		if (in.sum[e] != through[e]) {
			*recorded = false;
			rest = in.sizes[e] ? divide_among_ways(m, w, e, through[e], in.sizes[e])
					   : through[e];
		}
		/* Mostly nothing comes from there; memory that is not written to is not taken. */
		if (rest)
			outside[e] = rest;
	}
	return CG_OK;
}

static uint64_t part_of_all(uint64_t part, unsigned __int128 whole)
{
	return (uint64_t)((unsigned __int128)part * CG_SHARE_ALL / whole);
}

/* By cost; without cost, by the number of calls, or else equally. */
static void set_shares(struct flow_making *m, uint32_t record, const struct ways *w)
{
	uint64_t outside = cg_magnitude(m->f.outside[(size_t)record * m->p->nevents + m->event]);
	unsigned __int128 cost = outside, calls = 0;

	for (uint32_t i = 0; i < w->count; i++) {
		if (m->f.edges[w->edges[i]].back)
			continue;
		cost += cg_magnitude(edge_cost(m, w->edges[i]));
		calls += m->f.edges[w->edges[i]].count;
	}
	for (uint32_t i = 0; i < w->count; i++) {
		struct cg_flow_edge *edge = &m->f.edges[w->edges[i]];
		if (edge->back)
			continue;
		if (cost)
			edge->share = part_of_all(cg_magnitude(edge_cost(m, w->edges[i])), cost);
		else
			edge->share = calls ? part_of_all(edge->count, calls)
					    : part_of_all(1, w->open);
	}
	m->f.outside_share[record] = !w->open ? CG_SHARE_ALL
				     : cost   ? part_of_all(outside, cost)
					      : 0;
}

static bool is_zero(const int64_t *costs, uint32_t n)
{
	for (uint32_t e = 0; e < n; e++)
		if (costs[e])
			return false;
	return true;
}

/* Whether everything that flows out of a record agrees with the file, or cannot flow elsewhere. */
static bool flows_are_known(const struct flow_making *m, uint32_t record)
{
	const struct cg_flow *f = &m->f;
	for (uint32_t i = f->records[record].first; i < f->records[record + 1].first; i++) {
		uint32_t callee = f->edges[i].callee;
		if (!f->edges[i].back && !m->recorded[callee] &&
		    !(f->records[callee].sure && f->records[callee].known))
			return false;
	}
	return true;
}

/* Once all flows out of the record are known. */
static int flow_into(struct flow_making *m, uint32_t record)
{
	struct cg_flow *f = &m->f;
	uint32_t n = m->p->nevents;
	struct ways w = ways_into(m, record);
	int64_t *through = f->through + (size_t)record * n;
	bool *recorded = &m->recorded[record];
	struct cg_flow_record *r = &f->records[record];

	*recorded = true;
	r->known = flows_are_known(m, record);
	for (uint32_t i = f->records[record].first; i < f->records[record + 1].first; i++)
		if (!f->edges[i].back && !cg_add_costs(through, f->cost + (size_t)i * n, n))
			return CG_ERANGE;
	if (share_out(m, record, &w, recorded))
		return CG_ERANGE;
	set_shares(m, record, &w);

	r->is_root = !w.open || !is_zero(f->outside + (size_t)record * n, n);
	bool one_way = w.open + r->is_root == 1;
	bool leaf = r->first == r[1].first;
	r->returns = comes_back_in_turns(m, record, &w);
	r->sure = one_way ? comes_back_from_below(m, record, &w)
			  : leaf && *recorded && w.open == w.count;
	return CG_OK;
}

/* ---- all of it ---- */

static void find_negative(struct flow_making *m)
{
	const struct cg_profile *p = m->p;
	uint32_t n = p->nevents;
	for (uint32_t e = 0; e < n; e++) {
		for (uint32_t r = 1; r < p->nrecords; r++)
			m->f.negative[e] |= p->record_self[(size_t)r * n + e] < 0;
		for (uint32_t i = 0; i < m->f.nedges; i++)
			m->f.negative[e] |= m->f.cost[(size_t)i * n + e] < 0;
	}
}

static void find_excess(struct flow_making *m)
{
	const struct cg_profile *p = m->p;
	uint32_t n = p->nevents;
	for (uint32_t i = 1; i < p->ncalls; i++) {
		int64_t *excess = m->excess + (size_t)p->calls[i].callee * n;
		for (uint32_t e = 0; e < n; e++)
			excess[e] = cg_delta(p->call_cost[(size_t)i * n + e], excess[e]);
	}
}

static bool is_balanced(const struct flow_making *m)
{
	for (uint32_t i = 1; i < m->p->ncalls; i++)
		if (!is_zero(m->excess + (size_t)m->p->calls[i].callee * m->p->nevents,
			     m->p->nevents))
			return false;
	return true;
}

/* Adds up what the records of one place have. */
static int add_up_places(const struct flow_making *m, int64_t *costs)
{
	size_t n = m->p->nevents;
	for (uint32_t r = 1; r < m->p->nrecords; r++) {
		uint32_t to = m->places.stands_for[r];
		if (to != r && !cg_add_costs(costs + to * n, costs + r * n, n))
			return CG_ERANGE;
		if (to != r)
			memset(costs + r * n, 0, n * sizeof *costs);
	}
	return CG_OK;
}

static int allocate(struct flow_making *m)
{
	struct cg_flow *f = &m->f;
	size_t records = (size_t)m->p->nrecords + 2, n = m->p->nevents;

	f->records = calloc(records, sizeof *f->records);
	f->through = calloc(records * n, sizeof *f->through);
	f->outside = calloc(records * n, sizeof *f->outside);
	f->outside_share = calloc(records, sizeof *f->outside_share);
	f->negative = calloc(n + 1, sizeof *f->negative);
	m->excess = cg_record_out(m->p);
	m->into_first = calloc(records, sizeof *m->into_first);
	m->callees_first = calloc(records, sizeof *m->callees_first);
	m->visits = calloc(records, sizeof *m->visits);
	m->spans = calloc(records, sizeof *m->spans);
	m->recorded = calloc(records, sizeof *m->recorded);
	if (!f->records || !f->through || !f->outside || !f->outside_share || !f->negative)
		return CG_ENOMEM;
	return m->excess && m->into_first && m->callees_first && m->visits && m->spans &&
			       m->recorded
		       ? CG_OK
		       : CG_ENOMEM;
}

static int make_flow(struct flow_making *m)
{
	const struct cg_profile *p = m->p;
	int status = allocate(m);
	if (!status)
		status = cg_tree_places_make(p, m->frames, &m->places);
	if (!status)
		status = cg_tree_edges_make(p, &m->places, m->event, &m->f);
	if (!status && !(m->into = cg_tree_edges_by_callee(p, &m->places, &m->f)))
		status = CG_ENOMEM;
	if (status)
		return status;

	describe_records(m);
	count_edges(m);
	find_negative(m);
	find_excess(m);
	m->f.balanced = is_balanced(m);
	memcpy(m->f.through, p->record_self, (size_t)p->nrecords * p->nevents * sizeof(int64_t));
	status = add_up_places(m, m->excess);
	if (!status)
		status = add_up_places(m, m->f.through);
	if (!status)
		status = cut_cycles(m);
	if (!status)
		find_spans(m);
	for (uint32_t i = 0; !status && i + 1 < p->nrecords; i++)
		status = flow_into(m, m->callees_first[i]);
	return status;
}

int cg_flow_make(const struct cg_profile *p, uint32_t event, uint32_t frames, struct cg_flow *out)
{
	struct flow_making m = { .p = p, .event = event, .frames = frames };
	int status = make_flow(&m);

	free(m.excess);
	free(m.into);
	free(m.into_first);
	free(m.callees_first);
	cg_tree_places_free(&m.places);
	free(m.visits);
	free(m.spans);
	free(m.recorded);
	if (status)
		cg_flow_free(&m.f);
	else
		*out = m.f;
	return status;
}

void cg_flow_free(struct cg_flow *f)
{
	free(f->edges);
	free(f->records);
	free(f->cost);
	free(f->through);
	free(f->outside);
	free(f->outside_share);
	free(f->negative);
	*f = (struct cg_flow){ 0 };
}
