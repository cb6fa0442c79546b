#include "src/report/fix_table.h"
#include "src/report/markdown/markdown.h"

static void print_md_fix_origins(struct md_page *p, const struct fix_report *r)
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

#define VALUES \
	FIX_COLUMN("main", CELL_BASE, self[FIX_MAIN]), \
		FIX_COLUMN("regression", CELL_BASE, self[FIX_REGRESSION]), \
		FIX_COLUMN("fix", CELL_BASE, self[FIX_FIX]), FIX_COLUMN("lost", CELL_DELTA, lost), \
		FIX_COLUMN("recovered", CELL_NUMBER, recovered), \
		FIX_COLUMN("remaining", CELL_DELTA, left),

static const struct table_column metric_columns[] = { FIX_COLUMN("metric", CELL_NAME, name),
						      VALUES };

static const struct table_column row_columns[] = {
	FIX_COLUMN(NULL, CELL_NAME, name),
	VALUES FIX_COLUMN("", CELL_WORD, state),
};

static void print_md_fix_metrics(struct md_page *p, const struct fix_report *r)
{
	struct report_table t;

	if (fix_metrics_table(r, &t)) {
		p->failed = true;
		return;
	}
	TABLE_COLUMNS(&t, metric_columns);
	fputc('\n', p->to);
	md_table(p, &t, NULL, MD_METRICS, "metrics");
	table_free(&t);
}

static void print_rows(struct md_page *p, const struct fix_report *r)
{
	struct report_table t;

	fix_rows_table(r, &t);
	TABLE_COLUMNS(&t, row_columns);
	fputc('\n', p->to);
	md_table(p, &t, NULL, MD_FUNCTIONS, "rows");
	md_more(p, r->filtered - r->nrows);
}

static void print_page(struct md_page *p, const struct fix_report *r)
{
	fputs("## ", p->to);
	fix_print_verdict(r, false, p->to);
	fputs("\n\n- metric: ", p->to);
	md_code(p, r->fix->lost->options.metric, MD_CELL);
	fputc('\n', p->to);
	print_md_fix_origins(p, r);
	md_remarks(p, r->judged.remarks);
	print_md_fix_metrics(p, r);
	if (r->nrows)
		print_rows(p, r);
	if (r->judged.judgement)
		md_limits(p, &r->judged);
}

int fix_markdown(const struct fix_report *r, FILE *to)
{
	struct md_page page;
	size_t units;
	int status = md_page_begin(&page, true, 0);

	if (!status)
		print_page(&page, r);
	if (!status)
		status = md_page_end(&page, &units);
	if (!status)
		status = md_page_write(&page, MARKDOWN_LIMIT, to);
	md_page_free(&page);
	return status;
}
