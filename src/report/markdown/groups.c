#include "src/report/diff_table.h"
#include "src/report/markdown/markdown.h"

static const struct table_column group_columns[] = {
	DIFF_COLUMN("Δ self", CELL_DELTA, self),
	DIFF_COLUMN("impact", CELL_IMPACT, self),
	DIFF_COLUMN("Δ incl.", CELL_DELTA, inclusive),
	DIFF_COLUMN("functions", CELL_COUNTS, functions),
	DIFF_COLUMN("self", CELL_COSTS, self),
	DIFF_COLUMN(NULL, CELL_OWN, name),
};

static void print_group_name(struct md_page *p, const struct report_table *t, size_t i, const struct table_column *c)
{
	const struct diff_row *row = diff_table_function(t, i);

	(void)c;
	md_code(p, row->name, MD_CELL);
	if (row->match == DIFF_MOVED) {
		fputs(" (was ", p->to);
		md_code(p, row->base_file, MD_CELL);
		fputc(')', p->to);
	}
}

static void print_no_groups(struct md_page *p, const struct diff_report *r, const char *word)
{
	const struct diff *d = r->diff;
	bool same = diff_base_value(d, d->base->total) == diff_head_value(d, d->head->total);

	fprintf(p->to, "\nNo %s%s changed%s.\n", word, r->filter ? " that matches the filter" : "",
		r->filter || same ? "" : " by more than the threshold");
}

void md_groups(struct md_page *p, const struct diff_report *r, unsigned level)
{
	const char *word = cg_rollup_word(r->diff->options.by);
	char title[40];
	bool bound = false;
	struct report_table t;

	if (r->nrows == 0) {
		print_no_groups(p, r, word);
		return;
	}
	snprintf(title, sizeof title, "%c%ss whose own cost changed", *word - 'a' + 'A', word + 1);
	md_heading(p, level, title);
	diff_functions_table(r, &t);
	TABLE_COLUMNS(&t, group_columns);
	md_table(p, &t, print_group_name, MD_REGRESSIONS, "groups");
	for (size_t i = 0; i < r->nrows; i++)
		bound |= diff_is_bound(diff_table_function(&t, i));
	if (bound)
		fputs("\n*? is not known: called again by what it calls, or recursion not recorded.*\n", p->to);
	if (r->nrows < r->filtered)
		fprintf(p->to, "\n*… and %zu more; `--top=0` shows all.*\n", r->filtered - r->nrows);
}
