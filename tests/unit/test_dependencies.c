#include "src/run/dependencies.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/digest/path_state.h"
#include "tests/unit/scratch_files.h"

static char *top;

static char *below_top(const char *name)
{
	char *path;

	REQUIRE(asprintf(&path, "%s/%s", top, name) >= 0);
	return path;
}

static void put_file(const char *name, const char *text)
{
	free(write_file(top, name, text, 0644));
}

/* What depends on the names that a run tells, where @ is the directory; NULL: not known. */
static char *find_dependencies(const char *told)
{
	char *names = below_top("names"), *text = NULL;
	struct cg_error err;
	FILE *to = fopen(names, "w");

	REQUIRE(to != NULL);
	for (const char *at = told; *at; at++) {
		if (*at == '@')
			fputs(top, to);
		else
			fputc(*at, to);
	}
	REQUIRE(fclose(to) == 0);
	REQUIRE_INT(dependencies_find(names, top, &text, &err), CG_OK);
	free(names);
	return text;
}

static void check_told(const char *told, const char *expected)
{
	char *text = find_dependencies(told);

	CHECK_STR(text, expected);
	free(text);
}

static void check_unknown(const char *told)
{
	char *text = find_dependencies(told);

	CHECK(text == NULL);
	free(text);
}

#define HELLO "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03" /* "hello\n" */

static void test_files(void)
{
	check_told("<\n+@/hello\n>\n", "file:0:" HELLO " ./hello\n");
	check_told("<\n+@/hello\n-@/none\n+@\n-/nonexistent\n>\n",
		   "file:0:" HELLO " ./hello\nabsent ./none\ndirectory .\nabsent /nonexistent\n");
	/* Each once, as the first run finds it. */
	check_told("<\n-@/hello\n>\n<\n+@/hello\n-@/hello\n>\n", "absent ./hello\n");
	check_told("<\n<\n+@/hello\n>\n>\n", "file:0:" HELLO " ./hello\n");
}

static void test_links(void)
{
	char *path = below_top("link");
	char *text;

	REQUIRE(symlink("hello", path) == 0);
	text = find_dependencies("<\n+@/link\n>\n");
	REQUIRE(text != NULL);
	CHECK(strncmp(text, "link:", 5) == 0);
	CHECK(strstr(text, ":file:0:" HELLO " ./link\n") != NULL);
	free(text);
	unlink(path);
	REQUIRE(symlink("nowhere", path) == 0);
	text = find_dependencies("<\n+@/link\n>\n");
	REQUIRE(text != NULL);
	CHECK(strstr(text, ":absent ./link\n") != NULL);
	free(text);
	unlink(path);
	free(path);
}

/* What is made must be removed. */
static void test_changes(void)
{
	check_told("<\n-@/made\n=@/made\n>\n", "absent ./made\n");
	check_told("<\n-@/made\n=@/made\n>\n<\n-@/made\n=@/made\n>\n", "absent ./made\n");
	check_unknown("<\n-@/hello\n=@/hello\n>\n"); /* it is still there */
	check_unknown("<\n+@/hello\n=@/hello\n>\n");
	check_unknown("<\n-@/made\n=@/made\n+@/hello\n=@/hello\n>\n");
}

static void test_lists(void)
{
	char *text = find_dependencies("<\n+@/list\n*@/list\n>\n");

	REQUIRE(text != NULL);
	CHECK(strncmp(text, "directory ./list\nlisting:", 25) == 0);
	put_file("list/b", "");
	char *other = find_dependencies("<\n+@/list\n*@/list\n>\n");
	REQUIRE(other != NULL);
	CHECK(strcmp(text, other) != 0);
	free(other);
	free(text);
	/* Each run after the first would see what that has made. */
	check_unknown("<\n+@/list\n*@/list\n-@/list/made\n=@/list/made\n>\n");
	check_told("<\n-@/list/made\n=@/list/made\n>\n", "absent ./list/made\n");
}

static void test_unknown(void)
{
	check_unknown("<\n+@/hello\n!\n>\n");
	check_unknown("<\n+@/hello\n");        /* the tracer was killed */
	check_unknown("<\n+@/hello\n>\n<\n>"); /* or its disk is full */
	check_unknown("<\n+@/hello\n>\n>\n");
	check_unknown("<\n+/dev/null\n>\n"); /* a device has no contents */
	check_unknown("");
}

/* What is remembered of a file does not outlive it. */
static void test_memory(void)
{
	struct path_states known = { 0 };
	char *path = below_top("old"), first[PATH_STATE_SIZE], again[PATH_STATE_SIZE];
	const struct timespec long_ago[] = { { 1000, 0 }, { 1000, 0 } };

	put_file("old", "one");
	path_state(&known, path, first);
	path_state(&known, path, again);
	CHECK_STR(again, first);
	put_file("old", "two");
	REQUIRE(utimensat(AT_FDCWD, path, long_ago, 0) == 0);
	path_state(&known, path, again);
	CHECK(strcmp(first, again) != 0);
	chmod(path, 0755);
	path_state(&known, path, first);
	CHECK(strncmp(first, "file:111:", 9) == 0);
	path_states_free(&known);
	free(path);
}

static void test_all(void)
{
	char *list;

	top = make_directory();
	list = below_top("list");
	REQUIRE(mkdir(list, 0755) == 0);
	put_file("hello", "hello\n");
	put_file("list/a", "");
	test_files();
	test_links();
	test_changes();
	test_lists();
	test_unknown();
	test_memory();
	remove_tree(top);
	free(list);
}

TEST_MAIN("what a run depends on", { "files that it has named", test_all })
