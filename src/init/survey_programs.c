/* CMake and Meson: programs that are built, and tests or benchmarks that run them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/init/survey_kinds.h"

#define PROGRAMS_MAX 128

/* A program, with the name by which other calls refer to it. */
struct program {
	char id[CALL_WORD_MAX];
	char name[CALL_WORD_MAX];
	char directory[BUILD_PATH_MAX + 16]; /* where it is built: "./build/sub/" */
	char from[BUILD_PATH_MAX];
	uint64_t line;
	bool used;
};

/* The state of a survey of a build. */
struct look {
	struct build_tree tree;
	struct program programs[PROGRAMS_MAX];
	size_t count;
	struct survey *survey;
};

static struct look *look_begin(const char *dir, const char *name, const char *subdirectory,
			       struct survey *s, int *status, struct cg_error *err)
{
	struct look *l = calloc(1, sizeof *l);

	if (!l) {
		*status = cg_fail_nomem(err);
		return NULL;
	}
	l->survey = s;
	*status = build_tree_read(dir, name, subdirectory, &l->tree, err);
	return l;
}

static void look_end(struct look *l)
{
	if (l)
		build_tree_free(&l->tree);
	free(l);
}

static void add_program(struct look *l, const struct build_file *file, const char *id,
			const char *name, uint64_t line)
{
	if (l->count == PROGRAMS_MAX)
		return;
	struct program *p = &l->programs[l->count++];
	snprintf(p->id, sizeof p->id, "%s", id);
	snprintf(p->name, sizeof p->name, "%s", name);
	snprintf(p->directory, sizeof p->directory, "./build/%s", file->directory);
	snprintf(p->from, sizeof p->from, "%s", file->path);
	p->line = line;
}

static struct program *find_program_by_id(struct look *l, const char *id)
{
	for (size_t i = 0; i < l->count; i++)
		if (*id && strcmp(l->programs[i].id, id) == 0)
			return &l->programs[i];
	return NULL;
}

/* Adds a benchmark that runs a program with the words from `first` up to `end`. */
static void add_program_run(struct look *l, const struct build_file *file,
			    const struct build_call *c, const char *name, struct program *p,
			    size_t first, size_t end)
{
	struct survey_bench *b = survey_add(l->survey, name, file->path, c->line);
	bool fits = b && survey_word(b, p->directory, p->name);

	for (size_t i = first; fits && i < end; i++) {
		/* Meson's files('data.json') are beside the file that says so. */
		bool beside = i + 3 < c->count && strcmp(c->words[i], "files") == 0 &&
			      strcmp(c->words[i + 1], "(") == 0 &&
			      strcmp(c->words[i + 3], ")") == 0;
		fits = beside ? survey_word(b, file->directory, c->words[i + 2])
			      : survey_word(b, "", c->words[i]);
		i += beside ? 3 : 0;
	}
	if (b && !fits)
		survey_drop(l->survey);
	p->used |= fits;
}

/* Adds programs that are benchmarks by their name, and that no test runs. */
static void add_named_programs(struct look *l)
{
	for (size_t i = 0; i < l->count; i++) {
		const struct program *p = &l->programs[i];
		if (p->used || !survey_names_bench(p->name))
			continue;
		struct survey_bench *b = survey_add(l->survey, p->name, p->from, p->line);
		if (b && !survey_word(b, p->directory, p->name))
			survey_drop(l->survey);
	}
}

/* ---- CMake ---- */

static size_t index_of(const struct build_call *c, const char *word)
{
	size_t i = 0;
	while (i < c->count && strcmp(c->words[i], word) != 0)
		i++;
	return i;
}

/* add_test(NAME n COMMAND c ARGS… OPTION …), or of old add_test(n c ARGS…). */
static void look_at_test(struct look *l, const struct build_file *file, const struct build_call *c)
{
	static const char *const options[] = { "CONFIGURATIONS", "WORKING_DIRECTORY",
					       "COMMAND_EXPAND_LISTS" };
	bool named = c->count > 0 && strcmp(c->words[0], "NAME") == 0;
	size_t name = named ? 1 : 0, command = named ? index_of(c, "COMMAND") + 1 : 1;
	size_t end = c->count;

	if (command >= c->count)
		return;
	for (size_t i = 0; i < 3; i++)
		end = index_of(c, options[i]) < end ? index_of(c, options[i]) : end;
	struct program *p = find_program_by_id(l, c->words[command]);
	if (p && (survey_names_bench(c->words[name]) || survey_names_bench(p->name)))
		add_program_run(l, file, c, c->words[name], p, command + 1, end);
}

int survey_cmake(const char *dir, struct survey *s, struct cg_error *err)
{
	int status;
	struct look *l = look_begin(dir, "CMakeLists.txt", "add_subdirectory", s, &status, err);
	struct build_call c;

	for (size_t i = 0; !status && i < l->tree.count; i++)
		for (struct cursor at = { 0 };
		     build_file_call(&l->tree.files[i], &at, "add_executable", &c);)
			if (c.count > 0)
				add_program(l, &l->tree.files[i], c.words[0], c.words[0], c.line);
	for (size_t i = 0; !status && i < l->tree.count; i++)
		for (struct cursor at = { 0 };
		     build_file_call(&l->tree.files[i], &at, "add_test", &c);)
			look_at_test(l, &l->tree.files[i], &c);
	if (!status)
		add_named_programs(l);
	look_end(l);
	return status;
}

/* ---- Meson ---- */

/* benchmark('n', p, args: ['a', 'b']) or benchmark('n', executable('p', …), …). */
static void look_at_benchmark(struct look *l, const struct build_file *file,
			      const struct build_call *c)
{
	if (c->count < 2)
		return;
	bool inner = c->count > 3 && strcmp(c->words[1], "executable") == 0;
	struct program *p = find_program_by_id(l, inner ? c->words[3] : c->words[1]);
	size_t args = index_of(c, "args:"), end;

	if (!p)
		return;
	args = args < c->count ? args + 1 : c->count;
	end = args < c->count ? args + 1 : args;
	if (args < c->count && strcmp(c->words[args], "[") == 0)
		for (end = ++args; end < c->count && strcmp(c->words[end], "]") != 0;)
			end++;
	add_program_run(l, file, c, c->words[0], p, args, end);
}

int survey_meson(const char *dir, struct survey *s, struct cg_error *err)
{
	int status;
	struct look *l = look_begin(dir, "meson.build", "subdir", s, &status, err);
	struct build_call c;

	for (size_t i = 0; !status && i < l->tree.count; i++)
		for (struct cursor at = { 0 };
		     build_file_call(&l->tree.files[i], &at, "executable", &c);)
			if (c.count > 0)
				add_program(l, &l->tree.files[i], *c.target ? c.target : c.words[0],
					    c.words[0], c.line);
	for (size_t i = 0; !status && i < l->tree.count; i++)
		for (struct cursor at = { 0 };
		     build_file_call(&l->tree.files[i], &at, "benchmark", &c);)
			look_at_benchmark(l, &l->tree.files[i], &c);
	if (!status)
		add_named_programs(l);
	look_end(l);
	return status;
}
