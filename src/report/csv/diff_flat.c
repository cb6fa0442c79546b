#include "src/report/csv/diff.h"

void csv_flat_titles(struct csv *csv, const struct csv_events *e, const struct suite_report *r)
{
	enum cg_rollup_by by = r->benches[0].diff.diff->options.by;
	const char *const of_functions[] = { "bench", "function", "object", "file", "base_object",
					     "base_file", "match", "metric", "class", "why",
					     "base_calls", "head_calls", "inclusive_is", NULL };
	const char *const of_groups[] = { "bench", cg_rollup_word(by), "base_name", "base_functions",
					  "head_functions", "match", "metric", "class",
					  "base_calls", "head_calls", "inclusive_is", NULL };
	static const char *const leads[] = { "base_self_", "head_self_", "base_inclusive_",
					     "head_inclusive_", NULL };

	for (const char *const *t = by == CG_BY_FUNCTION ? of_functions : of_groups; *t; t++)
		csv_title(csv, *t, "");
	csv_event_titles(csv, e, leads);
}

static void print_calls(struct csv *csv, const struct diff *d, const struct diff_side *side)
{
	bool known = d->options.missing || diff_knows_calls(d);

	if (known && side->present && (side->calls || !side->inlined))
		csv_count(csv, side->calls);
	else
		csv_nothing(csv);
}

static void print_functions(struct csv *csv, const struct diff_side *side)
{
	if (side->present)
		csv_count(csv, side->functions);
	else
		csv_nothing(csv);
}

static void print_group(struct csv *csv, const struct diff *d, const struct diff_row *row)
{
	csv_text(csv, row->name);
	csv_text(csv, row->match == DIFF_MOVED ? row->base_file : NULL);
	print_functions(csv, &row->base);
	print_functions(csv, &row->head);
	csv_text(csv, diff_match_name(row->match));
	csv_text(csv, d->options.metric);
	csv_text(csv, diff_class_name(diff_classify(d, row)));
}

static void print_function(struct csv *csv, const struct diff *d, const struct diff_row *row)
{
	csv_text(csv, row->name);
	csv_place(csv, row->object);
	csv_place(csv, row->file);
	csv_text(csv, row->match == DIFF_OBJECT_RENAMED ? row->base_object : NULL);
	csv_text(csv, row->match == DIFF_MOVED ? row->base_file : NULL);
	csv_text(csv, diff_match_name(row->match));
	csv_text(csv, d->options.metric);
	csv_text(csv, diff_class_name(diff_classify(d, row)));
	csv_text(csv, diff_reason(d, row));
}

static const int64_t *self_of(const struct diff_side *side)
{
	return side->present ? side->self : NULL;
}

static const int64_t *inclusive_of(const struct diff_side *side)
{
	return side->present ? side->inclusive : NULL;
}

static void print_row(struct csv *csv, const struct csv_events *e, const struct bench_report *b,
		      const struct diff_row *row)
{
	const struct diff *d = b->diff.diff;

	csv_text(csv, b->name);
	if (d->options.by == CG_BY_FUNCTION)
		print_function(csv, d, row);
	else
		print_group(csv, d, row);
	print_calls(csv, d, &row->base);
	print_calls(csv, d, &row->head);
	csv_text(csv, row->base.bound || row->head.bound ? "upper bound" : "exact");
	for (size_t i = 0; i < e->count; i++) {
		csv_event_cost(csv, d->base, self_of(&row->base), e->names[i]);
		csv_event_cost(csv, d->head, self_of(&row->head), e->names[i]);
		csv_event_cost(csv, d->base, inclusive_of(&row->base), e->names[i]);
		csv_event_cost(csv, d->head, inclusive_of(&row->head), e->names[i]);
	}
	csv_end_line(csv);
}

void csv_flat_rows(struct csv *csv, const struct csv_events *e, const struct bench_report *b)
{
	const struct diff_report *d = &b->diff;

	for (size_t i = 0; i < d->nrows; i++)
		print_row(csv, e, b, &d->diff->rows[d->rows[i]]);
}
