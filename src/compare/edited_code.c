#include "src/compare/edited_code.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "callgrind/support/index.h"
#include "cgprofile/names.h"
#include "src/load/function_source.h"
#include "src/load/keep_sources.h"
#include "src/view/code.h"
#include "src/view/code_parts.h"

/* A file of one side. */
struct edited_file {
	const char *name;
	bool known;   /* its text is what was measured */
	bool covered; /* and the other side has a file that is alike */
	size_t alike; /* its number; 0: there is none */
	struct code_parts parts;
	bool *edited;      /* per part */
	bool any;          /* one of them is */
	uint32_t *by_name; /* parts in order of their names, kinds and texts */
};

/* What is known of functions of one name in one file, or if that is "" in any. */
struct named_edit {
	const char *name;
	size_t len;
	const char *file;
	enum code_edit edit;
};

struct edited_side {
	const struct loaded *loaded;
	const struct cg_profile *p;
	struct edited_file *files; /* file 0 is unused */
	size_t nfiles, files_cap;
	struct cg_index file_index;
	uint32_t *file_of; /* per function: the file that it is defined in; 0: not known */
	uint32_t *words;   /* per function: hash of the last word of its name */
	uint64_t *hashes;  /* of all parts, in order */
	size_t nhashes;
	enum code_edit *edits;    /* per function */
	struct named_edit *named; /* 0 is unused */
	size_t nnamed, named_cap;
	struct cg_index named_index;
};

struct edited_search {
	const struct tree_diff *t;
	const char *const *dirs;
	struct edited_side sides[CODE_SIDES];
	uint32_t *names; /* whose declarations were edited, in order */
	size_t nnames, names_cap;
	bool any;
};

/* ---- texts ---- */

/* The file as it is now may be that of head, but not that of base as well. */
static bool is_measured_text(const struct source_text *text, int side)
{
	bool kept = text->origin == SOURCE_TEXT_KEPT || text->origin == SOURCE_TEXT_COMMIT;
	return kept || (side == CODE_HEAD && text->origin == SOURCE_TEXT_NOW);
}

static int compare_text_parts(const struct code_part *a, const struct code_part *b)
{
	if (a->name != b->name)
		return a->name < b->name ? -1 : 1;
	if (a->function != b->function)
		return a->function ? 1 : -1;
	return (a->hash > b->hash) - (a->hash < b->hash);
}

static int compare_part_names(const void *left, const void *right, void *context)
{
	const struct code_parts *parts = context;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	int order = compare_text_parts(&parts->items[a], &parts->items[b]);
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

/* What was kept is all there is: git is only asked about profiles without sources, and not about
 * many files. Larger ones are generated. */
static int find_measured_text(const struct edited_search *s, int side, const char *name,
			      struct source_text *text, struct cg_error *err)
{
	enum { MOST_ASKED = 50 };
	const struct edited_side *of = &s->sides[side];
	const struct stored_source *kept = sources_find(&of->loaded->sources, name);

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
		if (code_parts_add(&f->parts, text.bytes, text.size))
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

static bool is_own_line(const struct cg_profile *p, const struct cg_line *line)
{
	return line->line && line->file &&
	       line->file == p->functions[p->records[line->record].function].file;
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

/* A file of the same name, or else the first that is alike; 0: there is none. */
static size_t find_alike(const struct edited_file *f, const struct edited_side *other)
{
	const struct file_search search = { other, f->name };
	uint32_t hash = cg_hash_bytes(f->name, strlen(f->name));
	size_t same = cg_index_find(&other->file_index, hash, has_file_name, &search);

	if (same && other->files[same].known)
		return same;
	for (size_t k = 1; k <= other->nfiles; k++)
		if (other->files[k].known && source_is_alike(f->name, other->files[k].name))
			return k;
	return 0;
}

/* What only one side knows cannot be compared. */
static void cover_files(struct edited_search *s, int side)
{
	struct edited_side *of = &s->sides[side];

	for (size_t i = 1; i <= of->nfiles; i++) {
		struct edited_file *f = &of->files[i];
		f->alike = f->known ? find_alike(f, &s->sides[!side]) : 0;
		f->covered = f->alike;
	}
}

/* ---- parts ---- */

static int compare_hashes(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
	return (a > b) - (a < b);
}

static int list_hashes(struct edited_side *of)
{
	size_t count = 0;

	for (size_t i = 1; i <= of->nfiles; i++)
		count += of->files[i].parts.count;
	of->hashes = calloc(count + 1, sizeof *of->hashes);
	if (!of->hashes)
		return CG_ENOMEM;
	for (size_t i = 1; i <= of->nfiles; i++)
		for (size_t k = 0; k < of->files[i].parts.count; k++)
			of->hashes[of->nhashes++] = of->files[i].parts.items[k].hash;
	qsort(of->hashes, of->nhashes, sizeof *of->hashes, compare_hashes);
	return CG_OK;
}

static bool has_part(const struct edited_side *of, uint64_t hash)
{
	return of->nhashes && bsearch(&hash, of->hashes, of->nhashes, sizeof hash, compare_hashes);
}

/* The first part, in their order, that is not before this one. */
static size_t find_text_part(const struct edited_file *f, const struct code_part *wanted)
{
	size_t from = 0, to = f->parts.count;

	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (compare_text_parts(&f->parts.items[f->by_name[middle]], wanted) < 0)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/* NULL: there is none of this name and kind. */
static const struct code_part *find_named_part(const struct edited_file *f,
					       const struct code_part *wanted)
{
	size_t at = find_text_part(f, wanted);
	const struct code_part *part = at < f->parts.count ? &f->parts.items[f->by_name[at]] : NULL;

	return part && part->name == wanted->name && part->function == wanted->function ? part
											: NULL;
}

/* Whether the other side has the same text: in the file that is alike if that has something of
 * this name, since a copy elsewhere is another function; else anywhere, as code is moved. */
static bool has_same_part(const struct edited_side *other, const struct edited_file *f,
			  const struct code_part *part)
{
	const struct edited_file *alike = &other->files[f->alike];
	const struct code_part any = { .name = part->name, .function = part->function };

	if (!part->name || !find_named_part(alike, &any))
		return has_part(other, part->hash);
	const struct code_part *same = find_named_part(alike, part);
	return same && same->hash == part->hash;
}

static int compare_words(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	return (a > b) - (a < b);
}

static bool is_edited_name(const struct edited_search *s, uint32_t name)
{
	return s->nnames && bsearch(&name, s->names, s->nnames, sizeof name, compare_words);
}

static bool uses_edited_name(const struct edited_search *s, const struct edited_file *f,
			     const struct code_part *part)
{
	for (size_t i = 0; s->nnames && i < part->nwords; i++)
		if (is_edited_name(s, f->parts.words[part->word + i]))
			return true;
	return false;
}

static int add_edited_name(struct edited_search *s, uint32_t name, size_t *added)
{
	if (!name || is_edited_name(s, name))
		return CG_OK;
	if (cg_grow(&s->names, &s->names_cap, s->nnames + *added + 1, sizeof *s->names))
		return CG_ENOMEM;
	s->names[s->nnames + (*added)++] = name;
	return CG_OK;
}

/* What a declaration declares, and the type whose member that is. */
static int add_edited_names(struct edited_search *s, const struct code_parts *parts,
			    const struct code_part *part, size_t *added)
{
	int status = CG_OK;

	/* Who calls a function is not edited where it is declared; a member has the name of many
	 * other things. */
	if (!part->prototype && !part->owner)
		status = add_edited_name(s, part->name, added);
	if (!status)
		status = add_edited_name(s, part->owner, added);
	for (size_t i = 0; !status && part->enumerators && i < part->nwords; i++)
		status = add_edited_name(s, parts->words[part->word + i], added);
	return status;
}

/* Names are added after those that are in order. */
static int mark_edited_parts(struct edited_search *s, int side, size_t *added)
{
	struct edited_side *of = &s->sides[side];
	int status = CG_OK;

	for (size_t i = 1; i <= of->nfiles; i++) {
		struct edited_file *f = &of->files[i];
		for (size_t k = 0; !status && f->covered && k < f->parts.count; k++) {
			const struct code_part *part = &f->parts.items[k];
			if (f->edited[k] || (has_same_part(&s->sides[!side], f, part) &&
					     !uses_edited_name(s, f, part)))
				continue;
			f->edited[k] = f->any = s->any = true;
			if (!part->function)
				status = add_edited_names(s, &f->parts, part, added);
		}
	}
	return status;
}

/* What uses an edited macro was edited, too, and so on. */
static int find_edited_parts(struct edited_search *s)
{
	enum { MOST_STEPS = 8 };
	size_t added;
	int status, steps = 0;

	do {
		added = 0;
		status = mark_edited_parts(s, CODE_BASE, &added);
		if (!status)
			status = mark_edited_parts(s, CODE_HEAD, &added);
		s->nnames += added;
		if (s->nnames)
			qsort(s->names, s->nnames, sizeof *s->names, compare_words);
	} while (!status && added && ++steps < MOST_STEPS);
	return status;
}

/* ---- functions ---- */

/* Of what is called so in its file. */
static enum code_edit edit_of_name(const struct edited_file *f, uint32_t wanted)
{
	enum { MOST_ALIKE = 1000 };
	size_t edited = 0, found = 0;

	if (!f->covered)
		return EDIT_UNKNOWN;
	if (!f->any)
		return EDIT_NONE;
	const struct code_part first = { .name = wanted };
	for (size_t from = find_text_part(f, &first); from < f->parts.count; from++) {
		uint32_t part = f->by_name[from];
		if (f->parts.items[part].name != wanted)
			break;
		if (found > MOST_ALIKE)
			return EDIT_UNKNOWN;
		found += f->parts.items[part].function;
		edited += f->parts.items[part].function && f->edited[part];
	}
	if (!found || (edited && edited < found))
		return EDIT_UNKNOWN;
	return edited ? EDIT_CHANGED : EDIT_NONE;
}

/* Per function: nothing is known yet. NULL: out of memory. */
static enum code_edit *new_edits(const struct cg_profile *p)
{
	enum code_edit *edits = calloc((size_t)p->nfunctions + 1, sizeof *edits);

	for (uint32_t i = 0; edits && i < p->nfunctions; i++)
		edits[i] = EDIT_UNKNOWN;
	return edits;
}

static void note_edit(enum code_edit *edit, bool edited)
{
	if (edited)
		*edit = EDIT_CHANGED;
	else if (*edit == EDIT_UNKNOWN)
		*edit = EDIT_NONE;
}

/* By the text around the lines of a function: of the part that has its name, if `named`, else of
 * any. The compiler attributes some code to lines of functions nearby. */
static int find_edits_by_lines(struct edited_side *of, bool named)
{
	const struct cg_profile *p = of->p;
	enum code_edit *found = new_edits(p);

	if (!found)
		return CG_ENOMEM;
	for (uint32_t i = 1; i < p->nlines; i++) {
		uint32_t function = p->records[p->lines[i].record].function;
		const struct edited_file *f = &of->files[of->file_of[function]];
		if (of->edits[function] != EDIT_UNKNOWN || !f->covered ||
		    !is_own_line(p, &p->lines[i]))
			continue;
		const struct code_part *part = code_part_at(&f->parts, p->lines[i].line);
		if (part && (!named || part->name == of->words[function]))
			note_edit(&found[function], f->edited[part - f->parts.items]);
	}
	for (uint32_t i = 1; i < p->nfunctions; i++)
		if (of->edits[i] == EDIT_UNKNOWN)
			of->edits[i] = found[i];
	free(found);
	return CG_OK;
}

/* A function has no lines if all that it does is inlined into it. */
static void find_edits_by_name(struct edited_side *of)
{
	for (uint32_t i = 1; i < of->p->nfunctions; i++)
		if (of->edits[i] == EDIT_UNKNOWN && of->file_of[i])
			of->edits[i] = edit_of_name(&of->files[of->file_of[i]], of->words[i]);
}

static bool is_installed_file(const char *path)
{
	static const char *const places[] = { "/usr/", "/rustc/", "/nix/", "/gnu/" };

	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		if (strncmp(path, places[i], strlen(places[i])) == 0)
			return true;
	return false;
}

/* Nobody edits the functions of libraries: they lie in objects of which no source is known, or in
 * files that are installed, or were linked without debug information. */
static int find_library_functions(struct edited_side *of)
{
	const struct cg_profile *p = of->p;
	bool *has_source = calloc(p->strings.count + 1, sizeof *has_source);

	if (!has_source)
		return CG_ENOMEM;
	for (uint32_t i = 1; i < p->nfunctions; i++)
		if (of->file_of[i] && of->files[of->file_of[i]].known)
			has_source[p->functions[i].object] = true;
	for (uint32_t i = 1; i < p->nfunctions; i++) {
		const struct cg_function *f = &p->functions[i];
		bool installed = !f->file || is_installed_file(cg_string(p, f->file));
		if (of->edits[i] == EDIT_UNKNOWN && (installed || !has_source[f->object]))
			of->edits[i] = EDIT_NONE;
	}
	free(has_source);
	return CG_OK;
}

static int find_function_edits(struct edited_side *of)
{
	int status;

	for (uint32_t i = 1; i < of->p->nfunctions; i++)
		of->words[i] = code_function_hash(cg_string(of->p, of->p->functions[i].name));
	status = find_edits_by_lines(of, true);
	if (!status) {
		find_edits_by_name(of);
		status = find_edits_by_lines(of, false);
	}
	return status ? status : find_library_functions(of);
}

/* ---- functions of both sides ---- */

static bool has_same_name(const void *context, uint32_t id)
{
	const struct edited_side *of = context;
	const struct named_edit *a = &of->named[0], *b = &of->named[id];
	return a->len == b->len && memcmp(a->name, b->name, a->len) == 0 &&
	       strcmp(a->file, b->file) == 0;
}

static uint32_t hash_of_named(const struct named_edit *n)
{
	return (uint32_t)cg_hash_mix(cg_hash_bytes(n->name, n->len),
				     cg_hash_bytes(n->file, strlen(n->file)));
}

static enum code_edit join_edits(enum code_edit a, enum code_edit b)
{
	return a > b ? a : b;
}

static int add_named_edit(struct edited_side *of, struct named_edit n)
{
	uint32_t hash = hash_of_named(&n);

	if (cg_grow(&of->named, &of->named_cap, of->nnamed + 2, sizeof *of->named) ||
	    cg_index_reserve(&of->named_index))
		return CG_ENOMEM;
	of->named[0] = n;
	uint32_t id = cg_index_find(&of->named_index, hash, has_same_name, of);
	if (id) {
		of->named[id].edit = join_edits(of->named[id].edit, n.edit);
		return CG_OK;
	}
	of->named[++of->nnamed] = n;
	cg_index_insert(&of->named_index, hash, (uint32_t)of->nnamed);
	return CG_OK;
}

static int name_edits(struct edited_side *of)
{
	int status = CG_OK;

	for (uint32_t i = 1; !status && i < of->p->nfunctions; i++) {
		const char *name = cg_string(of->p, of->p->functions[i].name);
		struct named_edit n = { name, cg_name_stem(name, strlen(name)), "", of->edits[i] };
		status = add_named_edit(of, n);
		n.file = cg_string(of->p, of->p->functions[i].file);
		if (!status && *n.file)
			status = add_named_edit(of, n);
	}
	return status;
}

/* A function that moved has another file in base. */
static enum code_edit edit_of_row(struct edited_side *of, const char *name, const char *file)
{
	if (!of->nnamed)
		return EDIT_UNKNOWN;
	of->named[0] = (struct named_edit){ .name = name, .len = strlen(name), .file = file };
	uint32_t id = cg_index_find(&of->named_index, hash_of_named(&of->named[0]), has_same_name,
				    of);
	if (!id && *file)
		return edit_of_row(of, name, "");
	return id ? of->named[id].edit : EDIT_UNKNOWN;
}

static int number_edits(struct edited_search *s, uint8_t **out)
{
	const struct tree_diff *t = s->t;
	uint32_t most = 0;

	for (uint32_t i = 1; i < t->count; i++) {
		most = t->rows[i].function > most ? t->rows[i].function : most;
		most = t->rows[i].base_function > most ? t->rows[i].base_function : most;
	}
	uint8_t *edits = calloc((size_t)most + 1, sizeof *edits);
	if (!edits)
		return CG_ENOMEM;
	for (uint32_t i = 1; i < t->count; i++) {
		const struct tree_row *r = &t->rows[i];
		enum code_edit edit = EDIT_NONE;
		const struct {
			bool present;
			const char *name;
		} of[CODE_SIDES] = { { r->base.present, r->base_name },
				     { r->head.present, r->name } };
		for (int side = 0; side < CODE_SIDES; side++)
			if (of[side].present)
				edit = join_edits(
					edit, edit_of_row(&s->sides[side], of[side].name, r->file));
		edits[r->function] = (uint8_t)join_edits(edits[r->function], edit);
		edits[r->base_function] = (uint8_t)join_edits(edits[r->base_function], edit);
	}
	*out = edits;
	return CG_OK;
}

/* ---- the whole ---- */

static int prepare_side(struct edited_search *s, int side, struct cg_error *err)
{
	struct edited_side *of = &s->sides[side];
	size_t n = (size_t)of->p->nfunctions + 1;

	of->file_of = calloc(n, sizeof *of->file_of);
	of->edits = new_edits(of->p);
	of->words = calloc(n, sizeof *of->words);
	if (!of->file_of || !of->edits || !of->words ||
	    cg_grow(&of->files, &of->files_cap, 1, sizeof *of->files))
		return cg_fail_nomem(err);
	of->files[0] = (struct edited_file){ 0 };
	int status = read_edited_files(s, side, err);
	return !status && list_hashes(of) ? cg_fail_nomem(err) : status;
}

static void begin_edited_search(struct edited_search *s, const struct loaded *base,
				const struct loaded *head, const char *const *dirs)
{
	*s = (struct edited_search){ .dirs = dirs };
	s->sides[CODE_BASE] = (struct edited_side){ .loaded = base, .p = base->profile };
	s->sides[CODE_HEAD] = (struct edited_side){ .loaded = head, .p = head->profile };
}

static int search_edits(struct edited_search *s, struct cg_error *err)
{
	int status = prepare_side(s, CODE_BASE, err);

	if (!status)
		status = prepare_side(s, CODE_HEAD, err);
	if (status)
		return status;
	cover_files(s, CODE_BASE);
	cover_files(s, CODE_HEAD);
	return find_edited_parts(s) ? cg_fail_nomem(err) : CG_OK;
}

static int find_edits_of_sides(struct edited_search *s)
{
	int status = find_function_edits(&s->sides[CODE_BASE]);

	return status ? status : find_function_edits(&s->sides[CODE_HEAD]);
}

static int find_edits_of_rows(struct edited_search *s, uint8_t **out)
{
	int status = find_edits_of_sides(s);

	if (!status)
		status = name_edits(&s->sides[CODE_BASE]);
	if (!status)
		status = name_edits(&s->sides[CODE_HEAD]);
	return status ? status : number_edits(s, out);
}

static void free_edited_side(struct edited_side *of)
{
	for (size_t i = 1; i <= of->nfiles; i++) {
		code_parts_free(&of->files[i].parts);
		free(of->files[i].edited);
		free(of->files[i].by_name);
	}
	free(of->files);
	free(of->file_of);
	free(of->words);
	free(of->hashes);
	free(of->edits);
	free(of->named);
	cg_index_free(&of->file_index);
	cg_index_free(&of->named_index);
}

static void end_edited_search(struct edited_search *s)
{
	for (int side = 0; side < CODE_SIDES; side++)
		free_edited_side(&s->sides[side]);
	free(s->names);
}

int edited_code_find(const struct tree_diff *t, const struct loaded *base,
		     const struct loaded *head, const char *const *dirs, uint8_t **out,
		     struct cg_error *err)
{
	struct edited_search s;

	*out = NULL;
	if (!base->profile->has_lines || !head->profile->has_lines)
		return CG_OK;
	begin_edited_search(&s, base, head, dirs);
	s.t = t;
	int status = search_edits(&s, err);
	if (!status && s.any && find_edits_of_rows(&s, out))
		status = cg_fail_nomem(err);
	end_edited_search(&s);
	return status;
}

/* ---- functions of one side ---- */

static enum source_state state_of_function(const struct edited_side *of, uint32_t function)
{
	const struct edited_file *file = &of->files[of->file_of[function]];
	enum code_edit edit = of->edits[function];

	if (edit == EDIT_NONE)
		return file->covered && !is_installed_file(file->name) ? SOURCE_SAME
								       : SOURCE_OF_LIBRARY;
	return edit == EDIT_CHANGED ? SOURCE_EDITED : SOURCE_UNKNOWN;
}

static int list_states(const struct edited_side *of, uint8_t **out)
{
	*out = calloc((size_t)of->p->nfunctions + 1, sizeof **out);
	for (uint32_t i = 1; *out && i < of->p->nfunctions; i++)
		(*out)[i] = (uint8_t)state_of_function(of, i);
	return *out ? CG_OK : CG_ENOMEM;
}

int edited_code_states(const struct loaded *base, const struct loaded *head,
		       const char *const *dirs, uint8_t *out[static CODE_SIDES],
		       struct cg_error *err)
{
	struct edited_search s;

	begin_edited_search(&s, base, head, dirs);
	int status = search_edits(&s, err);
	if (!status && find_edits_of_sides(&s))
		status = cg_fail_nomem(err);
	for (int side = 0; !status && side < CODE_SIDES; side++)
		if (list_states(&s.sides[side], &out[side]))
			status = cg_fail_nomem(err);
	end_edited_search(&s);
	return status;
}
