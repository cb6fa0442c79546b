#include "src/init/survey.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "src/init/survey_kinds.h"
#include "src/store/label.h"

#define WORD_SIGNS NAME_SIGNS "/:=,@%"
#define SOURCES_READ_MAX 500

/* In this order: a Makefile beside the others is often made by them, or runs them. */
static const struct {
	const char *marker;
	enum project_kind kind;
	int (*look)(struct survey_place *p, struct survey *s, struct cg_error *err);
} kinds[] = {
	{ "Cargo.toml", PROJECT_CARGO, survey_cargo },
	{ "go.mod", PROJECT_GO, survey_go },
	{ "CMakeLists.txt", PROJECT_CMAKE, survey_cmake },
	{ "meson.build", PROJECT_MESON, survey_meson },
	{ "configure.ac", PROJECT_AUTOTOOLS, survey_autotools },
	{ "configure.in", PROJECT_AUTOTOOLS, survey_autotools },
	{ "autogen.sh", PROJECT_AUTOTOOLS, survey_autotools },
	{ "configure", PROJECT_AUTOTOOLS, survey_autotools },
	{ "pyproject.toml", PROJECT_PYTHON, survey_python },
	{ "setup.py", PROJECT_PYTHON, survey_python },
	{ "package.json", PROJECT_NODE, survey_node },
	{ "pom.xml", PROJECT_JAVA, survey_java },
	{ "build.gradle", PROJECT_JAVA, survey_java },
	{ "build.gradle.kts", PROJECT_JAVA, survey_java },
	{ "GNUmakefile", PROJECT_MAKE, survey_make },
	{ "makefile", PROJECT_MAKE, survey_make },
	{ "Makefile", PROJECT_MAKE, survey_make },
};

enum { MARKERS = sizeof kinds / sizeof *kinds };

static const struct {
	const char *name, *looked;
} kind_texts[PROJECT_KINDS] = {
	[PROJECT_UNKNOWN] = { "no build system that irdiff knows",
			      "Cargo.toml, go.mod, CMakeLists.txt, meson.build, configure.ac, "
			      "autogen.sh, configure,\npyproject.toml, setup.py, package.json, "
			      "pom.xml, build.gradle and Makefile" },
	[PROJECT_CARGO] = { "Cargo",
			    "[[bench]], benches/, examples with \"bench\" in the name, tests/ "
			    "and src/lib.rs" },
	[PROJECT_GO] = { "Go", "func Benchmark… and func Test… in *_test.go" },
	[PROJECT_CMAKE] = { "CMake",
			    "add_test(), and add_executable() with \"bench\" or \"test\" in "
			    "the name" },
	[PROJECT_MESON] = { "Meson",
			    "benchmark(), test(), and executable() with \"bench\" or \"test\" "
			    "in the name" },
	[PROJECT_AUTOTOOLS] = { "configure and make",
				"programs with \"bench\" in the name, and programs in TESTS" },
	[PROJECT_PYTHON] = { "Python",
			     "tests with the fixture `benchmark`, scripts with \"bench\" in "
			     "the path, and test_*.py" },
	[PROJECT_NODE] = { "Node.js",
			   "the scripts `bench` and `test` in package.json, *.bench.js and "
			   "bench/*.js" },
	[PROJECT_JAVA] = { "Java", "classes with @Benchmark of JMH" },
	[PROJECT_MAKE] = { "make", "targets in makefiles with \"bench\" or \"test\" in the name" },
};

const char *project_kind_name(enum project_kind kind)
{
	return kind_texts[kind].name;
}

void survey_write_looked(const struct survey *s, FILE *to)
{
	if (s->kind == PROJECT_AUTOTOOLS && s->makefiles_am == 0) {
		fputs("programs in Makefile.am, but no file has that name", to);
		return;
	}
	fputs(kind_texts[s->kind].looked, to);
	if (s->kind == PROJECT_UNKNOWN && !*s->below)
		fputs(",\nand for Python scripts with \"bench\" in the path", to);
	if (s->kind == PROJECT_AUTOTOOLS)
		fprintf(to, ", in %s", s->makefile_am);
	if (s->makefiles_am > 1)
		fprintf(to, " and %zu more", s->makefiles_am - 1);
}

bool survey_names_bench(const char *name)
{
	const char *base = project_file_name(name);

	return strcasestr(name, "bench") || strcasestr(base, "speedtest") ||
	       (strncasecmp(base, "perf", 4) == 0 && tolower((unsigned char)base[4]) != 'e');
}

bool survey_is_wanted(const struct survey_place *p, const char *name)
{
	return p->tests ? strcasestr(name, "test") != NULL : survey_names_bench(name);
}

/* ---- building a benchmark ---- */

static bool consists_of(const char *text, const char *signs)
{
	return *text && text[strspn(text, signs)] == '\0';
}

static bool is_surveyed(const struct survey *s, const char *name)
{
	for (size_t i = 0; i < s->count; i++)
		if (strcmp(s->benches[i].name, name) == 0)
			return true;
	return false;
}

struct survey_bench *survey_add(struct survey *s, const char *name, const char *from, uint64_t line)
{
	if (!consists_of(name, NAME_SIGNS) || strlen(name) >= CALL_WORD_MAX ||
	    label_check_new(name, NULL) || is_surveyed(s, name))
		return NULL;
	if (s->count == SURVEY_BENCHES_MAX) {
		s->left_out++;
		return NULL;
	}

	struct survey_bench *b = &s->benches[s->count++];
	*b = (struct survey_bench){ .line = line };
	snprintf(b->name, sizeof b->name, "%s", name);
	snprintf(b->from, sizeof b->from, "%s", from);
	return b;
}

struct survey_bench *survey_add_in(struct survey *s, const char *directory, const char *name,
				   const char *from, uint64_t line)
{
	char longer[CALL_WORD_MAX];

	if (!*directory || !is_surveyed(s, name))
		return survey_add(s, name, from, line);
	if (snprintf(longer, sizeof longer, "%s%s", directory, name) >= (int)sizeof longer)
		return NULL;
	for (char *c = longer; *c; c++)
		*c = *c == '/' ? '-' : *c;
	return survey_add(s, longer, from, line);
}

bool survey_word(struct survey_bench *b, const char *directory, const char *word)
{
	char *to = b->words[b->count];

	if (b->count == SURVEY_WORDS_MAX || !consists_of(word, WORD_SIGNS) ||
	    (*directory && !consists_of(directory, WORD_SIGNS)) ||
	    snprintf(to, sizeof b->words[0], "%s%s", directory, word) >= (int)sizeof b->words[0])
		return false;
	b->count++;
	return true;
}

bool survey_fixed_words(struct survey_bench *b, const char *const *words)
{
	for (; *words; words++) {
		if (b->count == SURVEY_WORDS_MAX)
			return false;
		snprintf(b->words[b->count++], sizeof b->words[0], "%s", *words);
	}
	return true;
}

bool survey_set_harness(struct survey_bench *b, enum bench_harness harness)
{
	const struct harness_kind *kind = harness_kind(harness);
	enum { ARGUMENTS = sizeof kind->arguments / sizeof *kind->arguments };
	const char *words[ARGUMENTS + 1] = { NULL };

	memcpy(words, kind->arguments, sizeof kind->arguments);
	b->harness = harness;
	return survey_fixed_words(b, words);
}

bool survey_set_cwd(struct survey_bench *b, const char *directory)
{
	size_t len = strlen(directory);

	if (len == 0)
		return true;
	if (len >= sizeof b->cwd || !consists_of(directory, WORD_SIGNS))
		return false;
	memcpy(b->cwd, directory, len + 1);
	if (b->cwd[len - 1] == '/')
		b->cwd[len - 1] = '\0';
	return true;
}

void survey_drop(struct survey *s)
{
	s->count--;
}

void survey_option(struct survey *s, const char *word)
{
	size_t used = strlen(s->options), len = strlen(word);

	if (!consists_of(word, WORD_SIGNS) || used + len + 2 > sizeof s->options)
		return;
	for (const char *at = s->options; (at = strstr(at, word)) != NULL; at += len)
		if (at > s->options && at[-1] == ' ' && (at[len] == ' ' || at[len] == '\0'))
			return;
	snprintf(s->options + used, sizeof s->options - used, " %s", word);
}

void survey_build_options(struct survey *s, const char *names)
{
	for (const char *at = names + strspn(names, " "); *at; at += strspn(at, " ")) {
		char word[CALL_WORD_MAX];
		int len = (int)strcspn(at, " ");
		if (snprintf(word, sizeof word, "-D%.*s=ON", len, at) < (int)sizeof word)
			survey_option(s, word);
		at += len;
	}
}

char *survey_source(struct survey_place *p, const char *path)
{
	struct build_file file;

	if (p->reads_left == 0 || build_file_read_whole(p->dir, path, &file, NULL))
		return NULL;
	p->reads_left--;
	return file.text;
}

/* ---- the project ---- */

static bool has_marker(const char *dir, const char *marker)
{
	char path[4096];
	struct stat st;

	return snprintf(path, sizeof path, "%s/%s", dir, marker) < (int)sizeof path &&
	       stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Looks with each build system that the project has, until one finds something. */
static int look_with_all(struct survey_place *p, struct survey *s, struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && s->count == 0 && i < MARKERS; i++) {
		/* The kinds of several markers follow each other. */
		bool again = i > 0 && kinds[i].kind == kinds[i - 1].kind &&
			     has_marker(p->dir, kinds[i - 1].marker);
		if (again || !has_marker(p->dir, kinds[i].marker))
			continue;
		enum project_kind kind = s->kind;
		const char *marker = s->marker;
		const size_t makefiles_am = s->makefiles_am;
		char makefile_am[BUILD_PATH_MAX];
		memcpy(makefile_am, s->makefile_am, sizeof makefile_am);
		*s = (struct survey){ .kind = kinds[i].kind, .marker = kinds[i].marker };
		p->marker = kinds[i].marker;
		status = kinds[i].look(p, s, err);
		if (s->count == 0 && kind != PROJECT_UNKNOWN && marker != kinds[i].marker) {
			s->kind = kind;
			s->marker = marker;
			s->options[0] = s->compiler[0] = s->requirements[0] = '\0';
			s->installs = s->strips = s->debug_flags = false;
			s->makefiles_am = makefiles_am;
			memcpy(s->makefile_am, makefile_am, sizeof makefile_am);
		}
	}
	return status;
}

static bool is_marker(const char *name)
{
	for (size_t k = 0; k < MARKERS; k++)
		if (strcmp(name, kinds[k].marker) == 0)
			return true;
	return false;
}

/* A project may have its build in a directory below: the highest one that has any. */
static void find_build_below(const struct project_files *files, struct survey *s)
{
	enum { DEEPEST = 3 };
	size_t least = DEEPEST + 1;

	for (size_t i = 0; i < files->count; i++) {
		const char *path = files->paths[i];
		size_t depth = 0;
		for (const char *c = path; *c; c++)
			depth += *c == '/';
		if (depth > 0 && depth < least && is_marker(project_file_name(path)) &&
		    project_file_directory(path, s->below, sizeof s->below))
			least = depth;
	}
}

static bool has_cxx(const struct project_files *files)
{
	static const char *const ends[] = { ".cc", ".cpp", ".cxx", ".C" };

	for (size_t i = 0; i < files->count; i++)
		for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
			if (project_file_ends(files->paths[i], ends[k]))
				return true;
	return false;
}

int survey_project(const char *dir, struct survey *out, struct cg_error *err)
{
	struct survey_place p = { .dir = dir, .reads_left = SOURCES_READ_MAX };

	*out = (struct survey){ .kind = PROJECT_UNKNOWN };
	int status = project_files_list(dir, &p.files, err);
	if (!status)
		status = look_with_all(&p, out, err);
	if (!status && out->count == 0) {
		p.tests = true;
		p.reads_left = SOURCES_READ_MAX;
		status = look_with_all(&p, out, err);
		out->tests = out->count > 0;
	}
	if (!status && out->kind == PROJECT_UNKNOWN) {
		find_build_below(&p.files, out);
		p.tests = false;
		p.reads_left = SOURCES_READ_MAX;
		if (!*out->below)
			status = survey_plain_python(&p, out, err);
	}
	out->incomplete = p.files.cut;
	out->cxx = has_cxx(&p.files);
	project_files_free(&p.files);
	return status;
}

const char *survey_why_comment(const struct survey_bench *b)
{
	return *b->trouble ? b->trouble : harness_kind(b->harness)->cannot_run;
}

const struct survey_bench *survey_first_active(const struct survey *s)
{
	for (size_t i = 0; i < s->count; i++)
		if (!survey_why_comment(&s->benches[i]))
			return &s->benches[i];
	return NULL;
}
