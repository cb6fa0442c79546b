#include "src/report/fix_table.h"

#include <stdio.h>
#include <stdlib.h>

#include "callgrind/support/number.h"

/* ---- what all reports on a fix say ---- */

const char *fix_side_name(enum fix_side side)
{
	static const char *const names[] = { "main", "regression", "fix" };
	return names[side];
}

/* Of main, whose events come first in every table. */
static bool has_all(const struct fix_diff *f, const char *name)
{
	struct metric m;
	for (enum fix_side s = FIX_MAIN; s < FIX_SIDES; s++)
		if (!metric_find(fix_profile(f, s), name, &m))
			return false;
	return true;
}

size_t fix_list_metrics(const struct fix_diff *f, const char *list[FIX_METRICS])
{
	const struct cg_profile *p = fix_profile(f, FIX_FIX);
	size_t count = 0;

	for (uint32_t e = 0; e < p->nevents; e++)
		if (has_all(f, cg_string(p, p->events[e].name)))
			list[count++] = cg_string(p, p->events[e].name);
	for (size_t i = 0; metric_derived[i] && count < FIX_METRICS; i++)
		if (has_all(f, metric_derived[i]))
			list[count++] = metric_derived[i];
	return count;
}

static int64_t total_of(const struct fix_diff *f, enum fix_side side, const char *name)
{
	const struct cg_profile *p = fix_profile(f, side);
	struct metric m;
	return metric_find(p, name, &m) ? metric_value(&m, p->total) : 0;
}

struct fix_values fix_metric(const struct fix_diff *f, const char *name)
{
	return (struct fix_values){ total_of(f, FIX_MAIN, name), total_of(f, FIX_REGRESSION, name),
				    total_of(f, FIX_FIX, name) };
}

/* won / lost in percent, of something lost and won. Only all of it is 100. */
static double fix_share(struct fix_values v)
{
	double won = (double)v.regression - (double)v.fix,
	       lost = (double)v.regression - (double)v.main;
	double tenths = won / lost * 1000;
	return v.fix > v.main ? (double)(uint64_t)tenths / 10 : tenths / 10;
}

/* What was recovered, with its share of what was lost if something was: "10,245 (83.0%)". */
static const char *format_recovered(struct fix_values v, char buffer[FIX_SHARE])
{
	char won[TEXT_NUMBER];

	text_delta(v.fix, v.regression, won);
	if (v.regression > v.main && v.fix <= v.regression)
		snprintf(buffer, FIX_SHARE, "%s (%.1f%%)", won, fix_share(v));
	else
		snprintf(buffer, FIX_SHARE, "%s", won);
	return buffer;
}

void fix_print_verdict(const struct fix_report *r, bool with_metric, FILE *to)
{
	struct fix_values v = fix_totals(r->fix);
	const char *metric = with_metric ? r->fix->lost->options.metric : "";
	const char *blank = with_metric ? " " : "";
	char lost[TEXT_NUMBER], rest[TEXT_NUMBER], left[TEXT_NUMBER];

	text_delta(v.main, v.regression, lost);
	text_count(cg_distance(v.main, v.fix), rest);
	if (v.regression <= v.main) {
		fprintf(to, "Nothing was lost (%s%s", lost, blank);
		text_print_name(to, metric, 0);
		fprintf(to, "); with the fix it is %s from main", text_delta(v.main, v.fix, left));
		return;
	}
	if (v.fix > v.regression)
		fprintf(to, "The fix makes it worse than %s%s", lost, blank);
	else if (v.fix == v.regression)
		fprintf(to, "The fix recovers nothing of %s%s", lost, blank);
	else
		fprintf(to, "The fix recovers %.1f%% of %s%s", fix_share(v), lost, blank);
	text_print_name(to, metric, 0);
	if (v.fix > v.main)
		fprintf(to, "; %s remain", rest);
	else if (v.fix == v.main)
		fputs("; nothing remains", to);
	else
		fprintf(to, "; it is %s better than main", rest);
}

/* ---- tables ---- */

static struct cell_numbers fix_delta_of(int64_t base, int64_t head)
{
	return (struct cell_numbers){ .base = base, .head = head };
}

static void fill_values(struct fix_cells *c, struct fix_values v)
{
	c->self[FIX_MAIN].base = c->self[FIX_MAIN].head = v.main;
	c->self[FIX_REGRESSION].base = c->self[FIX_REGRESSION].head = v.regression;
	c->self[FIX_FIX].base = c->self[FIX_FIX].head = v.fix;
	c->lost = fix_delta_of(v.main, v.regression);
	c->won = fix_delta_of(v.fix, v.regression);
	c->left = fix_delta_of(v.main, v.fix);
	c->recovered = format_recovered(v, c->share);
}

enum table_tone fix_tone(struct fix_values v)
{
	return v.fix > v.main ? TONE_WORSE : v.fix < v.regression ? TONE_BETTER : TONE_PLAIN;
}

/* ---- functions and groups ---- */

const struct fix_row *fix_table_row(const struct report_table *t, size_t row)
{
	const struct fix_report *r = t->report;
	return &r->fix->rows[t->rows[row]];
}

static void fill_row(const struct report_table *t, size_t i, void *cells)
{
	const struct fix_diff *f = ((const struct fix_report *)t->report)->fix;
	const struct fix_row *row = fix_table_row(t, i);
	struct fix_values v = fix_values_of(f, row->self);
	struct fix_cells *c = cells;

	*c = (struct fix_cells){ .name = row->name,
				 .object = table_place(row->object),
				 .file = table_place(row->file),
				 .metric = f->lost->options.metric,
				 .state = fix_state_name(fix_classify(f, v)) };
	fill_values(c, v);
	for (enum fix_side s = FIX_MAIN; s < FIX_SIDES; s++) {
		c->self[s].head_missing = !row->present[s];
		c->calls[s].head_count = row->calls[s];
		c->calls[s].head_missing = !fix_knows_calls(row, s);
		c->events[s] = (struct cell_events){ fix_profile(f, s),
						     row->present[s] ? row->self[s] : NULL };
	}
}

static enum table_tone row_tone(const struct report_table *t, size_t i)
{
	const struct fix_report *r = t->report;
	return fix_tone(fix_values_of(r->fix, fix_table_row(t, i)->self));
}

int fix_rows_table(const struct fix_report *r, struct report_table *t)
{
	*t = (struct report_table){ .report = r,
				    .rows = r->rows,
				    .nrows = r->nrows,
				    .fill = fill_row,
				    .tone = row_tone,
				    .word = cg_rollup_word(r->fix->lost->options.by) };
	return CG_OK;
}

/* ---- metrics ---- */

static const char *metric_of(const struct report_table *t, size_t i)
{
	return ((const char *const *)t->made)[i];
}

static struct fix_values values_of(const struct report_table *t, size_t i)
{
	return fix_metric(((const struct fix_report *)t->report)->fix, metric_of(t, i));
}

static void fill_metric(const struct report_table *t, size_t i, void *cells)
{
	struct fix_cells *c = cells;

	*c = (struct fix_cells){ .name = metric_of(t, i) };
	fill_values(c, values_of(t, i));
}

static enum table_tone metric_tone(const struct report_table *t, size_t i)
{
	return fix_tone(values_of(t, i));
}

int fix_metrics_table(const struct fix_report *r, struct report_table *t)
{
	const char **list = calloc(FIX_METRICS, sizeof *list);

	*t = (struct report_table){ .report = r,
				    .word = "metric",
				    .made = list,
				    .fill = fill_metric,
				    .tone = metric_tone };
	if (!list)
		return CG_ENOMEM;
	t->nrows = fix_list_metrics(r->fix, list);
	return CG_OK;
}
