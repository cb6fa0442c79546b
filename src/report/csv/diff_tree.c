#include <stdlib.h>

#include "src/report/csv/diff.h"

void csv_tree_titles(struct csv *csv, const struct csv_events *e, const struct suite_report *r)
{
	static const char *const titles[] = { "bench", "path", "parent", "depth", "function", "object",
					      "file", "base_function", "inlined", "match", "metric",
					      "class", "costs_are", "base_calls", "head_calls", NULL };
	static const char *const leads[] = { "base_self_", "head_self_", "base_inclusive_",
					     "head_inclusive_", NULL };

	(void)r;
	for (const char *const *t = titles; *t; t++)
		csv_title(csv, *t, "");
	csv_event_titles(csv, e, leads);
}

static const int64_t *self_of(const struct tree_side *side)
{
	return side->present ? side->self : NULL;
}

static const int64_t *inclusive_of(const struct tree_side *side)
{
	return side->present ? side->inclusive : NULL;
}

static void print_path(struct csv *csv, const struct tree_diff *t, const struct tree_row *row)
{
	csv_count(csv, row->depth);
	csv_text(csv, row->name);
	csv_place(csv, row->object);
	csv_place(csv, row->file);
	csv_text(csv, row->match == DIFF_RENAMED ? row->base_name : NULL);
	csv_text(csv, tree_row_inlined(row) ? "inlined" : NULL);
	csv_text(csv, diff_match_name(row->match));
	csv_text(csv, t->diff->options.metric);
	csv_text(csv, diff_class_name(tree_diff_classify(t, row)));
	csv_text(csv, row->base.estimated || row->head.estimated ? "estimated" : "exact");
	csv_known_count(csv, row->base.calls);
	csv_known_count(csv, row->head.calls);
}

static void print_costs(struct csv *csv, const struct csv_events *e, const struct tree_diff *t,
			const struct tree_row *row)
{
	const struct diff *d = t->diff;

	for (size_t i = 0; i < e->count; i++) {
		csv_event_cost(csv, d->base, self_of(&row->base), e->names[i]);
		csv_event_cost(csv, d->head, self_of(&row->head), e->names[i]);
		csv_event_cost(csv, d->base, inclusive_of(&row->base), e->names[i]);
		csv_event_cost(csv, d->head, inclusive_of(&row->head), e->names[i]);
	}
}

void csv_tree_rows(struct csv *csv, const struct csv_events *e, const struct bench_report *b)
{
	const struct diff_report *r = &b->diff;
	/* Where a row stands, from 1; those above a row are there before it. */
	uint32_t *place = r->tree ? calloc((size_t)r->tree->count + 1, sizeof *place) : NULL;

	csv->failed |= r->tree && !place;
	for (size_t i = 0; place && i < r->npaths; i++) {
		const struct tree_row *row = &r->tree->rows[r->paths[i]];
		place[r->paths[i]] = (uint32_t)i + 1;
		csv_text(csv, b->name);
		csv_count(csv, i + 1);
		csv_known_count(csv, row->parent ? place[row->parent] : 0);
		print_path(csv, r->tree, row);
		print_costs(csv, e, r->tree, row);
		csv_end_line(csv);
	}
	free(place);
}
