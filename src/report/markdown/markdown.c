#include "src/report/markdown/markdown.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"

const char *md_outcome(enum outcome o)
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
					     "⚠️ INCONCLUSIVE",
					     "⚠️ NOT COMPARABLE" };
	return names[o];
}

void md_heading(struct md_page *p, unsigned level, const char *title)
{
	fprintf(p->to, "\n%.*s %s\n\n", (int)level, "######", title);
}

/* ---- tables ---- */

static void print_md_titles(struct md_page *p, const struct report_table *t)
{
	for (size_t i = 0; i < t->ncolumns; i++)
		fprintf(p->to, "| %s%s", table_title(t, &t->columns[i]),
			*table_title(t, &t->columns[i]) ? " " : "");
	fputs("|\n", p->to);
	for (size_t i = 0; i < t->ncolumns; i++)
		fputs(table_is_text(&t->columns[i]) ? "|---" : "|--:", p->to);
	fputs("|\n", p->to);
}

static void print_cell(struct md_page *p, const struct table_column *c, const union table_row *row)
{
	char buffer[TEXT_PAIR];
	const char *text = table_text(c, row, buffer);

	if (c->kind == CELL_NAME)
		md_code(p, text, MD_CELL);
	else
		fputs(text + strspn(text, " "), p->to);
}

void md_table(struct md_page *p, const struct report_table *t, md_cell_writer *own,
	      unsigned dispensable, const char *what)
{
	union table_row row;

	print_md_titles(p, t);
	p->table = true;
	for (size_t i = 0; i < t->nrows; i++) {
		md_row(p, dispensable);
		t->fill(t, i, &row);
		for (size_t k = 0; k < t->ncolumns; k++) {
			fputs(k ? " | " : "| ", p->to);
			if (t->columns[k].kind == CELL_OWN)
				own(p, t, i, &t->columns[k]);
			else
				print_cell(p, &t->columns[k], &row);
		}
		fputs(" |\n", p->to);
	}
	md_rows_end(p, what);
	p->table = false;
}

/* ---- the benchmarks, the worst first ---- */

struct ranked_bench {
	const struct bench_report *bench;
	bool changed;
	unsigned rank; /* 0: broken limits, regressions; 1: other changes; 2: none */
	double share;  /* of base, without sign */
};

struct ranked_suite {
	const struct suite_report *r;
	struct ranked_bench *benches;
	size_t changed; /* that many of them */
};

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
	int64_t bt = diff_base_value(d, d->base->total), ht = diff_head_value(d, d->head->total);
	enum outcome o = summary_outcome(&b->diff);
	bool changed = summary_has_changes(&b->diff);

	return (struct ranked_bench){
		.bench = b,
		.changed = changed,
		.rank = summary_is_bad(o) ? 0
			: changed         ? 1
					  : 2,
		.share = (double)cg_distance(bt, ht) / (bt ? (double)cg_magnitude(bt) : 1),
	};
}

static int rank_benches(const struct suite_report *r, struct ranked_suite *out)
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

/* ---- the overview of several ---- */

static void print_overview_row(struct md_page *p, const struct bench_report *b)
{
	const struct diff *d = b->diff.diff;
	char base[TEXT_NUMBER], head[TEXT_NUMBER], change[TEXT_NUMBER];
	int64_t bt = diff_base_value(d, d->base->total), ht = diff_head_value(d, d->head->total);

	fputs("| ", p->to);
	md_code(p, b->name, MD_CELL);
	fputs(" | ", p->to);
	md_code(p, d->options.metric, MD_CELL);
	enum diff_missing missing = d->options.missing;
	fprintf(p->to, " | %s | %s | %s | %s", missing == DIFF_NO_BASE ? "–" : text_cost(bt, base),
		missing == DIFF_NO_HEAD ? "–" : text_cost(ht, head),
		missing ? "–" : text_change(bt, ht, change), md_outcome(summary_outcome(&b->diff)));
	if (summary_count_accepted(&b->diff))
		fputs(", accepted", p->to);
	if (b->diff.environment->moving)
		fputs(", environments differ", p->to);
	fputs(" |\n", p->to);
}

static void print_overview_rows(struct md_page *p, const struct ranked_suite *s, size_t first,
				size_t end, unsigned dispensable)
{
	p->table = true;
	fputs("| benchmark | metric | base | head | change | verdict |\n"
	      "|---|---|--:|--:|--:|---|\n",
	      p->to);
	for (size_t i = first; i < end; i++) {
		md_row(p, dispensable);
		print_overview_row(p, s->benches[i].bench);
	}
	md_rows_end(p, "benchmarks");
	p->table = false;
}

/* The gravest first. What is neutral says least. */
static const enum outcome by_gravity[] = {
	OUTCOME_UNTRUSTED,    OUTCOME_REGRESSION, OUTCOME_EXCEEDED,    OUTCOME_MISSING,
	OUTCOME_INCONCLUSIVE, OUTCOME_PASS,       OUTCOME_IMPROVEMENT, OUTCOME_TOLERATED,
	OUTCOME_NEUTRAL,      OUTCOME_NEW,        OUTCOME_REMOVED,
};

static void count_outcomes(const struct suite_report *r, size_t counts[OUTCOMES])
{
	for (size_t i = 0; i < r->count; i++)
		counts[summary_outcome(&r->benches[i].diff)]++;
}

/* Of several benchmarks the gravest. */
static enum outcome suite_outcome(const struct suite_report *r)
{
	size_t counts[OUTCOMES] = { 0 }, i = 0;

	count_outcomes(r, counts);
	while (!counts[by_gravity[i]])
		i++;
	return by_gravity[i];
}

static void print_suite_verdict(struct md_page *p, const struct suite_report *r)
{
	size_t counts[OUTCOMES] = { 0 };
	const char *comma = "";
	double mean;

	count_outcomes(r, counts);
	fprintf(p->to, "**%s**: %zu benchmarks: ", md_outcome(suite_outcome(r)), r->count);
	static const char *const words[] = {
		"unchanged",     "regressed",        "improved",
		"within limits", "within tolerance", "new",
		"removed",       "missing in head",  "with a limit exceeded",
		"inconclusive",  "not comparable"
	};
	for (size_t i = 0; i < OUTCOMES; i++) {
		if (!counts[by_gravity[i]])
			continue;
		fprintf(p->to, "%s%zu %s", comma, counts[by_gravity[i]], words[by_gravity[i]]);
		comma = ", ";
	}
	fputs(".", p->to);
	if (summary_geometric_mean(r, &mean))
		fprintf(p->to,
			" Geometric mean of head / base: **%.4f** (%+.2f%%; speed change "
			"%+.2f%%).",
			mean, (mean - 1) * 100, (1 / mean - 1) * 100);
	fputs("\n\n", p->to);
}

/* Of those as well that have not changed, and of each only here. */
static void print_md_remarks(struct md_page *p, const struct suite_report *r)
{
	for (size_t i = 0; i < r->count; i++)
		md_remarks(p, r->benches[i].diff.remarks, r->benches[i].name);
}

static void print_overview(struct md_page *p, const struct ranked_suite *s)
{
	size_t count = s->r->count, same = count - s->changed;

	fprintf(p->to, "## Performance of %zu benchmarks: %s\n\n", count,
		md_outcome(suite_outcome(s->r)));
	print_suite_verdict(p, s->r);
	print_md_remarks(p, s->r);
	if (s->changed)
		print_overview_rows(p, s, 0, s->changed, MD_KEEP_LONGEST);
	if (!same)
		return;
	fprintf(p->to, "\n<details><summary>%zu benchmark%s without a change</summary>\n\n", same,
		same == 1 ? "" : "s");
	print_overview_rows(p, s, s->changed, count, MD_UNCHANGED);
	fputs("\n</details>\n", p->to);
}

/* With sections of the first `most` benchmarks that changed. */
static int print_suite(struct md_page *p, const struct ranked_suite *s, size_t most)
{
	int status = CG_OK;

	print_overview(p, s);
	for (size_t i = 0; !status && i < s->changed && i < most; i++) {
		fputs("\n### ", p->to);
		md_code(p, s->benches[i].bench->name, MD_NAME);
		fputs("\n\n", p->to);
		status = md_bench(p, s->benches[i].bench, MD_OF_SEVERAL);
	}
	if (most < s->changed)
		fprintf(p->to,
			"\n*… and %zu more benchmarks that changed, " MARKDOWN_LEFT_OUT ".*\n",
			s->changed - most);
	return status;
}

/* ---- the page ---- */

static int print_single(struct md_page *p, const struct bench_report *b)
{
	fprintf(p->to, "## Performance of ");
	md_code(p, b->name, MD_NAME);
	fprintf(p->to, ": %s\n\n", md_outcome(summary_outcome(&b->diff)));
	return md_bench(p, b, MD_SINGLE);
}

static void print_footer(struct md_page *p, const struct diff_report *r)
{
	char least[TEXT_NUMBER];

	fprintf(p->to,
		"\n---\n<sub>Event counts of Valgrind's callgrind, compared by irdiff. Threshold: %g%% "
		"of base",
		(double)r->diff->options.threshold_ppb / 1e7);
	if (r->diff->options.min_delta > 1)
		fprintf(p->to, " and %s events", text_count(r->diff->options.min_delta, least));
	fputs(".</sub>\n", p->to);
}

/* One attempt at a page with sections of so many benchmarks. */
static int make_page(struct md_page *p, const struct ranked_suite *s, bool titles, size_t most,
		     size_t *units)
{
	int status = md_page_begin(p, titles);

	if (!status)
		md_remarks(p, s->r->remarks, NULL);
	if (!status)
		status = s->r->count == 1 ? print_single(p, s->r->benches)
					  : print_suite(p, s, most);
	if (!status) {
		print_footer(p, &s->r->benches[0].diff);
		status = md_page_end(p, units);
	}
	return status;
}

/* Whole names go first, then rows, then sections of benchmarks. */
static int write_fitting(const struct ranked_suite *s, FILE *to)
{
	struct md_page page;
	size_t units = 0, most = s->changed;
	int status = make_page(&page, s, true, most, &units);

	for (bool again = units > MARKDOWN_LIMIT; !status && again;) {
		md_page_free(&page);
		status = make_page(&page, s, false, most, &units);
		again = !status && md_page_least(&page) > MARKDOWN_LIMIT && most > 0;
		most = again ? most * 3 / 4 : most;
	}
	if (!status)
		status = md_page_write(&page, MARKDOWN_LIMIT, to);
	md_page_free(&page);
	return status;
}

/* Above all else: what is not in the report. */
static void print_failures(const struct bench_failure *failures, size_t count, FILE *to)
{
	enum { MOST = 20 };
	struct md_page p = { .to = to };

	for (size_t i = 0; i < count && i < MOST; i++) {
		fputs("**❌ FAILED**: ", to);
		md_code(&p, failures[i].name, 0);
		fputs(" could not be measured at ", to);
		md_code(&p, failures[i].where, 0);
		fputs(".\n\n", to);
	}
	if (count > MOST)
		fprintf(to, "… and %zu more.\n\n", count - MOST);
}

int suite_markdown(const struct suite_report *r, FILE *to)
{
	struct ranked_suite s;
	int status = rank_benches(r, &s);

	if (status)
		return status;
	print_failures(r->failures, r->nfailures, to);
	status = write_fitting(&s, to);
	free(s.benches);
	return status;
}

/* As irdiff(1) documents exit codes. */
static const char *meaning_of(int exit_code)
{
	switch (exit_code) {
	case 2:
		return "wrong usage or configuration";
	case 3:
		return "a build or benchmark failed";
	case 4:
		return "the measurement cannot be trusted";
	default:
		return "it failed";
	}
}

int suite_markdown_failed(const char *command, int exit_code, const struct bench_failure *failures,
			  size_t count, FILE *to)
{
	print_failures(failures, count, to);
	fprintf(to,
		"## Performance: ❌ FAILED\n\n`irdiff %s` ended with exit code %d (%s) and compared nothing. "
		"Its messages say why.\n",
		command, exit_code, meaning_of(exit_code));
	return CG_OK;
}
