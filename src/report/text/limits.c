#include <string.h>

#include "src/report/diff_report.h"
#include "src/report/summary.h"
#include "src/text/shell.h"
#include "src/text/wrap.h"

enum { INDENT = 14 }; /* of what follows a status, or goes on */

struct limits_printer {
	const struct diff_report *r;
	const struct text_style *style;
	FILE *to;
	int width; /* of a status */
};

/* What follows the status. */
static void print_limits_words(const struct limits_printer *p, const struct limit_verdict *v,
			       FILE *to)
{
	enum { NAME = 60 };
	const struct limit *limit = v->rule.limit;

	summary_print_limit(v, p->style->wide ? 0 : NAME, to);
	if (limit_was_judged(v->status) || v->status == LIMIT_NO_MATCH ||
	    v->status == LIMIT_MISSING || v->status == LIMIT_UNCOUNTED) {
		fputs(": ", to);
		summary_print_allowed(p->r, v, to);
	}
	summary_print_limit_place(limit, p->style->here, to);
}

static int status_width(const struct diff_report *r)
{
	size_t width = 10;

	for (size_t i = 0; i < r->judgement->count; i++) {
		size_t len = strlen(limit_status_name(r->judgement->verdicts[i].status));
		width = len > width ? len : width;
	}
	return (int)width;
}

static void print_verdict_on_limit(const struct limits_printer *p, const struct limit_verdict *v)
{
	unsigned columns = p->style->wide ? 0 : p->style->width;
	struct text_line line;

	fprintf(p->to, "  %s%-*s%s  ", v->fails ? text_red(p->style) : "", p->width,
		limit_status_name(v->status), v->fails ? text_plain(p->style) : "");
	print_limits_words(p, v, text_line_begin(&line, p->to));
	text_line_end(&line, (unsigned)p->width + 4, columns, INDENT);
	if (!v->acceptance)
		return;
	fprintf(p->to, "%*s", INDENT, "");
	summary_print_acceptance(v, text_line_begin(&line, p->to));
	text_line_end(&line, INDENT, columns, INDENT);
}

/* All that fail; of the others at most some functions for each limit. */
static size_t print_verdicts_on_limits(const struct limits_printer *p, bool failing)
{
	enum { SHOWN = 5 };
	const struct judgement *j = p->r->judgement;
	size_t shown = 0, hidden = 0;

	for (size_t i = 0; i < j->count; i++) {
		const struct limit_verdict *v = &j->verdicts[i];
		if (i && j->verdicts[i - 1].rule.limit != v->rule.limit)
			shown = 0;
		if (v->fails != failing)
			continue;
		if (failing || v->status == LIMIT_ACCEPTED || v->status == LIMIT_TOLERATED ||
		    shown++ < SHOWN)
			print_verdict_on_limit(p, v);
		else
			hidden++;
	}
	return hidden;
}

void diff_limits_text(const struct diff_report *r, const struct text_style *style, FILE *to)
{
	const struct limits_printer printer = { r, style, to, status_width(r) }, *p = &printer;

	fputs("\nLimits\n", p->to);
	print_verdicts_on_limits(p, true);
	size_t hidden = print_verdicts_on_limits(p, false);
	if (hidden)
		fprintf(p->to, "  … and %zu more functions within their limits\n", hidden);
	const char *bench = cg_desc_value(p->r->diff->head, SUBJECT_PREFIX "benchmark");
	if (summary_may_be_accepted(p->r) && bench) {
		fputs("Accept:  irdiff baseline accept ", p->to);
		shell_print_quoted(p->to, bench);
		fputs(" --why=…\n", p->to);
	}
}
