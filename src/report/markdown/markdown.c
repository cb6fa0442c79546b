#include "src/report/markdown/markdown.h"

#include <stdlib.h>
#include <string.h>

#include "cgprofile/error.h"

/* ---- rows ---- */

size_t md_shown(const struct md_page *p, const struct diff_report *r, size_t have)
{
	size_t top = r->top == DIFF_TOP_AUTO ? p->rows : r->top;
	return top && top < have ? top : have;
}

void md_more(struct md_page *p, size_t more)
{
	if (more)
		fprintf(p->to, "\n… and %zu more; `--top=0` shows all.\n", more);
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

/* ---- the page ---- */

/* "+75.0%", "new", "removed" */
static const char *bench_change(const struct diff *d, char *buffer)
{
	int64_t b = diff_base_value(d, d->base->total), h = diff_head_value(d, d->head->total);

	if (d->options.missing == DIFF_NO_HEAD)
		return "removed";
	return d->options.missing == DIFF_NO_BASE ? "new" : text_change(b, h, buffer);
}

/* Blocks of the first `most` benchmarks that changed. */
static int print_bench_blocks(struct md_page *p, const struct ranked_suite *s, size_t most)
{
	char change[TEXT_NUMBER];
	int status = CG_OK;

	for (size_t i = 0; !status && i < s->changed && i < most; i++) {
		const struct bench_report *b = s->benches[i].bench;
		md_block(p, b->name, ": %s", bench_change(b->diff.diff, change));
		status = md_steps(p, &s->benches[i], 1, false);
		md_blocks(p, b);
		md_block_end(p);
	}
	if (most < s->changed)
		fprintf(p->to, "\n… and %zu more benchmarks that changed, " MARKDOWN_LEFT_OUT ".\n",
			s->changed - most);
	return status;
}

static void print_footer(struct md_page *p, const struct diff_report *r)
{
	char least[TEXT_NUMBER];

	fprintf(p->to, "\n<sub>irdiff: event counts of callgrind, threshold %g%% of base",
		(double)r->diff->options.threshold_ppb / 1e7);
	if (r->diff->options.min_delta > 1)
		fprintf(p->to, " and %s events", text_count(r->diff->options.min_delta, least));
	fputs("</sub>\n", p->to);
}

/* What a page has. */
struct page_shape {
	bool titles;
	size_t rows;    /* of a table */
	size_t benches; /* that have a block */
};

static int make_page(struct md_page *p, const struct ranked_suite *s,
		     const struct page_shape *shape, size_t *units)
{
	bool several = s->r->count > 1;
	int status = md_page_begin(p, shape->titles, shape->rows);

	if (status)
		return status;
	md_overview(p, s);
	md_warnings(p, s);
	status = md_steps(p, s->benches, several ? s->changed : 1, several);
	if (!status && several) {
		md_unchanged(p, s);
		status = print_bench_blocks(p, s, shape->benches);
	} else if (!status) {
		md_blocks(p, s->benches[0].bench);
	}
	print_footer(p, &s->r->benches[0].diff);
	return status ? status : md_page_end(p, units);
}

/* The next shape for a page that is too long. Whole names go first, as they are what people need
 * least, then rows of tables. False: all else is needed. */
static bool make_brief(struct page_shape *shape)
{
	enum { LEAST = 3 };

	if (!shape->titles && shape->rows == LEAST)
		return false;
	shape->rows -= !shape->titles;
	shape->titles = false;
	return true;
}

/* Fewer blocks, for a page of `least` units without rows of tables. */
static size_t fewer_blocks(size_t blocks, size_t least)
{
	size_t fitting = blocks * MARKDOWN_LIMIT / least, some = blocks * 3 / 4;

	return fitting < some ? fitting : some;
}

/* A page is to be read at once. If it is too long even for a comment, blocks of benchmarks are
 * left out where leaving out rows is not enough: a block takes more than 512 units. */
static int write_fitting(const struct ranked_suite *s, FILE *to)
{
	enum { BRIEF = 4096, ROWS = 5, MOST_BLOCKS = MARKDOWN_LIMIT / 512 };
	struct page_shape shape = { true, ROWS,
				    s->changed < MOST_BLOCKS ? s->changed : MOST_BLOCKS };
	struct md_page page;
	size_t units = 0, brief = BRIEF * (s->changed ? s->changed : 1);
	int status = make_page(&page, s, &shape, &units);

	while (!status && page.size > brief && make_brief(&shape)) {
		md_page_free(&page);
		status = make_page(&page, s, &shape, &units);
	}
	while (!status && units > MARKDOWN_LIMIT && md_page_least(&page) > MARKDOWN_LIMIT &&
	       shape.benches > 0) {
		shape.benches = fewer_blocks(shape.benches, md_page_least(&page));
		md_page_free(&page);
		status = make_page(&page, s, &shape, &units);
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
	int status = md_rank(r, &s);

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

static void print_said(const char *said, FILE *to)
{
	const size_t fence = md_fence_around(said);

	fputs(" It said:\n\n", to);
	md_fence(fence, "text", to);
	fputs(said, to);
	md_fence(fence, NULL, to);
}

int suite_markdown_failed(const struct failed_run *r, FILE *to)
{
	fprintf(to,
		"## Performance: ❌ FAILED\n\n`irdiff %s` ended with exit code %d (%s) and compared nothing.",
		r->command, r->exit_code, meaning_of(r->exit_code));
	if (r->said && *r->said)
		print_said(r->said, to);
	else
		fputs(" Its messages say why.\n", to);
	if (r->nfailures)
		fputc('\n', to);
	print_failures(r->failures, r->nfailures, to);
	return CG_OK;
}
