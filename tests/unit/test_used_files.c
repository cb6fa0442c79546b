#include "src/run/used_files.h"

#include <stdlib.h>
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

static char *find_used(const char *build, const char *run)
{
	char *names[] = { write_names("build", build), write_names("run", run), NULL };
	struct cg_error err;
	char *text;

	REQUIRE_INT(used_files_find((const char *const *)names, top, &text, &err), CG_OK);
	free(names[0]);
	free(names[1]);
	return text;
}

static void check_used(const char *build, const char *run, const char *expected)
{
	char *text = find_used(build, run);

	CHECK_STR(text, expected);
	free(text);
}

static void check_not_known(const char *build, const char *run)
{
	char *text = find_used(build, run);

	CHECK(text == NULL);
	free(text);
}

static void test_find(void)
{
	check_used("<\n+@/b\n:@/b\n-@/a\n>\n", "<\n+@/c\n+@/b\n+/usr/x\n:/usr/x\n>\n",
		   "?a\n?c\nb\n");
	check_used("<\n>\n", "<\n>\n", "");
	check_used("<\n+@/dir\n*@/dir\n-@/dir/made\n=@/dir/made\n:@/dir/made\n>\n", "<\n>\n",
		   "?dir\ndir/made\n");
}

static void test_links(void)
{
	char *link, *file = write_file(top, "target", "", 0644);

	REQUIRE(asprintf(&link, "%s/link", top) >= 0);
	REQUIRE(symlink("target", link) == 0);
	check_used("<\n+@/link\n:@/link\n>\n", "<\n>\n", "link\ntarget\n");
	unlink(link);
	free(link);
	free(file);
}

static void test_not_known(void)
{
	check_not_known("<\n+@/b\n", "<\n>\n");
	check_not_known("<\n>\n", "<\n+@/b\n>");
	check_not_known("<\n!\n>\n", "<\n>\n");
	check_not_known("", "<\n>\n");
}

static void test_has(void)
{
	char text[] = "?looked/at\nopened\nsub/file\n";
	struct used_files used;

	REQUIRE_INT(used_files_take(&used, text, NULL), CG_OK);
	CHECK(used_files_has(&used, "opened", false));
	CHECK(!used_files_has(&used, "looked/at", false));
	CHECK(used_files_has(&used, "looked/at", true));
	CHECK(!used_files_has(&used, "none", true));
	CHECK(used_files_has(&used, "sub", true));
	CHECK(used_files_has(&used, "looked", true));
	CHECK(!used_files_has(&used, "open", true));
	used_files_free(&used);
	REQUIRE_INT(used_files_take(&used, NULL, NULL), CG_OK);
	CHECK(used_files_has(&used, "none", false));
	used_files_free(&used);
}

static void test_all(void)
{
	top = make_directory();
	test_find();
	test_links();
	test_not_known();
	test_has();
	remove_tree(top);
}

TEST_MAIN("which files of a project are used", { "files that programs have named", test_all })
