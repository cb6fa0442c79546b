/* The instructions of functions of one profile, with their costs. */
#include <stdlib.h>
#include <string.h>

#include "cgprofile/names.h"
#include "src/report/text/instructions.h"
#include "src/report/text/show.h"
#include "src/text/wrap.h"

struct asm_printer {
	const struct show_report *r;
	const struct text_style *style;
	const struct text_columns *columns;
	struct instruction_columns instructions;
	unsigned costs; /* width of the columns of costs */
	bool signs;     /* instructions of inlined functions have one */
	FILE *to;
};

static unsigned width_of_costs(const struct text_columns *c)
{
	unsigned width = 1;

	for (size_t i = 0; i < c->count; i++)
		width += (unsigned)c->widths[i] + 1;
	return width;
}

static void print_missing(const struct asm_printer *p, const struct asm_listing *l)
{
	for (size_t i = 0; i < l->nmissing; i++) {
		char *words = instructions_missing(&l->missing[i]);
		char *line = NULL;
		if (words && asprintf(&line, "   Note: %s", words) >= 0)
			text_print_wrapped(p->to, line, p->style->wide ? 0 : p->style->width, 3);
		free(words);
		free(line);
	}
}

static void print_asm_heading(const struct asm_printer *p, const struct report_instructions *of)
{
	const struct asm_listing *l = of->listing;
	const struct cg_profile *profile = l->profile;
	const struct cg_function *f = &profile->functions[of->function];
	uint32_t event = p->r->events[0];
	char cost[TEXT_NUMBER], executed[TEXT_NUMBER], share[TEXT_NUMBER];

	fputs("\n-- ", p->to);
	text_print_name(p->to, view_function(profile, of->function), 0);
	if (f->object) {
		fputs(" [", p->to);
		text_print_name(p->to, cg_string(profile, f->object), 0);
		fputc(']', p->to);
	}
	fprintf(p->to, "\n   %s ", text_cost(l->self[event], cost));
	text_print_name(p->to, cg_string(profile, profile->events[event].name), 0);
	fprintf(p->to, " in %s instructions", text_count(l->executed, executed));
	if (!l->nmissing)
		fprintf(p->to, "; vector instructions: %s",
			text_part(l->vector[event], l->self[event], share));
	fputc('\n', p->to);
	print_missing(p, l);
}

/* Rows that are near to one that was executed. */
static bool *rows_in_context(const struct asm_listing *l, size_t context)
{
	bool *shown = calloc(l->nrows + 1, sizeof *shown);

	for (size_t i = 0, next = 0; shown && i < l->nrows; i++) {
		if (!l->rows[i].executed && !l->rows[i].ncalls)
			continue;
		size_t from = i > context ? i - context : 0;
		size_t to = context < l->nrows - i ? i + context + 1 : l->nrows;
		for (next = from > next ? from : next; next < to; next++)
			shown[next] = true;
	}
	return shown;
}

static void print_not_executed(const struct asm_printer *p, size_t count)
{
	char text[TEXT_NUMBER];

	if (count)
		fprintf(p->to, "-- %s instruction%s not executed --\n", text_count(count, text),
			count == 1 ? "" : "s");
}

static int print_asm_row(const struct asm_printer *p, const struct report_instructions *of,
			 const struct asm_row *row, const struct asm_row **last)
{
	const unsigned indent = p->costs + (unsigned)p->instructions.address + 3;

	text_columns_print(p->to, p->columns, row->self);
	fputc(instruction_sign(of, row, p->signs), p->to);
	int status = instruction_print(&p->instructions, of, row, last, p->to);
	if (!status)
		status = instruction_print_jumps(NULL, of->listing,
						 &(struct asm_pair){ .row = { NULL, row } }, indent,
						 p->to);
	return status ? status : instruction_print_calls(of->listing, row, indent, p->to);
}

static int print_asm_rows(const struct asm_printer *p, const struct report_instructions *of)
{
	const struct asm_listing *l = of->listing;
	const struct asm_row *last = NULL;
	bool *shown = rows_in_context(l, p->r->context);
	size_t left_out = 0;
	int status = shown ? CG_OK : CG_ENOMEM;

	for (size_t i = 0; !status && i < l->nrows; i++) {
		if (!shown[i]) {
			left_out++;
			continue;
		}
		print_not_executed(p, left_out);
		if (l->rows[i].gap && i && !left_out)
			fputs("--\n", p->to);
		left_out = 0;
		status = print_asm_row(p, of, &l->rows[i], &last);
	}
	print_not_executed(p, left_out);
	free(shown);
	return status;
}

static int print_asm_function(struct asm_printer *p, const struct report_instructions *of)
{
	p->instructions = (struct instruction_columns){ 0 };
	for (size_t i = 0; i < of->listing->nrows; i++)
		instruction_columns_fit(&p->instructions, of->listing, &of->listing->rows[i]);
	instruction_columns_share(&p->instructions, p->costs, p->style);
	print_asm_heading(p, of);
	int status = instruction_print_inlined(NULL, of, p->style, &p->signs, p->to);
	return status ? status : print_asm_rows(p, of);
}

int show_asm_text(const struct show_report *r, const struct text_style *style, FILE *to)
{
	struct text_columns c;
	int status = show_begin(r, &c, style, to);

	if (status)
		return status;
	for (size_t i = 0; i < r->ninstructions; i++)
		for (size_t k = 0; k < r->instructions[i].listing->nrows; k++)
			if (r->instructions[i].listing->rows[k].self)
				text_columns_fit(&c, r->instructions[i].listing->rows[k].self);
	struct asm_printer p = { .r = r, .style = style, .columns = &c, .to = to };
	p.costs = width_of_costs(&c);
	if (r->ninstructions)
		show_print_titles(&c, " address  instruction", to);
	else
		show_print_unmatched(r, "function", to);
	for (size_t i = 0; !status && i < r->ninstructions; i++)
		status = print_asm_function(&p, &r->instructions[i]);
	if (r->instructions_hidden)
		fprintf(to, "\n… and %zu more functions; see all with --top=0\n",
			r->instructions_hidden);
	text_columns_free(&c);
	return status;
}
