#include "src/report/text_show.h"

#include <inttypes.h>
#include <stdlib.h>

#include "src/report/text_table.h"

enum { INDENT = 2, MOST_INDENT = 80 };

static const struct cg_tree_node *node_of(const struct tree_view *v,
					  const struct tree_view_row *row)
{
	return &v->tree->nodes[row->node];
}

/* "draw", two columns further right than its caller; below a certain depth the
 * depth stands in front instead. Allocated. */
static char *path_name(const struct tree_view *v, const struct tree_view_row *row)
{
	const struct cg_tree_node *n = node_of(v, row);
	size_t indent = (size_t)INDENT * (row->depth - 1);
	const char *name = n->outside ? CG_TREE_OUTSIDE : view_function(v->tree->profile, n->function);
	const char *inlined = n->inlined ? " (inlined)" : "";
	const char *estimated = n->estimated || n->estimated_below ? " ~" : "";
	const char *truncated = n->truncated ? " …" : "", *cut = n->cut ? " (and all below)" : "";
	char *text;
	int len = indent > MOST_INDENT ?
			  asprintf(&text, "%*s[%u] %s%s%s%s%s", MOST_INDENT, "", row->depth, name,
				   inlined, estimated, truncated, cut) :
			  asprintf(&text, "%*s%s%s%s%s%s", (int)indent, "", name, inlined,
				   estimated, truncated, cut);
	return len < 0 ? NULL : text;
}

static int add_row(const struct tree_view *v, const struct tree_view_row *row,
		   struct text_table *table)
{
	const struct cg_tree *t = v->tree;
	size_t at = (size_t)row->node * t->profile->nevents + t->event;
	char inclusive[TEXT_NUMBER], share[TEXT_NUMBER], self[TEXT_NUMBER], self_share[TEXT_NUMBER];
	char calls[TEXT_NUMBER];
	uint64_t count = node_of(v, row)->calls;
	int64_t total = t->profile->total[t->event];
	char *name = path_name(v, row);
	if (!name)
		return CG_ENOMEM;

	const char *const cells[] = { text_cost(t->inclusive[at], inclusive),
				      text_share(t->inclusive[at], total, share),
				      text_cost(t->self[at], self),
				      text_share(t->self[at], total, self_share),
				      count ? text_count(count, calls) : "–", name };
	int status = text_table_add(table, "", cells);
	free(name);
	return status;
}

/* Every output that shows a tree says how far it can be believed. */
static void print_certainty(const struct tree_view *v, FILE *to)
{
	if (v->tree->exact) {
		show_print_fact(to, "Paths:", "exact");
		return;
	}
	fprintf(to, "%-18s", "Paths:");
	if (v->doubt.estimated > 0)
		fprintf(to, "estimated for %.2f%% of the cost (~)", v->doubt.estimated);
	else
		fputs("exact", to);
	if (v->doubt.truncated > 0)
		fprintf(to, "; recursion deeper than recorded: %.2f%% (…)", v->doubt.truncated);
	fputc('\n', to);
}

static void print_head(const struct show_report *r, FILE *to)
{
	const struct cg_profile *p = r->profile;
	char total[TEXT_NUMBER];

	show_print_origin(p, &r->origin, to);
	show_print_parts(p, r->tree->tree->event, to);
	fprintf(to, "%-18s%s ", "Total:", text_cost(p->total[r->tree->tree->event], total));
	text_print_name(to, r->sort, 0);
	fputc('\n', to);
	if (r->origin.inlining)
		inlining_print(p, r->origin.inlining, r->tree->tree->event, to);
	show_print_fact(to, "Root:", r->tree->root);
	print_certainty(r->tree, to);
	if (r->threshold < 100)
		fprintf(to, "%-18s%g%%\n", "Threshold:", r->threshold);
	show_print_filter(p, r->filter, to);
}

static void print_rest(const struct show_report *r, FILE *to)
{
	if (r->tree->count == 0)
		fputs(r->filter ? "No path leads to a function that matches the filter.\n" :
				  "No path has a cost.\n", to);
	if (r->tree->count < r->tree->total)
		fprintf(to, "\n%zu of %zu paths shown.\n", r->tree->count, r->tree->total);
}

int show_tree_text(const struct show_report *r, const struct text_style *style, FILE *to)
{
	static const char *const titles[] = { "incl.", "", "self", "", "calls", "path" };
	struct text_table table;
	int status = text_table_init(&table, r->tree->count + 1, "rrrrrl");

	if (!status)
		status = text_table_add(&table, text_dim(style), titles);
	for (size_t i = 0; !status && i < r->tree->count; i++)
		status = add_row(r->tree, &r->tree->rows[i], &table);
	if (!status) {
		print_head(r, to);
		if (r->tree->count)
			text_table_print(&table, style, to);
		print_rest(r, to);
	}
	text_table_free(&table);
	return status;
}
