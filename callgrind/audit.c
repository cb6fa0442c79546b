#include "cgprofile/audit.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/audit_causes.h"
#include "callgrind/order.h"
#include "callgrind/support/grow.h"
#include "callgrind/support/number.h"
#include "cgprofile/inclusive.h"

struct audit_context {
	const struct cg_profile *p;
	const struct cg_audit *a;
};

int64_t cg_audit_difference(const struct cg_profile *p, const struct cg_audit *a, uint32_t record,
			    uint32_t event)
{
	size_t at = (size_t)record * p->nevents + event;
	return cg_delta(a->in[at], a->out[at]);
}

/* ---- the first law: totals ---- */

static int add_sum(struct cg_audit_sums *sums, size_t *cap, const struct cg_audit_sum *row)
{
	if (cg_grow(&sums->rows, cap, sums->count + 1, sizeof *sums->rows))
		return CG_ENOMEM;
	sums->rows[sums->count++] = *row;
	return CG_OK;
}

static int compare_part(const struct cg_profile *p, uint32_t part, const int64_t *stated,
			struct cg_audit_sums *sums, size_t *cap)
{
	const int64_t *self = p->parts[part].self;

	if (!stated) {
		sums->missing++;
		return CG_OK;
	}
	for (uint32_t e = 0; e < p->nevents; e++) {
		struct cg_audit_sum row = { part, e, self[e], stated[e], CG_AUDIT_UNEXPLAINED };
		if (self[e] != stated[e] && add_sum(sums, cap, &row))
			return CG_ENOMEM;
	}
	return CG_OK;
}

static int compare_sums(const struct cg_profile *p, struct cg_audit *a)
{
	size_t totals_cap = 0, summaries_cap = 0;
	int status = CG_OK;

	for (uint32_t i = 0; !status && i < p->nparts; i++) {
		status = compare_part(p, i, p->parts[i].totals, &a->totals, &totals_cap);
		if (!status)
			status = compare_part(p, i, p->parts[i].summary, &a->summaries,
					      &summaries_cap);
	}
	return status;
}

/* ---- the second law: flow ---- */

static void audit_add_row(struct cg_audit *a, int64_t *sum, const int64_t *costs, uint32_t n)
{
	for (uint32_t e = 0; e < n; e++)
		if (__builtin_add_overflow(sum[e], costs[e], &sum[e])) {
			sum[e] = costs[e] < 0 ? INT64_MIN : INT64_MAX;
			a->overflow = true;
		}
}

static void sum_flow(const struct cg_profile *p, struct cg_audit *a)
{
	uint32_t n = p->nevents;

	memcpy(a->out, p->record_self, (size_t)p->nrecords * n * sizeof *a->out);
	for (uint32_t i = 1; i < p->ncalls; i++) {
		const int64_t *cost = p->call_cost + (size_t)i * n;
		audit_add_row(a, a->out + (size_t)p->calls[i].caller * n, cost, n);
		audit_add_row(a, a->in + (size_t)p->calls[i].callee * n, cost, n);
	}
}

/* Events that callgrind books where they happened and nowhere else (AcCost and
 * SpLoss of --cacheuse): no call has any, though calls have others. */
static void find_local(const struct cg_profile *p, struct cg_audit *a)
{
	bool flows = false;
	for (uint32_t e = 0; e < p->nevents; e++)
		a->local[e] = p->total[e] != 0;
	for (uint32_t i = 1; i < p->ncalls; i++)
		for (uint32_t e = 0; e < p->nevents; e++)
			if (p->call_cost[(size_t)i * p->nevents + e]) {
				a->local[e] = false;
				flows = true;
			}
	for (uint32_t e = 0; e < p->nevents; e++)
		a->local[e] &= flows;
}

static int audit_look_at_calls(const struct cg_profile *p, struct cg_audit *a, bool *called)
{
	bool *negative = cg_negative_events(p);
	if (!negative)
		return CG_ENOMEM;
	for (uint32_t i = 1; i < p->ncalls; i++) {
		const int64_t *cost = p->call_cost + (size_t)i * p->nevents;
		bool costs = false, oversized = false;
		for (uint32_t e = 0; e < p->nevents; e++) {
			costs |= cost[e] != 0;
			oversized |= !negative[e] && cost[e] > p->total[e];
		}
		bool link = p->records[p->calls[i].callee].inlined_into == p->calls[i].caller;
		a->countless += p->calls[i].count == 0 && costs && !link;
		a->oversized += oversized;
		called[p->calls[i].callee] = true;
	}
	free(negative);
	return CG_OK;
}

static double audit_share(const struct cg_profile *p, const struct cg_audit *a, uint32_t record,
			  uint32_t event)
{
	size_t at = (size_t)record * p->nevents + event;
	double off = (double)cg_distance(a->in[at], a->out[at]);
	return p->total[event] ? off / (double)cg_magnitude(p->total[event]) : off;
}

static struct cg_audit_record audit_examine(const struct cg_profile *p, const struct cg_audit *a,
					    uint32_t record)
{
	struct cg_audit_record row = { .record = record, .cause = CG_AUDIT_UNEXPLAINED };
	for (uint32_t e = 0; e < p->nevents; e++) {
		if (a->local[e] || cg_audit_difference(p, a, record, e) == 0)
			continue;
		if (row.events++ == 0 ||
		    audit_share(p, a, record, e) > audit_share(p, a, record, row.event))
			row.event = e;
	}
	return row;
}

static int sort_out(const struct cg_profile *p, struct cg_audit *a, const bool *called)
{
	size_t records_cap = 0, roots_cap = 0;

	for (uint32_t r = 1; r < p->nrecords; r++) {
		struct cg_audit_record row = audit_examine(p, a, r);
		a->called += called[r];
		a->conserving += called[r] && !row.events;
		if (called[r] && !row.events)
			continue;
		if (called[r]) {
			if (cg_grow(&a->records, &records_cap, a->nrecords + 1, sizeof row))
				return CG_ENOMEM;
			a->records[a->nrecords++] = row;
		} else if (row.events) {
			row.event = 0;
			if (cg_grow(&a->roots, &roots_cap, a->nroots + 1, sizeof row))
				return CG_ENOMEM;
			a->roots[a->nroots++] = row;
		}
	}
	return CG_OK;
}

/* ---- how far it is off as a whole ---- */

static bool lies_nowhere_else(const struct cg_audit_record *row)
{
	return row->cause == CG_AUDIT_ENDED || row->cause == CG_AUDIT_ZEROED ||
	       row->cause == CG_AUDIT_THREAD || row->cause == CG_AUDIT_ENTERED;
}

static double share_of_all(const struct cg_profile *p, const struct cg_audit *a, uint32_t event)
{
	double sum = 0;
	if (a->local[event] || p->total[event] == 0)
		return 0;
	for (size_t i = 0; i < a->nrecords; i++)
		if (!lies_nowhere_else(&a->records[i]))
			sum += audit_share(p, a, a->records[i].record, event);
	return sum * 100;
}

static void audit_find_misfit(const struct cg_profile *p, struct cg_audit *a)
{
	for (size_t i = 0; i < a->nrecords; i++)
		a->misfit.records += !lies_nowhere_else(&a->records[i]);
	for (uint32_t e = 0; a->misfit.records && e < p->nevents; e++) {
		double percent = share_of_all(p, a, e);
		if (percent > a->misfit.percent) {
			a->misfit.event = e;
			a->misfit.percent = percent;
		}
	}
}

/* ---- order ---- */

static int audit_compare_names(const struct cg_profile *p, uint32_t x, uint32_t y)
{
	const struct cg_record *a = &p->records[x], *b = &p->records[y];
	int order = cg_compare_functions(p, a->function, b->function);
	if (!order && a->level != b->level)
		order = a->level < b->level ? -1 : 1;
	if (!order)
		order = cg_compare_contexts(p, a->context, b->context);
	/* The remaining records are copies of inlined code, which are in the order of the
	 * file. */
	return order ? order : (x > y) - (x < y);
}

static int compare_deviations(const void *left, const void *right, void *context)
{
	const struct audit_context *c = context;
	const struct cg_audit_record *x = left, *y = right;
	double a = audit_share(c->p, c->a, x->record, x->event);
	double b = audit_share(c->p, c->a, y->record, y->event);

	if (x->cause != y->cause)
		return x->cause < y->cause ? -1 : 1;
	return a != b ? (a < b ? 1 : -1) : audit_compare_names(c->p, x->record, y->record);
}

static int compare_roots(const void *left, const void *right, void *context)
{
	const struct audit_context *c = context;
	const struct cg_audit_record *x = left, *y = right;
	size_t n = c->p->nevents;
	int order = n ? cg_compare_sizes(c->a->out[x->record * n], c->a->out[y->record * n]) : 0;
	return order ? order : audit_compare_names(c->p, x->record, y->record);
}

/* ---- all of it ---- */

static int check_flow(const struct cg_profile *p, struct cg_audit *a)
{
	size_t size = (size_t)p->nrecords * p->nevents + 1;
	bool *called = calloc((size_t)p->nrecords + 1, sizeof *called);
	struct audit_context context = { p, a };
	int status = CG_ENOMEM;

	a->in = calloc(size, sizeof *a->in);
	a->out = calloc(size, sizeof *a->out);
	a->local = calloc((size_t)p->nevents + 1, sizeof *a->local);
	if (!called || !a->in || !a->out || !a->local)
		goto done;
	a->has_calls = p->ncalls > 1;
	sum_flow(p, a);
	find_local(p, a);
	status = audit_look_at_calls(p, a, called);
	if (!status)
		status = sort_out(p, a, called);
	if (status)
		goto done;
	if (a->nroots)
		qsort_r(a->roots, a->nroots, sizeof *a->roots, compare_roots, &context);
	status = cg_audit_find_causes(p, a);
	if (!status && a->nrecords)
		qsort_r(a->records, a->nrecords, sizeof *a->records, compare_deviations, &context);
done:
	free(called);
	return status;
}

int cg_audit_make(const struct cg_profile *p, struct cg_audit **out)
{
	struct cg_audit *a = calloc(1, sizeof *a);
	int status = a ? compare_sums(p, a) : CG_ENOMEM;
	if (!status)
		status = check_flow(p, a);
	if (status) {
		cg_audit_free(a);
		return status;
	}
	for (size_t i = 0; i < a->nrecords; i++) {
		const struct cg_audit_record *row = &a->records[i], *most = &a->records[a->largest];
		a->unexplained += row->cause == CG_AUDIT_UNEXPLAINED;
		if (audit_share(p, a, row->record, row->event) >
		    audit_share(p, a, most->record, most->event))
			a->largest = i;
	}
	audit_find_misfit(p, a);
	*out = a;
	return CG_OK;
}

void cg_audit_free(struct cg_audit *a)
{
	if (!a)
		return;
	free(a->totals.rows);
	free(a->summaries.rows);
	free(a->in);
	free(a->out);
	free(a->local);
	free(a->records);
	free(a->roots);
	free(a);
}
