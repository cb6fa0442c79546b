/*
 * Files that include each other, one a section: which of them sees a declaration of another one
 * does not depend on what was asked before, and a file sees its own.
 */
#include "src/compare/edited_scope.h"
#include "tests/fuzz/sections.h"

enum { MOST_FILES = 12 };

struct scope_input {
	struct section sections[MOST_FILES];
	struct edited_file files[MOST_FILES + 1];
	struct edited_side side;
};

static int compare_names_of_parts(const void *left, const void *right, void *context)
{
	const struct code_part *items = context;
	const struct code_part *a = &items[*(const uint32_t *)left];
	const struct code_part *b = &items[*(const uint32_t *)right];

	if (a->name != b->name)
		return a->name < b->name ? -1 : 1;
	if (a->function != b->function)
		return (int)a->function - (int)b->function;
	return (a->hash > b->hash) - (a->hash < b->hash);
}

static void add_file(struct scope_input *in, const struct section *s)
{
	struct edited_file *f = &in->files[++in->side.nfiles];

	*f = (struct edited_file){ .name = s->name };
	LAW(!code_parts_add(&f->parts, s->text, s->len), "out of memory");
	f->by_name = calloc(f->parts.count + 1, sizeof *f->by_name);
	LAW(f->by_name, "out of memory");
	for (uint32_t i = 0; i < f->parts.count; i++)
		f->by_name[i] = i;
	if (f->parts.count)
		qsort_r(f->by_name, f->parts.count, sizeof *f->by_name, compare_names_of_parts,
			f->parts.items);
}

static void read_files(struct scope_input *in, const uint8_t *data, size_t size)
{
	const char *at = (const char *)data, *end = at + size;

	in->side.files = in->files;
	for (size_t i = 0; i < MOST_FILES && next_section(&at, end, &in->sections[i]); i++)
		add_file(in, &in->sections[i]);
	LAW(!edited_scope_make(&in->side), "out of memory");
}

static void free_files(struct scope_input *in)
{
	edited_scope_free(&in->side.scope);
	for (size_t i = 1; i <= in->side.nfiles; i++) {
		code_parts_free(&in->files[i].parts);
		free(in->files[i].by_name);
	}
}

/* What `x` in `file` is if `from` declares it. */
static enum code_edit ask(struct scope_input *in, size_t file, size_t from)
{
	const struct code_word word = { .hash = code_word_hash("x", 1) };
	const struct edited_name name = { .name = word.hash,
					  .file = { (uint32_t)from, (uint32_t)from },
					  .external = true };

	return edited_scope_of(&in->side, CODE_BASE, file, &word, &name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static enum code_edit found[MOST_FILES + 1][MOST_FILES + 1];
	struct scope_input *in = calloc(1, sizeof *in);

	LAW(in, "out of memory");
	read_files(in, data, size);
	const size_t n = in->side.nfiles;
	for (size_t file = 1; file <= n; file++)
		for (size_t from = 1; from <= n; from++) {
			found[file][from] = ask(in, file, from);
			LAW(found[file][from] <= EDIT_USED, "the answer is unknown");
			LAW(file != from || found[file][from] == EDIT_USED, "it is its own");
		}
	for (size_t from = n; from > 0; from--)
		for (size_t file = n; file > 0; file--)
			LAW(ask(in, file, from) == found[file][from], "in file %zu, of file %zu",
			    file, from);
	free_files(in);
	free(in);
	return 0;
}
