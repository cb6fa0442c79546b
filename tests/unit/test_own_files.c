/* A directory in which some files are irdiff's. */
#include "src/store/own_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include "src/store/files.h"
#include "tests/unit/harness.h"

static char dir[64];

static const char *in_dir(const char *name)
{
	static char path[200];
	snprintf(path, sizeof path, "%s/%s", dir, name);
	return path;
}

static void set_up(void)
{
	snprintf(dir, sizeof dir, "/tmp/irdiff-own.XXXXXX");
	REQUIRE(mkdtemp(dir) != NULL);
}

static void tear_down(void)
{
	REQUIRE_INT(remove_directory(dir, NULL), CG_OK);
}

static struct own_files *open_own(void)
{
	struct own_files *f = NULL;
	REQUIRE_INT(own_files_open(dir, &f, NULL), CG_OK);
	return f;
}

static int put(struct own_files *f, const char *path, const char *text)
{
	return own_files_put(f, path, text, strlen(text), NULL);
}

static struct own_files_counts finish(struct own_files *f)
{
	struct own_files_counts counts = { 0 };
	CHECK_INT(own_files_finish(f, &counts, NULL), CG_OK);
	own_files_close(f);
	return counts;
}

static void write_foreign(const char *name, const char *text)
{
	FILE *to = fopen(in_dir(name), "w");
	REQUIRE(to != NULL);
	fputs(text, to);
	fclose(to);
}

static void check_text(const char *name, const char *expected)
{
	char *text = NULL;
	size_t size;
	if (!file_read(in_dir(name), &text, &size, NULL))
		CHECK_STR(text, expected);
	else
		CHECK(!expected);
	free(text);
}

static void test_updates(void)
{
	set_up();
	struct own_files *f = open_own();
	CHECK_INT(put(f, "a", "one"), CG_OK);
	CHECK_INT(put(f, "below/b.js", "two"), CG_OK);
	CHECK_INT(put(f, "empty/dir/c", ""), CG_OK);
	struct own_files_counts n = finish(f);
	CHECK_U64(n.total, 3);
	CHECK_U64(n.written, 3);
	check_text(OWN_FILES_LIST, "irdiff's files, version 1\na\nbelow/b.js\nempty/dir/c\n");

	struct stat before, after;
	REQUIRE_INT(stat(in_dir("a"), &before), 0);
	f = open_own();
	CHECK_INT(put(f, "a", "one"), CG_OK);
	CHECK_INT(put(f, "below/b.js", "two, and longer"), CG_OK);
	n = finish(f);
	CHECK_U64(n.written, 1);
	CHECK_U64(n.removed, 1);
	REQUIRE_INT(stat(in_dir("a"), &after), 0);
	CHECK(before.st_ino == after.st_ino);
	check_text("below/b.js", "two, and longer");
	CHECK(access(in_dir("empty/dir"), F_OK) != 0);
	/* What is shorter, or begins with the same bytes, is not the same. */
	f = open_own();
	CHECK_INT(put(f, "a", "on"), CG_OK);
	CHECK_INT(put(f, "below/b.js", "two"), CG_OK);
	CHECK_U64(finish(f).written, 2);
	check_text("a", "on");
	tear_down();
}

static void test_keeping(void)
{
	char *text;
	size_t size;

	set_up();
	struct own_files *f = open_own();
	CHECK_INT(put(f, "a", "one"), CG_OK);
	CHECK_INT(put(f, "b", "two"), CG_OK);
	finish(f);
	write_foreign("c", "three");
	unlink(in_dir("b"));
	f = open_own();
	CHECK(own_files_keep(f, "a"));
	CHECK(!own_files_keep(f, "b"));
	CHECK(!own_files_keep(f, "c"));
	CHECK_INT(own_files_read(f, "a", 100, &text, &size, NULL), CG_OK);
	CHECK_STR(text, "one");
	free(text);
	CHECK_INT(own_files_read(f, "c", 100, &text, &size, NULL), CG_OK);
	CHECK(!text);
	CHECK_INT(own_files_read(f, "a", 2, &text, &size, NULL), CG_EINVAL);
	struct own_files_counts n = finish(f);
	CHECK_U64(n.total, 1);
	check_text(OWN_FILES_LIST, "irdiff's files, version 1\na\n");
	check_text("c", "three");
	tear_down();
}

static void test_others(void)
{
	set_up();
	write_foreign("index.html", "mine");
	REQUIRE_INT(symlink("/tmp", in_dir("out")), 0);
	struct own_files *f = open_own();
	CHECK_INT(put(f, "index.html", "other"), CG_EINVAL);
	CHECK_INT(put(f, "out/file-of-irdiff", "x"), CG_EINVAL);
	CHECK(access("/tmp/file-of-irdiff", F_OK) != 0);
	static const char *const wrong[] = { "",     "/a",  "a/",   "../a",   "a/../b",  ".hidden",
					     "a//b", "a b", "a\nb", "a/.b/c", "\xc3\xa4" };
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		CHECK_INT(put(f, wrong[i], "x"), CG_EINTERNAL);
	finish(f);
	check_text("index.html", "mine");
	tear_down();
}

static void test_checked(void)
{
	set_up();
	write_foreign("theirs", "x");
	REQUIRE_INT(symlink("/tmp", in_dir("out")), 0);
	struct own_files *f = open_own();
	CHECK_INT(put(f, "ours", "y"), CG_OK);
	CHECK_INT(own_files_check(f, "ours", NULL), CG_OK);
	CHECK_INT(own_files_check(f, "none", NULL), CG_OK);
	CHECK_INT(own_files_check(f, "theirs", NULL), CG_EINVAL);
	CHECK_INT(own_files_check(f, "out", NULL), CG_EINVAL);
	finish(f);
	tear_down();
}

/* A file that was to be replaced leaves no trace when it is no longer wanted, and a directory that
 * others have replaced by a file is no obstacle. */
static void test_gone(void)
{
	set_up();
	struct own_files *f = open_own();
	CHECK_INT(put(f, "a/file", "one"), CG_OK);
	CHECK_INT(put(f, "b/file", "two"), CG_OK);
	finish(f);
	write_foreign("a/file.irdiff-abcdef", "half");
	REQUIRE_INT(unlink(in_dir("b/file")), 0);
	REQUIRE_INT(rmdir(in_dir("b")), 0);
	write_foreign("b", "theirs");
	CHECK_U64(finish(open_own()).removed, 2);
	CHECK(access(in_dir("a"), F_OK) != 0);
	check_text("b", "theirs");
	tear_down();
}

/* A killed irdiff leaves a list with more, and perhaps half of a line. */
static void test_killed(void)
{
	set_up();
	write_foreign(OWN_FILES_LIST, "irdiff's files, version 1\na\n+\nb\nc");
	write_foreign("a", "old");
	write_foreign("b", "of the killed one");
	write_foreign("b.irdiff-abcdef", "half");
	struct own_files *f = open_own();
	CHECK_INT(put(f, "a", "new"), CG_OK);
	CHECK_INT(put(f, "c", "new"), CG_OK);
	CHECK_U64(finish(f).removed, 1);
	CHECK(access(in_dir("b"), F_OK) != 0);
	CHECK(access(in_dir("b.irdiff-abcdef"), F_OK) != 0);
	check_text(OWN_FILES_LIST, "irdiff's files, version 1\na\nc\n");

	/* One that is not finished removes nothing, and its files are known. */
	f = open_own();
	CHECK_INT(put(f, "d", "new"), CG_OK);
	own_files_close(f);
	check_text("a", "new");
	f = open_own();
	CHECK_INT(put(f, "d", "newer"), CG_OK);
	CHECK_U64(finish(f).removed, 2);
	check_text("d", "newer");
	tear_down();
}

static void test_damaged(void)
{
	static const char *const lists[] = {
		"",
		"irdiff's files, version 2\na\n",
		"irdiff's files, version 1\n../a\n",
		"irdiff's files, version 1\n\n",
		"irdiff's files, version 1\na\n/etc/passwd\n",
	};

	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
		struct own_files *f = NULL;
		struct cg_error err = { 0 };
		set_up();
		write_foreign(OWN_FILES_LIST, lists[i]);
		CHECK_INT(own_files_open(dir, &f, &err), CG_EINVAL);
		CHECK(strstr(err.file, OWN_FILES_LIST) != NULL);
		tear_down();
	}
}

TEST_MAIN("own_files", { "files are written, left alone and removed", test_updates },
	  { "files can be kept and read", test_keeping },
	  { "files of others are not touched", test_others },
	  { "files of others are known before", test_checked },
	  { "what is gone is removed", test_gone },
	  { "what a killed one left is finished", test_killed },
	  { "a damaged list is refused", test_damaged })
