#include "src/report/csv/diff.h"

/* Causes are of one metric. */
void csv_causes_titles(struct csv *csv, const struct csv_events *e, const struct suite_report *r)
{
	static const char *const titles[] = { "bench", "kind", "why", "caller", "caller_object",
					      "caller_file", "function", "object", "file",
					      "base_function", "match", "paths", "costs_are", "metric",
					      "base_calls", "head_calls", "base_cost", "head_cost",
					      "delta", NULL };

	(void)e;
	(void)r;
	for (const char *const *t = titles; *t; t++)
		csv_title(csv, *t, "");
	csv_end_line(csv);
}

/* Nothing for what nobody called. */
static void print_place(struct csv *csv, const struct tree_row *row)
{
	csv_text(csv, row ? row->name : NULL);
	csv_text(csv, row && text_is_known(row->object) ? row->object : NULL);
	csv_text(csv, row && text_is_known(row->file) ? row->file : NULL);
}

static void print_cause(struct csv *csv, const struct causes *causes, const struct cause *c)
{
	static const char *const kinds[] = { "own code", "calls", "new", "removed" };
	const struct tree_row *row = &causes->tree->rows[c->row];
	bool called = c->kind != CAUSE_OWN_CODE && c->caller;

	csv_text(csv, kinds[c->kind]);
	csv_text(csv, cause_reason(c));
	print_place(csv, called ? &causes->tree->rows[c->caller] : NULL);
	print_place(csv, row);
	csv_text(csv, row->match == DIFF_RENAMED ? row->base_name : NULL);
	csv_text(csv, diff_match_name(row->match));
	csv_count(csv, c->paths);
	csv_text(csv, c->estimated ? "estimated" : "exact");
	csv_text(csv, causes->tree->diff->options.metric);
	csv_known_count(csv, c->base_calls);
	csv_known_count(csv, c->head_calls);
	csv_cost(csv, c->base_cost);
	csv_cost(csv, c->head_cost);
	csv_cost(csv, c->delta);
}

/* What the causes that are not shown add up to. */
static void print_smaller(struct csv *csv, const struct diff_report *r)
{
	enum { BETWEEN = 11, BEHIND = 4 }; /* columns that only a cause has */

	csv_text(csv, "smaller");
	for (int i = 0; i < BETWEEN; i++)
		csv_nothing(csv);
	csv_text(csv, r->diff->options.metric);
	for (int i = 0; i < BEHIND; i++)
		csv_nothing(csv);
	csv_cost(csv, r->smaller_delta);
}

void csv_causes_rows(struct csv *csv, const struct csv_events *e, const struct bench_report *b)
{
	const struct diff_report *r = &b->diff;

	(void)e;
	if (!r->causes)
		return;
	for (size_t i = 0; i < r->ncauses; i++) {
		csv_text(csv, b->name);
		print_cause(csv, r->causes, &r->causes->items[r->chosen_causes[i]]);
		csv_end_line(csv);
	}
	if (r->causes_smaller) {
		csv_text(csv, b->name);
		print_smaller(csv, r);
		csv_end_line(csv);
	}
}
