#include "src/report/text/show.h"

#include <inttypes.h>
#include <stdlib.h>

#include "src/report/metric_words.h"
#include "src/report/text/profile_words.h"
#include "src/report/text/table.h"
#include "src/text/short_name.h"

static const struct table_column path_columns[] = {
	SHOW_COLUMN("incl.", CELL_HEAD, inclusive_cost),
	SHOW_COLUMN("", CELL_SHARE, inclusive_cost),
	SHOW_COLUMN("self", CELL_HEAD, self_cost),
	SHOW_COLUMN("", CELL_SHARE, self_cost),
	SHOW_COLUMN("calls", CELL_HEAD_COUNT, calls),
	SHOW_COLUMN("path", CELL_OWN, name),
};

static char *format_tree_path(const struct report_table *of, size_t i, unsigned width,
			      const struct text_style *style)
{
	const struct tree_view *v = ((const struct show_report *)of->report)->tree;
	const struct cg_tree_node *n = &v->tree->nodes[v->rows[i].node];
	const char *name = n->outside ? CG_TREE_OUTSIDE
				      : view_function(v->tree->profile, n->function);
	char lead[TEXT_LEAD], notes[TEXT_NUMBER], *short_name, *text;

	(void)style;
	text_lead(name, v->rows[i].depth, width, lead);
	snprintf(notes, sizeof notes, "%s%s%s%s", n->inlined ? " (inlined)" : "",
		 n->estimated || n->estimated_below ? " ~" : "", n->truncated ? " …" : "",
		 n->cut ? " (and its callees)" : "");
	size_t used = text_width(lead);
	short_name = text_name_with(name, notes, width > used ? width - (unsigned)used : width);
	if (!short_name || asprintf(&text, "%s%s", lead, short_name) < 0)
		text = NULL;
	free(short_name);
	return text;
}

static enum table_tone tree_path_tone(const struct report_table *of, size_t i)
{
	const struct tree_view *v = ((const struct show_report *)of->report)->tree;
	const struct cg_tree *t = v->tree;
	size_t at = (size_t)v->rows[i].node * t->profile->nevents + t->event;

	return show_tone(t->self[at], t->inclusive[at], t->profile->total[t->event]);
}

static void print_tree_head(const void *report, FILE *to)
{
	const struct show_report *r = report;
	const struct cg_profile *p = r->profile;
	char total[TEXT_NUMBER];

	show_print_origin(p, &r->origin, to);
	show_print_parts(p, r->tree->tree->event, to);
	fprintf(to, "%-18s%s ", "Total:", text_cost(p->total[r->tree->tree->event], total));
	print_metric_of(p, r->sort, to);
	fputc('\n', to);
	if (r->origin.inlining)
		inlining_print(p, r->origin.inlining, r->tree->tree->event, to);
	show_print_fact(to, "Root:", r->tree->root);
	fprintf(to, "%-18s", "Paths:");
	text_print_certainty(to, r->tree->tree, &r->tree->doubt);
	fputc('\n', to);
	if (r->threshold > 0)
		fprintf(to, "%-18s%g%%\n", "Threshold:", r->threshold);
	show_print_filter(p, r->filter, to);
}

static void print_tree_rest(const struct show_report *r, FILE *to)
{
	if (r->tree->count == 0)
		fputs(r->filter ? "No call path leads to a matching function.\n"
				: "No call path has a cost.\n",
		      to);
	if (r->tree->count < r->tree->total)
		fprintf(to, "\n%zu of %zu paths shown.\n", r->tree->count, r->tree->total);
}

int show_tree_text(const struct show_report *r, const struct text_style *style, FILE *to)
{
	struct text_table t;
	struct report_table paths;

	show_paths_table(r, &paths);
	TABLE_COLUMNS(&paths, path_columns);
	paths.tone = tree_path_tone;
	int status = text_table_begin(&t, &paths, style);
	if (!status)
		status = show_fit_head(print_tree_head, r, style, to);
	if (!status)
		status = text_table_write(&t, &paths, format_tree_path, style, to);
	if (!status)
		print_tree_rest(r, to);
	text_table_free(&t);
	return status;
}
