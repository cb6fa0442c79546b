#include "src/report/text/instructions.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "src/report/inlined_here.h"
#include "src/text/short_name.h"
#include "src/text/wrap.h"

enum { WIDEST_TEXT = 48, LEAST_SOURCE = 12, GAPS = 6 };

/* "?" where the code is not there. */
static const char *text_of_row(const struct asm_listing *listing, const struct asm_row *row)
{
	cg_str text = row->instruction.text;
	return text ? cg_strings_get(listing->texts, text) : "?";
}

void instruction_columns_fit(struct instruction_columns *c, const struct asm_listing *listing,
			     const struct asm_row *row)
{
	int digits = snprintf(NULL, 0, "0x%" PRIx64, row->instruction.address);
	size_t width = text_width(text_of_row(listing, row));

	if (digits > c->address)
		c->address = digits;
	if (width > c->text)
		c->text = width < WIDEST_TEXT ? (unsigned)width : WIDEST_TEXT;
}

void instruction_columns_share(struct instruction_columns *c, unsigned taken,
			       const struct text_style *style)
{
	if (style->wide || !style->width)
		return;
	taken += (unsigned)c->address + c->text + GAPS;
	c->no_source = style->width < taken + LEAST_SOURCE;
	c->source = c->no_source ? 0 : style->width - taken;
}

int instruction_print_inlined(const struct report_instructions *base,
			      const struct report_instructions *head,
			      const struct text_style *style, bool *any, FILE *to)
{
	enum { INDENT = 3 };
	const struct asm_listing *const listing[ASM_SIDES] = { base ? base->listing : NULL,
							       head->listing };
	const bool *const chosen[ASM_SIDES] = { base ? base->chosen : NULL, head->chosen };
	char *text = inlined_here_text(listing, chosen), *line = NULL;
	int status = text ? CG_OK : CG_ENOMEM;

	*any = text && *text;
	if (*any && (asprintf(&line, "%*s%s", INDENT, "", text) < 0 ||
		     text_print_wrapped(to, line, style->wide ? 0 : style->width, INDENT)))
		status = CG_ENOMEM;
	free(text);
	free(line);
	return status;
}

char instruction_sign(const struct report_instructions *of, const struct asm_row *row, bool any)
{
	return any && inlined_here_is_marked(of->listing, row, of->chosen) ? '*' : ' ';
}

int instruction_print(const struct instruction_columns *c, const struct report_instructions *of,
		      const struct asm_row *row, const struct asm_row **last, FILE *to)
{
	const char *text = text_of_row(of->listing, row);
	bool beside = !c->no_source && row->file && !instruction_is_beside(*last, row);
	char *source = beside ? instruction_source(of, row) : NULL, *safe = NULL;

	if (row->file)
		*last = row;
	char address[24];
	snprintf(address, sizeof address, "0x%" PRIx64, row->instruction.address);
	fprintf(to, "%*s  %s", c->address, address, text);
	if (beside && !(source && (safe = text_source(source, c->source)))) {
		free(source);
		return CG_ENOMEM;
	}
	if (beside) {
		for (size_t width = text_width(text); width < c->text; width++)
			fputc(' ', to);
		fprintf(to, "  %s", safe);
	}
	fputc('\n', to);
	free(source);
	free(safe);
	return CG_OK;
}

int instruction_print_calls(const struct asm_listing *listing, const struct asm_row *row,
			    unsigned indent, FILE *to)
{
	const struct cg_profile *p = listing->profile;

	for (size_t i = row->call; i < row->call + row->ncalls; i++) {
		const struct asm_call *c = &listing->calls[i];
		char count[TEXT_NUMBER];
		char *name = text_name(cg_string(p, p->functions[c->callee].name), 0);
		if (!name)
			return CG_ENOMEM;
		fprintf(to, "%*s=> %s (%sx)\n", (int)indent, "", name, text_count(c->count, count));
		free(name);
	}
	return CG_OK;
}

int instruction_print_jumps(const struct asm_listing *base, const struct asm_listing *head,
			    const struct asm_pair *pair, unsigned indent, FILE *to)
{
	char *text = instruction_jumps_text(base, head, pair, "\n"), *rest = text, *line;

	if (!text)
		return CG_ENOMEM;
	while (*text && (line = strsep(&rest, "\n")))
		fprintf(to, "%*s%s\n", (int)indent, "", line);
	free(text);
	return CG_OK;
}
