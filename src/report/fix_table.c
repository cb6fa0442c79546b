#include "src/report/fix_table.h"

#include <stdlib.h>

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
	c->won_back = fix_won(v, c->share);
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
		c->events[s] = (struct cell_events){ fix_profile(f, s), row->present[s] ? row->self[s] : NULL };
	}
}

static enum table_tone row_tone(const struct report_table *t, size_t i)
{
	const struct fix_report *r = t->report;
	return fix_tone(fix_values_of(r->fix, fix_table_row(t, i)->self));
}

int fix_rows_table(const struct fix_report *r, struct report_table *t)
{
	*t = (struct report_table){ .report = r, .rows = r->rows, .nrows = r->nrows, .fill = fill_row,
			     .tone = row_tone, .word = cg_rollup_word(r->fix->lost->options.by) };
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

	*t = (struct report_table){ .report = r, .word = "metric", .made = list, .fill = fill_metric,
			     .tone = metric_tone };
	if (!list)
		return CG_ENOMEM;
	t->nrows = fix_list_metrics(r->fix, list);
	return CG_OK;
}
