/* Projects that a test writes out, and what irdiff init finds in them. */
#ifndef TESTS_UNIT_SURVEYS_H
#define TESTS_UNIT_SURVEYS_H

#include "src/init/build_command.h"
#include "src/init/survey.h"
#include "tests/unit/scratch_files.h"

struct file {
	const char *name, *text;
};

TEST_UNUSED static void make_parents(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
}

/* Makes a project of these files; remove_tree removes it. */
TEST_UNUSED static char *make_project(const struct file *files, size_t count)
{
	char *dir = make_directory(), path[300];

	for (size_t i = 0; i < count; i++) {
		snprintf(path, sizeof path, "%s/%s", dir, files[i].name);
		make_parents(path);
		free(write_file(dir, files[i].name, files[i].text, 0600));
	}
	return dir;
}

/* What is found in a project with these files. */
TEST_UNUSED static struct survey survey(const struct file *files, size_t count)
{
	char *dir = make_project(files, count);
	struct survey s;

	CHECK_INT(survey_project(dir, &s, NULL), CG_OK);
	remove_tree(dir);
	return s;
}

#define SURVEY(...) \
	survey((const struct file[]){ __VA_ARGS__ }, \
	       sizeof((const struct file[]){ __VA_ARGS__ }) / sizeof(struct file))

/* The words of a benchmark, with blanks between them. */
TEST_UNUSED static void has_words(const struct survey *s, size_t i, const char *expected)
{
	char words[2000];
	size_t used = 0;

	REQUIRE(i < s->count);
	words[0] = '\0';
	for (size_t k = 0; k < s->benches[i].count; k++)
		used += (size_t)snprintf(words + used, sizeof words - used, "%s%s", k ? " " : "",
					 s->benches[i].words[k]);
	CHECK_STR(words, expected);
}

TEST_UNUSED static void is_built_by(const struct survey *s, const char *expected)
{
	char command[BUILD_COMMAND_SIZE];
	CHECK_STR(build_command(s, command), expected);
}

TEST_UNUSED static void has_bench(const struct survey *s, size_t i, const char *name,
				  const char *program, const char *from, uint64_t line)
{
	REQUIRE(i < s->count);
	CHECK_STR(s->benches[i].name, name);
	CHECK_STR(s->benches[i].words[0], program);
	CHECK_STR(s->benches[i].from, from);
	CHECK_U64(s->benches[i].line, line);
}

#endif
