#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/report/diff_report.h"
#include "src/report/diff_table.h"
#include "src/report/estimates.h"
#include "src/report/match_words.h"
#include "src/report/text/events.h"
#include "src/report/text/profile_words.h"
#include "src/report/text/table.h"
#include "src/text/short_name.h"
#include "src/text/wrap.h"

static bool is_path_estimated(const struct tree_row *r)
{
	return r->base.estimated || r->head.estimated;
}

static const struct table_column path_columns[] = {
	DIFF_COLUMN("Δ incl.", CELL_DELTA, inclusive),
	DIFF_COLUMN("% of base", CELL_SHARE_OF_BASE, inclusive),
	DIFF_COLUMN("Δ self", CELL_DELTA, self),
	DIFF_COLUMN("calls", CELL_COUNTS, calls),
	TABLE_ROOMY(100, "class", CELL_WORD, struct diff_cells, class),
	DIFF_COLUMN("path", CELL_OWN, name),
};

/* ---- what only leads to a path is left out ---- */

/* The paths that have a line. */
struct path_lines {
	struct report_table table; /* of them: what points to it may point to all of this */
	uint32_t *rows, *depths;   /* of the tree; how far in */
	uint32_t *leading;         /* how many that have no line lead to it */
	size_t count;
};

/* How far in a line is: what is folded above it does not count. `depths` has, per row of the tree,
 * the lines down to it. */
static void choose_path_lines(const struct diff_report *r, struct path_lines *l, uint32_t *depths)
{
	uint32_t leading = 0;

	for (size_t i = 0; i < r->npaths; i++) {
		uint32_t row = r->paths[i], above = r->tree->rows[row].parent;
		depths[row] = depths[above] + !r->paths_folded[i];
		if (r->paths_folded[i]) {
			leading++;
			continue;
		}
		l->rows[l->count] = row;
		l->leading[l->count] = leading;
		l->depths[l->count++] = depths[row];
		leading = 0;
	}
}

/* CG_OK or CG_ENOMEM; free with free_path_lines in both cases. */
static int make_path_lines(const struct diff_report *r, struct path_lines *l)
{
	uint32_t *depths = calloc((size_t)r->tree->count + 1, sizeof *depths);

	*l = (struct path_lines){ .rows = calloc(r->npaths + 1, sizeof *l->rows),
				  .depths = calloc(r->npaths + 1, sizeof *l->depths),
				  .leading = calloc(r->npaths + 1, sizeof *l->leading) };
	if (depths && l->rows && l->depths && l->leading)
		choose_path_lines(r, l, depths);
	bool failed = !depths || !l->rows || !l->depths || !l->leading;
	free(depths);
	if (failed)
		return CG_ENOMEM;
	int status = diff_paths_table(r, &l->table);
	TABLE_COLUMNS(&l->table, path_columns);
	l->table.rows = l->rows;
	l->table.nrows = l->count;
	return status;
}

static void free_path_lines(struct path_lines *l)
{
	table_free(&l->table);
	free(l->rows);
	free(l->depths);
	free(l->leading);
}

/* ---- rows ---- */

#define OMITTED "… → " /* stands for callers that have no line */

static char *format_diff_path(const struct report_table *of, size_t i, unsigned width,
			      const struct text_style *style)
{
	const struct path_lines *l = (const struct path_lines *)of;
	const struct diff_report *r = of->report;
	const struct tree_row *row = diff_table_path(of, i);
	const struct tree_row *above = l->leading[i] ? &r->tree->rows[row->parent] : NULL;
	char lead[TEXT_LEAD], with_mark[TEXT_LEAD + sizeof OMITTED];

	(void)style;
	text_lead(row->name, l->depths[i], width, lead);
	snprintf(with_mark, sizeof with_mark, "%s%s", lead, l->leading[i] > 1 ? OMITTED : "");
	return text_path_name(r->tree, row,
			      &(struct path_label){ with_mark, above, is_path_estimated(row) },
			      width);
}

/* ---- events beside each other ---- */

static const int64_t *path_inclusive_of(const struct tree_side *side)
{
	return side->present ? side->inclusive : NULL;
}

static int fill_events(const struct diff_report *r, const struct path_lines *l,
		       const struct text_style *style, struct event_table *t)
{
	static const char *const titles[] = { "class", "path" };
	int status = event_table_init(t, r, l->count, "ll", titles, style);

	for (size_t i = 0; !status && i < l->count; i++) {
		const struct tree_row *row = diff_table_path(&l->table, i);
		const char *const texts[] = { diff_class_name(tree_diff_classify(r->tree, row)),
					      "" };
		status = event_table_add(t, r, text_tone(l->table.tone(&l->table, i), style),
					 path_inclusive_of(&row->base),
					 path_inclusive_of(&row->head), texts);
	}
	return status;
}

/* ---- the whole ---- */

static bool shows_path_estimates(const struct diff_report *r)
{
	for (size_t i = 0; i < r->npaths; i++)
		if (is_path_estimated(&r->tree->rows[r->paths[i]]))
			return true;
	return false;
}

static void print_misfit(const char *side, const struct cg_tree *t, FILE *to)
{
	if (!t->misfit.records)
		return;
	fprintf(to, "In %s, ", side);
	text_print_misfit(to, t->profile, &t->misfit);
	fputs(": call paths are not exact.\n", to);
}

static int print_path_estimates(const struct diff_report *r, const struct text_style *style,
				FILE *to)
{
	char *why = estimates_explain(r->tree), *line = NULL;

	if (!why || asprintf(&line, "~ marks estimates%s.", why) < 0)
		line = NULL;
	int status = line ? text_print_wrapped(to, line, style->wide ? 0 : style->width, 0)
			  : CG_ENOMEM;
	free(why);
	free(line);
	return status;
}

static int print_paths_title(const struct diff_report *r, const struct text_style *style, FILE *to)
{
	const struct tree_diff *t = r->tree;
	int status = CG_OK;

	fputs("\nCall paths to the largest changes in self cost\n", to);
	if (t->exact)
		fputs("Call paths are exact.\n", to);
	else if (shows_path_estimates(r))
		status = print_path_estimates(r, style, to);
	print_misfit("base", t->base, to);
	print_misfit("head", t->head, to);
	return status;
}

static int print_path_events(const struct diff_report *r, const struct path_lines *l,
			     const struct text_style *style, FILE *to)
{
	struct event_table t;
	int status = fill_events(r, l, style, &t);
	size_t left_out = status ? 0 : event_table_fit(&t, style);
	unsigned room = status ? 0 : text_table_room(&t.table, style);

	for (size_t i = 0; !status && i < l->count; i++)
		status = text_table_name(&t.table, i + 1,
					 format_diff_path(&l->table, i, room, style));
	if (!status) {
		status = print_paths_title(r, style, to);
		text_table_print(&t.table, style, to);
		events_print_rest(left_out, to);
	}
	event_table_free(&t);
	return status;
}

static int print_path_changes(const struct diff_report *r, const struct path_lines *l,
			      const struct text_style *style, FILE *to)
{
	struct text_table t;
	int status = text_table_begin(&t, &l->table, style);

	if (!status)
		status = print_paths_title(r, style, to);
	if (!status)
		status = text_table_write(&t, &l->table, format_diff_path, style, to);
	text_table_free(&t);
	return status;
}

/* What the mark of lines means. */
static void print_omitted(const struct diff_report *r, const struct path_lines *l, FILE *to)
{
	bool several = false;

	for (size_t i = 0; i < l->count; i++)
		several |= l->leading[i] > 1;
	if (several)
		fprintf(to, "  … → omits callers that only lead to the path%s\n",
			r->fixed_threshold ? "" : "; see them with --threshold=0");
}

int diff_paths_text(const struct diff_report *r, const struct text_style *style, FILE *to)
{
	struct path_lines l;

	if (r->npaths == 0) {
		fputs(r->unmatched       ? "\nNo function matches the filter.\n"
		      : r->paths_changed ? "\nNo call path to a matching function changed.\n"
					 : "\nNo call path changed by more than the threshold.\n",
		      to);
		return CG_OK;
	}
	int status = make_path_lines(r, &l);
	if (!status)
		status = r->nevents ? print_path_events(r, &l, style, to)
				    : print_path_changes(r, &l, style, to);
	if (!status)
		print_omitted(r, &l, to);
	if (!status)
		text_print_more(r->paths_hidden, 0, to);
	free_path_lines(&l);
	return status;
}
