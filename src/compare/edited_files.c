#include "src/compare/edited_files.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "cgprofile/names.h"
#include "src/load/function_source.h"
#include "src/load/keep_sources.h"
#include "src/view/code.h"

/* ---- texts ---- */

/* The file as it is now may be that of head, but not that of base as well. */
static bool is_measured_text(const struct source_text *text, int side)
{
	bool kept = text->origin == SOURCE_TEXT_KEPT || text->origin == SOURCE_TEXT_COMMIT;
	return kept || (side == CODE_HEAD && text->origin == SOURCE_TEXT_NOW);
}

static int compare_part_names(const void *left, const void *right, void *context)
{
	const struct code_parts *parts = context;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	int order = edited_parts_compare(&parts->items[a], &parts->items[b]);
	return order ? order : (a > b) - (a < b);
}

static int order_parts(struct edited_file *f)
{
	size_t n = f->parts.count;

	f->edited = calloc(n + 1, sizeof *f->edited);
	f->by_name = calloc(n + 1, sizeof *f->by_name);
	if (!f->edited || !f->by_name)
		return CG_ENOMEM;
	for (uint32_t i = 0; i < n; i++)
		f->by_name[i] = i;
	qsort_r(f->by_name, n, sizeof *f->by_name, compare_part_names, &f->parts);
	return CG_OK;
}

/* What was kept is all there is, unless the program may be built from another text. Git is asked
 * about profiles without sources only, and not about many files. Larger ones are generated. */
static int find_measured_text(const struct edited_search *s, int side, const char *name,
			      struct source_text *text, struct cg_error *err)
{
	enum { MOST_ASKED = 50 };
	const struct edited_side *of = &s->sides[side];
	const struct stored_source *kept = sources_find(&of->loaded->sources, name);

	if (kept && kept->newer)
		return CG_OK;
	if (kept)
		return source_text_of(name, kept->bytes, kept->size, text, err);
	if (of->loaded->sources.count || of->nfiles > MOST_ASKED)
		return CG_OK;
	return loaded_source_text(of->loaded, name, s->dirs, text, err);
}

static int read_edited_file(const struct edited_search *s, int side, struct edited_file *f,
			    struct cg_error *err)
{
	enum { MOST_BYTES = 4 << 20 };
	struct source_text text = { 0 };
	int status = find_measured_text(s, side, f->name, &text, err);

	if (!status && is_measured_text(&text, side) && text.size <= MOST_BYTES) {
		f->known = true;
		f->text = text.bytes;
		f->size = text.size;
		text.bytes = NULL;
		if (code_parts_add(&f->parts, f->text, f->size))
			status = cg_fail_nomem(err);
	}
	source_text_free(&text);
	if (status)
		return status;
	return order_parts(f) ? cg_fail_nomem(err) : CG_OK;
}

struct file_search {
	const struct edited_side *side;
	const char *name;
};

static bool has_file_name(const void *context, uint32_t id)
{
	const struct file_search *search = context;
	return strcmp(search->side->files[id].name, search->name) == 0;
}

/* *out: its number. */
static int find_edited_file(struct edited_search *s, int side, const char *name, uint32_t *out,
			    struct cg_error *err)
{
	struct edited_side *of = &s->sides[side];
	const struct file_search search = { of, name };
	uint32_t hash = cg_hash_bytes(name, strlen(name));

	*out = cg_index_find(&of->file_index, hash, has_file_name, &search);
	if (*out)
		return CG_OK;
	if (cg_grow(&of->files, &of->files_cap, of->nfiles + 2, sizeof *of->files) ||
	    cg_index_reserve(&of->file_index))
		return cg_fail_nomem(err);
	*out = (uint32_t)++of->nfiles;
	of->files[*out] = (struct edited_file){ .name = name };
	cg_index_insert(&of->file_index, hash, *out);
	return read_edited_file(s, side, &of->files[*out], err);
}

/* The files that functions are defined in, and all that were kept: they declare what these use. */
static int read_edited_files(struct edited_search *s, int side, struct cg_error *err)
{
	const struct edited_side *of = &s->sides[side];
	const struct stored_sources *kept = &of->loaded->sources;
	const struct cg_profile *p = of->p;
	int status = CG_OK;
	uint32_t file;

	for (uint32_t i = 1; !status && i < p->nfunctions; i++)
		if (p->functions[i].file)
			status = find_edited_file(s, side, cg_string(p, p->functions[i].file),
						  &of->file_of[i], err);
	for (size_t i = 0; !status && i < kept->count; i++)
		status = find_edited_file(s, side, kept->items[i].name, &file, err);
	return status;
}

/* The only known file whose name without directories is that of `name`; 0: none, or several. */
static size_t find_only_namesake(const struct edited_side *of, const char *name)
{
	size_t found = 0;

	for (size_t k = 1; k <= of->nfiles; k++) {
		if (!of->files[k].known ||
		    strcmp(cg_base_name(of->files[k].name), cg_base_name(name)) != 0)
			continue;
		if (found)
			return 0;
		found = k;
	}
	return found;
}

/* A file of the same name, or else the first that is alike, or the only one of that name in
 * whatever directory, as those at the top of two clones are; 0: none of these. */
static size_t find_alike(const struct edited_file *f, const struct edited_side *own,
			 const struct edited_side *other)
{
	const struct file_search search = { other, f->name };
	uint32_t hash = cg_hash_bytes(f->name, strlen(f->name));
	size_t same = cg_index_find(&other->file_index, hash, has_file_name, &search);

	if (same && other->files[same].known)
		return same;
	for (size_t k = 1; k <= other->nfiles; k++)
		if (other->files[k].known && source_is_alike(f->name, other->files[k].name))
			return k;
	return find_only_namesake(own, f->name) ? find_only_namesake(other, f->name) : 0;
}

/* What only one side knows cannot be compared. */
static void cover_files(struct edited_search *s, int side)
{
	struct edited_side *of = &s->sides[side];

	for (size_t i = 1; i <= of->nfiles; i++) {
		struct edited_file *f = &of->files[i];
		f->alike = f->known ? find_alike(f, of, &s->sides[!side]) : 0;
		f->covered = f->alike;
	}
}

int edited_files_read(struct edited_search *s, struct cg_error *err)
{
	int status = read_edited_files(s, CODE_BASE, err);

	if (!status)
		status = read_edited_files(s, CODE_HEAD, err);
	if (status)
		return status;
	cover_files(s, CODE_BASE);
	cover_files(s, CODE_HEAD);
	return CG_OK;
}
