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

static void take(struct used_files *used, const char *text, size_t size)
{
	char *copy = text ? malloc(size + 1) : NULL;

	if (copy)
		memcpy(copy, text, size);
	REQUIRE_INT(used_files_take(used, copy, size, NULL), CG_OK);
}

static void take_text(struct used_files *used, const char *text)
{
	take(used, text, text ? strlen(text) : 0);
}

static void test_find(void)
{
	check_used("<\n+@/b\n:@/b\n-@/a\n>\n", "<\n+@/c\n+@/b\n+/usr/x\n:/usr/x\n>\n",
		   "?a\n?c\nb\n");
	check_used("<\n>\n", "<\n>\n", "");
	check_used("<\n:@/ab/cd\n*@/listed\n>\n", "<\n>\n", "*listed\nab/cd\n");
	check_used("<\n+@/dir\n*@/dir\n-@/dir/made\n=@/dir/made\n:@/dir/made\n>\n", "<\n>\n",
		   "*dir\n?dir\ndir/made\n");
	check_used("<\n+@\n*@\n+@/b\n~@/b\n+@/./x/../y//z\n-@/..\n-@/../x\n>\n", "<\n>\n",
		   "*.\n?b\n?y/z\n~b\n");
}

static void test_input(void)
{
	struct used_files used;

	check_used("<\n:@/both\n+@/input\n>\n", "<\n:@/both\n:@/input\n-@/input\n>\n",
		   "<input\nboth\n");
	take_text(&used, "<input\n<sub/it\nboth\n");
	CHECK(used_files_have_read(&used, "input"));
	CHECK(used_files_have_sought(&used, "input", strlen("input")));
	CHECK(used_files_have_input(&used, "input"));
	CHECK(!used_files_have_input(&used, "both"));
	CHECK(used_files_have_sought(&used, "sub", strlen("sub")));
	used_files_free(&used);
	take_text(&used, NULL);
	CHECK(!used_files_have_input(&used, "input"));
	used_files_free(&used);
}

static void test_changes(void)
{
	char *text = find_used("<\n:@/b\n>\n", "<\n>\n", "a\t100644 12\nd/new\t100755 34\n");
	struct used_files used;

	CHECK_STR(text, "b\n=a\t100644 12\n=d/new\t100755 34\n");
	take_text(&used, text);
	CHECK(used_files_have_read(&used, "b"));
	CHECK(!used_files_have_read(&used, "a"));
	CHECK(!used_files_have_sought(&used, "d", 1)); /* that it differs is no use of it */
	REQUIRE_INT(used.nchanges, 2);
	CHECK_STR(used.changes[1], "d/new\t100755 34");
	used_files_free(&used);
	free(text);
}

static void test_links(void)
{
	static const char *const links[][2] = { { "target", "link" },      { "link", "chain" },
						{ "./sub/", "directory" }, { "circle", "circle" },
						{ "none", "nowhere" },     { "n", "short" } };
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
	check_used("<\n+@/short\n>\n", "<\n>\n", "?n\n?short\n");
	check_used("<\n+@/nowhere\n:@/circle\n>\n", "<\n>\n", "?none\n?nowhere\ncircle\n");
	free(file);
}

/* The directory has another name, too, such as the logical one of a shell. */
static void test_other_name(void)
{
	char *elsewhere = make_directory(), path[100], told[400];

	snprintf(path, sizeof path, "%s/name", elsewhere);
	REQUIRE(symlink(top, path) == 0);
	snprintf(told, sizeof told, "<\n-%s/none\n+%s/some\n:%s/some\n>\n", path, path, path);
	check_used(told, "<\n>\n", "?none\nsome\n");
	remove_tree(elsewhere);
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
	struct used_files used;

	take_text(&used, "*list/ed\n?looked/at\nopened\nsub/file\n~moved\n~some/moved\n");
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
	CHECK(has_sought(&used, "list"));
	CHECK(has_sought(&used, "some"));
	CHECK(!has_sought(&used, "open"));
	CHECK(!has_sought(&used, "su"));
	CHECK(!has_sought(&used, "zero"));
	CHECK(has_sought(&used, "list/ed/new"));
	CHECK(!has_sought(&used, "list/ed/new/file"));
	CHECK(used_files_have_sought(&used, "list/ed/new/file", strlen("list/ed/new")));
	CHECK(!has_sought(&used, "list/new"));
	/* Their lines would have another meaning. */
	CHECK(has_sought(&used, "~name") && has_sought(&used, "?name") &&
	      has_sought(&used, "*name"));
	used_files_free(&used);
	take_text(&used, "*.\n");
	CHECK(has_sought(&used, "new"));
	CHECK(!has_sought(&used, "new/file"));
	used_files_free(&used);
	take_text(&used, "~.\n");
	CHECK(used_files_have_read(&used, "any"));
	CHECK(has_sought(&used, "any"));
	used_files_free(&used);
	take_text(&used, "");
	CHECK(!used_files_have_read(&used, "none"));
	CHECK(!has_sought(&used, "none"));
	used_files_free(&used);
}

static void test_named(void)
{
	struct used_files used;

	take_text(&used, "*list\n<input\n?looked/at\nopened\n~moved\n");
	CHECK(used_files_have_named(&used, "input"));
	CHECK(used_files_have_named(&used, "looked/at"));
	CHECK(used_files_have_named(&used, "opened"));
	CHECK(used_files_have_named(&used, "moved/file"));
	CHECK(used_files_have_named(&used, "~odd"));
	CHECK(!used_files_have_named(&used, "list/file"));
	CHECK(!used_files_have_named(&used, "looked"));
	CHECK(!used_files_have_named(&used, "none"));
	CHECK(!used_files_have_asked_git(&used));
	used_files_free(&used);
	take_text(&used, NULL);
	CHECK(used_files_have_named(&used, "none"));
	CHECK(used_files_have_asked_git(&used));
	used_files_free(&used);
}

static void check_asked_git(const char *text, bool asked)
{
	struct used_files used;

	take_text(&used, text);
	CHECK_INT(used_files_have_asked_git(&used), asked);
	used_files_free(&used);
}

static void test_asked_git(void)
{
	check_asked_git(".git/HEAD\n", true);
	check_asked_git("?.git\n", true);
	check_asked_git("<third/party/.git\n", true);
	check_asked_git("?a/.git/x\nb\n", true);
	check_asked_git(".gitignore\n.gitmodules\nx.git\nx/.github/y\n", false);
	check_asked_git("", false);
}

static void check_again(const char *before, const char *build, const char *expected)
{
	struct used_files earlier;
	struct cg_error err;
	char *names = *build ? write_names("again", build) : strdup(""), *text;

	take_text(&earlier, before);
	REQUIRE_INT(used_files_find_again(&earlier, names, *build ? top : NULL, "x\t100644 1\n",
					  &text, &err),
		    CG_OK);
	CHECK_STR(text, expected);
	free(text);
	free(names);
	used_files_free(&earlier);
}

static void test_again(void)
{
	check_again("*dir\n<input\n?z\nold\n=was\t100644 1\n", "",
		    "*dir\n<input\n?z\nold\n=x\t100644 1\n");
	check_again("<both\n<input\n?now\nold\n", "<\n+@/new\n:@/new\n:@/both\n:@/now\n-@/no\n>\n",
		    "<input\n?no\nboth\nnew\nnow\nold\n=x\t100644 1\n");
	check_again("old\n", "<\n!\n>\n", NULL);
	check_again(NULL, "<\n>\n", NULL);
	check_again(NULL, "", NULL);
}

static void test_long_path(void)
{
	struct used_files used;
	char path[PATH_MAX + 1] = "";

	memset(path, 'x', PATH_MAX);
	take_text(&used, "a\n");
	CHECK(used_files_have_read(&used, path));
	CHECK(has_sought(&used, path));
	CHECK(!used_files_have_read(&used, path + 1));
	CHECK(!has_sought(&used, path + 1));
	used_files_free(&used);
}

/* Then any file may have been used. */
static void check_damaged(const char *text, size_t size)
{
	struct used_files used;

	take(&used, text, size);
	CHECK(!used.known);
	CHECK(used_files_have_read(&used, "none"));
	CHECK(has_sought(&used, "none"));
	used_files_free(&used);
}

static void test_damaged(void)
{
	check_damaged(NULL, 0);
	check_damaged("a\nb", 3);
	check_damaged("a\n\0b\n", 5);
	check_damaged("b\na\n", 4);
	check_damaged("a\na\n", 4);
	check_damaged("a\n=b\t1 2\n=a\t1 2\n", 17);
}

static void test_all(void)
{
	top = make_directory();
	test_find();
	test_input();
	test_changes();
	test_links();
	test_other_name();
	test_not_known();
	test_have();
	test_named();
	test_asked_git();
	test_again();
	test_long_path();
	test_damaged();
	remove_tree(top);
}

TEST_MAIN("which files of a project are used", { "files that programs have named", test_all })
