#include "src/compare/edited_parts.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "cgprofile/names.h"
#include "src/compare/edited_files.h"
#include "src/compare/edited_scope.h"
#include "src/view/code.h"

/* ---- parts ---- */

int edited_parts_compare(const struct code_part *a, const struct code_part *b)
{
	if (a->name != b->name)
		return a->name < b->name ? -1 : 1;
	if (a->function != b->function)
		return a->function ? 1 : -1;
	return (a->hash > b->hash) - (a->hash < b->hash);
}

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

size_t edited_parts_from(const struct edited_file *f, const struct code_part *wanted)
{
	size_t from = 0, to = f->parts.count;

	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (edited_parts_compare(&f->parts.items[f->by_name[middle]], wanted) < 0)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

const struct code_part *edited_parts_find_named(const struct edited_file *f,
						const struct code_part *wanted)
{
	size_t at = edited_parts_from(f, wanted);
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

	if (!part->name || !edited_parts_find_named(alike, &any))
		return has_part(other, part->hash);
	const struct code_part *same = edited_parts_find_named(alike, part);
	return same && same->hash == part->hash;
}

/* Whether the other side has the same enumerator after others, so that only its value differs: for
 * certain, if it counts from the same. */
static enum edited_value value_in_other(const struct edited_side *other,
					const struct edited_file *f, const struct code_part *part)
{
	const struct edited_file *alike = &other->files[f->alike];
	const struct code_part any = { .name = part->name };

	for (size_t at = edited_parts_from(alike, &any);
	     part->enumerator && at < alike->parts.count; at++) {
		const struct code_part *same = &alike->parts.items[alike->by_name[at]];
		if (same->name != part->name || same->function)
			break;
		if (same->enumerator && same->owner == part->owner && same->text == part->text)
			return same->base == part->base ? VALUE_MOVED : VALUE_UNKNOWN;
	}
	return VALUE_EDITED;
}

static int compare_words(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	return (a > b) - (a < b);
}

/* Whatever they are of. */
static int compare_edited_names(const struct edited_name *a, const struct edited_name *b)
{
	int order = (a->name > b->name) - (a->name < b->name);

	for (int side = 0; !order && side < CODE_SIDES; side++)
		order = (a->file[side] > b->file[side]) - (a->file[side] < b->file[side]);
	if (!order)
		order = (int)a->macro - (int)b->macro;
	if (!order)
		order = (int)a->external - (int)b->external;
	if (!order)
		order = (int)a->exported - (int)b->exported;
	return order ? order : (int)a->unsure - (int)b->unsure;
}

static int compare_names_and_roots(const void *left, const void *right)
{
	const struct edited_name *a = left, *b = right;
	int order = compare_edited_names(a, b);

	return order ? order : (a->root > b->root) - (a->root < b->root);
}

/* The place of the first that is not before this one. */
static size_t edited_names_from(const struct edited_search *s, const struct edited_name *wanted)
{
	size_t from = 0, to = s->nnames;

	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (compare_edited_names(&s->names[middle], wanted) < 0)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

static bool is_edited_name(const struct edited_search *s, uint32_t name)
{
	const struct edited_name first = { .name = name };
	size_t at = edited_names_from(s, &first);

	return at < s->nnames && s->names[at].name == name;
}

/* Whether a name of the part is spelt like one of them, whatever it means. */
static bool uses_edited_name(const struct edited_search *s, const struct edited_file *f,
			     const struct code_part *part)
{
	for (size_t i = 0; s->nnames && i < part->nwords; i++)
		if (is_edited_name(s, f->parts.words[part->word + i].hash))
			return true;
	return false;
}

/* Of what a word means. Of very many of one name the first count. *by: that name, if any was. */
static enum code_edit edit_of_word(struct edited_search *s, int side, size_t file,
				   const struct code_word *word, struct edited_name *by)
{
	enum { MOST_OF_NAME = 100 };
	const struct edited_name first = { .name = word->hash };
	enum code_edit edit = EDIT_NONE;
	const size_t from = edited_names_from(s, &first);

	*by = (struct edited_name){ 0 };
	for (size_t at = from; edit < EDIT_USED && at < s->nnames; at++) {
		const struct edited_name *name = &s->names[at];
		if (name->name != word->hash)
			break;
		if (at - from > MOST_OF_NAME)
			return EDIT_UNKNOWN;
		enum code_edit found = edited_scope_of(&s->sides[side], side, file, word, name);
		if (found == EDIT_USED && name->unsure)
			found = EDIT_UNKNOWN;
		if (found > edit)
			*by = *name;
		edit = found > edit ? found : edit;
	}
	return edit;
}

static int add_edited_name(struct edited_search *s, struct edited_name name, size_t *added)
{
	const size_t at = edited_names_from(s, &name);

	if (!name.name || (at < s->nnames && !compare_edited_names(&s->names[at], &name)))
		return CG_OK;
	if (cg_grow(&s->names, &s->names_cap, s->nnames + *added + 1, sizeof *s->names))
		return CG_ENOMEM;
	s->names[s->nnames + (*added)++] = name;
	return CG_OK;
}

static void spell_name(const struct edited_file *f, const struct code_word *word,
		       struct edited_name *name)
{
	enum { MOST_BYTES = 200 };

	name->len = code_word_length(word, f->text, f->size);
	name->spelling = name->len <= MOST_BYTES ? f->text + word->at : NULL;
}

/* The declaration itself was edited. */
static void root_name(const struct edited_file *f, const struct code_part *part,
		      struct edited_name *name)
{
	name->root = name->name;
	for (size_t i = 0; part && i < part->nwords; i++)
		if (f->parts.words[part->word + i].hash == name->name) {
			spell_name(f, &f->parts.words[part->word + i], name);
			return;
		}
}

/* What a declaration declares, and the type whose member that is. Unless `name` has a root these
 * are themselves what was edited. */
static int add_edited_names(struct edited_search *s, const struct edited_file *f,
			    const struct code_part *part, struct edited_name name, size_t *added)
{
	const struct code_part any = { .name = part->owner };
	const bool is_root = !name.root;
	struct edited_name owner = name;
	int status = CG_OK;

	name.name = part->name;
	owner.name = part->owner;
	owner.macro = owner.external = false;
	owner.value = VALUE_EDITED;
	/* Of members only the type is known to be exported. */
	owner.exported = true;
	name.exported |= part->enumerator;
	if (is_root) {
		root_name(f, part, &name);
		root_name(f, part->owner ? edited_parts_find_named(f, &any) : NULL, &owner);
	}
	/* Who calls a function is not edited where it is declared; a member has the name of many
	 * other things, unless it is an enumerator. */
	if (!part->prototype && (!part->owner || part->enumerator))
		status = add_edited_name(s, name, added);
	if (!status)
		status = add_edited_name(s, owner, added);
	return status;
}

/* *by: what the part uses that was edited. */
static enum code_edit edit_of_part(struct edited_search *s, int side, size_t file,
				   const struct code_part *part, struct edited_name *by)
{
	const struct edited_file *f = &s->sides[side].files[file];
	enum code_edit edit = EDIT_NONE;

	if (!has_same_part(&s->sides[!side], f, part))
		return EDIT_CHANGED;
	for (size_t i = 0; edit < EDIT_USED && s->nnames && i < part->nwords; i++) {
		struct edited_name name;
		enum code_edit found = edit_of_word(s, side, file, &f->parts.words[part->word + i],
						    &name);
		if (found > edit)
			*by = name;
		edit = found > edit ? found : edit;
	}
	return edit;
}

static int mark_edited_part(struct edited_search *s, int side, size_t file, size_t k, size_t *added)
{
	struct edited_file *f = &s->sides[side].files[file];
	const struct code_part *part = &f->parts.items[k];
	struct edited_name name = { .macro = part->macro,
				    .external = part->external,
				    .exported = part->exported };
	struct edited_name by = { 0 };

	f->edited[k] = (uint8_t)edit_of_part(s, side, file, part, &by);
	if (!f->edited[k])
		return CG_OK;
	f->any = s->any = true;
	if (part->function)
		return CG_OK;
	name.file[side] = (uint32_t)file;
	name.file[!side] = (uint32_t)f->alike;
	name.unsure = f->edited[k] < EDIT_USED;
	name.root = by.root;
	name.value = f->edited[k] == EDIT_CHANGED ? value_in_other(&s->sides[!side], f, part)
						  : by.value;
	name.spelling = by.spelling;
	name.len = by.len;
	return add_edited_names(s, f, part, name, added);
}

/* Names are added after those that are in order. */
static int mark_edited_parts(struct edited_search *s, int side, size_t *added)
{
	struct edited_side *of = &s->sides[side];
	int status = CG_OK;

	for (size_t i = 1; i <= of->nfiles; i++) {
		struct edited_file *f = &of->files[i];
		for (size_t k = 0; !status && f->covered && k < f->parts.count; k++)
			if (f->edited[k] < EDIT_USED)
				status = mark_edited_part(s, side, i, k, added);
	}
	return status;
}

enum { MOST_STEPS = 32 };

/* Those of one step may be the same, as of all enumerators after one that is new: the first of them
 * stays. */
static void order_names(struct edited_search *s, size_t added)
{
	size_t kept = 0;

	s->nnames += added;
	if (s->nnames)
		qsort(s->names, s->nnames, sizeof *s->names, compare_names_and_roots);
	for (size_t i = 0; i < s->nnames; i++)
		if (!kept || compare_edited_names(&s->names[kept - 1], &s->names[i]) != 0)
			s->names[kept++] = s->names[i];
	s->nnames = kept;
}

/* Whatever was not found may use what was found last. */
static void doubt_other_parts(struct edited_side *of)
{
	for (size_t i = 1; i <= of->nfiles; i++) {
		struct edited_file *f = &of->files[i];
		f->any |= f->parts.count > 0;
		for (size_t k = 0; k < f->parts.count; k++)
			if (!f->edited[k])
				f->edited[k] = EDIT_UNKNOWN;
	}
}

/* What uses an edited macro was edited, too, and so on. */
static int find_edited_parts(struct edited_search *s)
{
	size_t added;
	int status, steps = 0;

	do {
		added = 0;
		status = mark_edited_parts(s, CODE_BASE, &added);
		if (!status)
			status = mark_edited_parts(s, CODE_HEAD, &added);
		order_names(s, added);
	} while (!status && added && ++steps < MOST_STEPS);
	if (added) {
		doubt_other_parts(&s->sides[CODE_BASE]);
		doubt_other_parts(&s->sides[CODE_HEAD]);
	}
	return status;
}

/* ---- what functions use ---- */

struct root_list {
	uint32_t *items;
	size_t count, cap;
};

/* Adds what the part uses that was edited; *first: the first of these, with the largest `value` of
 * all. */
static int list_roots(struct edited_search *s, int side, size_t file, const struct code_part *part,
		      struct root_list *roots, struct edited_name *first)
{
	const struct code_word *words = s->sides[side].files[file].parts.words + part->word;
	struct edited_name by;

	for (size_t i = 0; i < part->nwords; i++) {
		if (edit_of_word(s, side, file, &words[i], &by) != EDIT_USED || !by.spelling)
			continue;
		if (cg_grow(&roots->items, &roots->cap, roots->count + 1, sizeof *roots->items))
			return CG_ENOMEM;
		if (!roots->count)
			*first = by;
		first->value = by.value > first->value ? by.value : first->value;
		roots->items[roots->count++] = by.root;
	}
	return CG_OK;
}

static uint32_t count_other_roots(const struct root_list *roots)
{
	uint32_t others = 0;

	qsort(roots->items, roots->count, sizeof *roots->items, compare_words);
	for (size_t i = 1; i < roots->count; i++)
		others += roots->items[i] != roots->items[i - 1];
	return others;
}

/* *out: its number; 0: what it uses is not known. */
static int add_use(struct edited_search *s, int side, size_t file, const struct code_part *part,
		   uint32_t *out)
{
	struct root_list roots = { 0 };
	struct edited_name first;
	int status = list_roots(s, side, file, part, &roots, &first);

	if (!status && roots.count)
		status = cg_grow(&s->uses, &s->uses_cap, s->nuses + 2, sizeof *s->uses);
	if (!status && roots.count) {
		struct edited_use *use = &s->uses[s->nuses + 1];
		use->name = strndup(first.spelling, first.len);
		use->others = count_other_roots(&roots);
		use->value = first.value;
		status = use->name ? CG_OK : CG_ENOMEM;
		if (!status)
			*out = (uint32_t)++s->nuses;
	}
	free(roots.items);
	return status;
}

static int name_uses_of_file(struct edited_search *s, int side, size_t file)
{
	struct edited_file *f = &s->sides[side].files[file];
	int status = CG_OK;

	f->uses = calloc(f->parts.count + 1, sizeof *f->uses);
	if (!f->uses)
		return CG_ENOMEM;
	for (size_t k = 0; !status && k < f->parts.count; k++)
		if (f->edited[k] == EDIT_USED && f->parts.items[k].function)
			status = add_use(s, side, file, &f->parts.items[k], &f->uses[k]);
	return status;
}

int edited_parts_name_uses(struct edited_search *s)
{
	int status = CG_OK;

	for (int side = 0; side < CODE_SIDES; side++)
		for (size_t i = 1; !status && i <= s->sides[side].nfiles; i++)
			if (s->sides[side].files[i].any)
				status = name_uses_of_file(s, side, i);
	return status;
}

/* ---- functions that leave no code ---- */

bool edited_parts_use(const struct edited_search *s, const struct edited_file *f, uint32_t name)
{
	const struct code_part any = { .name = name };

	for (size_t k = edited_parts_from(f, &any); k < f->parts.count; k++) {
		const struct code_part *part = &f->parts.items[f->by_name[k]];
		if (part->name != name)
			break;
		if (part->function && (s->deep || uses_edited_name(s, f, part)))
			return true;
	}
	return false;
}

/* `measured`: the words of functions of the profile, in order. */
static int add_edited_functions(struct edited_search *s, int side, const uint32_t *measured,
				size_t *added)
{
	struct edited_side *of = &s->sides[side];
	int status = CG_OK;

	for (size_t i = 1; i <= of->nfiles; i++) {
		struct edited_file *f = &of->files[i];
		for (size_t k = 0; !status && f->covered && k < f->parts.count; k++) {
			const struct code_part *part = &f->parts.items[k];
			if (part->function &&
			    (f->edited[k] || (uses_edited_name(s, f, part) &&
					      !bsearch(&part->name, measured, of->p->nfunctions,
						       sizeof *measured, compare_words))))
				status = add_edited_name(
					s, (struct edited_name){ .name = part->name }, added);
		}
	}
	return status;
}

static uint32_t *order_words(const struct edited_side *of)
{
	const size_t count = of->p->nfunctions;
	uint32_t *words = calloc(count + 1, sizeof *words);

	if (!words)
		return NULL;
	memcpy(words, of->words, count * sizeof *words);
	qsort(words, count, sizeof *words, compare_words);
	return words;
}

int edited_parts_add_functions(struct edited_search *s)
{
	uint32_t *measured[CODE_SIDES];
	int status = CG_OK, steps = 0;
	size_t added;

	for (int side = 0; side < CODE_SIDES; side++) {
		measured[side] = order_words(&s->sides[side]);
		status = measured[side] ? status : CG_ENOMEM;
	}
	do {
		added = 0;
		for (int side = 0; !status && side < CODE_SIDES; side++)
			status = add_edited_functions(s, side, measured[side], &added);
		order_names(s, added);
	} while (!status && added && ++steps < MOST_STEPS);
	s->deep = added;
	free(measured[CODE_BASE]);
	free(measured[CODE_HEAD]);
	return status;
}

/* ---- both sides ---- */

int edited_parts_find(struct edited_search *s, struct cg_error *err)
{
	int status = edited_files_read(s, err);

	if (status)
		return status;
	if (list_hashes(&s->sides[CODE_BASE]) || list_hashes(&s->sides[CODE_HEAD]))
		return cg_fail_nomem(err);
	if (edited_scope_make(&s->sides[CODE_BASE]) || edited_scope_make(&s->sides[CODE_HEAD]))
		return cg_fail_nomem(err);
	return find_edited_parts(s) ? cg_fail_nomem(err) : CG_OK;
}
