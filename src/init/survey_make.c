/* make: targets with a name that says they are benchmarks, in all directories. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/init/make_lines.h"
#include "src/init/programs.h"
#include "src/init/survey_kinds.h"

/* A makefile that is looked at. */
struct make_look {
	struct survey_place *place;
	struct survey *survey;
	struct makefile makefile;
	bool phony; /* whether phony targets are added, or programs */
};

enum { RECIPE_LINES_MAX = 50 };

/* How a target is built. */
enum target_kind {
	TARGET_PROGRAM,    /* a file of its name */
	TARGET_PHONY,      /* its recipe runs something */
	TARGET_COLLECTION, /* it only lists other targets */
};

struct make_rule {
	struct make_line line; /* with its targets and what they need */
	size_t colon;          /* which word of it separates these */
	const char *after;     /* where its recipe begins */
	enum target_kind kind;
};

/* Whether a rule without a recipe only lists other targets, so that no file has its name. */
static bool lists_targets(const struct make_rule *rule)
{
	bool others = rule->colon + 1 < rule->line.count;

	for (size_t i = rule->colon + 1; i < rule->line.count; i++)
		others &= !strpbrk(rule->line.words[i], ".$;");
	return others;
}

/* Whether a line of a recipe writes to its target. */
static bool writes_target(const struct make_line *line)
{
	for (size_t i = 0; i < line->count; i++)
		if (strcmp(line->words[i], "-o") == 0 || strstr(line->words[i], "$@") ||
		    strstr(line->words[i], "$(@") || strstr(line->words[i], "LINK"))
			return true;
	return false;
}

/* What its recipe says. */
static enum target_kind rule_kind(const struct build_file *file, const struct make_rule *rule)
{
	struct make_line line;
	const char *at = rule->after;
	bool has_recipe = false;

	for (int i = 0; i < RECIPE_LINES_MAX && *at && make_next_line(file, &at, &line); i++) {
		if (!line.recipe)
			break;
		has_recipe = true;
		if (writes_target(&line))
			return TARGET_PROGRAM;
	}
	return has_recipe ? TARGET_PHONY : lists_targets(rule) ? TARGET_COLLECTION : TARGET_PROGRAM;
}

/* The harness of a source, or of what an object is compiled from. */
static enum bench_harness harness_of_file(struct survey_place *place, const char *directory,
					  const char *name)
{
	static const char *const suffixes[] = { ".cc", ".cpp", ".cxx", ".c" };
	const size_t len = strlen(name);
	enum bench_harness harness = HARNESS_NONE;
	char source[CALL_WORD_MAX + 4];

	if (len < 2 || strcmp(name + len - 2, ".o") != 0)
		return program_harness(place, directory, name);
	for (size_t i = 0; !harness && i < sizeof suffixes / sizeof *suffixes; i++) {
		snprintf(source, sizeof source, "%.*s%s", (int)len - 2, name, suffixes[i]);
		harness = program_harness(place, directory, source);
	}
	return harness;
}

/* Of the first word that has one, from number `first` on, or of what a variable lists. */
static enum bench_harness harness_of_words(const struct make_look *l, const struct make_line *line,
					   size_t first)
{
	const struct build_file *file = &l->makefile.file;
	enum bench_harness harness = HARNESS_NONE;
	char variable[CALL_WORD_MAX];
	struct make_words inner;

	for (size_t i = first; !harness && i < line->count; i++) {
		if (!make_variable(line->words[i], variable)) {
			harness = harness_of_file(l->place, file->directory, line->words[i]);
		} else if (l->place->reads_left > 0) {
			l->place->reads_left--;
			make_words_of(file, variable, &inner);
			for (size_t k = 0; !harness && k < inner.count; k++)
				harness = harness_of_file(l->place, file->directory,
							  inner.words[k]);
		}
	}
	return harness;
}

/* Of the sources that a rule needs, or its recipe names. */
static enum bench_harness harness_of_rule(const struct make_look *l, const struct make_rule *rule)
{
	enum bench_harness harness = harness_of_words(l, &rule->line, rule->colon + 1);
	const char *at = rule->after;
	struct make_line line;

	for (int i = 0; !harness && i < RECIPE_LINES_MAX && *at; i++) {
		if (!make_next_line(&l->makefile.file, &at, &line) || !line.recipe)
			break;
		harness = harness_of_words(l, &line, 0);
	}
	return harness;
}

/* Names of targets that cannot be built here, or do something else. */
static bool is_other_target(const char *name)
{
	static const char *const parts[] = { "clean",  "install", "dll",  "m32",   "win32",
					     "format", "-deps",   "asan", "ubsan", "plot" };
	size_t len = strlen(name);

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (strcasestr(name, parts[i]))
			return true;
	return len > 2 && strcmp(name + len - 2, "32") == 0;
}

/* Whether a phony target is one that people run. */
static bool is_run_target(const struct survey_place *p, const char *name)
{
	return p->tests ? strcmp(name, "check") == 0 || strcmp(name, "test") == 0
			: survey_names_bench(name);
}

static void set_target(struct survey_bench *b, const char *target, const char *directory)
{
	snprintf(b->target, sizeof b->target, "%s", target);
	snprintf(b->target_directory, sizeof b->target_directory, "%s", directory);
}

/* "bench$(EXEEXT)" */
static void cut_executable_suffix(char *target)
{
	char *end = strstr(target, "$(E");

	if (end && end > target)
		*end = '\0';
}

/* What a rule needs that can be built by name: the target itself would run. */
static void list_needed(const struct make_look *l, const struct make_rule *rule,
			char out[CALL_WORD_MAX])
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_./+-";
	char name[CALL_WORD_MAX];
	size_t len = 0;

	*out = '\0';
	for (size_t i = rule->colon + 1; i < rule->line.count; i++) {
		snprintf(name, sizeof name, "%s", rule->line.words[i]);
		cut_executable_suffix(name);
		if (!*name || *name == '-' || name[strspn(name, plain)] ||
		    makefile_is_phony(&l->makefile, name) || len + strlen(name) + 2 > CALL_WORD_MAX)
			continue;
		len += (size_t)snprintf(out + len, CALL_WORD_MAX - len, "%s%s", len ? " " : "",
					name);
	}
}

static bool is_missing_directory(const struct make_look *l, const char *name)
{
	char *path = NULL;

	if (strchr(name, '$') ||
	    asprintf(&path, "%s/%s%s", l->place->dir, l->makefile.file.directory, name) < 0)
		return false;
	const bool missing = access(path, F_OK) != 0;
	free(path);
	return missing;
}

/* Whether a word as "$(DATA)/x" is in a directory beside the project that is not there. */
static bool is_beside_project(const struct make_look *l, const char *word)
{
	const char *end = strchr(word, ')');
	char name[CALL_WORD_MAX];
	struct make_words value;

	if (strncmp(word, "$(", 2) != 0 || !end || end[1] != '/')
		return false;
	snprintf(name, sizeof name, "%.*s", (int)(end - word - 2), word + 2);
	make_words_of(&l->makefile.file, name, &value);
	return value.count && !*l->makefile.file.directory &&
	       strncmp(value.words[0], "../", 3) == 0 && is_missing_directory(l, value.words[0]);
}

/* Whether a recipe needs a directory that is not there, or runs Node.js, which no makefile builds.
 */
static bool cannot_run(const struct make_look *l, const struct make_rule *rule)
{
	const char *at = rule->after;
	struct make_line line;

	for (int i = 0; i < RECIPE_LINES_MAX && *at; i++) {
		if (!make_next_line(&l->makefile.file, &at, &line) || !line.recipe)
			break;
		if (line.count && strcmp(line.words[0] + strspn(line.words[0], "@-+"), "node") == 0)
			return true;
		for (size_t k = 0; k < line.count; k++)
			if (is_beside_project(l, line.words[k]) ||
			    (k && strcmp(line.words[k - 1], "-C") == 0 &&
			     is_missing_directory(l, line.words[k])))
				return true;
	}
	return false;
}

static void add_run(struct make_look *l, const char *target, const struct make_rule *rule)
{
	char needed[CALL_WORD_MAX];
	static const char *const make[] = { "make", "-s", NULL };
	const char *directory = l->makefile.file.directory;
	struct survey_bench *b = survey_add_in(l->survey, directory, target, l->makefile.file.path,
					       rule->line.number);

	if (!b)
		return;
	b->processes = "project";
	if (!survey_fixed_words(b, make) ||
	    (*directory && (!survey_fixed_words(b, (const char *const[]){ "-C", NULL }) ||
			    !survey_word(b, "", directory))) ||
	    !survey_word(b, "", target)) {
		survey_drop(l->survey);
		return;
	}
	list_needed(l, rule, needed);
	if (*needed)
		set_target(b, needed, directory);
}

static void add_program_target(struct make_look *l, const char *target,
			       const struct make_rule *rule)
{
	const char *directory = l->makefile.file.directory;
	char below[BUILD_PATH_MAX + 4];
	struct survey_bench *b = survey_add_in(l->survey, directory, project_file_name(target),
					       l->makefile.file.path, rule->line.number);

	if (!b)
		return;
	snprintf(below, sizeof below, "./%s", directory);
	if (!survey_word(b, *target == '/' ? "" : below, target) ||
	    (!l->place->tests && !survey_set_harness(b, harness_of_rule(l, rule)))) {
		survey_drop(l->survey);
		return;
	}
	set_target(b, target, directory);
}

/* Adds a program that is built, or a phony target that runs one. */
static void add_target(struct make_look *l, const char *word, const struct make_rule *rule)
{
	char target[CALL_WORD_MAX];

	snprintf(target, sizeof target, "%s", word);
	cut_executable_suffix(target);
	const char *name = project_file_name(target), *dot = strrchr(name, '.');
	bool phony = makefile_is_phony(&l->makefile, target) || rule->kind == TARGET_PHONY;

	/* Skips objects and sources, which are not programs, and patterns and variables. */
	if ((dot && dot != name) || strpbrk(target, "%$()") || is_other_target(name) ||
	    phony != l->phony)
		return;
	if (phony && is_run_target(l->place, name) && !cannot_run(l, rule))
		add_run(l, target, rule);
	else if (!phony && survey_is_wanted(l->place, name))
		add_program_target(l, target, rule);
}

/* The colon after the targets of a rule; the number of words if the line is not a rule. */
static size_t find_rule_colon(const struct make_line *line)
{
	size_t colon = 0;

	while (colon < line->count && !strpbrk(line->words[colon], ":=+?!"))
		colon++;
	if (line->recipe || colon == line->count || strspn(line->words[colon], ":") == 0 ||
	    strchr(line->words[colon], '='))
		return line->count;
	/* A variable of a target: "bench: CFLAGS += -O3". */
	for (size_t i = colon + 1; i < line->count && i <= colon + 2; i++)
		if (strchr(line->words[i], '=') && i == colon + 2)
			return line->count;
	return colon;
}

static void look_at_rule(struct make_look *l, const struct make_rule *rule)
{
	const struct make_line *line = &rule->line;
	char variable[CALL_WORD_MAX];
	struct make_words words;

	for (size_t i = 0; i < rule->colon; i++) {
		if (rule->kind == TARGET_COLLECTION &&
		    !makefile_is_phony(&l->makefile, line->words[i]))
			continue;
		if (make_variable(line->words[i], variable) && l->place->reads_left > 0) {
			l->place->reads_left--; /* it goes through the whole file */
			make_words_of(&l->makefile.file, variable, &words);
			for (size_t k = 0; k < words.count; k++)
				add_target(l, words.words[k], rule);
		} else {
			add_target(l, line->words[i], rule);
		}
	}
}

static void look_at_rules(struct make_look *l)
{
	const struct build_file *file = &l->makefile.file;
	const char *at = NULL;
	struct make_rule rule;

	while (make_next_line(file, &at, &rule.line)) {
		rule.colon = find_rule_colon(&rule.line);
		rule.after = at;
		if (rule.colon == 0 || rule.colon == rule.line.count)
			continue;
		rule.kind = rule_kind(file, &rule);
		look_at_rule(l, &rule);
	}
}

/* ---- flags ---- */

static bool has_debug_flag(const struct make_words *words)
{
	for (size_t i = 0; i < words->count; i++)
		if (strncmp(words->words[i], "-g", 2) == 0 && strcmp(words->words[i], "-g0") != 0)
			return true;
	return false;
}

static bool sets_make_variable(const struct build_file *file, const char *variable)
{
	const char *at = NULL;
	struct make_line line;

	while (make_next_line(file, &at, &line))
		if (make_assigns(&line, variable) && !make_appends(&line))
			return true;
	return false;
}

/* The compiler that a makefile names last. */
static void find_compiler(const struct build_file *file, char out[CALL_WORD_MAX])
{
	const char *at = NULL;
	struct make_line line;
	size_t used = 0;

	snprintf(out, CALL_WORD_MAX, "%s", "cc");
	while (make_next_line(file, &at, &line)) {
		bool plain = make_assigns(&line, "CC") && line.count > 2;
		for (size_t i = 2; plain && i < line.count; i++)
			plain = !line.words[i][strspn(line.words[i], NAME_SIGNS "/=")];
		used = 0;
		for (size_t i = 2; plain && i < line.count && used < CALL_WORD_MAX; i++)
			used += (size_t)snprintf(
				out + used, CALL_WORD_MAX - used, "%s%s",
				i > 2 && *line.words[i] != '=' && *line.words[i - 1] != '=' ? " "
											    : "",
				line.words[i]);
	}
}

/* A makefile that sets CFLAGS itself hides those of the environment, or keeps its optimisation
 * only if they are not set: -g is then added to the compiler, unless it is among them. */
static void look_at_flags(struct make_look *l)
{
	const struct build_file *file = &l->makefile.file;
	struct make_words flags;

	if (*l->survey->compiler ||
	    (!sets_make_variable(file, "CFLAGS") && !sets_make_variable(file, "CXXFLAGS")))
		return;
	make_words_of(file, "CFLAGS", &flags);
	bool debug = has_debug_flag(&flags);
	make_words_of(file, "CXXFLAGS", &flags);
	if (!debug && !has_debug_flag(&flags))
		find_compiler(file, l->survey->compiler);
	else
		l->survey->debug_flags = true;
}

/* ---- the makefiles of a project ---- */

static int look_at_makefile(struct survey_place *p, struct survey *s, bool phony,
			    const char *directory, const char *name, struct cg_error *err)
{
	struct make_look l = { .place = p, .survey = s, .phony = phony };
	size_t before = s->count;
	int status = makefile_read(p->dir, directory, name, &l.makefile, err);

	if (!status)
		look_at_rules(&l);
	const bool debug_flags = s->debug_flags;
	if (!status && (s->count > before || !*directory))
		look_at_flags(&l);
	/* Those of a subdirectory are not those of the rest. */
	if (*directory)
		s->debug_flags = debug_flags;
	makefile_free(&l.makefile);
	return status;
}

static bool is_makefile(const char *name)
{
	return strcmp(name, "Makefile") == 0 || strcmp(name, "makefile") == 0 ||
	       strcmp(name, "GNUmakefile") == 0;
}

static int look_at_makefiles(struct survey_place *p, struct survey *s, bool phony,
			     struct cg_error *err)
{
	int status = look_at_makefile(p, s, phony, "", p->marker, err);

	for (size_t i = 0; !status && p->reads_left > 0 && i < p->files.count; i++) {
		const char *path = p->files.paths[i];
		char directory[BUILD_PATH_MAX];

		if (!is_makefile(project_file_name(path)) || !strchr(path, '/') ||
		    !project_file_directory(path, directory, sizeof directory))
			continue;
		p->reads_left--;
		status = look_at_makefile(p, s, phony, directory, project_file_name(path), err);
	}
	return status;
}

/* Programs are worth more than targets that run them, with much else: these are taken only if there
 * are no programs. */
int survey_make(struct survey_place *p, struct survey *s, struct cg_error *err)
{
	int status = look_at_makefiles(p, s, false, err);
	return status || s->count > 0 ? status : look_at_makefiles(p, s, true, err);
}
