#include "src/report/fix_report.h"
#include "src/report/markdown/markdown.h"

static void print_origins(struct md_page *p, const struct fix_report *r)
{
	for (enum fix_side s = FIX_MAIN; s < FIX_SIDES; s++) {
		fprintf(p->to, "- %s: ", fix_side_name(s));
		md_code(p, r->origins[s].name, MD_FACT);
		if (r->origins[s].commit) {
			fputs(", commit ", p->to);
			md_code(p, r->origins[s].commit, MD_FACT);
		}
		fputc('\n', p->to);
	}
}

static void print_values(struct md_page *p, struct fix_values v)
{
	char main[TEXT_NUMBER], regression[TEXT_NUMBER], fix[TEXT_NUMBER];
	char lost[TEXT_NUMBER], won[FIX_WON], left[TEXT_NUMBER];

	fprintf(p->to, " | %s | %s | %s | %s | %s | %s |", text_cost(v.main, main),
		text_cost(v.regression, regression), text_cost(v.fix, fix),
		text_delta(v.main, v.regression, lost), fix_won(v, won), text_delta(v.main, v.fix, left));
}

static void print_metrics(struct md_page *p, const struct fix_diff *f)
{
	const char *list[FIX_METRICS];
	size_t count = fix_list_metrics(f, list);

	fputs("\n| metric | main | regression | fix | lost | won back | left |\n"
	      "|---|--:|--:|--:|--:|--:|--:|\n", p->to);
	p->table = true;
	for (size_t i = 0; i < count; i++) {
		md_row(p, MD_METRICS);
		fputs("| ", p->to);
		md_code(p, list[i], MD_CELL);
		print_values(p, fix_metric(f, list[i]));
		fputc('\n', p->to);
	}
	md_rows_end(p, "metrics");
	p->table = false;
}

static void print_rows(struct md_page *p, const struct fix_report *r)
{
	const struct fix_diff *f = r->fix;
	const char *word = cg_rollup_word(f->lost->options.by);

	fprintf(p->to, "\n| %s | main | regression | fix | lost | won back | left | |\n"
		       "|---|--:|--:|--:|--:|--:|--:|---|\n", word);
	p->table = true;
	for (size_t i = 0; i < r->nrows; i++) {
		const struct fix_row *row = &f->rows[r->rows[i]];
		struct fix_values v = fix_values_of(f, row->self);
		md_row(p, MD_REGRESSIONS);
		fputs("| ", p->to);
		md_code(p, row->name, MD_CELL);
		print_values(p, v);
		fprintf(p->to, " %s |\n", fix_state_name(fix_classify(f, v)));
	}
	md_rows_end(p, "rows");
	p->table = false;
	if (r->nrows < r->filtered)
		fprintf(p->to, "\n… and %zu more.\n", r->filtered - r->nrows);
}

static void print_page(struct md_page *p, const struct fix_report *r)
{
	fputs("## ", p->to);
	fix_print_verdict(r, false, p->to);
	fputs("\n\n- metric: ", p->to);
	md_code(p, r->fix->lost->options.metric, MD_CELL);
	fputc('\n', p->to);
	print_origins(p, r);
	fputs(r->judged.remarks->count ? "\n" : "", p->to);
	md_remarks(p, r->judged.remarks, NULL);
	print_metrics(p, r->fix);
	if (r->nrows)
		print_rows(p, r);
	if (r->judged.judgement)
		md_limits(p, &r->judged, 3);
}

int fix_markdown(const struct fix_report *r, FILE *to)
{
	struct md_page page;
	size_t units;
	int status = md_page_begin(&page, true);

	if (!status)
		print_page(&page, r);
	if (!status)
		status = md_page_end(&page, &units);
	if (!status)
		status = md_page_write(&page, MARKDOWN_LIMIT, to);
	md_page_free(&page);
	return status;
}
