#include "src/compare/edited_scope.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "cgprofile/names.h"

/* ---- languages ---- */

enum file_language { LANGUAGE_OTHER, LANGUAGE_RUST, LANGUAGE_C_HEADER, LANGUAGE_C_SOURCE };

/* Enough for all but texts that are made to need more: then nothing is said of names. */
enum { SCOPE_STEPS_MAX = 1 << 26 };

static enum file_language language_of(const char *path)
{
	static const struct {
		const char *end;
		enum file_language language;
	} known[] = {
		{ "c", LANGUAGE_C_SOURCE },   { "cc", LANGUAGE_C_SOURCE },
		{ "cpp", LANGUAGE_C_SOURCE }, { "cxx", LANGUAGE_C_SOURCE },
		{ "C", LANGUAGE_C_SOURCE },   { "m", LANGUAGE_C_SOURCE },
		{ "mm", LANGUAGE_C_SOURCE },  { "h", LANGUAGE_C_HEADER },
		{ "hh", LANGUAGE_C_HEADER },  { "hpp", LANGUAGE_C_HEADER },
		{ "hxx", LANGUAGE_C_HEADER }, { "inc", LANGUAGE_C_HEADER },
		{ "inl", LANGUAGE_C_HEADER }, { "ipp", LANGUAGE_C_HEADER },
		{ "tcc", LANGUAGE_C_HEADER }, { "def", LANGUAGE_C_HEADER },
		{ "tpp", LANGUAGE_C_HEADER }, { "H", LANGUAGE_C_HEADER },
		{ "rs", LANGUAGE_RUST },
	};
	const char *dot = strrchr(cg_base_name(path), '.');

	for (size_t i = 0; dot && i < sizeof known / sizeof *known; i++)
		if (strcmp(dot + 1, known[i].end) == 0)
			return known[i].language;
	return LANGUAGE_OTHER;
}

/* ---- which files are included ---- */

/* The end of a file's name, from the beginning of one of its directories. */
struct name_end {
	uint32_t hash, file;
};

struct name_ends {
	struct name_end *items;
	size_t count, cap;
};

static int add_name_ends(struct name_ends *l, const char *name, uint32_t file)
{
	enum { MOST_ENDS = 16 };
	const char *from = name + strlen(name);

	for (int i = 0; i < MOST_ENDS && from > name; i++) {
		while (--from > name && from[-1] != '/')
			;
		if (cg_grow(&l->items, &l->cap, l->count + 1, sizeof *l->items))
			return CG_ENOMEM;
		l->items[l->count++] = (struct name_end){ code_word_hash(from, strlen(from)),
							  file };
	}
	return CG_OK;
}

static int compare_name_ends(const void *left, const void *right)
{
	const struct name_end *a = left, *b = right;
	return (a->hash > b->hash) - (a->hash < b->hash);
}

static int make_name_ends(const struct edited_side *of, struct name_ends *l)
{
	int status = CG_OK;

	for (size_t i = 1; !status && i <= of->nfiles; i++)
		status = add_name_ends(l, of->files[i].name, (uint32_t)i);
	if (l->count)
		qsort(l->items, l->count, sizeof *l->items, compare_name_ends);
	return status;
}

static size_t name_ends_from(const struct name_ends *l, uint32_t hash)
{
	size_t from = 0, to = l->count;

	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (l->items[middle].hash < hash)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

static bool is_in_same_directory(const char *a, const char *b)
{
	const size_t len = (size_t)(cg_base_name(a) - a);

	return (size_t)(cg_base_name(b) - b) == len && memcmp(a, b, len) == 0;
}

static int add_inclusion(struct edited_scope *scope, uint32_t from, uint32_t to)
{
	if (cg_grow(&scope->includes, &scope->includes_cap, scope->nincludes + 1,
		    sizeof *scope->includes))
		return CG_ENOMEM;
	scope->includes[scope->nincludes++] = (struct edited_inclusion){ from, to };
	return CG_OK;
}

/* The file in the same directory, or all whose names end so. */
static int add_inclusions_of(struct edited_side *of, const struct name_ends *l, size_t file,
			     const struct code_include *include)
{
	enum { MOST_FILES = 8 };
	const size_t from = name_ends_from(l, include->name);
	size_t to = from;
	int status = CG_OK;

	for (; to < l->count && l->items[to].hash == include->name; to++, of->scope.steps++)
		if (include->beside &&
		    is_in_same_directory(of->files[file].name, of->files[l->items[to].file].name))
			return add_inclusion(&of->scope, (uint32_t)file, l->items[to].file);
	of->scope.open[file] |= from == to || to - from > MOST_FILES;
	for (size_t i = from; !status && i < to && to - from <= MOST_FILES; i++)
		status = add_inclusion(&of->scope, (uint32_t)file, l->items[i].file);
	return status;
}

static int compare_includers(const void *left, const void *right)
{
	const struct edited_inclusion *a = left, *b = right;
	return (a->to > b->to) - (a->to < b->to);
}

/* Those that include are in order, as they were added. */
static int order_includers(struct edited_scope *scope)
{
	const size_t n = scope->nincludes;

	scope->includers = calloc(n + 1, sizeof *scope->includers);
	if (!scope->includers)
		return CG_ENOMEM;
	if (!n)
		return CG_OK;
	memcpy(scope->includers, scope->includes, n * sizeof *scope->includers);
	qsort(scope->includers, n, sizeof *scope->includers, compare_includers);
	return CG_OK;
}

static int add_inclusions(struct edited_side *of, const struct name_ends *ends, size_t file)
{
	const struct code_parts *parts = &of->files[file].parts;
	int status = CG_OK;

	for (size_t k = 0; !status && k < parts->nincludes && of->scope.steps <= SCOPE_STEPS_MAX;
	     k++)
		status = add_inclusions_of(of, ends, file, &parts->includes[k]);
	return status;
}

int edited_scope_make(struct edited_side *of)
{
	struct edited_scope *scope = &of->scope;
	struct name_ends ends = { 0 };
	int status = make_name_ends(of, &ends);

	scope->open = calloc(of->nfiles + 1, sizeof *scope->open);
	scope->seen = calloc(of->nfiles + 1, sizeof *scope->seen);
	scope->queue = calloc(of->nfiles + 1, sizeof *scope->queue);
	if (!scope->open || !scope->seen || !scope->queue)
		status = CG_ENOMEM;
	for (size_t i = 1; !status && i <= of->nfiles; i++)
		status = add_inclusions(of, &ends, i);
	free(ends.items);
	return status ? status : order_includers(scope);
}

void edited_scope_free(struct edited_scope *scope)
{
	free(scope->includes);
	free(scope->includers);
	free(scope->open);
	free(scope->seen);
	free(scope->queue);
}

/* ---- which files are seen ---- */

enum { SEEN = 1, INCLUDER = 2 };

static size_t inclusions_from(const struct edited_scope *scope, uint32_t file, bool up)
{
	const struct edited_inclusion *items = up ? scope->includers : scope->includes;
	size_t from = 0, to = scope->nincludes;

	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if ((up ? items[middle].to : items[middle].from) < file)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/* Marks what is included by those in the queue, or includes them, and adds it there. */
static size_t follow_inclusions(struct edited_scope *scope, size_t count, bool up)
{
	const struct edited_inclusion *items = up ? scope->includers : scope->includes;
	const uint8_t mark = up ? INCLUDER : SEEN;

	for (size_t at = 0; at < count; at++) {
		const uint32_t file = scope->queue[at];
		for (size_t i = inclusions_from(scope, file, up); i < scope->nincludes; i++) {
			if ((up ? items[i].to : items[i].from) != file)
				break;
			const uint32_t next = up ? items[i].from : items[i].to;
			scope->steps++;
			/* An includer is in the queue already. */
			if (!(scope->seen[next] & mark) && !(!up && scope->seen[next] & INCLUDER))
				scope->queue[count++] = next;
			scope->seen[next] |= mark;
		}
	}
	return count;
}

static void see_files_of(struct edited_side *of, size_t file)
{
	struct edited_scope *scope = &of->scope;

	if (scope->of == file)
		return;
	memset(scope->seen, 0, of->nfiles + 1);
	scope->of = file;
	scope->steps += of->nfiles;
	scope->queue[0] = (uint32_t)file;
	scope->seen[file] = SEEN | INCLUDER;
	follow_inclusions(scope, follow_inclusions(scope, 1, true), false);
}

/* ---- what a name means ---- */

static bool declares_variable(struct edited_scope *scope, const struct edited_file *f,
			      uint32_t name)
{
	const struct code_part any = { .name = name };

	for (size_t k = edited_parts_from(f, &any); k < f->parts.count; k++, scope->steps++) {
		const struct code_part *part = &f->parts.items[f->by_name[k]];
		if (part->name != name || part->function)
			return false;
		if (part->external)
			return true;
	}
	return false;
}

/* `from` defines it. */
static bool sees_variable(struct edited_side *of, uint32_t from, uint32_t name)
{
	of->scope.steps += of->nfiles;
	for (size_t i = 1; i <= of->nfiles; i++)
		if (i != from && of->scope.seen[i] & SEEN &&
		    declares_variable(&of->scope, &of->files[i], name))
			return true;
	return false;
}

static enum code_edit scope_in_c(struct edited_side *of, size_t file, uint32_t from,
				 const struct edited_name *name)
{
	struct edited_scope *scope = &of->scope;
	const enum file_language language = language_of(of->files[from].name);

	if (scope->steps > SCOPE_STEPS_MAX)
		return EDIT_UNKNOWN;
	see_files_of(of, file);
	if (scope->seen[from] & SEEN || (name->external && sees_variable(of, from, name->name)))
		return EDIT_USED;
	if (scope->seen[from] & INCLUDER || language == LANGUAGE_OTHER)
		return EDIT_UNKNOWN;
	return scope->open[file] && language == LANGUAGE_C_HEADER ? EDIT_UNKNOWN : EDIT_NONE;
}

/* Whether a file of Rust is of a module inside that of another one: it sees what is not exported,
 * if it asks for that. */
static bool is_in_module(const char *file, const char *of)
{
	static const char *const tops[] = { "mod.rs", "lib.rs", "main.rs" };
	const char *base = cg_base_name(of);
	const size_t len = strlen(of) - strlen(".rs");

	for (size_t i = 0; i < sizeof tops / sizeof *tops; i++)
		if (strcmp(base, tops[i]) == 0)
			return strncmp(file, of, (size_t)(base - of)) == 0;
	return strncmp(file, of, len) == 0 && file[len] == '/';
}

static enum code_edit scope_in_rust(const struct edited_side *of, size_t file, uint32_t from,
				    const struct edited_name *name)
{
	const char *path = of->files[from].name;

	if (name->exported)
		return EDIT_USED;
	return language_of(path) == LANGUAGE_RUST && is_in_module(of->files[file].name, path)
		       ? EDIT_UNKNOWN
		       : EDIT_NONE;
}

enum code_edit edited_scope_of(struct edited_side *of, int side, size_t file,
			       const struct code_word *word, const struct edited_name *name)
{
	const uint32_t from = name->file[side];

	if (word->hash != name->name)
		return EDIT_NONE;
	/* The preprocessor knows neither members nor variables, but parameters of macros. */
	if (name->macro ? word->parameter : word->member || word->local)
		return EDIT_NONE;
	if (from == file)
		return EDIT_USED;
	switch (language_of(of->files[file].name)) {
	case LANGUAGE_C_SOURCE:
	case LANGUAGE_C_HEADER:
		return scope_in_c(of, file, from, name);
	case LANGUAGE_RUST:
		return scope_in_rust(of, file, from, name);
	case LANGUAGE_OTHER:
		break;
	}
	return EDIT_USED;
}
