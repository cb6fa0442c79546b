#include <stdlib.h>
#include <string.h>

#include "src/report/diff_report.h"
#include "src/report/match_words.h"
#include "src/report/short_name.h"
#include "src/report/text/certainty.h"
#include "src/report/text/events.h"
#include "src/report/text/table.h"
#include "src/text/wrap.h"

static bool is_estimated(const struct tree_row *r)
{
	return r->base.estimated || r->head.estimated;
}

/* ---- what leads to the first change is left out ---- */

/* The paths that have a line. */
struct lines {
	uint32_t *rows, *depths; /* of the tree; how far in */
	size_t count, folded;    /* of those before, how many have none */
};

static bool has_changed(const struct diff *d, const int64_t *base, const int64_t *head)
{
	return diff_classify_change(d, diff_base_value(d, base), diff_head_value(d, head)) !=
	       DIFF_UNCHANGED;
}

/* Whether nothing is to be said about a path but where it leads: nothing changed but one path that it
 * calls, which is shown. */
static bool only_leads(const struct diff_report *r, size_t at)
{
	const struct tree_row *rows = r->tree->rows, *row = &rows[r->paths[at]];
	const struct diff *d = r->tree->diff;
	size_t changed = 0;

	if (has_changed(d, row->base.self, row->head.self) || row->match != DIFF_SAME || row->nabsorbed ||
	    row->base.via || row->head.via)
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
static void choose_lines(const struct diff_report *r, bool fold, struct lines *l)
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
 * lines_free in both cases. */
static int lines_make(const struct diff_report *r, struct lines *l)
{
	*l = (struct lines){ .rows = calloc(r->npaths + 1, sizeof *l->rows),
			     .depths = calloc(r->npaths + 1, sizeof *l->depths) };
	if (!l->rows || !l->depths)
		return CG_ENOMEM;
	choose_lines(r, r->diff->options.threshold_ppb > 0, l);
	if (l->folded == 1)
		choose_lines(r, false, l);
	return CG_OK;
}

static void lines_free(struct lines *l)
{
	free(l->rows);
	free(l->depths);
}

/* ---- rows ---- */

/* Allocated. */
static char *path_name(const struct tree_diff *t, const struct tree_row *r, uint32_t depth, unsigned width)
{
	char lead[TEXT_LEAD];
	text_lead(r->name, depth, width, lead);
	return text_path_name(t, r, &(struct path_label){ lead, NULL, is_estimated(r) }, width);
}

static void print_calls(char *buffer, size_t size, const struct tree_row *r)
{
	char base[TEXT_NUMBER], head[TEXT_NUMBER];
	const char *b = r->base.calls ? text_count(r->base.calls, base) : "–";
	const char *h = r->head.calls ? text_count(r->head.calls, head) : "–";

	if (strcmp(b, h) == 0)
		snprintf(buffer, size, "%s", h);
	else
		snprintf(buffer, size, "%s → %s", b, h);
}

static const char *color_of(const struct diff *d, const struct tree_row *r, const struct text_style *style)
{
	int64_t b = diff_base_value(d, r->base.inclusive), h = diff_head_value(d, r->head.inclusive);
	return diff_tolerates(d, b, h) ? "" : h > b ? text_red(style) : h < b ? text_green(style) : "";
}

/* The name follows once it is known how wide it may be. */
static int add_row(const struct tree_diff *t, const struct tree_row *r,
		   const struct text_style *style, struct text_table *table)
{
	const struct diff *d = t->diff;
	char inclusive[TEXT_NUMBER], impact[TEXT_NUMBER], self[TEXT_NUMBER];
	char calls[3 * TEXT_NUMBER];
	int64_t b = diff_base_value(d, r->base.inclusive), h = diff_head_value(d, r->head.inclusive);

	print_calls(calls, sizeof calls, r);
	text_delta(diff_base_value(d, r->base.self), diff_head_value(d, r->head.self), self);
	const char *const cells[] = { text_delta(b, h, inclusive),
				      text_impact(b, h, diff_base_value(d, d->base->total), impact),
				      self, calls, diff_class_name(tree_diff_classify(t, r)), "" };
	return text_table_add(table, color_of(d, r, style), cells);
}

/* ---- events beside each other ---- */

static const int64_t *inclusive_of(const struct tree_side *side)
{
	return side->present ? side->inclusive : NULL;
}

static int fill_events(const struct diff_report *r, const struct lines *l, const struct text_style *style,
		       struct event_table *t)
{
	static const char *const titles[] = { "class", "path" };
	int status = event_table_init(t, r, l->count, "ll", titles, style);

	for (size_t i = 0; !status && i < l->count; i++) {
		const struct tree_row *row = &r->tree->rows[l->rows[i]];
		const char *const texts[] = { diff_class_name(tree_diff_classify(r->tree, row)), "" };
		status = event_table_add(t, r, color_of(r->tree->diff, row, style), inclusive_of(&row->base),
					 inclusive_of(&row->head), texts);
	}
	return status;
}

/* ---- the whole ---- */

static bool shows_estimates(const struct diff_report *r)
{
	for (size_t i = 0; i < r->npaths; i++)
		if (is_estimated(&r->tree->rows[r->paths[i]]))
			return true;
	return false;
}

static bool has_estimates(const struct cg_tree *t)
{
	struct cg_tree_doubt doubt;
	cg_tree_doubt(t, &doubt);
	return doubt.any_estimated;
}

static void print_misfit(const char *side, const struct cg_tree *t, FILE *to)
{
	if (!t->misfit.records)
		return;
	fprintf(to, "In %s, ", side);
	text_print_misfit(to, t->profile, &t->misfit);
	fputs(": paths are not exact.\n", to);
}

static void print_title(const struct diff_report *r, const struct text_style *style, FILE *to)
{
	char line[200];
	const struct tree_diff *t = r->tree;
	bool base = has_estimates(t->base), head = has_estimates(t->head);
	const char *which = base && head ? "the profiles do" : base ? "base does" : "head does";

	fputs("\nPaths whose cost changed, callees included", to);
	fputs(r->nevents ? "\n" : " (impact: Δ incl. / total of base)\n", to);
	if (t->exact)
		fputs("The paths are exact.\n", to);
	else if (shows_estimates(r))
		snprintf(line, sizeof line, "Paths with ~ are estimated: %s not record by which paths "
			 "functions were called.", which);
	if (!t->exact && shows_estimates(r) &&
	    text_print_wrapped(to, line, style->wide ? 0 : style->width, 0))
		fprintf(to, "%s\n", line);
	print_misfit("base", t->base, to);
	print_misfit("head", t->head, to);
}

static int fill_changes(const struct diff_report *r, const struct lines *l, const struct text_style *style,
			struct text_table *t)
{
	static const char *const titles[] = { "Δ incl.", "impact", "Δ self", "calls", "class", "path" };
	int status = text_table_init(t, l->count + 1, "rrrrll");

	if (!status)
		status = text_table_add(t, text_dim(style), titles);
	for (size_t i = 0; !status && i < l->count; i++)
		status = add_row(r->tree, &r->tree->rows[l->rows[i]], style, t);
	return status;
}

/* Names what was filled. */
static int print_table(const struct diff_report *r, const struct lines *l, const struct text_style *style,
		       struct event_table *events, FILE *to)
{
	struct text_table *t = &events->table;
	size_t left_out = r->nevents ? event_table_fit(events, style) : 0;
	unsigned room = text_table_room(t, style);
	int status = CG_OK;

	for (size_t i = 0; !status && i < l->count; i++)
		status = text_table_name(t, i + 1, path_name(r->tree, &r->tree->rows[l->rows[i]],
							     l->depths[i], room));
	if (status)
		return status;
	print_title(r, style, to);
	text_table_print(t, style, to);
	events_print_rest(left_out, to);
	if (l->folded)
		fprintf(to, "  … and %zu paths above, unchanged themselves; see them with --threshold=0\n", l->folded);
	if (r->paths_hidden)
		fprintf(to, "  … and %zu more; see them with --top=0\n", r->paths_hidden);
	return CG_OK;
}

int diff_paths_text(const struct diff_report *r, const struct text_style *style, FILE *to)
{
	struct event_table t = { 0 };
	struct lines l;

	if (r->npaths == 0) {
		fputs(r->paths_changed ? "\nNo path that ends in a function that matches changed.\n" :
					 "\nNo path changed by more than the threshold.\n", to);
		return CG_OK;
	}
	int status = lines_make(r, &l);
	if (!status)
		status = r->nevents ? fill_events(r, &l, style, &t) : fill_changes(r, &l, style, &t.table);
	if (!status)
		status = print_table(r, &l, style, &t, to);
	event_table_free(&t);
	lines_free(&l);
	return status;
}
