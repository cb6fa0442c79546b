#include "src/report/text/show.h"

#include <inttypes.h>
#include <stdlib.h>

#include "src/report/short_name.h"
#include "src/report/text/certainty.h"
#include "src/report/text/table.h"

static const struct cg_tree_node *node_of(const struct tree_view *v,
					  const struct tree_view_row *row)
{
	return &v->tree->nodes[row->node];
}

/* Allocated. */
static char *path_name(const struct tree_view *v, const struct tree_view_row *row, unsigned width)
{
	const struct cg_tree_node *n = node_of(v, row);
	const char *name = n->outside ? CG_TREE_OUTSIDE : view_function(v->tree->profile, n->function);
	char lead[TEXT_LEAD], notes[TEXT_NUMBER], *short_name, *text;

	text_lead(name, row->depth, width, lead);
	snprintf(notes, sizeof notes, "%s%s%s%s", n->inlined ? " (inlined)" : "",
		 n->estimated || n->estimated_below ? " ~" : "", n->truncated ? " …" : "",
		 n->cut ? " (and all below)" : "");
	size_t used = text_width(lead);
	short_name = text_name_with(name, notes, width > used ? width - (unsigned)used : width);
	if (!short_name || asprintf(&text, "%s%s", lead, short_name) < 0)
		text = NULL;
	free(short_name);
	return text;
}

enum { CELLS = 6 };

struct row_cells {
	char numbers[CELLS - 1][TEXT_NUMBER];
	const char *texts[CELLS];
	const char *color;
};

/* The name follows once it is known how wide it may be. */
static void fill_cells(const struct tree_view *v, const struct tree_view_row *row,
		       const struct text_style *style, struct row_cells *c)
{
	const struct cg_tree *t = v->tree;
	size_t at = (size_t)row->node * t->profile->nevents + t->event;
	uint64_t count = node_of(v, row)->calls;
	int64_t total = t->profile->total[t->event];

	c->texts[0] = text_cost(t->inclusive[at], c->numbers[0]);
	c->texts[1] = text_share(t->inclusive[at], total, c->numbers[1]);
	c->texts[2] = text_cost(t->self[at], c->numbers[2]);
	c->texts[3] = text_share(t->self[at], total, c->numbers[3]);
	c->texts[4] = count ? text_count(count, c->numbers[4]) : "–";
	c->texts[5] = "";
	c->color = show_color(t->self[at], t->inclusive[at], total, style);
}

static void print_head(const void *report, FILE *to)
{
	const struct show_report *r = report;
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
	fprintf(to, "%-18s", "Paths:");
	text_print_certainty(to, r->tree->tree, &r->tree->doubt);
	fputc('\n', to);
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

static const char *const titles[CELLS] = { "incl.", "", "self", "", "calls", "path" };

static void measure_rows(const struct show_report *r, const struct text_style *style,
			 struct text_table *table)
{
	struct row_cells cells;

	text_table_measure(table, titles);
	for (size_t i = 0; i < r->tree->count; i++) {
		fill_cells(r->tree, &r->tree->rows[i], style, &cells);
		text_table_measure(table, cells.texts);
	}
}

static int add_row(const struct tree_view *v, const struct tree_view_row *row, unsigned room,
		   const struct text_style *style, struct text_table *table)
{
	struct row_cells cells;

	fill_cells(v, row, style, &cells);
	int status = text_table_add(table, cells.color, cells.texts);
	return status ? status : text_table_name(table, table->nrows - 1, path_name(v, row, room));
}

/* There may be as many rows as the profile has calls: only some are kept at a time. */
static int print_rows(const struct show_report *r, const struct text_style *style,
		      struct text_table *table, size_t most, FILE *to)
{
	unsigned room = text_table_room(table, style);
	int status = text_table_add(table, text_dim(style), titles);

	for (size_t i = 0; !status && i < r->tree->count; i++) {
		status = add_row(r->tree, &r->tree->rows[i], room, style, table);
		if (status || (table->nrows < most && i + 1 < r->tree->count))
			continue;
		text_table_print(table, style, to);
		text_table_clear(table);
	}
	return status;
}

int show_tree_text(const struct show_report *r, const struct text_style *style, FILE *to)
{
	enum { AT_A_TIME = 256 };
	struct text_table table;
	int status = text_table_init(&table, AT_A_TIME, "rrrrrl");

	if (!status)
		status = show_fit_head(print_head, r, style, to);
	if (!status) {
		measure_rows(r, style, &table);
		status = print_rows(r, style, &table, AT_A_TIME, to);
	}
	if (!status)
		print_rest(r, to);
	text_table_free(&table);
	return status;
}
