#include "src/load/browse_instructions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/asm/match.h"
#include "src/load/function_source.h"
#include "src/report/inlined_here.h"
#include "src/report/instructions.h"

/* ---- profiles ---- */

/* The terminal shows something else. */
static int load_browsed_code(struct browse_instructions *s, struct cg_error *err)
{
	static const struct cg_detail detail = { .lines = true, .addresses = true };
	const struct notices silent = { .tell = notice_ignore };

	if (s->profiles.loaded)
		return CG_OK;
	int status = load_again(&s->profiles, &detail, STORED_INSTRUCTIONS, "machine code", err);
	for (int i = 0; !status && i < BROWSE_SIDES; i++)
		if (s->profiles.side[i].profile)
			status = loaded_read_code(&s->profiles.side[i], &silent, err);
	if (status)
		load_again_free(&s->profiles);
	return status;
}

/* ---- a function ---- */

static void forget_browsed_lines(struct browse_instructions *s)
{
	for (size_t i = 0; i < s->nlines; i++)
		free(s->lines[i]);
	free(s->lines);
	s->lines = NULL;
	s->nlines = 0;
	for (int i = 0; i < BROWSE_SIDES; i++) {
		asm_listing_free(s->listing[i]);
		s->listing[i] = NULL;
		free(s->chosen[i]);
		s->chosen[i] = NULL;
	}
	free(s->note);
	s->note = NULL;
	cg_strings_free(&s->texts);
	s->texts = (struct cg_strings){ 0 };
}

/* Of what is inlined, the functions whose code it is in. */
static int list_browsed_side(struct browse_instructions *s, int side, const struct browse_row *row)
{
	const struct cg_profile *p = s->profiles.side[side].profile;
	const char *name = side == BROWSE_BASE && row->was ? row->was : row->name;
	bool *chosen = s->chosen[side] = calloc((size_t)p->nfunctions + 1, sizeof *chosen);
	bool *machine = calloc((size_t)p->nfunctions + 1, sizeof *machine);
	uint32_t *functions = calloc((size_t)p->nfunctions + 1, sizeof *functions);
	size_t nfunctions = 0;
	struct asm_places *places = NULL;
	int status = chosen && machine && functions ? asm_places_make(p, &places) : CG_ENOMEM;

	if (!status) {
		function_source_choose(p, name, *row->object ? row->object : NULL, chosen);
		asm_find_machine_functions(p, chosen, machine);
		for (uint32_t f = 1; f < p->nfunctions; f++)
			if (machine[f])
				functions[nfunctions++] = f;
		status = asm_listing_make(places, &s->profiles.side[side].code, functions,
					  nfunctions, &s->texts, &s->listing[side]);
	}
	asm_places_free(places);
	free(machine);
	free(functions);
	return status;
}

/* ---- lines of the screen ---- */

/* The instruction, and where it is in the source: "0x1139  jne 0x1120   vec.c:5". */
static char *browsed_line(const struct browse_instructions *s, const struct asm_pair *pair,
			  const struct asm_row *last)
{
	enum { WIDTH = 52 };
	const int side = pair->row[ASM_HEAD] ? ASM_HEAD : ASM_BASE;
	const struct asm_listing *l = s->listing[side];
	const struct asm_row *row = pair->row[side];
	cg_str text = row->instruction.text;
	char *place = instruction_place(l, row, last), *line = NULL;
	char *jumps = instruction_jumps_text(s->listing[ASM_BASE], s->listing[ASM_HEAD], pair,
					     ", ");
	size_t size;
	FILE *to = place && jumps ? open_memstream(&line, &size) : NULL;

	if (to) {
		if (*s->note)
			fputc(inlined_here_is_marked(l, row, s->chosen[side]) ? '*' : ' ', to);
		fprintf(to, "0x%" PRIx64 "  %s%s%s", row->instruction.address,
			text ? cg_strings_get(l->texts, text) : "<not kept>", *jumps ? "  " : "",
			jumps);
		long written = ftell(to);
		if (*place)
			fprintf(to, "%*s  %s", written < WIDTH ? (int)(WIDTH - written) : 0, "",
				place);
		if (fclose(to) != 0) {
			free(line);
			line = NULL;
		}
	}
	free(place);
	free(jumps);
	return line;
}

static int add_browsed_pair(struct browse_instructions *s, const struct asm_pair *pair,
			    const struct asm_row **last, struct code *code)
{
	const int shown = pair->row[ASM_HEAD] ? ASM_HEAD : ASM_BASE;
	struct code_line *line = &code->lines[code->count];
	char *text = browsed_line(s, pair, *last);

	if (!text)
		return CG_ENOMEM;
	s->lines[s->nlines++] = text;
	for (int side = 0; side < ASM_SIDES; side++) {
		const struct asm_row *row = pair->row[side];
		if (!row)
			continue;
		line->in[side] = true;
		line->number[side] = row->line;
		line->text[side] = text;
		line->self[side] = row->self;
	}
	if (pair->row[shown]->file)
		*last = pair->row[shown];
	code->count++;
	return CG_OK;
}

static int make_browsed_code(struct browse_instructions *s, const struct asm_pairs *pairs,
			     struct code **out)
{
	const struct asm_row *last = NULL;
	struct code *code = calloc(1, sizeof *code);

	s->lines = calloc(pairs->count + 1, sizeof *s->lines);
	if (code)
		code->lines = calloc(pairs->count + 1, sizeof *code->lines);
	int status = s->lines && code && code->lines ? CG_OK : CG_ENOMEM;
	for (size_t i = 0; !status && i < pairs->count; i++)
		status = add_browsed_pair(s, &pairs->items[i], &last, code);
	if (status)
		code_free(code);
	else
		*out = code;
	return status;
}

static int note_what_is_inlined(struct browse_instructions *s)
{
	s->note = inlined_here_text(
		(const struct asm_listing *[ASM_SIDES]){ s->listing[ASM_BASE],
							 s->listing[ASM_HEAD] },
		(const bool *[ASM_SIDES]){ s->chosen[ASM_BASE], s->chosen[ASM_HEAD] });
	return s->note ? CG_OK : CG_ENOMEM;
}

static int find_browsed_code(void *of, const struct browse_row *row, bool base, bool head,
			     struct code **out, const char **note, struct cg_error *err)
{
	struct browse_instructions *s = of;
	const bool shown[BROWSE_SIDES] = { base && row->side[BROWSE_BASE].present,
					   head && row->side[BROWSE_HEAD].present };
	struct asm_pairs pairs = { 0 };
	int status = load_browsed_code(s, err);

	if (status)
		return status;
	forget_browsed_lines(s);
	status = cg_strings_init(&s->texts);
	for (int side = 0; !status && side < BROWSE_SIDES; side++)
		if (shown[side] && s->profiles.side[side].profile)
			status = list_browsed_side(s, side, row);
	if (!status)
		status = asm_match(s->listing[ASM_BASE], s->listing[ASM_HEAD], &pairs);
	if (!status)
		status = note_what_is_inlined(s);
	if (!status)
		status = make_browsed_code(s, &pairs, out);
	free(pairs.items);
	*note = s->note;
	return status ? cg_fail_nomem(err) : CG_OK;
}

void browse_instructions_offer(struct browse_instructions *s, struct browse_code_finder *to)
{
	to->of_instructions = s;
	to->find_instructions = find_browsed_code;
}

void browse_instructions_free(struct browse_instructions *s)
{
	forget_browsed_lines(s);
	load_again_free(&s->profiles);
}
