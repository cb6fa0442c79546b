#include <stdlib.h>
#include <string.h>

#include "src/report/csv.h"
#include "src/report/suite_report.h"

/* The events of all profiles, each once, in the order in which they come up. */
struct columns {
	const char **names;
	size_t count;
};

static bool has_column(const struct columns *c, const char *name)
{
	for (size_t i = 0; i < c->count; i++)
		if (strcmp(c->names[i], name) == 0)
			return true;
	return false;
}

static void add_events(struct columns *c, const struct cg_profile *p)
{
	for (uint32_t e = 0; e < p->nevents; e++) {
		const char *name = cg_string(p, p->events[e].name);
		if (!has_column(c, name))
			c->names[c->count++] = name;
	}
}

static int find_columns(const struct suite_report *r, struct columns *out)
{
	struct columns c = { 0 };
	size_t most = 1;

	for (size_t i = 0; i < r->count; i++)
		most += r->benches[i].diff.diff->base->nevents +
			r->benches[i].diff.diff->head->nevents;
	c.names = calloc(most, sizeof *c.names);
	if (!c.names)
		return CG_ENOMEM;
	for (size_t i = 0; i < r->count; i++) {
		add_events(&c, r->benches[i].diff.diff->head);
		add_events(&c, r->benches[i].diff.diff->base);
	}
	*out = c;
	return CG_OK;
}

static void print_titles(struct csv *csv, const struct columns *c, enum cg_rollup_by by)
{
	const char *const of_functions[] = { "bench", "function", "object", "file", "base_object",
					     "base_file", "match", "metric", "class", "why",
					     "base_calls", "head_calls", "inclusive_is", NULL };
	const char *const of_groups[] = { "bench", cg_rollup_word(by), "base_name", "base_functions",
					  "head_functions", "match", "metric", "class",
					  "base_calls", "head_calls", "inclusive_is", NULL };
	static const char *const leads[] = { "base_self_", "head_self_", "base_inclusive_",
					     "head_inclusive_" };

	for (const char *const *t = by == CG_BY_FUNCTION ? of_functions : of_groups; *t; t++)
		csv_title(csv, *t, "");
	for (size_t i = 0; i < c->count; i++)
		for (size_t k = 0; k < sizeof leads / sizeof *leads; k++)
			csv_title(csv, leads[k], c->names[i]);
	csv_end_line(csv);
}

static void print_cost(struct csv *csv, const struct cg_profile *p, bool present,
		       const int64_t *costs, const char *event)
{
	int e = cg_event_index(p, event);

	if (present && e >= 0)
		csv_cost(csv, costs[e]);
	else
		csv_nothing(csv);
}

static void print_calls(struct csv *csv, const struct diff_side *side)
{
	if (side->present && (side->calls || !side->inlined))
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

static void print_row(struct csv *csv, const struct columns *c, const struct bench_report *b,
		      const struct diff_row *row)
{
	const struct diff *d = b->diff.diff;

	csv_text(csv, b->name);
	if (d->options.by == CG_BY_FUNCTION)
		print_function(csv, d, row);
	else
		print_group(csv, d, row);
	print_calls(csv, &row->base);
	print_calls(csv, &row->head);
	csv_text(csv, row->base.bound || row->head.bound ? "upper bound" : "exact");
	for (size_t i = 0; i < c->count; i++) {
		print_cost(csv, d->base, row->base.present, row->base.self, c->names[i]);
		print_cost(csv, d->head, row->head.present, row->head.self, c->names[i]);
		print_cost(csv, d->base, row->base.present, row->base.inclusive, c->names[i]);
		print_cost(csv, d->head, row->head.present, row->head.inclusive, c->names[i]);
	}
	csv_end_line(csv);
}

int suite_csv(const struct suite_report *r, FILE *to)
{
	struct csv csv = { .to = to };
	struct columns c;
	int status = find_columns(r, &c);

	if (status)
		return status;
	print_titles(&csv, &c, r->count ? r->benches[0].diff.diff->options.by : CG_BY_FUNCTION);
	for (size_t i = 0; i < r->count; i++) {
		const struct diff_report *d = &r->benches[i].diff;
		for (size_t k = 0; k < d->nrows; k++)
			print_row(&csv, &c, &r->benches[i], &d->diff->rows[d->rows[k]]);
	}
	free(c.names);
	return csv.failed ? CG_ENOMEM : CG_OK;
}
