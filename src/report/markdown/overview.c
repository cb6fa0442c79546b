#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "cgprofile/error.h"
#include "src/diff/metric.h"
#include "src/report/markdown/markdown.h"
#include "src/report/metric_words.h"

static int64_t md_base_total(const struct diff *d)
{
	return diff_base_value(d, d->base->total);
}

static int64_t md_head_total(const struct diff *d)
{
	return diff_head_value(d, d->head->total);
}

/* ---- the order ---- */

static int compare_md_ranked(const void *left, const void *right)
{
	const struct ranked_bench *a = left, *b = right;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	if (a->share != b->share)
		return a->share > b->share ? -1 : 1;
	return (a->bench > b->bench) - (a->bench < b->bench);
}

static struct ranked_bench rank(const struct bench_report *b)
{
	const struct diff *d = b->diff.diff;
	int64_t bt = md_base_total(d), ht = md_head_total(d);
	bool bad = summary_is_bad(summary_outcome(&b->diff));
	bool changed = summary_has_changes(&b->diff);

	return (struct ranked_bench){
		.bench = b,
		.changed = changed,
		.rank = bad       ? 0
			: changed ? 1
				  : 2,
		.share = (double)cg_distance(bt, ht) / (bt ? (double)cg_magnitude(bt) : 1),
	};
}

int md_rank(const struct suite_report *r, struct ranked_suite *out)
{
	struct ranked_suite s = { .r = r, .benches = calloc(r->count, sizeof *s.benches) };

	if (!s.benches)
		return CG_ENOMEM;
	for (size_t i = 0; i < r->count; i++) {
		s.benches[i] = rank(&r->benches[i]);
		s.changed += s.benches[i].changed;
	}
	qsort(s.benches, r->count, sizeof *s.benches, compare_md_ranked);
	*out = s;
	return CG_OK;
}

/* ---- the title ---- */

static const char *md_outcome(enum outcome o)
{
	static const char *const names[] = { "NEUTRAL",
					     "⚠️ REGRESSION",
					     "✅ IMPROVEMENT",
					     "✅ PASS",
					     "✅ WITHIN TOLERANCE",
					     "NEW",
					     "REMOVED",
					     "⚠️ MISSING IN HEAD",
					     "⚠️ LIMIT EXCEEDED",
					     "⚠️ LIMIT NOT JUDGED",
					     "⚠️ INCONCLUSIVE",
					     "⚠️ NOT COMPARABLE" };
	return names[o];
}

/* "+75.0% `Ir`"; what is too little for percents is "+3 `Ir`". */
static void print_title_change(struct md_page *p, const struct diff *d)
{
	int64_t b = md_base_total(d), h = md_head_total(d);
	char change[TEXT_NUMBER];

	text_change(b, h, change);
	if (*change != '+' && *change != '-')
		text_delta(b, h, change);
	fprintf(p->to, " %s ", change);
	md_code(p, d->options.metric, MD_CELL);
}

static void print_single_title(struct md_page *p, const struct bench_report *b)
{
	const struct diff *d = b->diff.diff;

	fprintf(p->to, "## %s: ", md_outcome(summary_outcome(&b->diff)));
	md_code(p, b->name, MD_NAME);
	if (summary_is_difference(&b->diff) && md_base_total(d) != md_head_total(d))
		print_title_change(p, d);
	fputs("\n", p->to);
}

/* The gravest first. What is neutral says least. */
static const enum outcome by_gravity[] = {
	OUTCOME_UNTRUSTED, OUTCOME_REGRESSION,   OUTCOME_EXCEEDED, OUTCOME_MISSING,
	OUTCOME_UNJUDGED,  OUTCOME_INCONCLUSIVE, OUTCOME_PASS,     OUTCOME_IMPROVEMENT,
	OUTCOME_TOLERATED, OUTCOME_NEUTRAL,      OUTCOME_NEW,      OUTCOME_REMOVED,
};

/* A heap is measured besides instructions, by a run of its own. */
static bool have_heaps(const struct suite_report *r)
{
	for (size_t i = 0; i < r->count; i++)
		if (metric_is_heap(r->benches[i].diff.diff->base) ||
		    metric_is_heap(r->benches[i].diff.diff->head))
			return true;
	return false;
}

/* "## ⚠️ REGRESSION: 5 regressed, 95 unchanged of 100 benchmarks" */
static void print_suite_title(struct md_page *p, const struct suite_report *r)
{
	static const char *const words[] = { "unchanged",
					     "regressed",
					     "improved",
					     "within limits",
					     "within tolerance",
					     "new",
					     "removed",
					     "missing in head",
					     "with a limit exceeded",
					     "with a limit not judged",
					     "inconclusive",
					     "not comparable" };
	size_t counts[OUTCOMES] = { 0 }, unlimited = 0;
	const char *lead = "";

	for (size_t i = 0; i < r->count; i++) {
		bool lacks = summary_lacks_limit(&r->benches[i].diff);
		counts[summary_outcome(&r->benches[i].diff)] += !lacks;
		unlimited += lacks;
	}
	for (size_t i = 0; i < OUTCOMES; i++) {
		enum outcome o = by_gravity[i];
		size_t others = o == OUTCOME_PASS ? unlimited : 0;
		if (!counts[o] && !others)
			continue;
		if (!*lead)
			fprintf(p->to, "## %s: ", md_outcome(o));
		if (counts[o])
			fprintf(p->to, "%s%zu %s", lead, counts[o], words[o]);
		if (others)
			fprintf(p->to, "%s%zu with no limit on the total", counts[o] ? ", " : lead,
				others);
		lead = ", ";
	}
	fprintf(p->to, " of %zu %s\n", r->count, have_heaps(r) ? "measurements" : "benchmarks");
}

/* ---- the table ---- */

/* Those that were judged, or fail as they could not be. */
static size_t count_limits(const struct diff_report *r)
{
	size_t n = 0;

	for (size_t i = 0; r->judgement && i < r->judgement->count; i++) {
		const struct limit_verdict *v = &r->judgement->verdicts[i];
		n += v->fails || limit_was_judged(v->status);
	}
	return n;
}

/* A limit that matches no function, or has no base, fails, too. */
static bool fails_only_by_excess(const struct diff_report *r)
{
	for (size_t i = 0; i < r->judgement->count; i++)
		if (r->judgement->verdicts[i].fails &&
		    r->judgement->verdicts[i].status != LIMIT_EXCEEDED)
			return false;
	return true;
}

/* What fails, or which way it went; "" where neither is so. */
static void print_row_sign(struct md_page *p, const struct diff_report *r)
{
	size_t failing = summary_count_failing(r), all = count_limits(r);

	switch (summary_outcome(r)) {
	case OUTCOME_INCONCLUSIVE:
		fputs(" ⚠️ inconclusive", p->to);
		break;
	case OUTCOME_UNTRUSTED:
		fputs(" ⚠️ not comparable", p->to);
		break;
	case OUTCOME_MISSING:
		fputs(" ⚠️ missing in head", p->to);
		break;
	case OUTCOME_IMPROVEMENT:
		fputs(" ✅", p->to);
		break;
	case OUTCOME_REGRESSION:
	case OUTCOME_EXCEEDED:
	case OUTCOME_UNJUDGED:
		fputs(" ⚠️", p->to);
		if (failing)
			fprintf(p->to, " %zu of %zu limit%s %s", failing, all, all == 1 ? "" : "s",
				fails_only_by_excess(r) ? "exceeded" : "failed");
		break;
	default:
		break;
	}
}

static void print_row_tolerance(struct md_page *p, const struct diff_report *r)
{
	const struct diff *d = r->diff;
	size_t tolerated = summary_count_tolerated(r);
	char tolerance[TEXT_NUMBER];

	if (diff_tolerates(d, md_base_total(d), md_head_total(d)))
		fprintf(p->to, ", within the tolerance of %s", text_count(d->tolerance, tolerance));
	else if (tolerated)
		fprintf(p->to, ", %zu limit%s within the tolerance", tolerated,
			tolerated == 1 ? "" : "s");
}

static void print_row_change(struct md_page *p, const struct diff_report *r)
{
	const struct diff *d = r->diff;
	enum diff_missing missing = d->options.missing;
	char change[TEXT_NUMBER];

	if (missing == DIFF_NO_BASE)
		fputs(" | new", p->to);
	else if (missing == DIFF_NO_HEAD)
		fputs(summary_count_failing(r) ? " |" : " | removed", p->to);
	else
		fprintf(p->to, " | %s", text_change(md_base_total(d), md_head_total(d), change));
	print_row_sign(p, r);
	print_row_tolerance(p, r);
	fputs(summary_count_accepted(r) ? ", accepted" : "", p->to);
	fputs(summary_lacks_limit(r) ? ", no limit on the total" : "", p->to);
	fputs(r->not_run ? ", measured earlier" : "", p->to);
}

enum overview_columns { OVERVIEW_METRIC = 1, OVERVIEW_CAUSE = 2 };

static void print_overview_row(struct md_page *p, const struct bench_report *b, unsigned columns)
{
	const struct diff *d = b->diff.diff;
	enum diff_missing missing = d->options.missing;
	char base[TEXT_NUMBER], head[TEXT_NUMBER];

	md_code(p, b->name, MD_CELL);
	if (columns & OVERVIEW_METRIC) {
		fputs(" | ", p->to);
		md_code(p, d->options.metric, MD_CELL);
	}
	fprintf(p->to, " | %s | %s",
		missing == DIFF_NO_BASE ? "–" : text_cost(md_base_total(d), base),
		missing == DIFF_NO_HEAD ? "–" : text_cost(md_head_total(d), head));
	print_row_change(p, &b->diff);
	if (columns & OVERVIEW_CAUSE) {
		fputs(" | ", p->to);
		md_top_cause(p, &b->diff);
	}
}

static void print_overview_titles(struct md_page *p, const struct ranked_suite *s, unsigned columns)
{
	p->table = true;
	fputs("| benchmark |", p->to);
	if (columns & OVERVIEW_METRIC) {
		fputs(" metric | base", p->to);
	} else {
		const struct diff *first = s->r->benches[0].diff.diff;
		const char *unit = compared_unit(first);
		fputs(" base (", p->to);
		md_code(p, first->options.metric, MD_HALF);
		if (*unit) {
			fputs(" in ", p->to);
			md_code(p, unit, MD_HALF);
		}
		fputc(')', p->to);
	}
	fprintf(p->to, " | head | change |%s\n|---|%s--:|--:|---|%s\n",
		columns & OVERVIEW_CAUSE ? " top cause |" : "",
		columns & OVERVIEW_METRIC ? "---|" : "", columns & OVERVIEW_CAUSE ? "---|" : "");
}

static void print_overview_rows(struct md_page *p, const struct ranked_suite *s, size_t first,
				size_t end, unsigned dispensable)
{
	unsigned columns = (summary_mixes_metrics(s->r) ? OVERVIEW_METRIC : 0) |
			   (dispensable == MD_OVERVIEW ? OVERVIEW_CAUSE : 0);

	print_overview_titles(p, s, columns);
	for (size_t i = first; i < end; i++) {
		md_row(p, dispensable);
		fputs("| ", p->to);
		print_overview_row(p, s->benches[i].bench, columns);
		fputs(" |\n", p->to);
	}
	md_rows_end(p, "benchmarks");
	p->table = false;
}

/* ---- one that did not change ---- */

/* "100,000 `Ir` in base and head; no function changed, 3 limits kept." */
static void print_nothing(struct md_page *p, const struct diff_report *r)
{
	const struct diff *d = r->diff;
	int64_t b = md_base_total(d), h = md_head_total(d);
	char base[TEXT_NUMBER], head[TEXT_NUMBER], change[TEXT_NUMBER];
	size_t judged = summary_count_judged(r);

	fputc('\n', p->to);
	if (b != h)
		fprintf(p->to, "%s → ", text_cost(b, base));
	fprintf(p->to, "%s ", text_cost(h, head));
	md_code(p, d->options.metric, MD_CELL);
	if (b == h)
		fputs(" in base and head", p->to);
	else
		fprintf(p->to, " (%s)", text_change(b, h, change));
	fputs("; no ", p->to);
	summary_print_no_rows(r, p->to);
	if (judged)
		fprintf(p->to, ", %zu limit%s kept", judged, judged == 1 ? "" : "s");
	fputs(".\n", p->to);
}

static bool has_row(const struct ranked_bench *b)
{
	const struct diff_report *r = &b->bench->diff;
	return b->changed || r->nrows || !summary_is_difference(r) ||
	       summary_outcome(r) == OUTCOME_TOLERATED;
}

void md_overview(struct md_page *p, const struct ranked_suite *s)
{
	size_t count = s->r->count, rows = s->changed;

	if (count == 1) {
		print_single_title(p, s->r->benches);
		rows = has_row(s->benches);
	} else {
		print_suite_title(p, s->r);
	}
	if (rows) {
		fputc('\n', p->to);
		print_overview_rows(p, s, 0, rows, MD_OVERVIEW);
	} else if (count == 1) {
		print_nothing(p, &s->benches[0].bench->diff);
	}
	if (count > 1 && s->changed)
		summary_print_mean(s->r, p->to);
}

void md_unchanged(struct md_page *p, const struct ranked_suite *s)
{
	size_t count = s->r->count, same = count - s->changed;

	if (!same)
		return;
	md_block(p, NULL, "%zu benchmark%s without a significant change", same,
		 same == 1 ? "" : "s");
	print_overview_rows(p, s, s->changed, count, MD_UNCHANGED);
	md_block_end(p);
}
