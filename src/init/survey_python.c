/* Python: tests for pytest-benchmark and pytest-codspeed, scripts that are benchmarks, and other
 * tests. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/init/survey_kinds.h"

/* The name of a file without its directory and ".py". */
static bool script_name(const char *path, char name[CALL_WORD_MAX])
{
	const char *base = project_file_name(path);
	size_t len = strlen(base) - strlen(".py");

	if (len >= CALL_WORD_MAX)
		return false;
	memcpy(name, base, len);
	name[len] = '\0';
	return true;
}

/* As pytest does, without settings. */
static bool is_test_file(const char *path)
{
	return strncmp(project_file_name(path), "test_", 5) == 0 ||
	       project_file_ends(path, "_test.py");
}

/* Whether a test has the fixture `benchmark`: as a word of its parameters, or by a marker. */
static bool has_fixture(const char *text)
{
	enum { PARAMETERS_MAX = 1000 }; /* bytes */
	static const char word[] = "benchmark";
	static const char before[] = " \t\n(,*", after[] = " \t\n),:";

	if (strstr(text, "pytest.mark.benchmark"))
		return true;
	for (const char *def = text; (def = strstr(def, "def test")) != NULL; def++) {
		size_t len = strnlen(def, PARAMETERS_MAX);
		const char *end = memchr(def, ')', len), *at = def;
		for (; end && (at = memmem(at, (size_t)(end - at), word, strlen(word))); at++)
			if (strchr(before, at[-1]) && strchr(after, at[strlen(word)]))
				return true;
	}
	return false;
}

/* Whether a line at the top level is a loop or a call, other than of a decorator. */
static bool line_runs_something(const char *line)
{
	static const char *const loops[] = { "for ", "while ", "with " };
	const size_t name = strspn(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
					 "0123456789_.");

	for (size_t i = 0; i < sizeof loops / sizeof *loops; i++)
		if (strncmp(line, loops[i], strlen(loops[i])) == 0)
			return true;
	return name && line[name] == '(';
}

/* Whether it does something when it is run; a module that is only imported does not. */
static bool python_is_script(const char *text)
{
	bool runs = strstr(text, "__main__") != NULL;

	for (const char *line = text; !runs && line; line = strchr(line, '\n')) {
		line += *line == '\n';
		runs = line_runs_something(line);
	}
	return runs;
}

static bool source_mentions(struct survey_place *p, const char *path, const char *word)
{
	char *text = survey_source(p, path);
	bool found = text && strstr(text, word) != NULL;

	free(text);
	return found;
}

/* Whether the project needs pytest-codspeed; files of requirements are many. */
static bool uses_codspeed(struct survey_place *p)
{
	static const char *const named[] = { "pyproject.toml", "setup.py", "setup.cfg", "tox.ini" };
	bool uses = false;

	for (size_t i = 0; i < 4 && !uses; i++)
		uses = source_mentions(p, named[i], "pytest-codspeed") ||
		       source_mentions(p, named[i], "pytest_codspeed");
	for (size_t i = 0; i < p->files.count && p->reads_left > 0 && !uses; i++)
		uses = strstr(p->files.paths[i], "requirements") &&
		       project_file_ends(p->files.paths[i], ".txt") &&
		       source_mentions(p, p->files.paths[i], "pytest-codspeed");
	return uses;
}

/* Adds `python -m pytest FILE`, or with `harness` NULL `python FILE`. */
static void add_python(struct survey *s, const char *path, bool pytest, enum bench_harness harness)
{
	static const char *const pytest_words[] = { "-m", "pytest",           "-q",
						    "-p", "no:cacheprovider", NULL };
	char name[CALL_WORD_MAX], directory[BUILD_PATH_MAX];

	if (!script_name(path, name) || !project_file_directory(path, directory, sizeof directory))
		return;
	struct survey_bench *b = survey_add_in(s, directory, name, path, 0);
	bool fits = b && survey_word(b, PYTHON_ENVIRONMENT, "bin/python");
	if (fits && pytest)
		fits = survey_fixed_words(b, pytest_words) && survey_set_harness(b, harness);
	if (b && !(fits && survey_word(b, "", path)))
		survey_drop(s);
}

/* ---- how it is installed ---- */

/* Adds the first of these extras that pyproject.toml defines: "EXTRA = [" at the start of a
 * line. */
static void add_extra(struct survey *s, const char *text, const char *const *extras)
{
	const char *section = text ? strstr(text, "[project.optional-dependencies]") : NULL;
	const char *end = section ? strstr(section, "\n[") : NULL;

	for (; section && *extras; extras++) {
		size_t len = strlen(*extras);
		for (const char *at = section; (at = strchr(at, '\n')) && (!end || at < end);) {
			at++;
			const char *after = at + len +
					    strspn(at + (strncmp(at, *extras, len) ? 0 : len), " ");
			if (strncmp(at, *extras, len) != 0 || *after != '=')
				continue;
			survey_option(s, *extras);
			return;
		}
	}
}

/* "requirements-test.txt", "requirements/dev.txt" and the like, but none of a directory further
 * down. */
static bool is_requirements(const char *path)
{
	const char *slash = strchr(path, '/');

	return strstr(path, "requirements") && project_file_ends(path, ".txt") &&
	       (strstr(path, "test") || strstr(path, "dev") || strstr(path, "bench")) &&
	       (!slash || (strncmp(path, "requirements/", 13) == 0 && !strchr(slash + 1, '/')));
}

/* What a virtual environment needs besides the project: see build_command. */
static void find_requirements(struct survey_place *p, struct survey *s)
{
	static const char *const bench[] = { "bench", "benchmark", "benchmarks", "benchmarking",
					     NULL };
	static const char *const test[] = { "test", "tests", "testing", "dev", NULL };
	char *text = survey_source(p, "pyproject.toml");

	if (!p->tests)
		add_extra(s, text, bench);
	add_extra(s, text, test);
	s->installs = text && (strstr(text, "[project]") || strstr(text, "[build-system]"));
	free(text);
	for (size_t i = 0; i < p->files.count; i++) {
		const char *path = p->files.paths[i];
		s->installs |= strcmp(path, "setup.py") == 0;
		if (!*s->requirements && is_requirements(path))
			snprintf(s->requirements, sizeof s->requirements, "%s", path);
	}
}

int survey_python(struct survey_place *p, struct survey *s, struct cg_error *err)
{
	enum bench_harness harness = uses_codspeed(p) ? HARNESS_PYTEST_CODSPEED
						      : HARNESS_PYTEST_BENCHMARK;

	(void)err;
	for (size_t i = 0; p->reads_left > 0 && i < p->files.count; i++) {
		const char *path = p->files.paths[i];
		bool test = is_test_file(path), bench = survey_names_bench(path);

		if (!project_file_ends(path, ".py") || (p->tests ? !test : !test && !bench))
			continue;
		char *text = survey_source(p, path);
		if (p->tests && text)
			add_python(s, path, true, HARNESS_NONE);
		else if (text && has_fixture(text))
			add_python(s, path, true, harness);
		else if (text && bench && python_is_script(text))
			add_python(s, path, false, HARNESS_NONE);
		free(text);
	}
	if (s->count > 0)
		find_requirements(p, s);
	return CG_OK;
}

/* ---- without a build system ---- */

static bool is_other_source(const char *path)
{
	static const char *const suffixes[] = { ".c",  ".cc",    ".cpp",   ".cxx", ".cs",
						".ex", ".f90",   ".go",    ".hs",  ".java",
						".jl", ".js",    ".kt",    ".lua", ".m",
						".ml", ".nim",   ".php",   ".pl",  ".rb",
						".rs", ".scala", ".swift", ".ts",  ".zig" };

	for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
		if (project_file_ends(path, suffixes[i]))
			return true;
	return false;
}

/* Projects in other languages have scripts that build, plot or test them. */
static bool is_mostly_python(const struct project_files *files)
{
	size_t python = 0, others = 0;

	for (size_t i = 0; i < files->count; i++) {
		python += project_file_ends(files->paths[i], ".py");
		others += is_other_source(files->paths[i]);
	}
	return python > others;
}

static bool needs_environment(const struct survey *s)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->benches[i].harness != HARNESS_NONE)
			return true;
	return *s->requirements != '\0';
}

int survey_plain_python(struct survey_place *p, struct survey *s, struct cg_error *err)
{
	static const char requirements[] = "requirements.txt"; /* no package names them */
	int status = is_mostly_python(&p->files) ? survey_python(p, s, err) : CG_OK;

	if (status || s->count == 0)
		return status;
	s->kind = PROJECT_PYTHON;
	for (size_t i = 0; i < p->files.count && !*s->requirements; i++)
		if (strcmp(p->files.paths[i], requirements) == 0)
			memcpy(s->requirements, requirements, sizeof requirements);
	s->plain = !needs_environment(s);
	for (size_t i = 0; s->plain && i < s->count; i++)
		memcpy(s->benches[i].words[0], PYTHON_PLAIN, sizeof PYTHON_PLAIN);
	return CG_OK;
}
