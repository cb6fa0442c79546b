#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "cgprofile/names.h"
#include "src/report/diff_table.h"
#include "src/report/markdown/markdown.h"

enum { HOT = 8, TOP = 5 };

static int64_t base_self(const struct diff_report *r, const struct diff_row *row)
{
	return diff_base_value(r->diff, row->base.self);
}

static int64_t head_self(const struct diff_report *r, const struct diff_row *row)
{
	return diff_head_value(r->diff, row->head.self);
}

/* In which of the tables it stands. */
enum direction { WORSE, BETTER, TOLERATED };

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

/* ---- hot path changes ---- */

/* Of one that is new or removed, the calls of the side that has it. */
static void print_md_function_calls(struct md_page *p, const struct diff_row *row)
{
	char calls[TEXT_PAIR];
	bool both = row->base.present && row->head.present;
	uint64_t b = row->base.calls, h = row->head.calls;

	if (b == h || (!b && !h))
		return;
	fprintf(p->to, " (%s %s)", both ? text_calls(b, h, calls) : text_count(b + h, calls),
		text_calls_word(b, h));
}

static void print_markdown_hot(struct md_page *p, const struct diff_report *r,
			       const struct diff_row *row)
{
	char base[TEXT_NUMBER], head[TEXT_NUMBER], change[TEXT_NUMBER], share[TEXT_NUMBER];
	int64_t b = base_self(r, row), h = head_self(r, row);
	bool both = row->base.present && row->head.present;
	enum direction direction = direction_of(r, row);

	fputs("- ", p->to);
	print_md_function(p, row, MD_NAME);
	text_share_of_base(b, h, diff_base_value(r->diff, r->diff->base->total), share);
	if (direction == TOLERATED)
		fprintf(p->to, ": %s → %s (%s; %s of base) **within tolerance**",
			text_cost(b, base), text_cost(h, head), text_change(b, h, change), share);
	else if (both)
		fprintf(p->to, ": %s → %s (%s; %s of base) **%s**: %s", text_cost(b, base),
			text_cost(h, head), text_change(b, h, change), share,
			direction == WORSE ? "⚠️ REGRESSION" : "✅ IMPROVEMENT",
			diff_reason(r->diff, row));
	else if (row->head.present)
		fprintf(p->to, ": %s (%s of base) **🔍 NEW** in head", text_cost(h, head), share);
	else
		fprintf(p->to, ": %s → 0 (%s of base) **🔍 REMOVED** in head", text_cost(b, base),
			share);
	print_md_function_calls(p, row);
	fputc('\n', p->to);
}

static void print_md_nothing(struct md_page *p, const struct diff_report *r)
{
	int64_t b = diff_base_value(r->diff, r->diff->base->total);
	int64_t h = diff_head_value(r->diff, r->diff->head->total);

	if (r->filter)
		fputs("\nNo function that matches the filter changed.\n", p->to);
	else
		fprintf(p->to, "\nNo function changed%s.\n",
			b == h ? "" : " by more than the threshold");
}

static void print_hot_changes(struct md_page *p, const struct diff_report *r, unsigned level)
{
	md_heading(p, level, "Hot path changes");
	fputs("Largest changes in self cost, in ", p->to);
	md_code(p, r->diff->options.metric, MD_CELL);
	fputs(":\n\n", p->to);
	for (size_t i = 0; i < r->nrows && i < HOT; i++) {
		md_row(p, MD_KEEP_LONGEST);
		print_markdown_hot(p, r, &r->diff->rows[r->rows[i]]);
	}
	md_rows_end(p, "functions");
	if (r->changed > HOT)
		fprintf(p->to, "\n*%zu functions changed in all.*\n", r->changed);
}

/* ---- the most expensive functions ---- */

/* The costliest rows of one side, by self cost; ties as the rows are ordered. */
static size_t find_top(const struct diff_report *r, bool head, const struct diff_row *top[TOP])
{
	const struct diff *d = r->diff;
	size_t n = 0;

	for (size_t i = 0; i < d->count; i++) {
		const struct diff_row *row = &d->rows[i];
		int64_t cost = head ? head_self(r, row) : base_self(r, row);
		size_t at = n;
		if (cost <= 0)
			continue;
		while (at > 0 &&
		       cost > (head ? head_self(r, top[at - 1]) : base_self(r, top[at - 1])))
			at--;
		if (at == TOP)
			continue;
		n += n < TOP;
		memmove(&top[at + 1], &top[at], (n - at - 1) * sizeof *top);
		top[at] = row;
	}
	return n;
}

static void print_top_cell(struct md_page *p, const struct diff_report *r,
			   const struct diff_row *row, bool head)
{
	char cost[TEXT_NUMBER], share[TEXT_NUMBER], change[TEXT_NUMBER];
	int64_t b = base_self(r, row), h = head_self(r, row), own = head ? h : b;
	int64_t total = head ? diff_head_value(r->diff, r->diff->head->total)
			     : diff_base_value(r->diff, r->diff->base->total);

	fputs(" ", p->to);
	md_code(p, row->name, MD_CELL);
	text_share(own, total, share);
	fprintf(p->to, " | %s (%s)", text_cost(own, cost), share + strspn(share, " "));
	if (!head)
		return;
	enum diff_class c = diff_classify(r->diff, row);
	fprintf(p->to, " | %s%s", !row->base.present ? "🔍 new" : text_change(b, h, change),
		c == DIFF_REGRESSED   ? " ⚠️"
		: c == DIFF_IMPROVED  ? " ✅"
		: c == DIFF_TOLERATED ? ", within tolerance"
				      : "");
}

static void print_top(struct md_page *p, const struct diff_report *r, unsigned level)
{
	const struct diff_row *base[TOP], *head[TOP];
	size_t nbase = find_top(r, false, base), nhead = find_top(r, true, head);

	if (nbase == 0 && nhead == 0)
		return;
	md_heading(p, level, "Top five most expensive functions");
	fputs("| | base | self | head | self | change |\n|--:|---|--:|---|--:|--:|\n", p->to);
	p->table = true;
	for (size_t i = 0; i < nbase || i < nhead; i++) {
		md_row(p, MD_KEEP_LONGEST);
		fprintf(p->to, "| %zu |", i + 1);
		if (i < nbase)
			print_top_cell(p, r, base[i], false);
		else
			fputs(" | ", p->to);
		fputs(" |", p->to);
		if (i < nhead)
			print_top_cell(p, r, head[i], true);
		else
			fputs(" | | ", p->to);
		fputs(" |\n", p->to);
	}
	md_rows_end(p, "functions");
	p->table = false;
}

void md_functions(struct md_page *p, const struct diff_report *r, unsigned level)
{
	if (r->nrows)
		print_hot_changes(p, r, level);
	else
		print_md_nothing(p, r);
	/* Whoever is told that nothing changed need not read on. */
	if (summary_has_changes(r))
		print_top(p, r, level);
}

/* ---- tables of all ---- */

static const struct table_column function_columns[] = {
	DIFF_COLUMN("function", CELL_OWN, name),
	DIFF_COLUMN("base", CELL_BASE, self),
	DIFF_COLUMN("head", CELL_HEAD, self),
	DIFF_COLUMN("Δ self", CELL_DELTA, self),
	DIFF_COLUMN("% of base", CELL_SHARE_OF_BASE, self),
	DIFF_COLUMN("Δ incl.", CELL_DELTA, inclusive),
	DIFF_COLUMN("calls", CELL_COUNTS, calls),
	DIFF_COLUMN("why", CELL_WORD, why),
};

static void print_function_name(struct md_page *p, const struct report_table *t, size_t i,
				const struct table_column *c)
{
	(void)c;
	print_md_function(p, diff_table_function(t, i), MD_CELL);
}

struct function_table {
	const char *title;
	enum direction direction;
	unsigned dispensable;
};

/* The rows in that direction; returns what they add up to, which saturates. */
static uint64_t choose_markdown_functions(const struct diff_report *r, enum direction direction,
					  struct report_table *t)
{
	unsigned __int128 sum = 0;
	uint32_t *rows = t->made;

	t->nrows = 0;
	for (size_t i = 0; i < r->nrows; i++) {
		const struct diff_row *row = &r->diff->rows[r->rows[i]];
		if (direction_of(r, row) != direction)
			continue;
		rows[t->nrows++] = r->rows[i];
		sum += cg_distance(base_self(r, row), head_self(r, row));
	}
	t->rows = rows;
	return sum > UINT64_MAX ? UINT64_MAX : (uint64_t)sum;
}

static void print_md_function_table(struct md_page *p, const struct diff_report *r, unsigned level,
				    const struct function_table *which)
{
	static const char *const signs[] = { "+", "-", "±" };
	char count[TEXT_NUMBER];
	struct report_table t;

	diff_functions_table(r, &t);
	TABLE_COLUMNS(&t, function_columns);
	t.made = calloc(r->nrows + 1, sizeof *t.rows);
	if (!t.made) {
		p->failed = true;
		return;
	}
	uint64_t sum = choose_markdown_functions(r, which->direction, &t);
	if (t.nrows) {
		md_heading(p, level, which->title);
		fprintf(p->to, "<details><summary>%zu function%s, together %s%s</summary>\n\n",
			t.nrows, t.nrows == 1 ? "" : "s", signs[which->direction],
			text_count(sum, count));
		md_table(p, &t, print_function_name, which->dispensable, "functions");
		fputs("\n</details>\n", p->to);
	}
	table_free(&t);
}

void md_function_tables(struct md_page *p, const struct diff_report *r, unsigned level)
{
	static const struct function_table tables[] = {
		{ "Regressions", WORSE, MD_REGRESSIONS },
		{ "Improvements", BETTER, MD_IMPROVEMENTS },
		{ "Within tolerance", TOLERATED, MD_UNCHANGED },
	};

	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		print_md_function_table(p, r, level, &tables[i]);
	if (r->nrows < r->filtered)
		fprintf(p->to, "\n*%zu more function%s changed by less; `--top=0` shows all.*\n",
			r->filtered - r->nrows, r->filtered - r->nrows == 1 ? "" : "s");
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
	snprintf(title, sizeof title, "%c%ss whose self cost changed", *word - 'a' + 'A', word + 1);
	md_heading(p, level, title);
	diff_functions_table(r, &t);
	TABLE_COLUMNS(&t, group_columns);
	md_table(p, &t, print_group_name, MD_REGRESSIONS, "groups");
	for (size_t i = 0; i < r->nrows; i++)
		bound |= diff_is_bound(diff_table_function(&t, i));
	if (bound)
		fputs("\n*?: unknown; it is called again by its callees, or recursion was not recorded.*\n",
		      p->to);
	if (r->nrows < r->filtered)
		fprintf(p->to, "\n*… and %zu more; `--top=0` shows all.*\n",
			r->filtered - r->nrows);
}
