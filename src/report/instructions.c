#include "src/report/instructions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cgprofile/names.h"
#include "src/report/plain_name.h"
#include "src/text/text.h"

static void write_inlined_frames(const struct cg_profile *p, uint32_t record, FILE *to)
{
	const char *before = "";

	for (; p->records[record].inlined_into; record = p->records[record].inlined_into) {
		char *name = plain_name(
			cg_string(p, p->functions[p->records[record].function].name));
		fprintf(to, "%s%s", before, name ? name : "?");
		before = " in ";
		free(name);
	}
}

/* The functions that an instruction was inlined from, the innermost first: "h in g", without the
 * one whose machine code it is. "" if there are none. NULL if memory ran out; free() it. */
static char *instruction_frames(const struct asm_listing *listing, const struct asm_row *row)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	if (row->record)
		write_inlined_frames(listing->profile, row->record, to);
	if (fclose(to) == 0)
		return text;
	free(text);
	return NULL;
}

bool instruction_is_beside(const struct asm_row *a, const struct asm_row *b)
{
	return a && a->file == b->file && a->line == b->line && a->record == b->record;
}

char *instruction_place(const struct asm_listing *listing, const struct asm_row *row,
			const struct asm_row *last)
{
	const char *file = cg_base_name(cg_string(listing->profile, row->file));
	char *frames, *text, line[16] = "";

	if (!row->file || instruction_is_beside(last, row))
		return strdup("");
	frames = instruction_frames(listing, row);
	if (!frames)
		return NULL;
	if (row->line)
		snprintf(line, sizeof line, ":%" PRIu32, row->line);
	int len = asprintf(&text, "%s%s%s%s%s", file, line, *frames ? " (" : "", frames,
			   *frames ? ")" : "");
	free(frames);
	return len < 0 ? NULL : text;
}

char *instruction_source(const struct report_instructions *of, const struct asm_row *row)
{
	char *place = instruction_place(of->listing, row, NULL), *text;

	if (!place || !row->line)
		return place;
	const char *line = line_texts_get(of->lines, row->file, row->line);
	int len = asprintf(&text, "%s %s", place, line ? line + strspn(line, " \t") : "");
	free(place);
	return len < 0 ? NULL : text;
}

char *instructions_missing(const struct asm_missing *m)
{
	const char *id = m->code ? m->code->build_id : NULL;
	char *text;
	/* What was found has no code at some of the addresses. */
	const char *why = !m->code                          ? "it was not kept with the profile"
			  : m->code->state == CG_CODE_FOUND ? cg_code_state_words(CG_CODE_OUTSIDE)
							    : cg_code_state_words(m->code->state);

	return asprintf(&text, "no code of %s%s%s%s: %s",
			*m->object ? m->object : "an unknown object", id ? " (build-id " : "",
			id ? id : "", id ? ")" : "", why) < 0
		       ? NULL
		       : text;
}

bool instruction_has_jumps(const struct asm_row *row)
{
	const struct asm_instruction *i = &row->instruction;

	return row->knows_jumps && !(i->flow == ASM_JUMP && i->target);
}

uint64_t instruction_jumps(const struct asm_listing *listing, const struct asm_row *row)
{
	uint64_t made = 0; /* at most row->executions */

	for (size_t i = row->jump; i < row->jump + row->njumps; i++)
		made += listing->jumps[i].count;
	return made;
}

/* Whether it led elsewhere than its text says. */
static bool jumps_are_computed(const struct asm_listing *listing, const struct asm_row *row)
{
	for (size_t i = row->jump; i < row->jump + row->njumps; i++)
		if (listing->jumps[i].target != row->instruction.target)
			return true;
	return false;
}

static bool jumps_are_equal(const struct asm_listing *const listing[ASM_SIDES],
			    const struct asm_row *base, const struct asm_row *head)
{
	if (base->executions != head->executions || base->njumps != head->njumps)
		return false;
	for (size_t i = 0; i < base->njumps; i++)
		if (listing[ASM_BASE]->jumps[base->jump + i].count !=
		    listing[ASM_HEAD]->jumps[head->jump + i].count)
			return false;
	return true;
}

static void write_jump_count(const struct asm_row *row, uint64_t made, FILE *to)
{
	char times[TEXT_NUMBER], executed[TEXT_NUMBER];

	fprintf(to, "jumped %s of %s times", text_count(made, times),
		text_count(row->executions, executed));
}

static void write_jumps_of_row(const struct asm_listing *listing, const struct asm_row *row,
			       const char *where, const char *between, FILE *to)
{
	if (!jumps_are_computed(listing, row)) {
		write_jump_count(row, instruction_jumps(listing, row), to);
		fputs(where, to);
		return;
	}
	for (size_t i = 0; i < row->njumps; i++) {
		const struct asm_jump *j = &listing->jumps[row->jump + i];
		fputs(i ? between : "", to);
		write_jump_count(row, j->count, to);
		fprintf(to, " to 0x%" PRIx64 "%s", j->target, where);
	}
}

char *instruction_jumps_text(const struct asm_listing *base, const struct asm_listing *head,
			     const struct asm_pair *pair, const char *between)
{
	const struct asm_listing *const listing[ASM_SIDES] = { base, head };
	static const char *const where[ASM_SIDES] = { " in base", " in head" };
	bool says[ASM_SIDES], both = pair->row[ASM_BASE] && pair->row[ASM_HEAD];
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	for (int side = 0; side < ASM_SIDES; side++)
		says[side] = pair->row[side] && instruction_has_jumps(pair->row[side]);
	if (says[ASM_BASE] && says[ASM_HEAD] &&
	    jumps_are_equal(listing, pair->row[ASM_BASE], pair->row[ASM_HEAD]))
		says[ASM_BASE] = both = false;
	for (int side = 0; side < ASM_SIDES; side++) {
		if (!says[side])
			continue;
		fputs(side == ASM_HEAD && says[ASM_BASE] ? between : "", to);
		write_jumps_of_row(listing[side], pair->row[side], both ? where[side] : "", between,
				   to);
	}
	if (fclose(to) == 0)
		return text;
	free(text);
	return NULL;
}
