#include "src/report/json/members.h"
#include "src/report/show.h"

#define SCHEMA_VERSION 2

/* What machines call the causes. */
static const char *const words[CG_AUDIT_CAUSES] = {
	[CG_AUDIT_NONE] = "start",          [CG_AUDIT_UNEXPLAINED] = "unexplained",
	[CG_AUDIT_LOST_CALL] = "lost-call", [CG_AUDIT_SPLIT] = "split",
	[CG_AUDIT_LAZY] = "lazy-binding",   [CG_AUDIT_ZEROED] = "zeroed",
	[CG_AUDIT_ENDED] = "program-end",   [CG_AUDIT_THREAD] = "thread-start",
	[CG_AUDIT_ENTERED] = "entered",     [CG_AUDIT_RECURSIVE] = "recursive",
	[CG_AUDIT_NO_COSTS] = "no-costs",   [CG_AUDIT_ROUNDED] = "rounded",
	[CG_AUDIT_SWITCHED] = "switched",   [CG_AUDIT_OUTSIDE] = "outside",
	[CG_AUDIT_UNWRITTEN] = "unwritten", [CG_AUDIT_NOT_SUMMED] = "not-summed",
};

static void add_audit_costs(struct json *j, const char *key, const struct cg_profile *p,
			    const int64_t *costs)
{
	json_begin_object(j, key);
	for (uint32_t e = 0; e < p->nevents; e++)
		json_cost(j, cg_string(p, p->events[e].name), costs[e]);
	json_end(j);
}

static void add_sums(struct json *j, const char *key, const struct cg_profile *p,
		     const struct cg_audit_sums *sums)
{
	json_begin_object(j, key);
	json_count(j, "parts_without", sums->missing);
	json_begin_array(j, "deviations");
	for (size_t i = 0; i < sums->count; i++) {
		const struct cg_audit_sum *sum = &sums->rows[i];
		json_begin_object(j, NULL);
		json_count(j, "part", (uint64_t)sum->part + 1);
		json_text(j, "event", cg_string(p, p->events[sum->event].name));
		json_cost(j, "costs", sum->self);
		json_cost(j, "stated", sum->stated);
		json_text(j, "cause", words[sum->cause]);
		json_end(j);
	}
	json_end(j);
	json_end(j);
}

static void add_identity(struct json *j, const struct cg_profile *p, uint32_t record)
{
	const struct cg_record *r = &p->records[record];
	const struct cg_function *f = &p->functions[r->function];

	json_text(j, "function", view_function(p, r->function));
	json_text(j, "object", f->object ? cg_string(p, f->object) : NULL);
	json_text(j, "file", f->file ? cg_string(p, f->file) : NULL);
	json_count(j, "level", r->level);
	if (r->context)
		json_made_text(j, "context", cg_context_text(p, r->context));
	else
		json_none(j, "context");
	json_flag(j, "inlined", r->inlined_into != 0);
}

static void add_record(struct json *j, const struct audit_report *r,
		       const struct cg_audit_record *row, bool root)
{
	const struct cg_profile *p = r->profile;
	size_t at = (size_t)row->record * p->nevents;

	json_begin_object(j, NULL);
	add_identity(j, p, row->record);
	json_text(j, "cause", words[row->cause]);
	if (!root)
		json_text(j, "event", cg_string(p, p->events[row->event].name));
	if (!root)
		add_audit_costs(j, "in", p, r->audit->in + at);
	add_audit_costs(j, "out", p, r->audit->out + at);
	if (row->other) {
		json_begin_object(j, "other");
		add_identity(j, p, row->other);
		json_end(j);
	}
	json_end(j);
}

static void add_records(struct json *j, const char *key, const struct audit_report *r,
			const struct cg_audit_record *rows, size_t count, bool roots)
{
	size_t listed = 0;

	json_begin_array(j, key);
	for (size_t i = 0; i < count && (!r->top || listed < r->top); i++) {
		if (!r->chosen[r->profile->records[rows[i].record].function])
			continue;
		add_record(j, r, &rows[i], roots);
		listed++;
	}
	json_end(j);
}

static void add_flow(struct json *j, const struct audit_report *r)
{
	const struct cg_audit *a = r->audit;

	json_begin_object(j, "flow");
	json_count(j, "called", a->called);
	json_count(j, "conserving", a->conserving);
	json_count(j, "unexplained", a->unexplained);
	json_number(j, "misfit_percent", a->misfit.percent);
	json_begin_array(j, "events_without_calls");
	for (uint32_t e = 0; e < r->profile->nevents; e++)
		if (a->local[e])
			json_text(j, NULL, cg_string(r->profile, r->profile->events[e].name));
	json_end(j);
	add_records(j, "deviations", r, a->records, a->nrecords, false);
	add_records(j, "roots", r, a->roots, a->has_calls ? a->nroots : 0, true);
	json_end(j);
}

static void add_disputes(struct json *j, const struct audit_report *r)
{
	const struct audit_disputes *d = &r->disputes;

	if (!d->known) {
		json_none(j, "disputed_lines");
		return;
	}
	json_begin_object(j, "disputed_lines");
	json_count(j, "count", d->lines);
	json_cost(j, "self", d->self);
	if (r->profile->total[0])
		json_share(j, "share", (double)d->self / (double)r->profile->total[0]);
	else
		json_none(j, "share");
	json_end(j);
}

int show_audit_json(const struct audit_report *r, FILE *to)
{
	struct json *j = json_new();
	if (!j)
		return CG_ENOMEM;

	json_text(j, "schema", "irdiff/audit");
	json_count(j, "version", SCHEMA_VERSION);
	json_add_profile(j, r->profile, &r->origin);
	json_text(j, "filter", r->filter);
	add_sums(j, "totals_lines", r->profile, &r->audit->totals);
	add_sums(j, "summary_lines", r->profile, &r->audit->summaries);
	add_flow(j, r);
	json_count(j, "calls_without_count", r->audit->countless);
	json_count(j, "calls_above_total", r->audit->oversized);
	json_count(j, "redefined_names", r->profile->redefined);
	add_disputes(j, r);
	json_flag(j, "overflow", r->audit->overflow);
	return json_finish(j, to);
}
