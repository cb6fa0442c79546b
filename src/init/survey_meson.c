/* Meson: programs that are built, and benchmarks or tests that run them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/init/programs.h"

/* The state of a survey of a build. */
struct meson_look {
	struct survey_place *place;
	struct survey *survey;
	struct build_tree tree;
	struct programs programs;
};

/* Whether a word is a text as it stands: no variable, and no 'test_@0@'.format(…). */
static bool is_meson_text(const struct build_call *c, size_t i)
{
	return i < c->count && c->quoted[i] && !strchr(c->words[i], '@');
}

/* Adds a benchmark that runs a program with the words from `first` up to `end`. */
static void add_program_run(struct meson_look *l, const struct build_file *file,
			    const struct build_call *c, struct program *p, size_t first, size_t end)
{
	struct survey_bench *b = survey_add(l->survey, c->words[0], file->path, c->line);
	bool fits = b && survey_word(b, p->directory, p->name);

	for (size_t i = first; fits && i < end; i++) {
		/* files('data.json') are beside the file that says so. */
		bool beside = i + 3 < c->count && strcmp(c->words[i], "files") == 0 &&
			      strcmp(c->words[i + 1], "(") == 0 &&
			      strcmp(c->words[i + 3], ")") == 0;
		fits = is_meson_text(c, beside ? i + 2 : i) &&
		       (beside ? survey_word(b, file->directory, c->words[i + 2])
			       : survey_word(b, "", c->words[i]));
		i += beside ? 3 : 0;
	}
	if (fits && !l->place->tests)
		fits = survey_set_harness(b, p->harness);
	if (b && !fits)
		survey_drop(l->survey);
	p->used |= fits;
}

static size_t find_meson_word(const struct build_call *c, const char *word)
{
	size_t i = 0;
	while (i < c->count && strcmp(c->words[i], word) != 0)
		i++;
	return i;
}

/* benchmark('n', p, args: ['a', 'b']) or benchmark('n', executable('p', …), …); and so test(). */
static void look_at_benchmark(struct meson_look *l, const struct build_file *file,
			      const struct build_call *c)
{
	/* A run that fails is no measurement. */
	size_t should_fail = find_meson_word(c, "should_fail:");
	if (!is_meson_text(c, 0) ||
	    (should_fail + 1 < c->count && strcmp(c->words[should_fail + 1], "true") == 0))
		return;
	bool inner = c->count > 3 && strcmp(c->words[1], "executable") == 0;
	struct program *p = programs_find(&l->programs, inner ? c->words[3] : c->words[1]);
	size_t args = find_meson_word(c, "args:"), end;

	if (!p)
		return;
	if (args == c->count && find_meson_word(c, "args") + 1 < c->count &&
	    strcmp(c->words[find_meson_word(c, "args") + 1], ":") == 0)
		args = find_meson_word(c, "args") + 1;
	args = args < c->count ? args + 1 : c->count;
	end = args < c->count ? args + 1 : args;
	if (args < c->count && strcmp(c->words[args], "[") == 0)
		for (end = ++args; end < c->count && strcmp(c->words[end], "]") != 0;)
			end++;
	add_program_run(l, file, c, p, args, end);
}

static void look_at_executables(struct meson_look *l, const struct build_file *file)
{
	struct build_call c;

	for (struct cursor at = { 0 }; build_file_call(file, &at, "executable", &c);) {
		/* executable('test_' + name, …) */
		bool joined = c.count > 1 && strcmp(c.words[1], "+") == 0;
		struct program *p = is_meson_text(&c, 0) && !joined
					    ? programs_add(&l->programs, file,
							   *c.target ? c.target : c.words[0],
							   c.words[0], c.line)
					    : NULL;
		for (size_t i = 1; p && survey_names_bench(p->from) && i < c.count; i++)
			if (!p->harness)
				p->harness = program_harness(l->place, file->directory, c.words[i]);
	}
}

/* Turns on what builds them: option('benchmarks', type: 'boolean', value: false) and so on. */
static void find_meson_options(struct meson_look *l, struct cg_error *err)
{
	static const char *const names[] = { "meson_options.txt", "meson.options" };
	struct build_file file;
	struct build_call c;

	for (size_t i = 0; i < 2; i++) {
		if (build_file_read(l->place->dir, "", names[i], &file, err))
			return;
		for (struct cursor at = { 0 }; build_file_call(&file, &at, "option", &c);) {
			char word[CALL_WORD_MAX + 16];
			bool feature = find_meson_word(&c, "feature") < c.count;
			bool off = find_meson_word(&c, "false") < c.count ||
				   find_meson_word(&c, "disabled") < c.count;
			if (c.count == 0 || !survey_is_wanted(l->place, c.words[0]) ||
			    (!feature && !(off && find_meson_word(&c, "boolean") < c.count)))
				continue;
			snprintf(word, sizeof word, "-D%s=%s", c.words[0],
				 feature ? "enabled" : "true");
			survey_option(l->survey, word);
		}
		build_file_free(&file);
	}
}

int survey_meson(struct survey_place *p, struct survey *s, struct cg_error *err)
{
	struct meson_look *l = calloc(1, sizeof *l);
	struct build_call c;

	if (!l)
		return cg_fail_nomem(err);
	l->place = p;
	l->survey = s;
	int status = build_tree_read(p->dir, "meson.build", "subdir", &l->tree, err);
	for (size_t i = 0; !status && i < l->tree.count; i++)
		look_at_executables(l, &l->tree.files[i]);
	for (size_t i = 0; !status && i < l->tree.count; i++)
		for (struct cursor at = { 0 };
		     build_file_call(&l->tree.files[i], &at, p->tests ? "test" : "benchmark", &c);)
			look_at_benchmark(l, &l->tree.files[i], &c);
	if (!status && (!p->tests || s->count == 0))
		programs_add_named(&l->programs, p, s);
	if (!status && s->count > 0)
		find_meson_options(l, NULL);
	build_tree_free(&l->tree);
	free(l);
	return status;
}
