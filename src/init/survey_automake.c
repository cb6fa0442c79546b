/* Automake: programs of Makefile.am that are benchmarks by their names, or tests. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/init/make_lines.h"
#include "src/init/survey_kinds.h"

#define PROGRAMS "_PROGRAMS"

/* Whether a line assigns what is built: noinst_PROGRAMS and so on. */
static bool lists_programs(const struct make_line *line)
{
	size_t len = line->count > 2 ? strlen(line->words[0]) : 0;

	return !line->recipe && len > strlen(PROGRAMS) && strchr(line->words[1], '=') &&
	       strcmp(line->words[0] + len - strlen(PROGRAMS), PROGRAMS) == 0;
}

static void add_automake_program(struct survey_place *p, struct survey *s,
				 const struct build_file *file, const char *program, uint64_t line)
{
	const char *name = project_file_name(program), *dot = strrchr(name, '.');
	char below[BUILD_PATH_MAX + 4];

	if ((dot && dot != name) || strpbrk(program, "%$()@") || *program == '/')
		return;
	struct survey_bench *b = survey_add_in(s, file->directory, name, file->path, line);
	if (!b)
		return;
	/* Automake runs tests in the directory of their Makefile. */
	snprintf(below, sizeof below, "./%s", p->tests ? "" : file->directory);
	if (!survey_word(b, below, program) || (p->tests && !survey_set_cwd(b, file->directory))) {
		survey_drop(s);
		return;
	}
	snprintf(b->target, sizeof b->target, "%s", program);
	snprintf(b->target_directory, sizeof b->target_directory, "%s", file->directory);
}

static bool has_listed_word(const struct make_words *words, const char *word)
{
	for (size_t i = 0; i < words->count; i++)
		if (strcmp(words->words[i], word) == 0)
			return true;
	return false;
}

/* The words of a variable, with those of the variables in it. */
static void expand_variable(struct survey_place *p, const struct build_file *file,
			    const char *variable, struct make_words *out)
{
	char inner[CALL_WORD_MAX];
	struct make_words words;

	make_words_of(file, variable, out);
	for (size_t i = 0, count = out->count; i < count; i++) {
		/* Each goes through the whole file. */
		if (!make_variable(out->words[i], inner) || p->reads_left == 0)
			continue;
		p->reads_left--;
		make_words_of(file, inner, &words);
		for (size_t k = 0; k < words.count && out->count < LINE_WORDS_MAX; k++)
			memcpy(out->words[out->count++], words.words[k], CALL_WORD_MAX);
	}
}

/* What a line lists, or a variable in it. */
static void look_at_list(struct survey_place *p, struct survey *s, const struct build_file *file,
			 const struct make_line *line, const struct make_words *tests)
{
	char variable[CALL_WORD_MAX];
	struct make_words words;

	for (size_t i = 2; i < line->count; i++) {
		words.count = 0;
		if (make_variable(line->words[i], variable) && p->reads_left > 0) {
			p->reads_left--;
			expand_variable(p, file, variable, &words);
		} else {
			memcpy(words.words[words.count++], line->words[i], CALL_WORD_MAX);
		}
		for (size_t k = 0; k < words.count; k++)
			if (p->tests ? has_listed_word(tests, words.words[k])
				     : survey_names_bench(project_file_name(words.words[k])))
				add_automake_program(p, s, file, words.words[k], line->number);
	}
}

static int look_at_makefile_am(struct survey_place *p, struct survey *s, const char *directory,
			       struct cg_error *err)
{
	enum { LISTS_MAX = 50 };
	struct build_file file;
	const char *at = NULL;
	struct make_line line;
	struct make_words tests;
	int status = build_file_read(p->dir, directory, "Makefile.am", &file, err);

	if (status)
		return status;
	expand_variable(p, &file, "TESTS", &tests);
	for (int lists = 0; lists < LISTS_MAX && make_next_line(&file, &at, &line);) {
		if (!lists_programs(&line))
			continue;
		look_at_list(p, s, &file, &line, &tests);
		lists++;
	}
	build_file_free(&file);
	return CG_OK;
}

/* With shared libraries, libtool makes a script of each program, which starts others. */
static void avoid_libtool_scripts(struct survey_place *p, struct survey *s)
{
	static const char *const signs[] = { "LT_INIT", "AC_PROG_LIBTOOL", "AM_PROG_LIBTOOL",
					     "--enable-shared" };
	char *text = p->marker ? survey_source(p, p->marker) : NULL;

	for (size_t i = 0; text && i < sizeof signs / sizeof *signs; i++)
		if (strstr(text, signs[i]))
			survey_option(s, "--disable-shared");
	free(text);
}

int survey_autotools(struct survey_place *p, struct survey *s, struct cg_error *err)
{
	int status = CG_OK;

	avoid_libtool_scripts(p, s);

	for (size_t i = 0; !status && p->reads_left > 0 && i < p->files.count; i++) {
		const char *path = p->files.paths[i];
		char directory[BUILD_PATH_MAX];

		if (strcmp(project_file_name(path), "Makefile.am") != 0 ||
		    !project_file_directory(path, directory, sizeof directory))
			continue;
		p->reads_left--;
		if (s->makefiles_am++ == 0)
			snprintf(s->makefile_am, sizeof s->makefile_am, "%s", path);
		status = look_at_makefile_am(p, s, directory, err);
	}
	return status;
}
