#include "src/report/show_table.h"

size_t show_rows(const struct show_report *r)
{
	return r->top && r->top < r->flat->count ? r->top : r->flat->count;
}

static void fill_show_function(const struct report_table *t, size_t i, void *cells)
{
	const struct show_report *r = t->report;
	const struct flat_row *row = &r->flat->rows[i];
	bool function = r->flat->rollup.by == CG_BY_FUNCTION;

	*(struct show_cells *)cells = (struct show_cells){
		.name = function ? view_function(r->profile, row->function)
				 : flat_row_name(r->flat, row),
		.object = function ? table_place(view_object(r->profile, row->function)) : NULL,
		.file = function ? table_place(view_file(r->profile, row->function)) : NULL,
		.code = flat_code_name(row->code),
		.functions = row->functions,
		/* How often what is inlined was called is not known. */
		.calls = { .head_count = row->calls,
			   .head_missing = function && row->code == FLAT_CODE_INLINED },
		.certainty = !row->inclusive ? NULL
			     : row->bound    ? "upper bound"
					     : "exact",
		.self = { r->profile, row->self },
		.inclusive = { r->profile, row->inclusive },
	};
}

void show_functions_table(const struct show_report *r, struct report_table *t)
{
	*t = (struct report_table){ .report = r,
				    .nrows = show_rows(r),
				    .fill = fill_show_function,
				    .word = cg_rollup_word(r->flat->rollup.by) };
}

static void fill_show_path(const struct report_table *t, size_t i, void *cells)
{
	const struct show_report *r = t->report;
	const struct cg_profile *p = r->profile;
	const struct tree_view_row *row = &r->tree->rows[i];
	const struct cg_tree *tree = r->tree->tree;
	const struct cg_tree_node *n = &tree->nodes[row->node];
	const int64_t *self = tree->self + (size_t)row->node * p->nevents;
	const int64_t *inclusive = tree->inclusive + (size_t)row->node * p->nevents;
	int64_t total = p->total[tree->event];

	*(struct show_cells *)cells = (struct show_cells){
		.path = i + 1,
		.parent = row->parent,
		.depth = row->depth,
		.name = n->outside ? CG_TREE_OUTSIDE : view_function(p, n->function),
		.object = n->outside ? NULL : table_place(view_object(p, n->function)),
		.file = n->outside ? NULL : table_place(view_file(p, n->function)),
		.code = n->inlined ? "inlined" : NULL,
		.certainty = n->estimated || n->estimated_below ? "estimated" : "exact",
		.stands_for = n->truncated ? "longer paths too" : NULL,
		.calls = { .head_count = n->calls, .head_missing = !n->calls },
		.self_cost = { .head = self[tree->event], .total = total },
		.inclusive_cost = { .head = inclusive[tree->event], .total = total },
		.self = { p, self },
		.inclusive = { p, inclusive },
	};
}

void show_paths_table(const struct show_report *r, struct report_table *t)
{
	*t = (struct report_table){
		.report = r, .nrows = r->tree->count, .fill = fill_show_path, .word = "path"
	};
}
