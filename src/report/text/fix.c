#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "src/report/fix_report.h"
#include "src/report/remarks.h"
#include "src/report/short_name.h"
#include "src/report/summary.h"
#include "src/report/text/origin.h"
#include "src/report/text/table.h"
#include "src/text/wrap.h"

struct printer {
	const struct fix_report *r;
	const struct text_style *style;
	FILE *to;
};

/* The regression's and the fix's counts, and of functions main's, only where there is room beside the
 * differences. */
static bool has_room(const struct text_style *style)
{
	enum { FOR_COUNTS = 110 };
	return style->wide || !style->width || style->width >= FOR_COUNTS;
}

static const char *color_of(const struct printer *p, struct fix_values v)
{
	return v.fix > v.main ? text_red(p->style) : v.fix < v.regression ? text_green(p->style) : "";
}

static void print_verdict(const struct printer *p)
{
	struct fix_values v = fix_totals(p->r->fix);

	fprintf(p->to, "%s%s", text_bold(p->style), color_of(p, v));
	fix_print_verdict(p->r, true, p->to);
	fprintf(p->to, "%s\n", text_plain(p->style));
}

static int print_origins(const struct printer *p)
{
	int status = CG_OK;

	for (enum fix_side s = FIX_MAIN; !status && s < FIX_SIDES; s++) {
		char side[TEXT_NUMBER];
		snprintf(side, sizeof side, "%-10s", fix_side_name(s));
		status = text_origin_print(side, &p->r->origins[s], "", p->style, p->to);
	}
	if (p->r->judged.environment->moving) {
		struct text_line line;
		fprintf(p->to, "\n%s", text_red(p->style));
		FILE *to = text_line_begin(&line, p->to);
		fputs("WARNING: they were measured in different environments (", to);
		summary_print_environment(&p->r->judged, to);
		fputs("); the counts may differ for that reason.", to);
		text_line_end(&line, 0, p->style->wide ? 0 : p->style->width, 2);
		fputs(text_plain(p->style), p->to);
	}
	return status;
}

/* ---- tables ---- */

/* What a row of both tables has, in front of its name or behind it. */
struct cells {
	char main[TEXT_NUMBER], regression[TEXT_NUMBER], fix[TEXT_NUMBER];
	char lost[TEXT_NUMBER], won[FIX_WON], left[TEXT_NUMBER];
};

static void fill(struct cells *c, struct fix_values v)
{
	text_cost(v.main, c->main);
	text_cost(v.regression, c->regression);
	text_cost(v.fix, c->fix);
	text_delta(v.main, v.regression, c->lost);
	fix_won(v, c->won);
	text_delta(v.main, v.fix, c->left);
}

static int print_metrics(const struct printer *p)
{
	static const char *const titles[] = { "", "main", "regression", "fix", "lost", "won back", "left" };
	static const char *const few[] = { "", "main", "lost", "won back", "left" };
	bool all = has_room(p->style);
	const char *list[FIX_METRICS];
	size_t count = fix_list_metrics(p->r->fix, list);
	struct text_table t;
	int status = text_table_init(&t, count + 1, all ? "lrrrrrl" : "lrrrl");

	if (!status)
		status = text_table_add(&t, text_dim(p->style), all ? titles : few);
	for (size_t i = 0; !status && i < count; i++) {
		struct fix_values v = fix_metric(p->r->fix, list[i]);
		char *safe = text_safe(list[i]);
		struct cells c;
		fill(&c, v);
		const char *cells[] = { safe, c.main, c.regression, c.fix, c.lost, c.won, c.left };
		const char *few_cells[] = { safe, c.main, c.lost, c.won, c.left };
		status = safe ? text_table_add(&t, color_of(p, v), all ? cells : few_cells) : CG_ENOMEM;
		free(safe);
	}
	if (!status) {
		fputc('\n', p->to);
		text_table_print(&t, p->style, p->to);
	}
	text_table_free(&t);
	return status;
}

/* Where it is goes with the name as long as there is room. */
static char *row_name(const struct fix_row *row, bool wide, unsigned width)
{
	bool object = wide && text_is_known(row->object);
	char *notes, *name = NULL;

	if (asprintf(&notes, "%s%s%s", object ? " [" : "", object ? row->object : "",
		     object ? "]" : "") < 0)
		return NULL;
	char *safe = text_safe(notes);
	if (safe && width && text_width(row->name) + text_width(safe) > width)
		*safe = '\0';
	if (safe)
		name = text_name_with(row->name, safe, width);
	free(notes);
	free(safe);
	return name;
}

static int add_row(const struct printer *p, struct text_table *t, const struct fix_row *row)
{
	struct fix_values v = fix_values_of(p->r->fix, row->self);
	const char *state = fix_state_name(fix_classify(p->r->fix, v));
	struct cells c;

	fill(&c, v);
	if (!has_room(p->style))
		return text_table_add(t, color_of(p, v),
				      (const char *[]){ c.lost, c.won, c.left, state, "" });
	return text_table_add(t, color_of(p, v),
			      (const char *[]){ row->present[FIX_MAIN] ? c.main : "–",
						row->present[FIX_REGRESSION] ? c.regression : "–",
						row->present[FIX_FIX] ? c.fix : "–",
						c.lost, c.won, c.left, state, "" });
}

static int add_titles(const struct printer *p, struct text_table *t, const char *word)
{
	const char *color = text_dim(p->style);

	if (!has_room(p->style))
		return text_table_add(t, color, (const char *[]){ "lost", "won back", "left", "", word });
	return text_table_add(t, color, (const char *[]){ "main", "regression", "fix", "lost", "won back",
							  "left", "", word });
}

static int print_rows(const struct printer *p)
{
	const struct fix_report *r = p->r;
	const char *word = cg_rollup_word(r->fix->lost->options.by);
	struct text_table t;

	if (!r->nrows) {
		fprintf(p->to, "\nNo %s%s changed%s.\n", word, r->filter ? " that matches the filter" : "",
			r->filter ? "" : " by more than the threshold");
		return CG_OK;
	}
	int status = text_table_init(&t, r->nrows + 1, has_room(p->style) ? "rrrrrrll" : "rrrll");
	if (!status)
		status = add_titles(p, &t, word);
	for (size_t i = 0; !status && i < r->nrows; i++)
		status = add_row(p, &t, &r->fix->rows[r->rows[i]]);
	unsigned room = status ? 0 : text_table_room(&t, p->style);
	for (size_t i = 0; !status && i < r->nrows; i++)
		status = text_table_name(&t, i + 1, row_name(&r->fix->rows[r->rows[i]],
							     has_room(p->style), room));
	if (!status) {
		fputs("\nOwn costs (lost: regression - main = won back + left; left: fix - main)\n",
		      p->to);
		text_table_print(&t, p->style, p->to);
		fputs(has_room(p->style) ? "" : "  … and 3 more columns (main, regression, fix); see them "
						"with --wide\n", p->to);
	}
	if (!status && r->nrows < r->filtered)
		fprintf(p->to, "  … and %zu more; see them with --top=0\n", r->filtered - r->nrows);
	text_table_free(&t);
	return status;
}

int fix_text(const struct fix_report *r, const struct text_style *style, FILE *to)
{
	struct printer p = { r, style, to };

	print_verdict(&p);
	int status = print_origins(&p);
	fputs(r->judged.remarks->count ? "\n" : "", to);
	remarks_text(r->judged.remarks, NULL, style, to);
	if (!status)
		status = print_metrics(&p);
	if (!status)
		status = print_rows(&p);
	if (!status && r->judged.judgement)
		diff_limits_text(&r->judged, style, to);
	return status;
}
