/* What irdiff keeps in a project whose repository has links in its place. tests/leaks.sh tries the
 * same with commands. */
#include "src/store/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "tests/unit/harness.h"

static char top[64], root[80];

static const char *in_top(const char *name)
{
	static char path[4][300];
	static int turn;
	turn = (turn + 1) % 4;
	snprintf(path[turn], sizeof path[turn], "%s/%s", top, name);
	return path[turn];
}

static const char *in_root(const char *name)
{
	static char path[4][300];
	static int turn;
	turn = (turn + 1) % 4;
	snprintf(path[turn], sizeof path[turn], "%s/%s", root, name);
	return path[turn];
}

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");
	REQUIRE(f != NULL);
	fputs(text, f);
	fclose(f);
}

static const char *get(const char *path)
{
	static char text[64];
	FILE *f = fopen(path, "r");
	if (!f)
		return NULL;
	text[fread(text, 1, sizeof text - 1, f)] = '\0';
	fclose(f);
	return text;
}

/* Outside there are a file, and a directory with a file; `out` and `file` in the project lead
 * there. */
static void begin(void)
{
	snprintf(top, sizeof top, "/tmp/irdiff-project.XXXXXX");
	REQUIRE(mkdtemp(top) != NULL);
	snprintf(root, sizeof root, "%s/p", top);
	REQUIRE_INT(mkdir(root, 0777), 0);
	REQUIRE_INT(mkdir(in_root("d"), 0777), 0);
	REQUIRE_INT(mkdir(in_top("victim"), 0777), 0);
	REQUIRE_INT(mkdir(in_top("pp"), 0777), 0);
	put(in_top("victim/a"), "theirs");
	put(in_root("d/a"), "ours");
	REQUIRE_INT(symlink("../victim", in_root("out")), 0);
	REQUIRE_INT(symlink("../victim/a", in_root("file")), 0);
	REQUIRE_INT(symlink("../victim/new", in_root("dangling")), 0);
	REQUIRE_INT(symlink("d", in_root("in")), 0);
}

static void end(void)
{
	CHECK_STR(get(in_top("victim/a")), "theirs");
	CHECK(access(in_top("victim/new"), F_OK) != 0);
	REQUIRE_INT(unlink(in_top("victim/a")), 0);
	REQUIRE_INT(rmdir(in_top("victim")), 0); /* nothing else is there */
	REQUIRE_INT(remove_directory(top, NULL), CG_OK);
}

static void check_leads_out(int result)
{
	int error = errno;
	CHECK_INT(result, -1);
	CHECK_INT(error, ELOOP);
}

static int write_file(const char *name, struct cg_error *err)
{
	struct new_file *file;
	FILE *to;
	int status = beneath_new_file(root, in_root(name), &file, &to, err);
	if (status)
		return status;
	fputs("new", to);
	return new_file_commit(file, err);
}

static void test_writing(void)
{
	struct cg_error err = { 0 };
	struct stat st;

	begin();
	CHECK_INT(write_file("d/b", NULL), CG_OK);
	CHECK_STR(get(in_root("d/b")), "new");
	CHECK_INT(write_file("in/c", NULL), CG_OK);
	CHECK_STR(get(in_root("d/c")), "new");
	CHECK_INT(write_file("file", NULL), CG_OK); /* replaces the link */
	CHECK(lstat(in_root("file"), &st) == 0 && S_ISREG(st.st_mode));
	CHECK_INT(write_file("dangling", NULL), CG_OK);
	CHECK_INT(write_file("out/new", &err), CG_EINVAL);
	CHECK(strstr(err.message, "symbolic link") != NULL);
	CHECK_STR(err.file, in_root("out/new"));
	CHECK_INT(write_file("none/new", &err), CG_EIO);
	CHECK_INT(beneath_copy(root, in_root("d/a"), in_root("out/new"), &err), CG_EINVAL);
	CHECK_INT(beneath_copy(root, in_root("out/a"), in_root("d/stolen"), &err), CG_EINVAL);
	CHECK(access(in_root("d/stolen"), F_OK) != 0);
	CHECK_INT(beneath_copy(root, in_root("in/a"), in_root("d/copy"), NULL), CG_OK);
	CHECK_STR(get(in_root("d/copy")), "ours");
	end();
}

static void test_reading(void)
{
	struct cg_error err = { 0 };
	char *text = NULL;
	size_t size;

	begin();
	CHECK_INT(beneath_read(root, in_root("in/a"), 4, &text, &size, NULL), CG_OK);
	CHECK_STR(text, "ours");
	free(text);
	CHECK_INT(beneath_read(root, in_root("in/a"), 3, &text, &size, &err), CG_EINVAL);
	CHECK_INT(beneath_read(root, in_root("out/a"), 99, &text, &size, &err), CG_EINVAL);
	CHECK_INT(beneath_read(root, in_root("file"), 99, &text, &size, &err), CG_EINVAL);
	CHECK_INT(beneath_read(root, in_root("d"), 99, &text, &size, &err), CG_EINVAL);
	CHECK_STR(err.message, "not a regular file");
	CHECK_INT(beneath_read(root, in_root("none"), 99, &text, &size, &err), CG_EIO);
	CHECK_INT(beneath_check(root, in_root("in/a"), &err), CG_OK);
	CHECK_INT(beneath_check(root, in_root("file"), &err), CG_EINVAL);
	CHECK(beneath_is_there(root, in_root("file"))); /* something is in its place */
	CHECK(!beneath_is_there(root, in_root("none")));
	CHECK(beneath_list(root, in_root("out")) == NULL);
	/* What is beside the root is not below it, nor is what only begins like it. */
	CHECK_INT(beneath_read(root, in_top("victim/a"), 99, &text, &size, &err), CG_EINVAL);
	CHECK_INT(beneath_read(root, in_root("../victim/a"), 99, &text, &size, &err), CG_EINVAL);
	CHECK_INT(beneath_mkdir(root, in_top("pp/x")), -1);
	end();
}

static void test_moving(void)
{
	begin();
	check_leads_out(beneath_rename(root, in_root("out/a"), in_root("d/stolen")));
	check_leads_out(beneath_rename(root, in_root("d/a"), in_root("out/a")));
	check_leads_out(beneath_rename(root, in_root("d/a"), in_root("../victim/a")));
	check_leads_out(beneath_link(root, in_root("out/a"), in_root("d/stolen")));
	check_leads_out(beneath_replace(root, in_root("d"), in_root("out/new")));
	check_leads_out(beneath_mkdir(root, in_root("out/new")));
	check_leads_out(beneath_unlink(root, in_root("out/a")));
	check_leads_out(beneath_rmdir(root, in_root("out/x")));
	CHECK_INT(beneath_make_directories(root, in_root("out/new/x"), NULL), CG_EINVAL);
	CHECK_INT(beneath_make_directories(root, in_root("dangling/x"), NULL), CG_EINVAL);
	CHECK_INT(beneath_make_directories(root, in_root("in/x/y"), NULL), CG_OK);
	CHECK_INT(access(in_root("d/x/y"), F_OK), 0);
	CHECK_INT(beneath_make_directories(root, in_root("d/a"), NULL), CG_EIO);
	CHECK_INT(beneath_rename(root, in_root("in/a"), in_root("d/b")), 0);
	CHECK_STR(get(in_root("d/b")), "ours");
	end();
}

static void test_removing(void)
{
	begin();
	CHECK_INT(beneath_remove(root, in_root("out/a"), NULL), CG_EINVAL);
	CHECK_INT(beneath_remove(root, in_root("out"), NULL), CG_OK); /* the link */
	CHECK_INT(beneath_remove(root, in_root("none"), NULL), CG_OK);
	REQUIRE_INT(symlink("../../victim", in_root("d/out")), 0);
	CHECK_INT(beneath_remove(root, in_root("d"), NULL), CG_OK);
	CHECK(access(in_root("d"), F_OK) != 0);
	put(in_top("victim/a.irdiff-abcdef"), "half");
	REQUIRE_INT(symlink("../victim", in_root("out")), 0);
	beneath_sweep(root, in_root("out/a"));
	CHECK_STR(get(in_top("victim/a.irdiff-abcdef")), "half");
	unlink(in_top("victim/a.irdiff-abcdef"));
	end();
}

TEST_MAIN("project files", { "writing", test_writing }, { "reading", test_reading },
	  { "moving", test_moving }, { "removing", test_removing })
