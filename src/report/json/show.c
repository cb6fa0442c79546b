#include "src/report/insights.h"
#include "src/report/json/parts.h"
#include "src/report/json/show.h"

#define SCHEMA_VERSION 1

void json_add_costs(struct json *j, const char *key, const struct show_report *r,
		    const int64_t *costs)
{
	json_begin_object(j, key);
	for (size_t i = 0; i < r->nevents; i++) {
		const struct cg_event *e = &r->profile->events[r->events[i]];
		json_cost(j, cg_string(r->profile, e->name), costs[r->events[i]]);
	}
	json_end(j);
}

static void add_inlining(struct json *j, const struct cg_profile *p,
			 const struct report_inlining *i)
{
	json_begin_object(j, "inlined_functions");
	json_text(j, "source", inlining_source_name(i->source));
	json_begin_array(j, "missing");
	for (size_t m = 0; m < i->nmissing; m++) {
		json_begin_object(j, NULL);
		json_text(j, "object", i->missing[m].object);
		json_text(j, "reason", i->missing[m].reason);
		json_cost(j, "cost", inlining_object_cost(p, i->missing[m].object, 0));
		json_end(j);
	}
	json_end(j);
	json_end(j);
}

void json_add_profile(struct json *j, const struct cg_profile *p,
		      const struct report_origin *origin)
{
	json_begin_object(j, "profile");
	json_text(j, "name", origin->name);
	json_text(j, "path", origin->path);
	json_text(j, "command", origin->command);
	json_text(j, "commit", origin->commit);
	json_text(j, "written", origin->when);
	json_text(j, "creator", p->creator ? cg_string(p, p->creator) : NULL);
	json_threads(j, p);
	json_parts(j, p);
	json_count(j, "skipped_lines", p->skipped);
	if (origin->inlining && origin->inlining->source != INLINING_UNKNOWN)
		add_inlining(j, p, origin->inlining);
	json_end(j);
}

static void add_show_function(struct json *j, const struct show_report *r, const struct flat_row *row)
{
	const struct cg_function *f = &r->profile->functions[row->function];

	json_text(j, "function", view_function(r->profile, row->function));
	json_text(j, "object", f->object ? cg_string(r->profile, f->object) : NULL);
	json_text(j, "file", f->file ? cg_string(r->profile, f->file) : NULL);
	if (row->code != FLAT_CODE_OWN)
		json_text(j, "code", flat_code_name(row->code));
}

static void add_show_row(struct json *j, const struct show_report *r, const struct flat_row *row)
{
	json_begin_object(j, NULL);
	if (r->flat->rollup.by == CG_BY_FUNCTION) {
		add_show_function(j, r, row);
	} else {
		json_text(j, "name", flat_row_name(r->flat, row));
		json_count(j, "functions", row->functions);
	}
	json_count(j, "calls", row->calls);
	json_add_costs(j, "self", r, row->self);
	json_add_costs(j, "inclusive", r, row->inclusive);
	if (row->bound)
		json_flag(j, "inclusive_is_upper_bound", true);
	json_end(j);
}

/* Either functions or groups, so that whoever reads the one does not meet the other. */
static void add_show_rows(struct json *j, const struct show_report *r, const char *key, bool wanted)
{
	json_begin_array(j, key);
	for (size_t i = 0; wanted && i < r->flat->count && (!r->top || i < r->top); i++)
		add_show_row(j, r, &r->flat->rows[i]);
	json_end(j);
}

int show_flat_json(const struct show_report *r, FILE *to)
{
	struct json *j = json_new();
	if (!j)
		return CG_ENOMEM;

	json_text(j, "schema", "irdiff/show");
	json_count(j, "version", SCHEMA_VERSION);
	json_add_profile(j, r->profile, &r->origin);
	json_add_costs(j, "totals", r, r->profile->total);
	json_text(j, "sorted_by", r->sort);
	json_flag(j, "by_inclusive", r->by_inclusive);
	json_text(j, "filter", r->filter);
	bool functions = r->flat->rollup.by == CG_BY_FUNCTION;
	json_text(j, "by", cg_rollup_word(r->flat->rollup.by));
	add_show_rows(j, r, "functions", functions);
	add_show_rows(j, r, "groups", !functions);
	insights_json(j, r->insights);
	return json_finish(j, to);
}
