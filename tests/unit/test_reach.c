#include "src/measure/sandbox_root.h"

#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/harness.h"

static void test_levels(void)
{
	static const struct {
		const char *text;
		unsigned levels;
	} cases[] = {
		{ "", 0 },
		{ "x", 0 },
		{ "..", 1 },
		{ "../x", 1 },
		{ "../../x", 2 },
		{ "./../x", 1 },
		{ "--in=../x", 1 },
		{ ".read ../../w.sql", 2 },
		{ "a:../b:../../c", 2 },
		{ "/a/../b", 0 },
		{ "x..y", 0 },
		{ "...", 0 },
		{ "../..", 2 },
		{ "wait...", 0 },
		{ "1..10", 0 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		test_report(sandbox_root_levels(cases[i].text) == cases[i].levels, false, __FILE__,
			    __LINE__, "\"%s\": %u levels, not %u", cases[i].text,
			    sandbox_root_levels(cases[i].text), cases[i].levels);
}

static char top[] = "/tmp/irdiff-reach.XXXXXX";

static const char *in_top(const char *name)
{
	static _Thread_local char path[200];
	snprintf(path, sizeof path, "%s%s%s", top, *name ? "/" : "", name);
	return path;
}

static void shows(const char *root, const char *cwd, const char *argument, const char *expected)
{
	const char *const argv[] = { "./prog", argument, NULL };
	char *root_path = strdup(in_top(root)), *cwd_path = strdup(in_top(cwd)), *shown = NULL;
	struct cg_error err = { 0 };

	int status = sandbox_root_directory(root_path, cwd_path, argv, &shown, &err);
	test_report(status == CG_OK, false, __FILE__, __LINE__, "%s", err.message);
	CHECK_STR(shown, in_top(expected));
	free(shown);
	free(root_path);
	free(cwd_path);
}

static void test_directories(void)
{
	static const char *const dirs[] = { "a",    "a/b",       "a/b/c",  "other",
					    "repo", "repo/.git", "repo/x", "repo/x/y" };
	REQUIRE(mkdtemp(top) != NULL);
	for (size_t i = 0; i < sizeof dirs / sizeof *dirs; i++)
		mkdir(in_top(dirs[i]), 0777);

	shows("a/b", "a/b", "x", "a/b");
	shows("a/b", "a/b/c", "../x", "a/b"); /* still inside */
	shows("a/b", "a/b/c", "../../x", "a");
	shows("a/b/c", "a/b/c", ".read ../../w", "a");
	shows("a/b", "other", "../x", "a/b"); /* seen where it is */
	shows("repo/x/y", "repo/x/y", "x", "repo");
	shows("repo/x/y", "repo/x/y", "../../../a", "");

	const char *const argv[] = { "p", NULL };
	char *shown = NULL;
	CHECK_INT(sandbox_root_directory("/nonexistent", "/", argv, &shown, NULL), CG_EIO);
	for (size_t i = sizeof dirs / sizeof *dirs; i-- > 0;)
		rmdir(in_top(dirs[i]));
	rmdir(top);
}

/* "/" is no project, however many levels there are. */
static void test_top(void)
{
	const char *const argv[] = { "../../../../../../../../x", NULL };
	char *shown = NULL;
	REQUIRE_INT(sandbox_root_directory("/usr/bin", "/usr/bin", argv, &shown, NULL), CG_OK);
	CHECK_STR(shown, "/usr");
	free(shown);
}

TEST_MAIN("reach", { "levels", test_levels }, { "directories", test_directories },
	  { "the top", test_top })
