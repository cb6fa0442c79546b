#include "src/report/instructions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cgprofile/names.h"
#include "src/report/plain_name.h"

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

char *instruction_source(const struct report_instructions *of, const struct asm_row *row)
{
	const struct cg_profile *p = of->listing->profile;
	char *frames, *text;
	int len;

	if (!row->file)
		return strdup("");
	frames = instruction_frames(of->listing, row);
	if (!frames)
		return NULL;
	const char *line = line_texts_get(of->lines, row->file, row->line);
	line = line ? line + strspn(line, " \t") : "";
	const char *open = *frames ? " (" : "", *close = *frames ? ")" : "";
	if (row->line)
		len = asprintf(&text, "%s:%" PRIu32 "%s%s%s %s",
			       cg_base_name(cg_string(p, row->file)), row->line, open, frames,
			       close, line);
	else
		len = asprintf(&text, "%s%s%s%s", cg_base_name(cg_string(p, row->file)), open,
			       frames, close);
	free(frames);
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
