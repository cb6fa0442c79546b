/* CMake: programs that are built, and tests that run them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/init/cmake_script.h"
#include "src/init/programs.h"

/* A test, kept until all programs are known. */
struct cmake_test {
	struct cmake_command command;
	char directory[BUILD_PATH_MAX]; /* of the file: "sub/" */
};

enum { CMAKE_TESTS_MAX = 64 };

struct cmake_look {
	struct survey_place *place;
	struct survey *survey;
	struct programs programs;
	struct cmake_test tests[CMAKE_TESTS_MAX];
	size_t test_count;
};

static size_t index_from(const struct build_call *c, size_t i, const char *word)
{
	while (i < c->count && strcmp(c->words[i], word) != 0)
		i++;
	return i;
}

static size_t index_of(const struct build_call *c, const char *word)
{
	return index_from(c, 0, word);
}

/* ---- programs ---- */

static void look_at_sources(struct cmake_look *l, struct program *p, const struct cmake_command *c)
{
	bool wanted = survey_names_bench(p->name) || survey_names_bench(c->current->directory);

	for (size_t i = 1; wanted && !p->harness && i < c->call.count; i++)
		p->harness = program_harness(l->place, c->current->directory, c->call.words[i]);
}

static void look_at_executable(struct cmake_look *l, const struct cmake_command *c)
{
	const char *name = c->call.count > 0 ? c->call.words[0] : "";
	size_t imported = index_of(&c->call, "IMPORTED"), alias = index_of(&c->call, "ALIAS");

	if (!*name || imported < c->call.count || alias < c->call.count ||
	    programs_find(&l->programs, name))
		return;
	struct program *p = programs_add(&l->programs, c->current, name, name, c->call.line);
	if (!p)
		return;
	/* A function may be defined in another file. */
	snprintf(p->from, sizeof p->from, "%s", c->file->path);
	memcpy(p->options, c->options, sizeof p->options);
	if (strncmp(c->programs, CMAKE_BUILD, strlen(CMAKE_BUILD) - 1) == 0)
		snprintf(p->directory, sizeof p->directory, "%s/", c->programs);
	look_at_sources(l, p, c);
}

/* target_link_libraries(p benchmark::benchmark) and the like. */
static void look_at_libraries(struct cmake_look *l, const struct cmake_command *c)
{
	struct program *p = c->call.count > 0 ? programs_find(&l->programs, c->call.words[0])
					      : NULL;

	for (size_t i = 1; p && i < c->call.count; i++) {
		const char *library = c->call.words[i];
		if (strncmp(library, "codspeed", 8) == 0)
			p->harness = HARNESS_CODSPEED_CPP;
		else if (strncmp(library, "benchmark::", 11) == 0 ||
			 strcmp(library, "benchmark") == 0 ||
			 strcmp(library, "benchmark_main") == 0)
			p->harness = HARNESS_GOOGLE_BENCHMARK;
		else if (strstr(library, "nanobench"))
			p->harness = HARNESS_NANOBENCH;
	}
}

/* set_target_properties(p PROPERTIES OUTPUT_NAME n RUNTIME_OUTPUT_DIRECTORY d) */
static void look_at_properties(struct cmake_look *l, const struct cmake_command *c)
{
	size_t name = index_of(&c->call, "OUTPUT_NAME") + 1;
	size_t directory = index_of(&c->call, "RUNTIME_OUTPUT_DIRECTORY") + 1;
	struct program *p = c->call.count > 0 ? programs_find(&l->programs, c->call.words[0])
					      : NULL;

	if (p && name < c->call.count)
		memcpy(p->name, c->call.words[name], sizeof p->name);
	if (p && directory < c->call.count &&
	    strncmp(c->call.words[directory], CMAKE_BUILD, strlen(CMAKE_BUILD) - 1) == 0)
		snprintf(p->directory, sizeof p->directory, "%s/", c->call.words[directory]);
}

/* ---- tests ---- */

/* A program by its target, a generator expression of it, or its path. */
static struct program *find_program(struct cmake_look *l, const char *word)
{
	static const char target[] = "$<TARGET_FILE:";
	char name[CALL_WORD_MAX];

	if (strncmp(word, target, strlen(target)) == 0) {
		snprintf(name, sizeof name, "%s", word + strlen(target));
		name[strcspn(name, ">")] = '\0';
		return programs_find(&l->programs, name);
	}
	for (size_t i = 0; strchr(word, '/') && i < l->programs.count; i++) {
		const struct program *p = &l->programs.items[i];
		size_t len = strlen(p->directory);
		bool local = strncmp(word, "./", 2) == 0 && strcmp(word + 2, p->name) == 0;
		if (local ||
		    (strncmp(word, p->directory, len) == 0 && strcmp(word + len, p->name) == 0))
			return &l->programs.items[i];
	}
	return programs_find(&l->programs, word);
}

/* Whether a directory, "./build/sub", exists after the build, as far as that is known. */
static bool is_built_directory(const struct cmake_look *l, const char *directory)
{
	size_t len = strlen(directory);

	for (size_t i = 0; i < l->programs.count; i++)
		if (strncmp(l->programs.items[i].directory, directory, len) == 0 &&
		    strcmp(l->programs.items[i].directory + len, "/") == 0)
			return true;
	return false;
}

/* Where CTest runs a test, "./build/sub/"; and the way back to the top: "../../". */
static bool find_test_place(const struct cmake_look *l, const struct cmake_test *t,
			    char cwd[BUILD_PATH_MAX], char back[BUILD_PATH_MAX])
{
	const struct build_call *c = &t->command.call;
	size_t where = index_of(c, "WORKING_DIRECTORY") + 1, used = 0;
	bool named = where < c->count &&
		     (strncmp(c->words[where], CMAKE_BUILD, strlen(CMAKE_BUILD)) != 0 ||
		      is_built_directory(l, c->words[where]));
	int len = named ? snprintf(cwd, BUILD_PATH_MAX, "%s/", c->words[where])
			: snprintf(cwd, BUILD_PATH_MAX, CMAKE_BUILD "%s", t->directory);

	if (len >= BUILD_PATH_MAX)
		return false;
	back[0] = '\0';
	if (strncmp(cwd, "./", 2) != 0)
		return false;
	for (const char *slash = strchr(cwd + 2, '/'); slash; slash = strchr(slash + 1, '/')) {
		if (used + 4 > BUILD_PATH_MAX || slash[-1] == '/')
			return false;
		used += (size_t)snprintf(back + used, BUILD_PATH_MAX - used, "../");
	}
	return !strstr(cwd, "/../");
}

/* Appends DIRECTORY+WORD, as seen from `cwd`; a path that begins with "./" is at the top. */
static bool add_place_word(struct survey_bench *b, const char *cwd, const char *back,
			   const char *directory, const char *word)
{
	char path[BUILD_PATH_MAX + CALL_WORD_MAX + 32];
	size_t len = strlen(cwd);

	if (!*directory && strncmp(word, "./", 2) != 0)
		return survey_word(b, "", word);
	snprintf(path, sizeof path, "%s%s", directory, word);
	if (!*back)
		return survey_word(b, "", path);
	return strncmp(path, cwd, len) == 0 ? survey_word(b, "./", path + len)
					    : survey_word(b, back, path + 2);
}

static void add_test(struct cmake_look *l, const struct cmake_test *t, struct program *p,
		     const char *name, size_t first, size_t end)
{
	const struct build_call *c = &t->command.call;
	char cwd[BUILD_PATH_MAX], back[BUILD_PATH_MAX];
	struct survey_bench *b = survey_add(l->survey, name, t->command.file->path, c->line);

	if (!b)
		return;
	bool fits = find_test_place(l, t, cwd, back) && strncmp(p->directory, "./", 2) == 0 &&
		    add_place_word(b, cwd, back, p->directory, p->name) &&
		    survey_set_cwd(b, strcmp(cwd, "./") == 0 ? "" : cwd + 2);
	for (size_t i = first; fits && i < end; i++)
		fits = add_place_word(b, cwd, back, "", c->words[i]);
	if (fits && !l->place->tests)
		fits = survey_set_harness(b, p->harness);
	if (!fits) {
		survey_drop(l->survey);
		return;
	}
	survey_build_options(l->survey, p->options);
	survey_build_options(l->survey, t->command.options);
	p->used = true;
}

/* add_test(NAME n COMMAND c ARGS… OPTION …), or of old add_test(n c ARGS…). */
static void look_at_test(struct cmake_look *l, const struct cmake_test *t)
{
	static const char *const options[] = { "CONFIGURATIONS", "WORKING_DIRECTORY",
					       "COMMAND_EXPAND_LISTS" };
	const struct build_call *c = &t->command.call;
	bool named = c->count > 0 && strcmp(c->words[0], "NAME") == 0;
	size_t name = named ? 1 : 0, command = named ? index_of(c, "COMMAND") + 1 : 1;
	size_t end = c->count;

	if (command >= c->count)
		return;
	/* Options may also stand before the command. */
	for (size_t i = 0; i < 3; i++) {
		size_t option = index_from(c, command, options[i]);
		end = option < end ? option : end;
	}
	struct program *p = find_program(l, c->words[command]);
	if (p &&
	    (l->place->tests || survey_names_bench(c->words[name]) || survey_names_bench(p->name)))
		add_test(l, t, p, c->words[name], command + 1, end);
}

/* gtest_discover_tests(p) and the like: one program with many tests. */
static void look_at_discovered(struct cmake_look *l, const struct cmake_command *c)
{
	struct program *p = c->call.count > 0 ? programs_find(&l->programs, c->call.words[0])
					      : NULL;
	struct cmake_test t = { .command = *c };

	if (!p || !l->place->tests)
		return;
	snprintf(t.directory, sizeof t.directory, "%s", c->current->directory);
	add_test(l, &t, p, p->name, 0, 0);
}

/* ---- the whole ---- */

static void look_at_command(struct cmake_look *l, const struct cmake_command *c)
{
	static const char discover[] = "_discover_tests";
	size_t len = strlen(c->name), n = strlen(discover);

	if (strcmp(c->name, "add_executable") == 0) {
		look_at_executable(l, c);
	} else if (strcmp(c->name, "target_sources") == 0 && c->call.count > 0) {
		struct program *p = programs_find(&l->programs, c->call.words[0]);
		if (p)
			look_at_sources(l, p, c);
	} else if (strcmp(c->name, "target_link_libraries") == 0) {
		look_at_libraries(l, c);
	} else if (strcmp(c->name, "set_target_properties") == 0) {
		look_at_properties(l, c);
	} else if (strcmp(c->name, "add_test") == 0 && l->test_count < CMAKE_TESTS_MAX) {
		struct cmake_test *t = &l->tests[l->test_count++];
		t->command = *c;
		snprintf(t->directory, sizeof t->directory, "%s", c->current->directory);
	} else if (len > n && strcmp(c->name + len - n, discover) == 0) {
		look_at_discovered(l, c);
	}
}

int survey_cmake(struct survey_place *p, struct survey *s, struct cg_error *err)
{
	int status = CG_OK;
	struct cmake_command command;
	struct cmake_look *l = calloc(1, sizeof *l);
	struct cmake_script *script = l ? cmake_script_open(p->dir, &status, err) : NULL;

	if (!l)
		return cg_fail_nomem(err);
	l->place = p;
	l->survey = s;
	while (script && cmake_script_next(script, &command))
		look_at_command(l, &command);
	for (size_t i = 0; i < l->test_count; i++)
		look_at_test(l, &l->tests[i]);
	if (!p->tests || s->count == 0)
		programs_add_named(&l->programs, p, s);
	cmake_script_free(script);
	free(l);
	return status;
}
