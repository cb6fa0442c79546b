#include "src/report/markdown/markdown.h"

static bool is_bound(const struct diff_row *row)
{
	return row->base.bound || row->head.bound;
}

static void print_pair(struct md_page *p, const struct diff_row *row, int64_t base, int64_t head)
{
	char first[TEXT_NUMBER], second[TEXT_NUMBER];

	if (row->base.present && row->head.present && base == head)
		fputs(text_cost(base, first), p->to);
	else
		fprintf(p->to, "%s → %s", row->base.present ? text_cost(base, first) : "–",
			row->head.present ? text_cost(head, second) : "–");
}

static void print_group(struct md_page *p, const struct diff *d, const struct diff_row *row)
{
	char delta[TEXT_NUMBER], impact[TEXT_NUMBER], inclusive[TEXT_NUMBER], functions[TEXT_PAIR];
	int64_t b = diff_base_value(d, row->base.self), h = diff_head_value(d, row->head.self);

	text_delta(diff_base_value(d, row->base.inclusive), diff_head_value(d, row->head.inclusive),
		   inclusive);
	fprintf(p->to, "| %s | %s | %s | %s | ", text_delta(b, h, delta),
		text_impact(b, h, diff_base_value(d, d->base->total), impact),
		is_bound(row) ? "?" : inclusive,
		text_calls(row->base.functions, row->head.functions, functions));
	print_pair(p, row, b, h);
	fputs(" | ", p->to);
	md_code(p, row->name, MD_CELL);
	if (row->match == DIFF_MOVED) {
		fputs(" (was ", p->to);
		md_code(p, row->base_file, MD_CELL);
		fputc(')', p->to);
	}
	fputs(" |\n", p->to);
}

static void print_nothing(struct md_page *p, const struct diff_report *r, const char *word)
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

	if (r->nrows == 0) {
		print_nothing(p, r, word);
		return;
	}
	snprintf(title, sizeof title, "%c%ss whose own cost changed", *word - 'a' + 'A', word + 1);
	md_heading(p, level, title);
	fprintf(p->to, "| Δ self | impact | Δ incl. | functions | self | %s |\n"
		       "|--:|--:|--:|--:|--:|---|\n", word);
	p->table = true;
	for (size_t i = 0; i < r->nrows; i++) {
		const struct diff_row *row = &r->diff->rows[r->rows[i]];
		md_row(p, MD_REGRESSIONS);
		print_group(p, r->diff, row);
		bound |= is_bound(row);
	}
	md_rows_end(p, "groups");
	p->table = false;
	if (bound)
		fputs("\n*? is not known: called again by what it calls, or recursion not recorded.*\n", p->to);
	if (r->nrows < r->filtered)
		fprintf(p->to, "\n*… and %zu more; `--top=0` shows all.*\n", r->filtered - r->nrows);
}
