#include "src/report/markdown.h"

#include <stdlib.h>
#include <string.h>

const char *md_outcome(enum outcome o)
{
	static const char *const names[] = { "NEUTRAL", "⚠️ REGRESSION", "✅ IMPROVEMENT", "✅ PASS",
					     "⚠️ NOT COMPARABLE" };
	return names[o];
}

void md_heading(struct md_page *p, unsigned level, const char *title)
{
	fprintf(p->to, "\n%.*s %s\n\n", (int)level, "######", title);
}

/* ---- one of several benchmarks ---- */

static void print_overview_row(struct md_page *p, const struct bench_report *b)
{
	const struct diff *d = b->diff.diff;
	char base[TEXT_NUMBER], head[TEXT_NUMBER], change[TEXT_NUMBER];
	int64_t bt = diff_base_value(d, d->base->total), ht = diff_head_value(d, d->head->total);

	fputs("| ", p->to);
	md_code(p, b->name, MD_CELL);
	fputs(" | ", p->to);
	md_code(p, d->options.metric, MD_CELL);
	fprintf(p->to, " | %s | %s | %s | %s", text_cost(bt, base), text_cost(ht, head),
		text_change(bt, ht, change), md_outcome(summary_outcome(&b->diff)));
	if (b->diff.environment->count)
		fputs(", environments differ", p->to);
	fputs(" |\n", p->to);
}

static void print_overview_rows(struct md_page *p, const struct suite_report *r, bool changed,
				unsigned dispensable)
{
	p->table = true;
	fputs("| benchmark | metric | base | head | change | verdict |\n"
	      "|---|---|--:|--:|--:|---|\n", p->to);
	for (size_t i = 0; i < r->count; i++) {
		if (summary_has_changes(&r->benches[i].diff) != changed)
			continue;
		md_row(p, dispensable);
		print_overview_row(p, &r->benches[i]);
	}
	md_rows_end(p, "benchmarks");
	p->table = false;
}

static size_t count_changed(const struct suite_report *r)
{
	size_t n = 0;
	for (size_t i = 0; i < r->count; i++)
		n += summary_has_changes(&r->benches[i].diff);
	return n;
}

/* Of several benchmarks the gravest. */
static enum outcome suite_outcome(const struct suite_report *r)
{
	enum outcome worst = OUTCOME_NEUTRAL;
	bool better = false, pass = true;

	for (size_t i = 0; i < r->count; i++) {
		enum outcome o = summary_outcome(&r->benches[i].diff);
		if (o == OUTCOME_UNTRUSTED)
			return o;
		if (o == OUTCOME_REGRESSION)
			worst = o;
		better |= o == OUTCOME_IMPROVEMENT;
		pass &= o == OUTCOME_PASS;
	}
	if (worst == OUTCOME_REGRESSION)
		return worst;
	return pass ? OUTCOME_PASS : better ? OUTCOME_IMPROVEMENT : OUTCOME_NEUTRAL;
}

static void print_suite_verdict(struct md_page *p, const struct suite_report *r)
{
	size_t counts[OUTCOME_UNTRUSTED + 1] = { 0 };
	const char *comma = "";
	double mean;

	for (size_t i = 0; i < r->count; i++)
		counts[summary_outcome(&r->benches[i].diff)]++;
	fprintf(p->to, "**%s**: of %zu benchmarks ", md_outcome(suite_outcome(r)), r->count);
	static const char *const words[] = { "neutral", "with a regression", "improved",
					     "within all limits", "not comparable" };
	static const enum outcome order[] = { OUTCOME_UNTRUSTED, OUTCOME_REGRESSION, OUTCOME_IMPROVEMENT, OUTCOME_PASS,
					      OUTCOME_NEUTRAL };
	for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
		if (!counts[order[i]])
			continue;
		fprintf(p->to, "%s%zu %s", comma, counts[order[i]], words[order[i]]);
		comma = ", ";
	}
	fputs(".", p->to);
	if (summary_geometric_mean(r, &mean))
		fprintf(p->to, " Geometric mean of head / base: **%.4f** (%+.2f%%; speed change "
			       "%+.2f%%).", mean, (mean - 1) * 100, (1 / mean - 1) * 100);
	fputs("\n\n", p->to);
}

static void print_overview(struct md_page *p, const struct suite_report *r)
{
	size_t changed = count_changed(r), same = r->count - changed;

	fputs("## Performance of ", p->to);
	fprintf(p->to, "%zu benchmarks: %s\n\n", r->count, md_outcome(suite_outcome(r)));
	print_suite_verdict(p, r);
	if (changed)
		print_overview_rows(p, r, true, MD_KEEP_LONGEST);
	if (!same)
		return;
	fprintf(p->to, "\n<details><summary>%zu benchmark%s without a change</summary>\n\n", same,
		same == 1 ? "" : "s");
	print_overview_rows(p, r, false, MD_UNCHANGED);
	fputs("\n</details>\n", p->to);
}

/* Sections of the first `most` benchmarks that changed. */
static int print_suite(struct md_page *p, const struct suite_report *r, size_t most)
{
	size_t changed = count_changed(r), shown = 0;
	int status = CG_OK;

	print_overview(p, r);
	for (size_t i = 0; !status && i < r->count && shown < most; i++) {
		if (!summary_has_changes(&r->benches[i].diff))
			continue;
		shown++;
		fputs("\n### ", p->to);
		md_code(p, r->benches[i].name, MD_NAME);
		fputs("\n\n", p->to);
		status = md_bench(p, &r->benches[i], 4);
	}
	if (shown < changed)
		fprintf(p->to, "\n*… and %zu more benchmarks that changed, left out to keep within the "
			       "%d characters of a comment.*\n", changed - shown, MARKDOWN_LIMIT);
	return status;
}

/* ---- the page ---- */

static int print_single(struct md_page *p, const struct bench_report *b)
{
	fprintf(p->to, "## Performance of ");
	md_code(p, b->name, MD_NAME);
	fprintf(p->to, ": %s\n\n", md_outcome(summary_outcome(&b->diff)));
	return md_bench(p, b, 3);
}

static void print_footer(struct md_page *p, const struct diff_report *r)
{
	char least[TEXT_NUMBER];

	fprintf(p->to, "\n---\n<sub>Event counts of Valgrind's callgrind, compared by irdiff. A change "
		       "counts from an impact (the difference as a share of the base's total) of %g%% on",
		(double)r->diff->options.threshold_ppb / 1e7);
	if (r->diff->options.min_delta > 1)
		fprintf(p->to, ", and a difference of %s", text_count(r->diff->options.min_delta, least));
	fputs(".</sub>\n", p->to);
}

/* One attempt at a page with so many benchmarks; *fits says whether leaving rows out is enough. */
static int make_page(struct md_page *p, const struct suite_report *r, bool titles, size_t most,
		     size_t *units)
{
	int status = md_page_begin(p, titles);

	if (!status)
		status = r->count == 1 ? print_single(p, r->benches) : print_suite(p, r, most);
	if (!status) {
		print_footer(p, &r->benches[0].diff);
		status = md_page_end(p, units);
	}
	return status;
}

/* Whole names go first, then rows, then benchmarks. */
int suite_markdown(const struct suite_report *r, FILE *to)
{
	struct md_page page;
	size_t units = 0, most = count_changed(r);
	int status = make_page(&page, r, true, most, &units);

	for (bool again = units > MARKDOWN_LIMIT; !status && again;) {
		md_page_free(&page);
		status = make_page(&page, r, false, most, &units);
		again = !status && md_page_least(&page) > MARKDOWN_LIMIT && most > 0;
		most = most * 3 / 4;
	}
	if (!status)
		status = md_page_write(&page, MARKDOWN_LIMIT, to);
	md_page_free(&page);
	return status;
}
