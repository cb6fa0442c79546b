#include <stdlib.h>
#include <string.h>

#include "src/report/diff_report.h"
#include "src/report/diff_table.h"
#include "src/report/match_words.h"
#include "src/report/short_name.h"
#include "src/report/text/events.h"
#include "src/report/text/profile_words.h"
#include "src/report/text/table.h"
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

/* ---- what leads to the first change is left out ---- */

/* The paths that have a line. */
struct path_lines {
	struct report_table table; /* of them: what points to it may point to all of this */
	uint32_t *rows, *depths;   /* of the tree; how far in */
	size_t count, folded;      /* of those before, how many have none */
};

static bool has_changed(const struct diff *d, const int64_t *base, const int64_t *head)
{
	return diff_classify_change(d, diff_base_value(d, base), diff_head_value(d, head)) !=
	       DIFF_UNCHANGED;
}

/* Whether nothing is to be said about a path but where it leads: nothing changed but one path that
 * it calls, which is shown. */
static bool only_leads(const struct diff_report *r, size_t at)
{
	const struct tree_row *rows = r->tree->rows, *row = &rows[r->paths[at]];
	const struct diff *d = r->tree->diff;
	size_t changed = 0;

	if (has_changed(d, row->base.self, row->head.self) || row->match != DIFF_SAME ||
	    row->nabsorbed || row->base.via || row->head.via)
		return false;
	for (uint32_t k = r->paths[at] + 1; k < row->end; k = rows[k].end)
		changed += has_changed(d, rows[k].base.inclusive, rows[k].head.inclusive);
	if (changed != 1 || at + 1 == r->npaths || rows[r->paths[at + 1]].parent != r->paths[at])
		return false;
	const struct tree_row *shown = &rows[r->paths[at + 1]];
	for (size_t i = at + 2; i < r->npaths && r->paths[i] < row->end; i++)
		if (r->paths[i] >= shown->end)
			return false;
	return has_changed(d, shown->base.inclusive, shown->head.inclusive);
}

/* Leaves out, if `fold`, what only leads from a root to the first path that says something. */
static void choose_path_lines(const struct diff_report *r, bool fold, struct path_lines *l)
{
	bool leads = false;
	uint32_t above = 0; /* that are left out */

	l->count = l->folded = 0;
	for (size_t i = 0; i < r->npaths; i++) {
		const struct tree_row *row = &r->tree->rows[r->paths[i]];
		if (row->depth == 1) {
			above = 0;
			leads = fold;
		}
		leads = leads && only_leads(r, i);
		if (leads) {
			above++;
			l->folded++;
			continue;
		}
		l->rows[l->count] = r->paths[i];
		l->depths[l->count++] = row->depth - above;
	}
}

/* The line that says how many are left out is not worth one. CG_OK or CG_ENOMEM; free with
 * free_path_lines in both cases. */
static int make_path_lines(const struct diff_report *r, struct path_lines *l)
{
	*l = (struct path_lines){ .rows = calloc(r->npaths + 1, sizeof *l->rows),
				  .depths = calloc(r->npaths + 1, sizeof *l->depths) };
	if (!l->rows || !l->depths)
		return CG_ENOMEM;
	choose_path_lines(r, r->diff->options.threshold_ppb > 0, l);
	if (l->folded == 1)
		choose_path_lines(r, false, l);
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
}

/* ---- rows ---- */

static char *format_diff_path(const struct report_table *of, size_t i, unsigned width,
			      const struct text_style *style)
{
	const struct path_lines *l = (const struct path_lines *)of;
	const struct diff_report *r = of->report;
	const struct tree_row *row = diff_table_path(of, i);
	char lead[TEXT_LEAD];

	(void)style;
	text_lead(row->name, l->depths[i], width, lead);
	return text_path_name(r->tree, row,
			      &(struct path_label){ lead, NULL, is_path_estimated(row) }, width);
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

static bool has_estimates(const struct cg_tree *t)
{
	struct cg_tree_doubt doubt;
	cg_tree_find_doubt(t, &doubt);
	return doubt.any_estimated;
}

static void print_misfit(const char *side, const struct cg_tree *t, FILE *to)
{
	if (!t->misfit.records)
		return;
	fprintf(to, "In %s, ", side);
	text_print_misfit(to, t->profile, &t->misfit);
	fputs(": call paths are not exact.\n", to);
}

static void print_paths_title(const struct diff_report *r, const struct text_style *style, FILE *to)
{
	char line[200];
	const struct tree_diff *t = r->tree;
	bool base = has_estimates(t->base), head = has_estimates(t->head);
	const char *which = base && head ? "the profiles lack" : base ? "base lacks" : "head lacks";

	fputs("\nCall paths whose inclusive cost changed\n", to);
	if (t->exact)
		fputs("Call paths are exact.\n", to);
	else if (shows_path_estimates(r))
		snprintf(line, sizeof line, "~ marks estimates: %s full call paths.", which);
	if (!t->exact && shows_path_estimates(r) &&
	    text_print_wrapped(to, line, style->wide ? 0 : style->width, 0))
		fprintf(to, "%s\n", line);
	print_misfit("base", t->base, to);
	print_misfit("head", t->head, to);
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
		print_paths_title(r, style, to);
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

	if (!status) {
		print_paths_title(r, style, to);
		status = text_table_write(&t, &l->table, format_diff_path, style, to);
	}
	text_table_free(&t);
	return status;
}

int diff_paths_text(const struct diff_report *r, const struct text_style *style, FILE *to)
{
	struct path_lines l;

	if (r->npaths == 0) {
		fputs(r->paths_changed ? "\nNo call path to a matching function changed.\n"
				       : "\nNo call path changed by more than the threshold.\n",
		      to);
		return CG_OK;
	}
	int status = make_path_lines(r, &l);
	if (!status)
		status = r->nevents ? print_path_events(r, &l, style, to)
				    : print_path_changes(r, &l, style, to);
	if (!status && l.folded)
		fprintf(to, "  … and %zu unchanged callers of these; see them with --threshold=0\n",
			l.folded);
	if (!status)
		text_print_more(r->paths_hidden, 0, to);
	free_path_lines(&l);
	return status;
}
