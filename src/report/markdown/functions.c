#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "cgprofile/names.h"
#include "src/report/diff_table.h"
#include "src/report/markdown/markdown.h"

enum { TOP = 5 };

static int64_t base_self(const struct diff_report *r, const struct diff_row *row)
{
	return diff_base_value(r->diff, row->base.self);
}

static int64_t head_self(const struct diff_report *r, const struct diff_row *row)
{
	return diff_head_value(r->diff, row->head.self);
}

/* In this order. */
enum direction { WORSE, BETTER, TOLERATED, DIRECTIONS };

static enum direction direction_of(const struct diff_report *r, const struct diff_row *row)
{
	if (diff_classify(r->diff, row) == DIFF_TOLERATED)
		return TOLERATED;
	return head_self(r, row) > base_self(r, row) ? WORSE : BETTER;
}

/* The function, and where it is: its file without directories, or else its object. */
static void print_md_function(struct md_page *p, const struct diff_row *row, unsigned width)
{
	md_code(p, row->name, width);
	if (!text_is_known(row->file) && !text_is_known(row->object))
		return;
	fputs(" (", p->to);
	md_code(p, text_is_known(row->file) ? cg_base_name(row->file) : row->object, width / 2);
	fputs(")", p->to);
}

/* ---- functions that changed ---- */

static const struct table_column function_columns[] = {
	DIFF_COLUMN("function", CELL_OWN, name), DIFF_COLUMN("self", CELL_COSTS, self),
	DIFF_COLUMN("Δ self", CELL_DELTA, self), DIFF_COLUMN("calls", CELL_COUNTS, calls),
	DIFF_COLUMN("why", CELL_WORD, why),
};

static void print_function_name(struct md_page *p, const struct report_table *t, size_t i,
				const struct table_column *c)
{
	(void)c;
	print_md_function(p, diff_table_function(t, i), MD_HALF);
}

/* Of the first rows those that cost more, then those that cost less. */
static int order_md_functions(const struct md_page *p, const struct diff_report *r,
			      struct report_table *t)
{
	size_t shown = md_shown(p, r, r->nrows);
	uint32_t *rows = calloc(shown + 1, sizeof *rows);

	if (!rows)
		return CG_ENOMEM;
	t->nrows = 0;
	for (enum direction d = WORSE; d < DIRECTIONS; d++)
		for (size_t i = 0; i < shown; i++)
			if (direction_of(r, &r->diff->rows[r->rows[i]]) == d)
				rows[t->nrows++] = r->rows[i];
	t->rows = t->made = rows;
	return CG_OK;
}

static void print_no_match(struct md_page *p, const struct diff_report *r)
{
	if (!r->filter && !r->changed)
		return;
	fputs("\nNo ", p->to);
	summary_print_no_rows(r, p->to);
	fputs(".\n", p->to);
}

void md_functions(struct md_page *p, const struct diff_report *r)
{
	struct report_table t;

	if (r->nrows == 0) {
		print_no_match(p, r);
		return;
	}
	diff_functions_table(r, &t);
	TABLE_COLUMNS(&t, function_columns);
	if (order_md_functions(p, r, &t)) {
		p->failed = true;
		return;
	}
	md_block(p, NULL, "Functions: self cost of %zu changed", r->filtered);
	md_table(p, &t, print_function_name, MD_FUNCTIONS, "functions");
	md_more(p, r->filtered - t.nrows);
	md_block_end(p);
	table_free(&t);
}

/* ---- groups ---- */

static const struct table_column group_columns[] = {
	DIFF_COLUMN("Δ self", CELL_DELTA, self),
	DIFF_COLUMN("% of base", CELL_SHARE_OF_BASE, self),
	DIFF_COLUMN("Δ incl.", CELL_DELTA, inclusive),
	DIFF_COLUMN("functions", CELL_COUNTS, functions),
	DIFF_COLUMN("self", CELL_COSTS, self),
	DIFF_COLUMN(NULL, CELL_OWN, name),
};

static void print_group_name(struct md_page *p, const struct report_table *t, size_t i,
			     const struct table_column *c)
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

void md_groups(struct md_page *p, const struct diff_report *r)
{
	const char *word = cg_rollup_word(r->diff->options.by);
	bool bound = false;
	struct report_table t;

	if (r->nrows == 0) {
		print_no_match(p, r);
		return;
	}
	diff_functions_table(r, &t);
	TABLE_COLUMNS(&t, group_columns);
	t.nrows = md_shown(p, r, r->nrows);
	md_block(p, NULL, "%c%ss: self cost of %zu changed", *word - 'a' + 'A', word + 1,
		 r->filtered);
	md_table(p, &t, print_group_name, MD_FUNCTIONS, "groups");
	for (size_t i = 0; i < t.nrows; i++)
		bound |= diff_is_bound(diff_table_function(&t, i));
	if (bound)
		fputs("\n?: unknown; it is called again by its callees, or recursion was not recorded.\n",
		      p->to);
	md_more(p, r->filtered - t.nrows);
	md_block_end(p);
}

/* ---- the most expensive functions ---- */

static int64_t larger_self(const struct diff_report *r, const struct diff_row *row)
{
	int64_t b = base_self(r, row), h = head_self(r, row);
	return h > b ? h : b;
}

/* Of base or head; ties as the rows are ordered. */
static size_t find_most_expensive(const struct diff_report *r, const struct diff_row *top[TOP])
{
	size_t n = 0;

	for (size_t i = 0; i < r->diff->count; i++) {
		const struct diff_row *row = &r->diff->rows[i];
		int64_t cost = larger_self(r, row);
		size_t at = n;
		if (cost <= 0)
			continue;
		while (at > 0 && cost > larger_self(r, top[at - 1]))
			at--;
		if (at == TOP)
			continue;
		n += n < TOP;
		memmove(&top[at + 1], &top[at], (n - at - 1) * sizeof *top);
		top[at] = row;
	}
	return n;
}

static void print_expensive(struct md_page *p, const struct diff_report *r,
			    const struct diff_row *row)
{
	const struct diff *d = r->diff;
	char cost[TEXT_NUMBER], part[TEXT_NUMBER], change[TEXT_NUMBER];
	int64_t b = base_self(r, row), h = head_self(r, row);
	bool both = row->base.present && row->head.present;

	md_row(p, MD_MOST_EXPENSIVE);
	fputs("| ", p->to);
	md_code(p, row->name, MD_HALF);
	fprintf(p->to, " | %s", row->base.present ? text_cost(b, cost) : "–");
	fprintf(p->to, " | %s", row->head.present ? text_cost(h, cost) : "–");
	fprintf(p->to, " | %s | %s |\n", text_part(h, diff_head_value(d, d->head->total), part),
		both ? text_change(b, h, change) : diff_class_name(diff_classify(d, row)));
}

void md_most_expensive(struct md_page *p, const struct diff_report *r)
{
	const struct diff_row *top[TOP];
	size_t n = find_most_expensive(r, top);

	if (n == 0)
		return;
	md_block(p, NULL, "Most expensive functions");
	fputs("| function | base | head | % of head | change |\n|---|--:|--:|--:|--:|\n", p->to);
	p->table = true;
	for (size_t i = 0; i < n; i++)
		print_expensive(p, r, top[i]);
	md_rows_end(p, "functions");
	p->table = false;
	md_block_end(p);
}
