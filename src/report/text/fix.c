#include <stdlib.h>
#include <string.h>

#include "src/report/fix_table.h"
#include "src/report/remarks.h"
#include "src/report/summary.h"
#include "src/report/text/profile_words.h"
#include "src/report/text/table.h"
#include "src/text/short_name.h"
#include "src/text/wrap.h"

struct fix_printer {
	const struct fix_report *r;
	const struct text_style *style;
	FILE *to;
};

static void print_fix_verdict(const struct fix_printer *p)
{
	struct fix_values v = fix_totals(p->r->fix);

	fprintf(p->to, "%s%s", text_bold(p->style), text_tone(fix_tone(v), p->style));
	fix_print_verdict(p->r, true, p->to);
	fprintf(p->to, "%s\n", text_plain(p->style));
}

static int print_fix_origins(const struct fix_printer *p)
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
		fputs("WARNING: the profiles were measured in different environments (", to);
		summary_print_environment(&p->r->judged, to);
		fputs("), which may explain changes.", to);
		text_line_end(&line, 0, p->style->wide ? 0 : p->style->width, 2);
		fputs(text_plain(p->style), p->to);
	}
	return status;
}

/* ---- tables ---- */

enum { FOR_COUNTS = 110 };

static const struct table_column metric_columns[] = {
	FIX_COLUMN("", CELL_NAME, name),
	FIX_COLUMN("main", CELL_HEAD, self[FIX_MAIN]),
	TABLE_ROOMY(FOR_COUNTS, "regression", CELL_HEAD, struct fix_cells, self[FIX_REGRESSION]),
	TABLE_ROOMY(FOR_COUNTS, "fix", CELL_HEAD, struct fix_cells, self[FIX_FIX]),
	FIX_COLUMN("lost", CELL_DELTA, lost),
	FIX_COLUMN("recovered", CELL_NUMBER, recovered),
	FIX_COLUMN("remaining", CELL_DELTA, left),
};

static const struct table_column row_columns[] = {
	TABLE_ROOMY(FOR_COUNTS, "main", CELL_HEAD, struct fix_cells, self[FIX_MAIN]),
	TABLE_ROOMY(FOR_COUNTS, "regression", CELL_HEAD, struct fix_cells, self[FIX_REGRESSION]),
	TABLE_ROOMY(FOR_COUNTS, "fix", CELL_HEAD, struct fix_cells, self[FIX_FIX]),
	FIX_COLUMN("lost", CELL_DELTA, lost),
	FIX_COLUMN("recovered", CELL_NUMBER, recovered),
	FIX_COLUMN("remaining", CELL_DELTA, left),
	FIX_COLUMN("", CELL_WORD, state),
	FIX_COLUMN(NULL, CELL_OWN, name),
};

/* Where it is follows the name as long as there is room. */
static char *format_row_name(const struct report_table *of, size_t i, unsigned width,
			     const struct text_style *style)
{
	const struct fix_row *row = fix_table_row(of, i);
	bool roomy = style->wide || !style->width || style->width >= FOR_COUNTS;
	bool object = roomy && text_is_known(row->object);
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

static int print_fix_metrics(const struct fix_printer *p)
{
	struct text_table text = { 0 };
	struct report_table t;
	int status = fix_metrics_table(p->r, &t);

	TABLE_COLUMNS(&t, metric_columns);
	if (!status)
		status = text_table_begin(&text, &t, p->style);
	if (!status) {
		fputc('\n', p->to);
		status = text_table_write(&text, &t, NULL, p->style, p->to);
	}
	text_table_free(&text);
	table_free(&t);
	return status;
}

static int print_fix_rows(const struct fix_printer *p)
{
	const struct fix_report *r = p->r;
	struct text_table text;
	struct report_table t;

	fix_rows_table(r, &t);
	if (!r->nrows && r->unmatched) {
		fprintf(p->to, "\nNo %s matches the filter.\n", t.word);
		return CG_OK;
	}
	if (!r->nrows) {
		fprintf(p->to, "\nNo %s%s changed%s.\n", t.word,
			r->filter    ? " that matches the filter"
			: r->changed ? " that is not ignored"
				     : "",
			r->filter || r->changed ? "" : " by more than the threshold");
		return CG_OK;
	}
	TABLE_COLUMNS(&t, row_columns);
	int status = text_table_begin(&text, &t, p->style);
	if (!status) {
		fputs("\nSelf costs (lost: regression - main; remaining: fix - main)\n", p->to);
		status = text_table_write(&text, &t, format_row_name, p->style, p->to);
	}
	if (!status) {
		text_table_print_hidden(&text, &t, p->to);
		text_print_more(r->filtered, r->nrows, p->to);
	}
	text_table_free(&text);
	return status;
}

/* The verdict on the regression is not that on its fix. */
static void print_fix_limits(const struct fix_printer *p)
{
	enum outcome o = summary_outcome(&p->r->judged);

	diff_limits_text(&p->r->judged, p->style, p->to);
	fprintf(p->to, "%s%sVerdict: %s%s\n", text_bold(p->style),
		summary_is_bad(o) ? text_red(p->style) : text_green(p->style),
		summary_outcome_name(o), text_plain(p->style));
}

int fix_text(const struct fix_report *r, const struct text_style *style, FILE *to)
{
	struct fix_printer p = { r, style, to };

	print_fix_verdict(&p);
	int status = print_fix_origins(&p);
	fputs(r->judged.remarks->count ? "\n" : "", to);
	remarks_text(r->judged.remarks, NULL, style, to);
	if (!status)
		status = print_fix_metrics(&p);
	if (!status)
		status = print_fix_rows(&p);
	if (!status && r->judged.judgement)
		print_fix_limits(&p);
	return status;
}
