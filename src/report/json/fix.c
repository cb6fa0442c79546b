#include "src/report/fix_report.h"
#include "src/report/json/members.h"
#include "src/report/remarks.h"

#define SCHEMA_VERSION 2

static void add_fix_values(struct json *j, struct fix_values v)
{
	json_cost(j, "main", v.main);
	json_cost(j, "regression", v.regression);
	json_cost(j, "fix", v.fix);
	json_delta(j, "lost", v.main, v.regression);
	json_delta(j, "recovered", v.fix, v.regression);
	json_delta(j, "remaining", v.main, v.fix);
	if (v.regression > v.main)
		json_share(j, "share_recovered",
			   ((double)v.regression - (double)v.fix) /
				   ((double)v.regression - (double)v.main));
	else
		json_none(j, "share_recovered");
}

static void add_fix_metrics(struct json *j, const struct fix_diff *f)
{
	const char *list[FIX_METRICS];
	size_t count = fix_list_metrics(f, list);

	json_begin_array(j, "metrics");
	for (size_t i = 0; i < count; i++) {
		json_begin_object(j, NULL);
		json_text(j, "name", list[i]);
		add_fix_values(j, fix_metric(f, list[i]));
		json_end(j);
	}
	json_end(j);
}

static void add_fix_calls(struct json *j, const struct fix_row *row)
{
	json_begin_object(j, "calls");
	for (enum fix_side s = FIX_MAIN; s < FIX_SIDES; s++)
		if (row->present[s])
			json_count(j, fix_side_name(s), row->calls[s]);
		else
			json_none(j, fix_side_name(s));
	json_end(j);
}

static void add_fix_row(struct json *j, const struct fix_diff *f, const struct fix_row *row)
{
	struct fix_values self = fix_values_of(f, row->self);
	struct fix_values inclusive = fix_values_of(f, row->inclusive);
	bool bound = row->bound[FIX_MAIN] || row->bound[FIX_REGRESSION] || row->bound[FIX_FIX];

	json_begin_object(j, NULL);
	json_text(j, "name", row->name);
	json_text(j, "object", row->object);
	json_text(j, "file", row->file);
	json_text(j, "state", fix_state_name(fix_classify(f, self)));
	add_fix_calls(j, row);
	json_begin_object(j, "self");
	add_fix_values(j, self);
	json_end(j);
	json_begin_object(j, "inclusive");
	add_fix_values(j, inclusive);
	json_end(j);
	if (bound)
		json_flag(j, "inclusive_is_upper_bound", true);
	json_end(j);
}

static void add_fix_rows(struct json *j, const struct fix_report *r)
{
	enum { MOST = 10 }; /* if nobody said how many */
	size_t rows = r->judged.top == DIFF_TOP_AUTO && r->nrows > MOST ? MOST : r->nrows;

	json_text(j, "by", cg_rollup_word(r->fix->lost->options.by));
	json_text(j, "filter", r->filter);
	json_count(j, "changed", r->changed);
	json_count(j, "hidden", r->filtered - rows);
	json_begin_array(j, "rows");
	for (size_t i = 0; i < rows; i++)
		add_fix_row(j, r->fix, &r->fix->rows[r->rows[i]]);
	json_end(j);
}

int fix_json(const struct fix_report *r, FILE *to)
{
	const struct fix_diff *f = r->fix;
	struct json *j = json_new();
	if (!j)
		return CG_ENOMEM;

	json_text(j, "schema", "irdiff/fix");
	json_count(j, "version", SCHEMA_VERSION);
	json_text(j, "state", fix_state_name(fix_classify(f, fix_totals(f))));
	json_add_judgement(j, &r->judged);
	json_text(j, "metric", f->lost->options.metric);
	add_fix_metrics(j, f);
	remarks_json(r->judged.remarks, j);
	add_fix_rows(j, r);
	for (enum fix_side s = FIX_MAIN; s < FIX_SIDES; s++)
		json_add_origin(j, fix_side_name(s), &r->origins[s], fix_profile(f, s), false);
	json_flag(j, "comparable", !r->judged.environment->moving);
	return json_finish(j, to);
}
