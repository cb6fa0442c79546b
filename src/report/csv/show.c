#include "src/report/csv/csv.h"
#include "src/report/show.h"

static const char *event_name(const struct show_report *r, size_t column)
{
	return cg_string(r->profile, r->profile->events[r->events[column]].name);
}

static void print_titles(struct csv *csv, const struct show_report *r)
{
	enum cg_rollup_by by = r->flat->rollup.by;
	const char *const of_functions[] = { "function", "object", "file", "code", "calls",
					     "inclusive_is", NULL };
	const char *const of_groups[] = { cg_rollup_word(by), "functions", "calls", "inclusive_is",
					  NULL };

	for (const char *const *t = by == CG_BY_FUNCTION ? of_functions : of_groups; *t; t++)
		csv_title(csv, *t, "");
	for (size_t i = 0; i < r->nevents; i++) {
		csv_title(csv, "self_", event_name(r, i));
		csv_title(csv, "inclusive_", event_name(r, i));
	}
	csv_end_line(csv);
}

static void print_group(struct csv *csv, const struct show_report *r, const struct flat_row *row)
{
	csv_text(csv, flat_row_name(r->flat, row));
	csv_count(csv, row->functions);
	csv_count(csv, row->calls);
}

static void print_function(struct csv *csv, const struct show_report *r, const struct flat_row *row)
{
	csv_text(csv, view_function(r->profile, row->function));
	csv_place(csv, view_object(r->profile, row->function));
	csv_place(csv, view_file(r->profile, row->function));
	csv_text(csv, flat_code_name(row->code));
	if (row->code == FLAT_CODE_INLINED)
		csv_nothing(csv); /* how often is not known */
	else
		csv_count(csv, row->calls);
}

static void print_row(struct csv *csv, const struct show_report *r, const struct flat_row *row)
{
	if (r->flat->rollup.by == CG_BY_FUNCTION)
		print_function(csv, r, row);
	else
		print_group(csv, r, row);
	csv_text(csv, !row->inclusive ? NULL : row->bound ? "upper bound" : "exact");
	for (size_t i = 0; i < r->nevents; i++) {
		csv_cost(csv, row->self[r->events[i]]);
		if (row->inclusive)
			csv_cost(csv, row->inclusive[r->events[i]]);
		else
			csv_nothing(csv);
	}
	csv_end_line(csv);
}

int show_flat_csv(const struct show_report *r, FILE *to)
{
	struct csv csv = { .to = to };

	print_titles(&csv, r);
	for (size_t i = 0; i < r->flat->count && (!r->top || i < r->top); i++)
		print_row(&csv, r, &r->flat->rows[i]);
	return csv.failed ? CG_ENOMEM : CG_OK;
}

/* ---- tree ---- */

static void print_tree_titles(struct csv *csv, const struct show_report *r)
{
	static const char *const titles[] = { "path", "parent", "depth", "function", "object", "file",
					      "code", "costs_are", "stands_for", "calls", NULL };

	for (const char *const *t = titles; *t; t++)
		csv_title(csv, *t, "");
	for (size_t i = 0; i < r->nevents; i++) {
		csv_title(csv, "self_", event_name(r, i));
		csv_title(csv, "inclusive_", event_name(r, i));
	}
	csv_end_line(csv);
}

static void print_node(struct csv *csv, const struct show_report *r, const struct cg_tree_node *n)
{
	if (n->outside) {
		csv_text(csv, CG_TREE_OUTSIDE);
		csv_nothing(csv);
		csv_nothing(csv);
	} else {
		csv_text(csv, view_function(r->profile, n->function));
		csv_place(csv, view_object(r->profile, n->function));
		csv_place(csv, view_file(r->profile, n->function));
	}
	csv_text(csv, n->inlined ? "inlined" : NULL);
	csv_text(csv, n->estimated || n->estimated_below ? "estimated" : "exact");
	csv_text(csv, n->truncated ? "longer paths too" : NULL);
	if (n->calls)
		csv_count(csv, n->calls);
	else
		csv_nothing(csv); /* not known */
}

static void print_path(struct csv *csv, const struct show_report *r, size_t i)
{
	const struct tree_view_row *row = &r->tree->rows[i];
	const struct cg_tree *t = r->tree->tree;
	size_t at = (size_t)row->node * r->profile->nevents;

	csv_count(csv, i + 1);
	if (row->parent)
		csv_count(csv, row->parent);
	else
		csv_nothing(csv);
	csv_count(csv, row->depth);
	print_node(csv, r, &t->nodes[row->node]);
	for (size_t e = 0; e < r->nevents; e++) {
		csv_cost(csv, t->self[at + r->events[e]]);
		csv_cost(csv, t->inclusive[at + r->events[e]]);
	}
	csv_end_line(csv);
}

int show_tree_csv(const struct show_report *r, FILE *to)
{
	struct csv csv = { .to = to };

	print_tree_titles(&csv, r);
	for (size_t i = 0; i < r->tree->count; i++)
		print_path(&csv, r, i);
	return csv.failed ? CG_ENOMEM : CG_OK;
}
