#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "cgprofile/error.h"
#include "src/report/cause_change.h"
#include "src/report/cause_words.h"
#include "src/report/estimates.h"
#include "src/report/merge_causes.h"
#include "src/report/metric_option.h"
#include "src/report/remarks.h"
#include "src/report/suite_report.h"
#include "src/report/summary.h"
#include "src/report/text/profile_words.h"
#include "src/report/text/table.h"
#include "src/text/shell.h"
#include "src/text/short_name.h"
#include "src/text/wrap.h"

enum { MOST_CAUSES = 3 };   /* of a benchmark, or functions */
enum { MERGED_INDENT = 2 }; /* of a cause of several benchmarks */

struct suite_printer {
	const struct suite_report *r;
	bool mixed; /* a row names its metric */
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

static int add_suite_row(const struct suite_printer *p, struct text_table *t,
			 const struct bench_report *b)
{
	const struct diff_report *d = &b->diff;
	char base[TEXT_NUMBER], head[TEXT_NUMBER], change[TEXT_NUMBER];
	char verdict[SUMMARY_VERDICT];
	enum diff_missing missing = d->diff->options.missing;
	int64_t from = diff_base_value(d->diff, d->diff->base->total);
	int64_t to = diff_head_value(d->diff, d->diff->head->total);
	const char *cells[] = { missing == DIFF_NO_BASE ? "–" : text_cost(from, base),
				missing == DIFF_NO_HEAD ? "–" : text_cost(to, head),
				missing ? "–" : text_change(from, to, change),
				summary_verdict(d, verdict),
				p->mixed ? d->diff->options.metric : b->name,
				b->name };
	return text_table_add(t, suite_color_of(p, d), cells);
}

static int print_suite_totals(const struct suite_printer *p)
{
	const char *titles[] = { "base", "head", "change", "", "", "" };
	struct text_table t;
	int status = text_table_init(&t, p->r->count + 1, p->mixed ? "rrrlll" : "rrrll");

	if (!status)
		status = text_table_add(&t, text_dim(p->style), titles);
	for (size_t i = 0; !status && i < p->r->count; i++)
		status = add_suite_row(p, &t, &p->r->benches[i]);
	if (!status)
		text_table_print(&t, p->style, p->to);
	text_table_free(&t);
	return status;
}

static bool is_same_fact(const struct environment_difference *a,
			 const struct environment_difference *b)
{
	return strcmp(a->key, b->key) == 0 && a->base_short && b->base_short && a->head_short &&
	       b->head_short && strcmp(a->base_short, b->base_short) == 0 &&
	       strcmp(a->head_short, b->head_short) == 0;
}

/* Whether a benchmark up to number `count` has it. */
static bool is_fact_of(const struct suite_report *r, size_t count,
		       const struct environment_difference *fact)
{
	for (size_t i = 0; i < count; i++) {
		const struct environment_diff *e = r->benches[i].diff.environment;
		for (size_t k = 0; k < e->nsubject; k++)
			if (is_same_fact(&e->subject[k], fact))
				return true;
	}
	return false;
}

/* What else is another one than the code, each once: compilers, flags and versions. Of libraries,
 * which the project may build, a report on one benchmark tells. */
static void print_suite_facts(const struct suite_printer *p)
{
	enum { MOST = 5 };
	size_t shown = 0;

	for (size_t i = 0; i < p->r->count; i++) {
		const struct environment_diff *e = p->r->benches[i].diff.environment;
		for (size_t k = 0; k < e->nsubject && shown < MOST; k++) {
			const struct environment_difference *fact = &e->subject[k];
			if (!environment_is_news(fact) || fact->kind->shape == FACT_ID ||
			    is_fact_of(p->r, i, fact))
				continue;
			fputs(shown++ ? "" : "\n", p->to);
			text_print_difference(fact, p->style, p->to);
		}
	}
}

static bool is_same_remark(const struct remark *a, const struct remark *b)
{
	const char *x = remark_shared_advice(a), *y = remark_shared_advice(b);

	return strcmp(a->text, b->text) == 0 && strcmp(x ? x : "", y ? y : "") == 0;
}

static const struct remark *find_same_remark(const struct bench_report *b,
					     const struct remark *wanted)
{
	const struct remarks *r = b->diff.remarks;

	for (size_t i = 0; r && i < r->count; i++)
		if (is_same_remark(&r->items[i], wanted))
			return &r->items[i];
	return NULL;
}

/* "a, b, c and 2 more": the benchmarks from number `first` on that have it. NULL: out of memory. */
static char *names_with_remark(const struct suite_report *r, size_t first,
			       const struct remark *remark)
{
	enum { MOST_NAMED = 3 };
	char *names = NULL;
	size_t size, count = 0;
	FILE *to = open_memstream(&names, &size);

	for (size_t i = first; to && i < r->count; i++)
		if (find_same_remark(&r->benches[i], remark) && count++ < MOST_NAMED)
			fprintf(to, "%s%s", count > 1 ? ", " : "", r->benches[i].name);
	if (to && count > MOST_NAMED)
		fprintf(to, " and %zu more", count - MOST_NAMED);
	if (to && fclose(to) == 0)
		return names;
	free(names);
	return NULL;
}

/* Of all benchmarks that have it. */
static const char *advice_for_all(const struct suite_report *r, const struct remark *remark)
{
	for (size_t i = 0; remark->advice && i < r->count; i++) {
		const struct remark *same = find_same_remark(&r->benches[i], remark);
		if (same && strcmp(same->advice, remark->advice) != 0)
			return remark->shared_advice;
	}
	return remark->advice;
}

/* With it all later ones that are the same. */
static void print_suite_remark(const struct suite_printer *p, size_t bench,
			       const struct remark *remark)
{
	for (size_t i = 0; i < bench; i++)
		if (find_same_remark(&p->r->benches[i], remark))
			return;
	char *names = names_with_remark(p->r, bench, remark);
	remark_text(remark, advice_for_all(p->r, remark), names ? names : p->r->benches[bench].name,
		    p->style, p->to);
	free(names);
}

/* Of those as well that have not changed. */
static void print_suite_remarks(const struct suite_printer *p)
{
	bool any = false;

	for (size_t i = 0; i < p->r->count; i++)
		any |= p->r->benches[i].diff.remarks && p->r->benches[i].diff.remarks->count;
	fputs(any ? "\n" : "", p->to);
	for (size_t i = 0; i < p->r->count; i++) {
		const struct remarks *remarks = p->r->benches[i].diff.remarks;
		for (size_t k = 0; remarks && k < remarks->count; k++)
			print_suite_remark(p, i, &remarks->items[k]);
	}
}

/* ---- causes, of all benchmarks ---- */

/* " in a", " in 5 benchmarks: a, b, c and 2 more" */
static void print_benches_of(const struct merged_cause *s, FILE *to)
{
	enum { MOST = 3 };

	if (s->count > 1)
		fprintf(to, " in %zu benchmarks: ", s->count);
	else
		fputs(" in ", to);
	for (size_t i = 0; i < s->count && i < MOST; i++) {
		fputs(i ? ", " : "", to);
		text_print_name(to, s[i].bench->name, 0);
	}
	if (s->count > MOST)
		fprintf(to, " and %zu more", s->count - MOST);
}

/* The first of those that are equal that is estimated; NULL: none. */
static const struct merged_cause *find_estimated(const struct merged_cause *s)
{
	for (size_t i = 0; i < s->count; i++)
		if (s[i].cause && s[i].cause->estimated)
			return &s[i];
	return NULL;
}

/* " (75.0% of the changes)" of these benchmarks together, if all grew or all shrank. */
static void print_share_of_several(const struct merged_cause *s, FILE *to)
{
	const bool grew = s->bench->diff.causes->delta > 0;
	char share[TEXT_NUMBER];
	int64_t changes = 0;

	for (size_t i = 0; i < s->count; i++) {
		const struct causes *causes = s[i].bench->diff.causes;
		if (!summary_has_shares(causes) || (causes->delta > 0) != grew)
			return;
		cg_add_cost_clipped(&changes, causes->delta);
	}
	fprintf(to, " (%s of the changes)", text_part(s->delta, changes, share));
}

/* CG_OK or CG_ENOMEM. */
static int print_change_of_several(const struct merged_cause *s, unsigned names, FILE *to)
{
	struct cause_among *of = calloc(s->count, sizeof *of);

	if (!of)
		return CG_ENOMEM;
	for (size_t i = 0; i < s->count; i++)
		of[i] = (struct cause_among){ s[i].bench->diff.causes, s[i].cause };
	cause_print_changes(of, s->count, names, to);
	free(of);
	return CG_OK;
}

/* Costs and calls are the sums of all. CG_OK or CG_ENOMEM. */
static int print_several_equal(const struct merged_cause *s, unsigned names, FILE *to)
{
	int status = CG_OK;

	if (s->cause && !s->edited)
		status = print_change_of_several(s, names, to);
	else
		fputs(s->edited ? "edited" : s->reason, to);
	fputs(", ", to);
	cause_print_delta(&(struct cause){ .delta = s->delta, .estimated = find_estimated(s) }, to);
	fputc(' ', to);
	text_print_name(to, s->metric, 0);
	if (s->cause)
		print_share_of_several(s, to);
	return status;
}

/* The caller's; NULL: out of memory. */
static char *name_of_merged(const struct merged_cause *s, unsigned width)
{
	char *name = NULL;
	size_t size;
	FILE *to = open_memstream(&name, &size);

	if (!to)
		return NULL;
	if (s->cause)
		summary_print_cause_name(&s->bench->diff, s->cause, width, to);
	else if (s->count > 1)
		text_print_sentence_name(to, s->name, NULL, width);
	else
		summary_print_function_name(s->row, width, to);
	if (fclose(to) == 0)
		return name;
	free(name);
	return NULL;
}

/* A long name is alone in its line if nothing else ends it: in a log, what follows it would be out
 * of sight. */
static int print_merged_name(const struct suite_printer *p, const struct merged_cause *s,
			     unsigned width, struct text_line *line, FILE **rest)
{
	enum { BELOW = 6 };
	char *name = name_of_merged(s, width);

	if (!name)
		return CG_ENOMEM;
	const bool alone = !width && text_width(name) > TEXT_NAME_IN_LINE;
	fprintf(p->to, "%*s", MERGED_INDENT, "");
	if (alone)
		fprintf(p->to, "%s:\n%*s", name, BELOW, "");
	*rest = text_line_begin(line, p->to);
	if (!alone)
		fprintf(*rest, "%s: ", name);
	free(name);
	return CG_OK;
}

static int print_merged_cause(const struct suite_printer *p, const struct merged_cause *s,
			      bool several)
{
	unsigned width = p->style->wide ? 0 : p->style->width;
	unsigned names = p->style->wide ? 0 : TEXT_SENTENCE_NAME;
	struct text_line line;
	FILE *to;
	int status = print_merged_name(p, s, width, &line, &to);

	if (status)
		return status;
	if (s->count > 1)
		status = print_several_equal(s, names, to);
	else if (s->cause)
		summary_print_cause_change(&s->bench->diff, s->cause, names, to);
	else
		summary_print_function_change(&s->bench->diff, s->row, to);
	if (s->at) {
		fputs(" at ", to);
		cause_print_place(s->at, to);
		if (s->cause && !s->edited)
			cause_print_edit_mark(s->cause, to);
	}
	if (several)
		print_benches_of(s, to);
	text_line_end(&line, MERGED_INDENT, width, 2 * MERGED_INDENT);
	return status;
}

static void print_suite_causes_title(const struct suite_printer *p, const struct merged_causes *l,
				     bool several)
{
	fprintf(p->to, "\nCauses of the change%s", several ? "s" : " in ");
	if (!several)
		text_print_name(p->to, l->items[0].bench->name, 0);
	fputc('\n', p->to);
}

static int print_suite_estimates(const struct suite_printer *p, const struct diff_report *r)
{
	char *why = estimates_explain(r->causes->tree);

	if (!why)
		return CG_ENOMEM;
	fprintf(p->to, "  ~ marks estimates%s.\n", why);
	free(why);
	return CG_OK;
}

/* Keeps the first causes of each benchmark, of all at most `most`, the largest first. Returns how
 * many of them it leaves out. */
static size_t choose_suite_causes(struct merged_causes *l, size_t most, bool *smaller)
{
	size_t chosen = 0, hidden = 0;

	for (size_t i = 0; i < l->nmerged; i++) {
		if (l->merged[i]->first_place >= MOST_CAUSES)
			*smaller = true;
		else if (chosen == most)
			hidden++;
		else
			l->merged[chosen++] = l->merged[i];
	}
	l->nmerged = chosen;
	merged_causes_sort(l);
	return hidden;
}

/* The first causes of each benchmark that changed, equal ones once, or functions where calls are
 * not known. */
static int print_suite_causes(const struct suite_printer *p)
{
	enum { MOST_LINES = 20 };
	const size_t top = p->r->benches[0].diff.top;
	size_t hidden = 0;
	struct merged_causes l = { 0 };
	const struct merged_cause *estimated = NULL;
	bool several = false, smaller = false;
	int status = CG_OK;

	for (size_t i = 0; !status && i < p->r->count; i++)
		if (summary_has_changes(&p->r->benches[i].diff))
			status = merged_causes_add(&l, &p->r->benches[i], MERGE_ALL);
	if (!status)
		status = merged_causes_make(&l, true);
	for (size_t i = 1; i < l.count; i++)
		several |= l.items[i].bench != l.items[0].bench;
	if (!status)
		hidden = choose_suite_causes(&l,
					     top == DIFF_TOP_AUTO ? MOST_LINES
					     : top                ? top
								  : l.nmerged,
					     &smaller);
	for (size_t i = 0; !status && i < l.nmerged; i++) {
		if (!estimated)
			estimated = find_estimated(l.merged[i]);
		if (!i)
			print_suite_causes_title(p, &l, several);
		status = print_merged_cause(p, l.merged[i], several);
	}
	text_print_more(l.nmerged + hidden, l.nmerged, p->to);
	fputs(l.nmerged && !hidden && smaller
		      ? "  … and smaller ones, which the commands below show\n"
		      : "",
	      p->to);
	if (!status && estimated)
		status = print_suite_estimates(p, &estimated->bench->diff);
	merged_causes_free(&l);
	return status;
}

/* ---- limits ---- */

static void print_suite_limit(const struct suite_printer *p, const struct bench_report *b,
			      const struct limit_verdict *v)
{
	enum { INDENT = 4 };
	const char *status = limit_status_name(v->status);
	unsigned columns = p->style->wide ? 0 : p->style->width;
	struct text_line line;

	fprintf(p->to, "  %s%s%s  ", v->fails ? text_red(p->style) : "", status,
		v->fails ? text_plain(p->style) : "");
	FILE *to = text_line_begin(&line, p->to);
	text_print_name(to, b->name, 0);
	fputs(": ", to);
	summary_print_limit(v, columns, to);
	fputs(": ", to);
	summary_print_allowed(&b->diff, v, to);
	summary_print_limit_place(v->rule.limit, p->style->here, to);
	text_line_end(&line, INDENT + (unsigned)strlen(status), columns, INDENT);
	if (!v->acceptance)
		return;
	fprintf(p->to, "%*s", INDENT, "");
	summary_print_acceptance(v, text_line_begin(&line, p->to));
	text_line_end(&line, INDENT, columns, INDENT);
}

/* Those that are not simply kept. */
static void print_suite_limits(const struct suite_printer *p)
{
	const char *title = "\nLimits\n";

	for (size_t i = 0; i < p->r->count; i++) {
		const struct bench_report *b = &p->r->benches[i];
		const struct judgement *j = b->diff.judgement;
		for (size_t k = 0; j && k < j->count; k++) {
			const struct limit_verdict *v = &j->verdicts[k];
			if (!v->fails && v->status != LIMIT_ACCEPTED &&
			    v->status != LIMIT_TOLERATED)
				continue;
			fputs(title, p->to);
			title = "";
			print_suite_limit(p, b, v);
		}
	}
}

/* ---- what to do next ---- */

/* Without names, all are accepted. */
static void print_suite_accept(const struct suite_printer *p)
{
	enum { MOST = 5 };
	size_t n = 0;

	for (size_t i = 0; i < p->r->count; i++)
		n += summary_may_be_accepted(&p->r->benches[i].diff);
	if (n == 0)
		return;
	fputs("\nAccept:  irdiff baseline accept", p->to);
	for (size_t i = 0; n <= MOST && i < p->r->count; i++) {
		if (!summary_may_be_accepted(&p->r->benches[i].diff))
			continue;
		fputc(' ', p->to);
		shell_print_quoted(p->to, p->r->benches[i].name);
	}
	fputs(" --why=…\n", p->to);
}

/* Those that fail first. */
static void print_suite_commands(const struct suite_printer *p)
{
	enum { MOST = 5 };
	size_t n = 0;

	for (int bad = 1; bad >= 0; bad--) {
		for (size_t i = 0; i < p->r->count; i++) {
			const struct diff_report *d = &p->r->benches[i].diff;
			if (!summary_is_difference(d) || !summary_has_changes(d) ||
			    summary_is_bad(summary_outcome(d)) != bad || n++ >= MOST)
				continue;
			fputs(n == 1 ? "\nDetails: irdiff diff" : "         irdiff diff", p->to);
			print_metric_option(d->diff, p->to);
			fprintf(p->to, "%s ", summary_details_option(d));
			shell_print_word(p->to, d->base.name);
			fputc(' ', p->to);
			shell_print_word(p->to, d->head.name);
			fputc('\n', p->to);
		}
	}
	if (n > MOST)
		fprintf(p->to, "         … and %zu more\n", n - MOST);
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
	const struct suite_printer p = { r, summary_mixes_metrics(r), style, to };

	suite_remarks_text(r, style, to);
	int status = print_suite_totals(&p);

	if (status)
		return status;
	summary_print_mean(r, to);
	print_suite_facts(&p);
	print_suite_remarks(&p);
	print_suite_limits(&p);
	status = print_suite_causes(&p);
	if (status)
		return status;
	print_suite_accept(&p);
	print_suite_commands(&p);
	suite_failures_text(r, style, to);
	return CG_OK;
}
