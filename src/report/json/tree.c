#include "src/report/insights.h"
#include "src/report/json/parts.h"
#include "src/report/json/show.h"

#define SCHEMA_VERSION 1

/* `parent` is where the row above it stands in the array; no number where a tree begins. */
static void add_tree_path(struct json *j, const struct show_report *r, const struct tree_view_row *row)
{
	const struct cg_tree *t = r->tree->tree;
	const struct cg_tree_node *n = &t->nodes[row->node];
	const struct cg_function *f = &r->profile->functions[n->function];
	size_t at = (size_t)row->node * r->profile->nevents;

	json_begin_object(j, NULL);
	if (row->parent)
		json_count(j, "parent", row->parent - 1);
	else
		json_none(j, "parent");
	json_text(j, "function", n->outside ? CG_TREE_OUTSIDE : view_function(r->profile, n->function));
	json_text(j, "object", f->object ? cg_string(r->profile, f->object) : NULL);
	json_text(j, "file", f->file ? cg_string(r->profile, f->file) : NULL);
	json_flag(j, "outside", n->outside);
	json_flag(j, "inlined", n->inlined);
	json_flag(j, "estimated", n->estimated || n->estimated_below);
	json_flag(j, "truncated", n->truncated);
	json_count(j, "calls", n->calls);
	json_add_costs(j, "self", r, t->self + at);
	json_add_costs(j, "inclusive", r, t->inclusive + at);
	json_end(j);
}

int show_tree_json(const struct show_report *r, FILE *to)
{
	struct json *j = json_new();
	if (!j)
		return CG_ENOMEM;

	json_text(j, "schema", "irdiff/tree");
	json_count(j, "version", SCHEMA_VERSION);
	json_add_profile(j, r->profile, &r->origin);
	json_add_costs(j, "totals", r, r->profile->total);
	json_text(j, "sorted_by", r->sort);
	json_text(j, "filter", r->filter);
	json_text(j, "root", r->tree->root);
	json_flag(j, "exact", r->tree->tree->exact);
	json_number(j, "estimated_percent", r->tree->doubt.estimated);
	json_number(j, "truncated_percent", r->tree->doubt.truncated);
	json_number(j, "misfit_percent", r->tree->tree->misfit.percent);
	json_count(j, "hidden", r->tree->total - r->tree->count);
	json_begin_array(j, "paths");
	for (size_t i = 0; i < r->tree->count; i++)
		add_tree_path(j, r, &r->tree->rows[i]);
	json_end(j);
	insights_json(j, r->insights);
	return json_finish(j, to);
}
