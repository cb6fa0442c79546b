#include <stdlib.h>
#include <string.h>

#include "src/report/remarks.h"
#include "src/report/suite_report.h"
#include "src/report/summary.h"
#include "src/report/text/table.h"
#include "src/text/shell.h"
#include "src/text/wrap.h"

enum { MOST_CAUSES = 3 }; /* or functions */

struct suite_printer {
	const struct suite_report *r;
	const struct text_style *style;
	FILE *to;
};

static const char *suite_color_of(const struct suite_printer *p, const struct diff_report *d)
{
	enum outcome o = summary_outcome(d);
	int64_t base = diff_base_value(d->diff, d->diff->base->total);
	int64_t head = diff_head_value(d->diff, d->diff->head->total);

	if (summary_is_bad(o))
		return text_red(p->style);
	return summary_is_difference(d) && head < base && !diff_tolerates(d->diff, base, head)
		       ? text_green(p->style)
		       : "";
}

/* What passes only as it was accepted is no plain PASS. */
static const char *suite_verdict_of(const struct diff_report *d)
{
	enum outcome o = summary_outcome(d);
	return o == OUTCOME_PASS && summary_count_accepted(d) ? "PASS, accepted"
							      : summary_outcome_name(o);
}

static int add_suite_row(const struct suite_printer *p, struct text_table *t,
			 const struct bench_report *b)
{
	const struct diff_report *d = &b->diff;
	char base[TEXT_NUMBER], head[TEXT_NUMBER], change[TEXT_NUMBER];
	enum diff_missing missing = d->diff->options.missing;
	int64_t from = diff_base_value(d->diff, d->diff->base->total);
	int64_t to = diff_head_value(d->diff, d->diff->head->total);
	const char *cells[] = { missing == DIFF_NO_BASE ? "–" : text_cost(from, base),
				missing == DIFF_NO_HEAD ? "–" : text_cost(to, head),
				missing ? "–" : text_change(from, to, change), suite_verdict_of(d),
				b->name };
	return text_table_add(t, suite_color_of(p, d), cells);
}

static int print_suite_totals(const struct suite_printer *p)
{
	const char *titles[] = { "base", "head", "change", "", "" };
	struct text_table t;
	int status = text_table_init(&t, p->r->count + 1, "rrrll");

	if (!status)
		status = text_table_add(&t, text_dim(p->style), titles);
	for (size_t i = 0; !status && i < p->r->count; i++)
		status = add_suite_row(p, &t, &p->r->benches[i]);
	if (!status)
		text_table_print(&t, p->style, p->to);
	text_table_free(&t);
	return status;
}

/* Of those as well that have not changed. */
static void print_suite_remarks(const struct suite_printer *p)
{
	bool any = false;

	for (size_t i = 0; i < p->r->count; i++)
		any |= p->r->benches[i].diff.remarks && p->r->benches[i].diff.remarks->count;
	fputs(any ? "\n" : "", p->to);
	for (size_t i = 0; i < p->r->count; i++)
		remarks_text(p->r->benches[i].diff.remarks, p->r->benches[i].name, p->style, p->to);
}

static void print_suite_causes(const struct suite_printer *p, const struct diff_report *d)
{
	unsigned width = p->style->wide ? 0 : p->style->width;
	for (size_t i = 0; i < d->ncauses && i < MOST_CAUSES; i++) {
		fputs("  ", p->to);
		summary_print_cause(d, &d->causes->items[d->chosen_causes[i]], width, p->to);
		fputc('\n', p->to);
	}
}

/* What changed, where the profile has no calls. */
static void print_suite_functions(const struct suite_printer *p, const struct diff_report *d)
{
	unsigned width = p->style->wide ? 0 : p->style->width;
	bool known = !summary_is_difference(d) || diff_knows_calls(d->diff);

	for (size_t i = 0; !known && i < d->nrows && i < MOST_CAUSES; i++) {
		fputs("  ", p->to);
		summary_print_function(d, &d->diff->rows[d->rows[i]], width, p->to);
		fputc('\n', p->to);
	}
}

static void print_suite_limit(const struct suite_printer *p, const struct limit_verdict *v)
{
	enum { INDENT = 4 };
	const char *status = limit_status_name(v->status);
	unsigned columns = p->style->wide ? 0 : p->style->width;
	struct text_line line;

	fprintf(p->to, "  %s%s%s  ", v->fails ? text_red(p->style) : "", status,
		v->fails ? text_plain(p->style) : "");
	FILE *to = text_line_begin(&line, p->to);
	summary_print_limit(v, columns, to);
	fputs(": ", to);
	summary_print_counts(v, to);
	text_line_end(&line, INDENT + (unsigned)strlen(status), columns, INDENT);
	if (!v->acceptance)
		return;
	fprintf(p->to, "%*s", INDENT, "");
	summary_print_acceptance(v, text_line_begin(&line, p->to));
	text_line_end(&line, INDENT, columns, INDENT);
}

static void print_limits(const struct suite_printer *p, const struct diff_report *d)
{
	const struct judgement *j = d->judgement;
	for (size_t i = 0; j && i < j->count; i++) {
		const struct limit_verdict *v = &j->verdicts[i];
		if (!v->fails && v->status != LIMIT_ACCEPTED && v->status != LIMIT_TOLERATED)
			continue;
		print_suite_limit(p, v);
	}
}

static void print_suite_bench(const struct suite_printer *p, const struct bench_report *b)
{
	fprintf(p->to, "\n%s", text_bold(p->style));
	text_print_name(p->to, b->name, 0);
	fputs(text_plain(p->style), p->to);
	fputs(": ", p->to);
	summary_print_total(&b->diff, p->to);
	fputc('\n', p->to);
	print_limits(p, &b->diff);
	print_suite_causes(p, &b->diff);
	print_suite_functions(p, &b->diff);
	if (summary_is_difference(&b->diff)) {
		fputs("  irdiff diff ", p->to);
		shell_print_word(p->to, b->diff.base.name);
		fputc(' ', p->to);
		shell_print_word(p->to, b->diff.head.name);
		fputc('\n', p->to);
	}
	if (summary_may_be_accepted(&b->diff)) {
		fputs("  accept it: irdiff baseline accept ", p->to);
		shell_print_quoted(p->to, b->name);
		fputs(" --why=…\n", p->to);
	}
}

void suite_remarks_text(const struct suite_report *r, const struct text_style *style, FILE *to)
{
	remarks_text(r->remarks, NULL, style, to);
	fputs(r->remarks && r->remarks->count ? "\n" : "", to);
}

void suite_failures_text(const struct suite_report *r, const struct text_style *style, FILE *to)
{
	for (size_t i = 0; i < r->nfailures; i++) {
		fprintf(to, "%s%sFAILED%s  ", i ? "" : "\n", text_red(style), text_plain(style));
		text_print_name(to, r->failures[i].name, 0);
		fputs(": could not be measured at ", to);
		text_print_name(to, r->failures[i].where, 0);
		fputc('\n', to);
	}
}

int suite_text(const struct suite_report *r, const struct text_style *style, FILE *to)
{
	const struct suite_printer p = { r, style, to };

	suite_remarks_text(r, style, to);
	int status = print_suite_totals(&p);

	if (status)
		return status;
	summary_print_mean(r, to);
	print_suite_remarks(&p);
	for (size_t i = 0; i < r->count; i++)
		if (summary_has_changes(&r->benches[i].diff))
			print_suite_bench(&p, &r->benches[i]);
	suite_failures_text(r, style, to);
	return CG_OK;
}
