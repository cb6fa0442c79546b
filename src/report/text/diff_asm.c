/* The instructions of base and head in one list, with what they cost. */
#include <stdlib.h>
#include <string.h>

#include "src/report/diff_report.h"
#include "src/report/text/events.h"
#include "src/report/text/instructions.h"
#include "src/text/wrap.h"

enum { ASM_NOTE = 3 }; /* columns before what is said of a function */

struct diff_asm_printer {
	const struct diff_report *r;
	const struct text_style *style;
	FILE *to;
	struct event_cells cells;
	size_t *widths; /* of the cells */
	struct instruction_columns columns;
	unsigned costs; /* columns that the cells take */
	bool signs;     /* instructions of inlined functions have one */
};

static const int64_t *self_of_pair(const struct asm_pair *pair, int side)
{
	return pair->row[side] ? pair->row[side]->self : NULL;
}

/* ---- how wide columns are ---- */

static void measure_function(struct diff_asm_printer *p, const struct diff_instructions *f)
{
	for (size_t i = 0; i < f->pairs->count; i++) {
		const struct asm_pair *pair = &f->pairs->items[i];
		event_cells_fill(&p->cells, p->r, self_of_pair(pair, ASM_BASE),
				 self_of_pair(pair, ASM_HEAD));
		event_cells_widen(&p->cells, p->widths);
		for (int side = 0; side < ASM_SIDES; side++)
			if (pair->row[side])
				instruction_columns_fit(&p->columns, f->side[side].listing,
							pair->row[side]);
	}
}

static int measure_functions(struct diff_asm_printer *p)
{
	enum { MARK = 2 };

	p->widths = calloc(p->cells.count, sizeof *p->widths);
	if (!p->widths)
		return CG_ENOMEM;
	event_cells_widen(&p->cells, p->widths);
	for (size_t i = 0; i < p->r->ninstructions; i++)
		measure_function(p, &p->r->instructions[i]);
	for (size_t i = 0; i < p->cells.count; i++)
		p->costs += (unsigned)p->widths[i] + 2;
	instruction_columns_share(&p->columns, p->costs + MARK, p->style);
	return CG_OK;
}

/* ---- rows ---- */

static char mark_of(const struct asm_pair *pair)
{
	return !pair->row[ASM_HEAD] ? '-' : !pair->row[ASM_BASE] ? '+' : pair->renamed ? '~' : ' ';
}

static const char *color_of_pair(const struct diff_asm_printer *p, const struct asm_pair *pair)
{
	char mark = mark_of(pair);

	return mark == '+' ? text_red(p->style) : mark == '-' ? text_green(p->style) : "";
}

static int print_pair(struct diff_asm_printer *p, const struct diff_instructions *f,
		      const struct asm_pair *pair, const struct asm_row *last[ASM_SIDES])
{
	enum { INDENT = 4 };
	int side = pair->row[ASM_HEAD] ? ASM_HEAD : ASM_BASE;
	const struct report_instructions *of = &f->side[side];
	const char *color = color_of_pair(p, pair);
	const unsigned indent = p->costs + (unsigned)p->columns.address + INDENT;

	event_cells_fill(&p->cells, p->r, self_of_pair(pair, ASM_BASE),
			 self_of_pair(pair, ASM_HEAD));
	fputs(color, p->to);
	event_cells_print(&p->cells, p->cells.count, p->widths, p->to);
	fprintf(p->to, "%c%c", mark_of(pair), instruction_sign(of, pair->row[side], p->signs));
	int status = instruction_print(&p->columns, of, pair->row[side], &last[side], p->to);
	if (!status)
		status = instruction_print_jumps(f->side[ASM_BASE].listing,
						 f->side[ASM_HEAD].listing, pair, indent, p->to);
	if (!status)
		status = instruction_print_calls(of->listing, pair->row[side], indent, p->to);
	fputs(*color ? text_plain(p->style) : "", p->to);
	return status;
}

static bool has_changed(const struct diff_asm_printer *p, const struct asm_pair *pair)
{
	const struct diff_event e = event_shown(p->r, 0);
	const int64_t *base = self_of_pair(pair, ASM_BASE), *head = self_of_pair(pair, ASM_HEAD);
	int64_t b = base ? metric_value(&e.base, base) : 0;
	int64_t h = head ? metric_value(&e.head, head) : 0;

	return b != h || (!base != !head);
}

/* Rows that are near to one that changed. */
static bool *pairs_in_context(const struct diff_asm_printer *p, const struct asm_pairs *pairs)
{
	size_t context = p->r->context, n = pairs->count;
	bool *shown = calloc(n + 1, sizeof *shown);

	for (size_t i = 0, next = 0; shown && i < n; i++) {
		if (!has_changed(p, &pairs->items[i]))
			continue;
		size_t from = i > context ? i - context : 0;
		size_t to = context < n - i ? i + context + 1 : n;
		for (next = from > next ? from : next; next < to; next++)
			shown[next] = true;
	}
	return shown;
}

static void print_equal(const struct diff_asm_printer *p, size_t count)
{
	char text[TEXT_NUMBER];

	if (count)
		fprintf(p->to, "-- %s other instruction%s --\n", text_count(count, text),
			count == 1 ? "" : "s");
}

static int print_pairs(struct diff_asm_printer *p, const struct diff_instructions *f)
{
	const struct asm_row *last[ASM_SIDES] = { NULL, NULL };
	bool *shown = pairs_in_context(p, f->pairs);
	int status = shown ? CG_OK : CG_ENOMEM;
	size_t left_out = 0;

	for (size_t i = 0; !status && i < f->pairs->count; i++) {
		if (!shown[i]) {
			left_out++;
			continue;
		}
		print_equal(p, left_out);
		left_out = 0;
		status = print_pair(p, f, &f->pairs->items[i], last);
	}
	print_equal(p, left_out);
	free(shown);
	return status;
}

/* ---- functions ---- */

static void print_side_of_function(const struct diff_asm_printer *p, const char *side,
				   const struct metric *metric, const struct asm_listing *l)
{
	char cost[TEXT_NUMBER], executed[TEXT_NUMBER], share[TEXT_NUMBER];
	int64_t self = metric_value(metric, l->self);

	fprintf(p->to, "   %s: ", side);
	if (!l->executed) {
		fputs("not executed\n", p->to);
		return;
	}
	fprintf(p->to, "%s ", text_cost(self, cost));
	text_print_name(p->to, metric->name, 0);
	fprintf(p->to, " in %s instructions", text_count(l->executed, executed));
	if (!l->nmissing)
		fprintf(p->to, "; vector instructions: %s",
			text_part(metric_value(metric, l->vector), self, share));
	fputc('\n', p->to);
	for (size_t i = 0; i < l->nmissing; i++) {
		char *words = instructions_missing(&l->missing[i]), *line = NULL;
		if (words && asprintf(&line, "   %s: %s", side, words) >= 0)
			text_print_wrapped(p->to, line, p->style->wide ? 0 : p->style->width,
					   ASM_NOTE);
		free(words);
		free(line);
	}
}

static int print_function_of_both(struct diff_asm_printer *p, const struct diff_instructions *f)
{
	const struct diff_event e = event_shown(p->r, 0);

	fputs("\n-- ", p->to);
	text_print_name(p->to, f->row->name, 0);
	if (f->row->object && *f->row->object) {
		fputs(" [", p->to);
		text_print_name(p->to, f->row->object, 0);
		fputc(']', p->to);
	}
	fputc('\n', p->to);
	print_side_of_function(p, "base", &e.base, f->side[ASM_BASE].listing);
	print_side_of_function(p, "head", &e.head, f->side[ASM_HEAD].listing);
	int status = instruction_print_inlined(&f->side[ASM_BASE], &f->side[ASM_HEAD], p->style,
					       &p->signs, p->to);
	return status ? status : print_pairs(p, f);
}

int diff_asm_text(const struct diff_report *r, const struct text_style *style, FILE *to)
{
	struct diff_asm_printer p = { .r = r, .style = style, .to = to };

	if (r->ninstructions == 0) {
		fputs(r->unmatched ? "\nNo function matches the filter.\n"
		      : r->filter
			      ? "\nNo matching function changed, with what is inlined into it.\n"
			      : "\nNo function changed by more than the threshold.\n",
		      to);
		return CG_OK;
	}
	int status = event_cells_init(&p.cells, r, style);
	if (!status)
		status = measure_functions(&p);
	event_cells_free(&p.cells);
	if (!status)
		status = event_cells_init(&p.cells, r, style);
	if (!status) {
		fputs("\nInstructions whose self cost changed, in context (~: other registers)\n"
		      "Addresses are those of head, and in lines with - those of base.\n",
		      to);
		fputs(text_dim(style), to);
		event_cells_print(&p.cells, p.cells.count, p.widths, p.to);
		fprintf(to, "  address  instruction%s\n", text_plain(style));
	}
	for (size_t i = 0; !status && i < r->ninstructions; i++)
		status = print_function_of_both(&p, &r->instructions[i]);
	if (!status && r->instructions_hidden)
		fprintf(to, "\n… and instructions of %zu more function%s; see them with --top=0\n",
			r->instructions_hidden, r->instructions_hidden == 1 ? "" : "s");
	event_cells_free(&p.cells);
	free(p.widths);
	return status;
}
