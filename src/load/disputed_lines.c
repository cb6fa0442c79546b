#include "src/load/disputed_lines.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "callgrind/support/number.h"
#include "src/view/code_parts.h"

struct dispute_search {
	const struct loaded *l;
	struct code_parts *texts; /* of the files; 0 is unused */
	size_t ntexts, cap;
	uint32_t *text_of; /* per string that names a file: its text, if that was looked for */
	uint32_t *words;   /* per function: hash of the last part of its name, if it was needed */
};

static int read_disputed_text(struct dispute_search *s, cg_str file, struct cg_error *err)
{
	if (s->text_of[file])
		return CG_OK;
	if (cg_grow(&s->texts, &s->cap, s->ntexts + 2, sizeof *s->texts))
		return cg_fail_nomem(err);
	s->text_of[file] = (uint32_t)++s->ntexts;
	struct code_parts *parts = &s->texts[s->ntexts];
	*parts = (struct code_parts){ 0 };
	const struct stored_source *kept = sources_find(&s->l->sources,
							cg_string(s->l->profile, file));
	int status = kept ? code_parts_add(parts, kept->bytes, kept->size) : CG_OK;
	return status ? cg_fail_nomem(err) : CG_OK;
}

static uint32_t word_of_function(struct dispute_search *s, uint32_t function)
{
	const struct cg_profile *p = s->l->profile;

	if (!s->words[function])
		s->words[function] = code_function_hash(cg_string(p, p->functions[function].name));
	return s->words[function];
}

/* Whether the line is in the text of another function, while the file has one of this name. */
static bool is_in_other_text(const struct code_parts *p, uint32_t line, uint32_t word)
{
	const struct code_part *at = code_part_at(p, line);

	if (!at || at->name == word)
		return false;
	for (size_t i = 0; i < p->count; i++)
		if (p->items[i].function && p->items[i].name == word)
			return true;
	return false;
}

static int is_disputed(struct dispute_search *s, const struct cg_line *line, bool *out,
		       struct cg_error *err)
{
	const struct cg_profile *p = s->l->profile;
	const uint32_t function = p->records[line->record].function;
	const cg_str own = p->functions[function].file;
	int status = CG_OK;

	*out = line->line && line->file && own && line->file != own;
	if (!line->line || !own || line->file != own)
		return CG_OK;
	status = read_disputed_text(s, own, err);
	if (!status)
		*out = is_in_other_text(&s->texts[s->text_of[own]], line->line,
					word_of_function(s, function));
	return status;
}

static int find_disputes(struct dispute_search *s, struct disputed_lines *out, struct cg_error *err)
{
	const struct cg_profile *p = s->l->profile;
	uint64_t most = 0;
	int status = CG_OK;

	out->known = p->has_lines;
	for (uint32_t i = 1; !status && p->has_lines && i < p->nlines; i++) {
		const int64_t self = p->line_self[(size_t)i * p->nevents];
		bool disputed = false;
		status = self ? is_disputed(s, &p->lines[i], &disputed, err) : CG_OK;
		if (!disputed)
			continue;
		out->count++;
		cg_add_cost_clipped(&out->self, self);
		if (cg_magnitude(self) > most) {
			most = cg_magnitude(self);
			out->most = i;
		}
	}
	return status;
}

int disputed_lines_find(const struct loaded *l, struct disputed_lines *out, struct cg_error *err)
{
	const struct cg_profile *p = l->profile;
	struct dispute_search s = { .l = l,
				    .text_of = calloc(p->strings.count + 1, sizeof *s.text_of),
				    .words = calloc((size_t)p->nfunctions + 1, sizeof *s.words) };

	*out = (struct disputed_lines){ 0 };
	int status = s.text_of && s.words ? find_disputes(&s, out, err) : cg_fail_nomem(err);
	for (size_t i = 1; i <= s.ntexts; i++)
		code_parts_free(&s.texts[i]);
	free(s.texts);
	free(s.text_of);
	free(s.words);
	return status;
}
