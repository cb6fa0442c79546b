/*
 * A git repository in a directory of its own, and what work in it tells its user.
 *
 *	int main(void)
 *	{
 *		if (!repository_begin())
 *			return TEST_SKIPPED;
 *		int failed = ... shell("git commit ..."); char *id = commit_id("HEAD") ...
 *		repository_end();
 *		return failed;
 *	}
 */
#ifndef TESTS_UNIT_REPOSITORY_H
#define TESTS_UNIT_REPOSITORY_H

#include <unistd.h>

#include "src/git/refs.h"
#include "src/status/notice.h"
#include "src/store/files.h"
#include "tests/unit/git_settings.h"
#include "tests/unit/harness.h"

enum { TEST_SKIPPED = 77 };

static char repository[] = "/tmp/irdiff-repository-XXXXXX";

TEST_UNUSED static bool runs(const char *command)
{
	char *line;
	if (asprintf(&line, "cd %s && { %s\n} >/dev/null 2>&1", repository, command) < 0)
		return false;
	int status = system(line);
	free(line);
	return status == 0;
}

TEST_UNUSED static void shell(const char *fmt, ...)
{
	char *command;
	va_list ap;
	va_start(ap, fmt);
	REQUIRE(vasprintf(&command, fmt, ap) >= 0);
	va_end(ap);
	test_report(runs(command), true, __FILE__, __LINE__, "failed: %s", command);
	free(command);
}

/* False: git is not installed, and the test says so. */
TEST_UNUSED static bool repository_begin(void)
{
	if (!use_git_settings())
		return false;
	return mkdtemp(repository) && runs("git init -q -b main .");
}

TEST_UNUSED static void repository_end(void)
{
	remove_directory(repository, NULL);
}

TEST_UNUSED static struct git *repository_git(void)
{
	struct git *git = NULL;
	struct cg_error err = { 0 };
	int status = git_open(repository, NULL, &git, &err);
	test_report(status == CG_OK, true, __FILE__, __LINE__, "%s", err.message);
	return git;
}

/* The caller's. */
TEST_UNUSED static char *commit_id(const char *name)
{
	struct git *git = repository_git();
	struct cg_error err = { 0 };
	char *id = NULL;
	int status = git_resolve(git, name, &id, &err);
	test_report(status == CG_OK, true, __FILE__, __LINE__, "%s", err.message);
	git_close(git);
	return id;
}

/* ---- what is told ---- */

static char told[8192];

static void keep_told(void *context, enum notice_kind kind, const char *text, size_t size)
{
	size_t used = strlen(told);

	(void)context;
	(void)kind;
	if (used + size + 2 < sizeof told)
		snprintf(told + used, sizeof told - used, "%s\n", text);
}

TEST_UNUSED static const struct notices told_notices = { .tell = keep_told };

#define CHECK_TOLD(words) \
	test_report(strstr(told, words) != NULL, false, __FILE__, __LINE__, \
		    "'%s' was not told, but: %s", words, told)

#endif
