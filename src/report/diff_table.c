#include "src/report/diff_table.h"

#include <stdlib.h>
#include <string.h>

#include "src/report/cause_words.h"
#include "src/report/summary.h"

/* Costs may be NULL: that side is missing. */
static struct cell_numbers diff_costs_of(const struct diff *d, const int64_t *base,
					 const int64_t *head)
{
	return (struct cell_numbers){ .base = base ? diff_base_value(d, base) : 0,
				      .head = head ? diff_head_value(d, head) : 0,
				      .total = diff_base_value(d, d->base->total),
				      .base_missing = !base,
				      .head_missing = !head };
}

/* Where 0 is what is not known. */
static struct cell_numbers known_counts(uint64_t base, uint64_t head)
{
	return (struct cell_numbers){
		.base_count = base, .head_count = head, .base_missing = !base, .head_missing = !head
	};
}

static enum table_tone tone_of(bool tolerated, int64_t base, int64_t head)
{
	return tolerated || head == base ? TONE_PLAIN : head > base ? TONE_WORSE : TONE_BETTER;
}

/* ---- functions and groups ---- */

const struct diff_row *diff_table_function(const struct report_table *t, size_t row)
{
	const struct diff_report *r = t->report;
	return &r->diff->rows[t->rows[row]];
}

bool diff_is_bound(const struct diff_row *row)
{
	return row->base.bound || row->head.bound;
}

static bool calls_are_missing(const struct diff *d, const struct diff_side *side)
{
	bool known = d->options.missing || diff_knows_calls(d);
	return !known || !side->present || (!side->calls && side->inlined);
}

static struct cell_numbers calls_of(const struct diff *d, const struct diff_row *row)
{
	return (struct cell_numbers){ .base_count = row->base.calls,
				      .head_count = row->head.calls,
				      .base_missing = calls_are_missing(d, &row->base),
				      .head_missing = calls_are_missing(d, &row->head) };
}

static const int64_t *self_of(const struct diff_side *side)
{
	return side->present ? side->self : NULL;
}

static const int64_t *diff_inclusive_of(const struct diff_side *side)
{
	return side->present ? side->inclusive : NULL;
}

static bool side_has_per_call(const struct diff_side *side)
{
	return !side->inlined && side->calls > 1;
}

static void fill_diff_function(const struct report_table *t, size_t i, void *cells)
{
	const struct diff *d = ((const struct diff_report *)t->report)->diff;
	const struct diff_row *row = diff_table_function(t, i);
	struct diff_cells *c = cells;

	*c = (struct diff_cells){
		.bench = t->bench,
		.metric = d->options.metric,
		.name = row->name,
		.object = table_place(row->object),
		.file = table_place(row->file),
		.base_object = row->match == DIFF_OBJECT_RENAMED ? row->base_object : NULL,
		.base_file = row->match == DIFF_MOVED ? row->base_file : NULL,
		.match = diff_match_name(row->match),
		.class = diff_class_name(diff_classify(d, row)),
		.why = diff_reason(d, row),
		.certainty = diff_is_bound(row) ? "upper bound" : "exact",
		.self = diff_costs_of(d, self_of(&row->base), self_of(&row->head)),
		.inclusive = diff_costs_of(d, diff_inclusive_of(&row->base),
					   diff_inclusive_of(&row->head)),
		.calls = calls_of(d, row),
		.functions = { .base_count = row->base.functions,
			       .head_count = row->head.functions,
			       .base_missing = !row->base.present,
			       .head_missing = !row->head.present },
		.base_self = { d->base, self_of(&row->base) },
		.head_self = { d->head, self_of(&row->head) },
		.base_inclusive = { d->base, diff_inclusive_of(&row->base) },
		.head_inclusive = { d->head, diff_inclusive_of(&row->head) },
	};
	c->inclusive.instead = diff_is_bound(row) ? "?" : NULL;
	c->each = c->self;
	bool both = row->base.present && row->head.present, each = diff_has_per_call(row);
	c->each.base_count = each || (!both && side_has_per_call(&row->base)) ? row->base.calls : 0;
	c->each.head_count = each || (!both && side_has_per_call(&row->head)) ? row->head.calls : 0;
}

static enum table_tone function_tone(const struct report_table *t, size_t i)
{
	const struct diff *d = ((const struct diff_report *)t->report)->diff;
	const struct diff_row *row = diff_table_function(t, i);
	int64_t base = diff_base_value(d, row->base.self),
		head = diff_head_value(d, row->head.self);

	return tone_of(diff_tolerates(d, base, head), base, head);
}

int diff_functions_table(const struct diff_report *r, struct report_table *t)
{
	*t = (struct report_table){ .report = r,
				    .rows = r->rows,
				    .nrows = r->nrows,
				    .fill = fill_diff_function,
				    .word = cg_rollup_word(r->diff->options.by),
				    .tone = function_tone };
	return CG_OK;
}

/* ---- paths ---- */

const struct tree_row *diff_table_path(const struct report_table *t, size_t row)
{
	const struct diff_report *r = t->report;
	return &r->tree->rows[t->rows[row]];
}

static void fill_diff_path(const struct report_table *t, size_t i, void *cells)
{
	const struct tree_diff *tree = ((const struct diff_report *)t->report)->tree;
	const struct tree_row *row = diff_table_path(t, i);
	const struct diff *d = tree->diff;
	const uint32_t *numbers = t->made;
	const struct tree_side *base = &row->base, *head = &row->head;
	const int64_t *base_self = base->present ? base->self : NULL;
	const int64_t *head_self = head->present ? head->self : NULL;
	const int64_t *base_inclusive = base->present ? base->inclusive : NULL;
	const int64_t *head_inclusive = head->present ? head->inclusive : NULL;

	*(struct diff_cells *)cells = (struct diff_cells){
		.bench = t->bench,
		.metric = d->options.metric,
		.path = i + 1,
		.parent = row->parent ? numbers[row->parent] : 0,
		.depth = row->depth,
		.name = row->name,
		.object = table_place(row->object),
		.file = table_place(row->file),
		.base_name = row->match == DIFF_RENAMED ? row->base_name : NULL,
		.inlined = tree_row_inlined(row) ? "inlined" : NULL,
		.match = diff_match_name(row->match),
		.class = diff_class_name(tree_diff_classify(tree, row)),
		.certainty = base->estimated || head->estimated ? "estimated" : "exact",
		.self = diff_costs_of(d, base_self, head_self),
		.inclusive = diff_costs_of(d, base_inclusive, head_inclusive),
		.calls = known_counts(base->calls, head->calls),
		.base_self = { d->base, base_self },
		.head_self = { d->head, head_self },
		.base_inclusive = { d->base, base_inclusive },
		.head_inclusive = { d->head, head_inclusive },
	};
}

static enum table_tone diff_path_tone(const struct report_table *t, size_t i)
{
	const struct diff *d = ((const struct diff_report *)t->report)->diff;
	const struct tree_row *row = diff_table_path(t, i);
	int64_t base = diff_base_value(d, row->base.inclusive);
	int64_t head = diff_head_value(d, row->head.inclusive);

	return tone_of(diff_tolerates(d, base, head), base, head);
}

int diff_paths_table(const struct diff_report *r, struct report_table *t)
{
	*t = (struct report_table){
		.report = r, .word = "path", .fill = fill_diff_path, .tone = diff_path_tone
	};
	if (!r->tree)
		return CG_OK;
	/* Of rows of the tree, from 1; those above a row are there before it. */
	uint32_t *numbers = calloc((size_t)r->tree->count + 1, sizeof *numbers);
	if (!numbers)
		return CG_ENOMEM;
	for (size_t i = 0; i < r->npaths; i++)
		numbers[r->paths[i]] = (uint32_t)i + 1;
	t->made = numbers;
	t->rows = r->paths;
	t->nrows = r->npaths;
	return CG_OK;
}

/* ---- causes ---- */

const struct cause *diff_table_cause(const struct report_table *t, size_t row)
{
	const struct diff_report *r = t->report;
	return &r->causes->items[r->chosen_causes[row]];
}

static void fill_smaller(const struct report_table *t, struct diff_cells *c)
{
	const struct diff_report *r = t->report;

	*c = (struct diff_cells){ .bench = t->bench,
				  .metric = r->diff->options.metric,
				  .kind = "smaller",
				  .self = { .base_missing = true, .head_missing = true },
				  .delta = { .head = r->smaller_delta },
				  .calls = known_counts(0, 0) };
}

static void fill_cause(const struct report_table *t, size_t i, void *cells)
{
	const struct diff_report *r = t->report;

	if (i == r->ncauses) {
		fill_smaller(t, cells);
		return;
	}
	const struct cause *c = diff_table_cause(t, i);
	const struct tree_row *rows = r->causes->tree->rows, *row = &rows[c->row];
	const struct tree_row *caller = cause_is_call(c) ? &rows[c->caller] : NULL;
	/* Costs of different functions in one sum would say nothing. */
	const bool together = c->kind == CAUSE_TOGETHER;
	const struct cause_place *at = cause_place_of(r, i);
	*(struct diff_cells *)cells = (struct diff_cells){
		.bench = t->bench,
		.metric = r->diff->options.metric,
		.kind = cause_kind_name(c->kind),
		.why = cause_reason(c),
		.caller = caller ? caller->name : NULL,
		.caller_object = caller ? table_place(caller->object) : NULL,
		.caller_file = caller ? table_place(caller->file) : NULL,
		.name = row->name,
		.object = table_place(row->object),
		.file = table_place(row->file),
		.base_name = row->match == DIFF_RENAMED ? row->base_name : NULL,
		.match = diff_match_name(row->match),
		.paths = c->paths,
		.certainty = c->estimated ? "estimated" : "exact",
		.place_file = at ? table_place(at->file) : NULL,
		.place_line = at ? at->line : 0,
		.place_side = !at           ? NULL
			      : at->in_base ? "base"
					    : "head",
		.calls = known_counts(c->base_calls, c->head_calls),
		.self = { .base = c->base_cost,
			  .head = c->head_cost,
			  .base_missing = together,
			  .head_missing = together },
		.delta = { .head = c->delta },
		.share = { .head = c->delta, .total = r->causes->delta },
	};
}

static enum table_tone cause_tone(const struct report_table *t, size_t i)
{
	return diff_table_cause(t, i)->delta > 0 ? TONE_WORSE : TONE_BETTER;
}

int diff_causes_table(const struct diff_report *r, struct report_table *t)
{
	*t = (struct report_table){ .report = r,
				    .word = "function",
				    .fill = fill_cause,
				    .tone = cause_tone,
				    .nrows = r->causes ? r->ncauses + (r->causes_smaller > 0) : 0 };
	return CG_OK;
}

/* ---- lines of source ---- */

struct listed_line {
	const struct diff_source *source;
	const struct code_line *line; /* NULL: those that are not shown */
};

/* Indentation is nothing to be quoted for. */
static const char *line_text(const struct code_line *line)
{
	const char *text = code_text(line);
	return text ? text + strspn(text, " \t") : NULL;
}

static void fill_line(const struct report_table *t, size_t i, void *cells)
{
	const struct diff *d = ((const struct diff_report *)t->report)->diff;
	const struct listed_line *listed = (const struct listed_line *)t->made + i;
	const struct code_line *line = listed->line;
	const struct diff_source *s = listed->source;
	const int64_t *const *costs = line ? line->self : s->rest;
	struct cell_numbers self = diff_costs_of(d, costs[CODE_BASE], costs[CODE_HEAD]);

	*(struct diff_cells *)cells = (struct diff_cells){
		.bench = t->bench,
		.metric = d->options.metric,
		.base_file = table_place(s->file[CODE_BASE]),
		.file = table_place(s->file[CODE_HEAD]),
		.kind = line ? "line" : "other lines",
		.line = line ? known_counts(line->number[CODE_BASE], line->number[CODE_HEAD])
			     : known_counts(0, 0),
		.class = diff_class_name(diff_classify_change(d, self.base, self.head)),
		.source = line ? line_text(line) : NULL,
		.self = self,
		.base_self = { d->base, costs[CODE_BASE] },
		.head_self = { d->head, costs[CODE_HEAD] },
	};
}

static size_t list_lines(const struct diff_source *s, struct listed_line *list)
{
	size_t n = 0;

	for (size_t i = 0; i < s->code->count; i++)
		if (s->shown[i])
			list[n++] = (struct listed_line){ s, &s->code->lines[i] };
	if (s->nrest)
		list[n++] = (struct listed_line){ s, NULL };
	return n;
}

int diff_lines_table(const struct diff_report *r, struct report_table *t)
{
	size_t most = 1;

	*t = (struct report_table){ .report = r, .word = "line", .fill = fill_line };
	for (size_t i = 0; i < r->nsources; i++)
		most += r->sources[i].code->count + 1;
	struct listed_line *list = calloc(most, sizeof *list);
	if (!list)
		return CG_ENOMEM;
	for (size_t i = 0; i < r->nsources; i++)
		t->nrows += list_lines(&r->sources[i], list + t->nrows);
	t->made = list;
	return CG_OK;
}
