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

char *instruction_frames(const struct asm_listing *listing, const struct asm_row *row)
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

void instruction_write_jumps(const struct asm_listing *listing, const struct asm_row *row, FILE *to)
{
	char made[TEXT_NUMBER], executed[TEXT_NUMBER];

	if (instruction_has_jumps(row))
		fprintf(to, " (%s of %s)", text_count(instruction_jumps(listing, row), made),
			text_count(row->executions, executed));
}
