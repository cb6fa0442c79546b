#include "src/run/used_files.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/scratch_files.h"

static char *top;

/* A file of what programs tell, where @ is the directory. */
static char *write_names(const char *name, const char *told)
{
	char *path;

	REQUIRE(asprintf(&path, "%s/%s", top, name) >= 0);
	FILE *to = fopen(path, "w");
	REQUIRE(to != NULL);
	for (const char *at = told; *at; at++) {
		if (*at == '@')
			fputs(top, to);
		else
			fputc(*at, to);
	}
	REQUIRE(fclose(to) == 0);
	return path;
}

static char *find_used(const char *build, const char *run, const char *changes)
{
	char *names[] = { write_names("run", run), write_names("build", build), NULL };
	struct cg_error err;
	char *text;

	REQUIRE_INT(used_files_find((const char *const *)names, top, changes, &text, &err), CG_OK);
	free(names[0]);
	free(names[1]);
	return text;
}

static void check_used(const char *build, const char *run, const char *expected)
{
	char *text = find_used(build, run, NULL);

	CHECK_STR(text, expected);
	free(text);
}

static void check_not_known(const char *build, const char *run)
{
	char *text = find_used(build, run, NULL);

	CHECK(text == NULL);
	free(text);
}

static void test_find(void)
{
	check_used("<\n+@/b\n:@/b\n-@/a\n>\n", "<\n+@/c\n+@/b\n+/usr/x\n:/usr/x\n>\n",
		   "?a\n?c\nb\n");
	check_used("<\n>\n", "<\n>\n", "");
	check_used("<\n+@/dir\n*@/dir\n-@/dir/made\n=@/dir/made\n:@/dir/made\n>\n", "<\n>\n",
		   "*dir\n?dir\ndir/made\n");
	check_used("<\n+@\n*@\n+@/b\n~@/b\n+@/./x/../y//z\n-@/..\n-@/../x\n>\n", "<\n>\n",
		   "*.\n?b\n?y/z\n~b\n");
}

static void test_input(void)
{
	char text[] = "<input\nboth\n";
	struct used_files used;

	check_used("<\n:@/both\n+@/input\n>\n", "<\n:@/both\n:@/input\n-@/input\n>\n",
		   "<input\nboth\n");
	REQUIRE_INT(used_files_take(&used, text, NULL), CG_OK);
	CHECK(used_files_have_read(&used, "input"));
	CHECK(used_files_have_sought(&used, "input", strlen("input")));
	CHECK(used_files_have_input(&used, "input"));
	CHECK(!used_files_have_input(&used, "both"));
	used_files_free(&used);
	REQUIRE_INT(used_files_take(&used, NULL, NULL), CG_OK);
	CHECK(!used_files_have_input(&used, "input"));
	used_files_free(&used);
}

static void test_changes(void)
{
	char *text = find_used("<\n:@/b\n>\n", "<\n>\n", "a\t100644 12\nd/new\t100755 34\n");
	struct used_files used;

	CHECK_STR(text, "b\n=a\t100644 12\n=d/new\t100755 34\n");
	REQUIRE_INT(used_files_take(&used, text, NULL), CG_OK);
	CHECK(used_files_have_read(&used, "b"));
	CHECK(!used_files_have_read(&used, "a"));
	CHECK(!used_files_have_sought(&used, "d", 1)); /* that it differs is no use of it */
	CHECK_U64(used.changes.count, 3);
	CHECK_STR(cg_strings_get(&used.changes, 2), "d/new\t100755 34");
	used_files_free(&used);
	free(text);
}

static void test_links(void)
{
	static const char *const links[][2] = { { "target", "link" },
						{ "link", "chain" },
						{ "./sub/", "directory" },
						{ "circle", "circle" },
						{ "none", "nowhere" } };
	char path[PATH_MAX], *file = write_file(top, "target", "", 0644);

	snprintf(path, sizeof path, "%s/sub", top);
	REQUIRE(mkdir(path, 0755) == 0);
	for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
		snprintf(path, sizeof path, "%s/%s", top, links[i][1]);
		REQUIRE(symlink(links[i][0], path) == 0);
	}
	snprintf(path, sizeof path, "%s/sub/whole", top);
	REQUIRE(symlink(file, path) == 0);
	check_used("<\n+@/chain\n:@/chain\n>\n", "<\n>\n", "?chain\n?link\ntarget\n");
	check_used("<\n-@/directory/none\n>\n", "<\n>\n", "?directory\n?sub/none\n");
	check_used("<\n+@/directory/../link\n>\n", "<\n>\n", "?directory\n?link\n?target\n");
	check_used("<\n:@/directory/whole\n>\n", "<\n>\n", "?directory\n?sub/whole\ntarget\n");
	check_used("<\n+@/nowhere\n:@/circle\n>\n", "<\n>\n", "?none\n?nowhere\ncircle\n");
	free(file);
}

static void test_not_known(void)
{
	check_not_known("<\n+@/b\n", "<\n>\n");
	check_not_known("<\n>\n", "<\n+@/b\n>");
	check_not_known("<\n!\n>\n", "<\n>\n");
	check_not_known("", "<\n>\n");
}

static bool has_sought(const struct used_files *used, const char *path)
{
	return used_files_have_sought(used, path, strlen(path));
}

static void test_have(void)
{
	char text[] = "*list/ed\n?looked/at\nopened\nsub/file\n~moved\n";
	char top_listed[] = "*.\n";
	struct used_files used;

	REQUIRE_INT(used_files_take(&used, text, NULL), CG_OK);
	CHECK(used_files_have_read(&used, "opened"));
	CHECK(!used_files_have_read(&used, "looked/at"));
	CHECK(used_files_have_read(&used, "moved"));
	CHECK(used_files_have_read(&used, "moved/file"));
	CHECK(!used_files_have_read(&used, "moved2"));
	CHECK(has_sought(&used, "opened"));
	CHECK(has_sought(&used, "looked/at"));
	CHECK(!has_sought(&used, "none"));
	CHECK(has_sought(&used, "sub"));
	CHECK(has_sought(&used, "looked"));
	CHECK(!has_sought(&used, "open"));
	CHECK(has_sought(&used, "list/ed/new"));
	CHECK(!has_sought(&used, "list/ed/new/file"));
	CHECK(used_files_have_sought(&used, "list/ed/new/file", strlen("list/ed/new")));
	CHECK(!has_sought(&used, "list/new"));
	CHECK(has_sought(&used, "~name")); /* a line would have another meaning */
	used_files_free(&used);
	REQUIRE_INT(used_files_take(&used, top_listed, NULL), CG_OK);
	CHECK(has_sought(&used, "new"));
	CHECK(!has_sought(&used, "new/file"));
	used_files_free(&used);
	REQUIRE_INT(used_files_take(&used, NULL, NULL), CG_OK);
	CHECK(used_files_have_read(&used, "none"));
	CHECK(has_sought(&used, "none"));
	used_files_free(&used);
}

static void test_all(void)
{
	top = make_directory();
	test_find();
	test_input();
	test_changes();
	test_links();
	test_not_known();
	test_have();
	remove_tree(top);
}

TEST_MAIN("which files of a project are used", { "files that programs have named", test_all })
