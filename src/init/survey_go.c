/* Go: one program of tests for each package that has benchmarks or tests. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/init/survey_kinds.h"

/* The name of the module, "words" of "module example.com/people/words/v2". */
static void module_name(const char *text, char name[CALL_WORD_MAX])
{
	const char *at = text && strncmp(text, "module", 6) == 0 ? text : NULL;

	snprintf(name, CALL_WORD_MAX, "%s", "module");
	if (!at)
		at = text ? strstr(text, "\nmodule") : NULL;
	if (!at)
		return;
	at += *at == '\n' ? 7 : 6;
	at += strspn(at, " \t\"");
	const char *end = at + strcspn(at, " \t\r\n\"");
	while (end > at) {
		const char *slash = memrchr(at, '/', (size_t)(end - at));
		const char *last = slash ? slash + 1 : at;
		bool is_version = slash && *last == 'v' &&
				  strspn(last + 1, "0123456789") == (size_t)(end - last) - 1;
		if (!is_version) {
			if (last < end && end - last < CALL_WORD_MAX)
				snprintf(name, CALL_WORD_MAX, "%.*s", (int)(end - last), last);
			return;
		}
		end = slash;
	}
}

/* Whether a directory belongs to another module, whose go.mod is in it or above it. */
static bool is_in_other_module(const struct survey_place *p, const char *directory)
{
	for (size_t i = 0; i < p->files.count; i++) {
		const char *path = p->files.paths[i];
		size_t len = (size_t)(project_file_name(path) - path);
		if (len > 0 && strcmp(path + len, "go.mod") == 0 &&
		    strncmp(path, directory, len) == 0)
			return true;
	}
	return false;
}

/* "a/b/" → "a-b" */
static void directory_name(const char *directory, char name[CALL_WORD_MAX])
{
	snprintf(name, CALL_WORD_MAX, "%.*s", (int)strlen(directory) - 1, directory);
	for (char *c = name; *c; c++)
		*c = *c == '/' ? '-' : *c;
}

/* The line on which a text first has `sign` at the start of a line; 0: nowhere. */
static uint64_t line_of_sign(const char *text, const char *sign)
{
	size_t len = strlen(sign);
	uint64_t line = 1;

	for (; text && *text; line++) {
		if (strncmp(text, sign, len) == 0)
			return line;
		const char *end = strchr(text, '\n');
		text = end ? end + 1 : NULL;
	}
	return 0;
}

static void add_package(struct survey *s, const struct survey_place *p, const char *directory,
			const char *name, const char *from, uint64_t line)
{
	char program[CALL_WORD_MAX + 16];
	struct survey_bench *b = survey_add(s, name, from, line);

	if (!b)
		return;
	snprintf(program, sizeof program, "%s.test", name);
	bool fits = survey_word(b, "./", program) && survey_set_cwd(b, directory);
	snprintf(b->target, sizeof b->target, "%s", name);
	snprintf(b->target_directory, sizeof b->target_directory, "%s", directory);
	if (fits && !p->tests)
		fits = survey_set_harness(b, HARNESS_GO);
	else if (fits)
		fits = survey_fixed_words(
			b, (const char *const[]){ "-test.short", "-test.cpu=1", NULL });
	if (!fits)
		survey_drop(s);
}

static bool is_built_already(const struct survey *s, const char *directory)
{
	for (size_t i = 0; i < s->count; i++)
		if (strcmp(s->benches[i].target_directory, directory) == 0)
			return true;
	return false;
}

int survey_go(struct survey_place *p, struct survey *s, struct cg_error *err)
{
	struct build_file module;
	char top[CALL_WORD_MAX];
	int status = build_file_read_whole(p->dir, "go.mod", &module, err);

	if (status)
		return status;
	module_name(module.text, top);
	build_file_free(&module);
	for (size_t i = 0; p->reads_left > 0 && i < p->files.count; i++) {
		const char *path = p->files.paths[i];
		char directory[BUILD_PATH_MAX], name[CALL_WORD_MAX];

		if (!project_file_ends(path, "_test.go") ||
		    !project_file_directory(path, directory, sizeof directory) ||
		    is_built_already(s, directory))
			continue;
		char *text = survey_source(p, path);
		uint64_t line = line_of_sign(text, p->tests ? "func Test" : "func Benchmark");
		free(text);
		if (line == 0 || is_in_other_module(p, directory))
			continue;
		if (*directory)
			directory_name(directory, name);
		else
			memcpy(name, top, sizeof name);
		add_package(s, p, directory, name, path, line);
	}
	return CG_OK;
}
