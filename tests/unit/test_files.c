#include "tests/unit/harness.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "callgrind/input.h"
#include "src/store/files.h"

static char dir[64];

static const char *in_dir(const char *name)
{
	static char path[4][512];
	static int turn;
	turn = (turn + 1) % 4;
	snprintf(path[turn], sizeof path[turn], "%s/%s", dir, name);
	return path[turn];
}

static void begin(void)
{
	snprintf(dir, sizeof dir, "/tmp/irdiff-files.XXXXXX");
	REQUIRE(mkdtemp(dir) != NULL);
}

/* What is in the directory, which must be no more than `expected` files. */
static void end(size_t expected)
{
	size_t count = 0;
	DIR *d = opendir(dir);
	REQUIRE(d != NULL);
	for (struct dirent *e; (e = readdir(d));)
		count += e->d_name[0] != '.';
	closedir(d);
	CHECK_U64(count, expected);
	REQUIRE_INT(remove_directory(dir, NULL), CG_OK);
	CHECK(access(dir, F_OK) != 0);
}

static const char *contents(const char *path)
{
	static char text[256];
	FILE *f = fopen(path, "r");
	if (!f)
		return NULL;
	text[fread(text, 1, sizeof text - 1, f)] = '\0';
	fclose(f);
	return text;
}

static void put(const char *path, const char *text)
{
	struct new_file *f;
	FILE *to;
	REQUIRE_INT(new_file_begin(path, &f, &to, NULL), CG_OK);
	fputs(text, to);
	REQUIRE_INT(new_file_commit(f, NULL), CG_OK);
}

static void test_commit(void)
{
	begin();
	struct new_file *f;
	FILE *to;
	REQUIRE_INT(new_file_begin(in_dir("a"), &f, &to, NULL), CG_OK);
	fputs("half", to);
	fflush(to);
	CHECK(access(in_dir("a"), F_OK) != 0); /* not there before it is complete */
	fputs(" and half", to);
	REQUIRE_INT(new_file_commit(f, NULL), CG_OK);
	CHECK_STR(contents(in_dir("a")), "half and half");

	put(in_dir("a"), "new");
	CHECK_STR(contents(in_dir("a")), "new");
	end(1);
}

static void test_abandon(void)
{
	begin();
	put(in_dir("a"), "old");
	struct new_file *f;
	FILE *to;
	REQUIRE_INT(new_file_begin(in_dir("a"), &f, &to, NULL), CG_OK);
	fputs("new", to);
	new_file_abandon(f);
	new_file_abandon(NULL);
	CHECK_STR(contents(in_dir("a")), "old");
	end(1);
}

/* Of one that was killed nothing stays when the file is written again; of one that lives, and of
 * what is called nearly so, all. */
static void test_dead(void)
{
	begin();
	struct new_file *f;
	FILE *to;
	put(in_dir("a.irdiff-abcdef"), "half");
	put(in_dir("a.irdiff-abcdefg"), "mine");
	put(in_dir("ab.irdiff-abcdef"), "mine");
	REQUIRE_INT(mkdir(in_dir("a.irdiff-abcdeg"), 0777), 0);
	REQUIRE_INT(new_file_begin(in_dir("a"), &f, &to, NULL), CG_OK);
	put(in_dir("a"), "other");
	fputs("new", to);
	REQUIRE_INT(new_file_commit(f, NULL), CG_OK);
	CHECK_STR(contents(in_dir("a")), "new");
	CHECK(access(in_dir("a.irdiff-abcdef"), F_OK) != 0);
	end(4);
}

/* What a user names may be a link, which stays, wherever it leads. */
static void test_named_links(void)
{
	struct stat st;
	begin();
	REQUIRE_INT(make_directories(in_dir("d"), NULL), CG_OK);
	put(in_dir("d/a"), "old");
	REQUIRE_INT(symlink("d/a", in_dir("link")), 0);
	REQUIRE_INT(symlink("link", in_dir("again")), 0);
	REQUIRE_INT(symlink("d/new", in_dir("dangling")), 0);
	REQUIRE_INT(symlink("loop", in_dir("loop")), 0);
	put(in_dir("link"), "new");
	CHECK_STR(contents(in_dir("d/a")), "new");
	put(in_dir("again"), "newer");
	CHECK_STR(contents(in_dir("d/a")), "newer");
	put(in_dir("dangling"), "made");
	CHECK_STR(contents(in_dir("d/new")), "made");
	CHECK(lstat(in_dir("link"), &st) == 0 && S_ISLNK(st.st_mode));
	CHECK(lstat(in_dir("again"), &st) == 0 && S_ISLNK(st.st_mode));
	CHECK(lstat(in_dir("dangling"), &st) == 0 && S_ISLNK(st.st_mode));
	end(5);
}

/* Deeper than a path may be long, and with directories that nobody may write to. */
static void test_removing(void)
{
	enum { DEPTH = 3000, WIDTH = 40 };
	begin();
	REQUIRE_INT(mkdir(in_dir("deep"), 0777), 0);
	int at = open(in_dir("deep"), O_RDONLY | O_DIRECTORY);
	for (int i = 0; i < DEPTH; i++) {
		REQUIRE_INT(mkdirat(at, "ab", 0777), 0);
		int next = openat(at, "ab", O_RDONLY | O_DIRECTORY);
		REQUIRE(next >= 0);
		close(at);
		at = next;
	}
	close(at);
	for (int i = 0; i < WIDTH; i++) {
		char name[40];
		snprintf(name, sizeof name, "deep/%d", i);
		REQUIRE_INT(mkdir(in_dir(name), 0777), 0);
		snprintf(name, sizeof name, "deep/%d/file", i);
		put(in_dir(name), "x");
		snprintf(name, sizeof name, "deep/%d", i);
		REQUIRE_INT(chmod(in_dir(name), 0555), 0);
	}
	REQUIRE_INT(symlink("..", in_dir("deep/up")), 0);
	put(in_dir("kept"), "x");
	CHECK_INT(remove_directory(in_dir("deep"), NULL), CG_OK);
	CHECK(access(in_dir("deep"), F_OK) != 0);
	end(1);
}

/* As the umask allows, not as private as a temporary file. */
static void test_permissions(void)
{
	struct stat st;
	begin();
	mode_t before = umask(027);
	put(in_dir("a"), "x");
	umask(before);
	REQUIRE_INT(stat(in_dir("a"), &st), 0);
	CHECK_INT(st.st_mode & 0777, 0640);

	/* A file that was there stays what it was. */
	chmod(in_dir("a"), 0604);
	put(in_dir("a"), "y");
	REQUIRE_INT(stat(in_dir("a"), &st), 0);
	CHECK_INT(st.st_mode & 0777, 0604);
	end(1);
}

static void test_unwritable(void)
{
	struct new_file *f = NULL;
	FILE *to;
	struct cg_error err = { 0 };

	CHECK_INT(new_file_begin("/nonexistent/a", &f, &to, &err), CG_EIO);
	CHECK_STR(err.file, "/nonexistent/a");
	CHECK(strstr(err.message, strerror(ENOENT)) != NULL);
	CHECK(f == NULL);

	/* A directory of that name, found only at the end. */
	begin();
	mkdir(in_dir("d"), 0777);
	REQUIRE_INT(new_file_begin(in_dir("d"), &f, &to, &err), CG_OK);
	fputs("x", to);
	CHECK_INT(new_file_commit(f, &err), CG_EIO);
	CHECK(strstr(err.message, strerror(EISDIR)) != NULL);
	rmdir(in_dir("d"));
	end(0); /* no temporary file is left */
}

static void test_devices(void)
{
	struct stat st;
	struct new_file *f;
	FILE *to;
	struct cg_error err = { 0 };

	put("/dev/null", "nobody reads this");
	REQUIRE_INT(stat("/dev/null", &st), 0);
	CHECK(S_ISCHR(st.st_mode)); /* not replaced by a file */

	REQUIRE_INT(new_file_begin("/dev/full", &f, &to, &err), CG_OK);
	fputs("x", to);
	CHECK_INT(new_file_commit(f, &err), CG_EFULL);
	CHECK(strstr(err.message, strerror(ENOSPC)) != NULL);
	CHECK_STR(err.file, "/dev/full");
}

static void test_directories(void)
{
	struct stat st;
	struct cg_error err = { 0 };

	begin();
	REQUIRE_INT(make_directories(in_dir("a/b/c"), &err), CG_OK);
	CHECK(stat(in_dir("a/b/c"), &st) == 0 && S_ISDIR(st.st_mode));
	CHECK_INT(make_directories(in_dir("a/b/c"), &err), CG_OK); /* again */
	CHECK_INT(make_directories("/", &err), CG_OK);
	put(in_dir("a/file"), "x");
	CHECK_INT(make_directories(in_dir("a/file/d"), &err), CG_EIO);
	CHECK_STR(err.file, in_dir("a/file"));

	put(in_dir("a/b/c/x"), "x");
	put(in_dir("a/b/c/.hidden"), "x");
	CHECK_INT(remove_directory(in_dir("a/file/none"), &err), CG_EIO);
	CHECK_INT(remove_directory(in_dir("a/b/c"), &err), CG_OK);
	CHECK_INT(remove_directory(in_dir("a/b/c"), &err), CG_OK); /* it is not there: fine */
	CHECK_INT(remove_directory(in_dir("a"), &err), CG_OK);     /* with all that is in it */
	end(0);
}

static void test_symbolic_links(void)
{
	begin();
	REQUIRE_INT(make_directories(in_dir("precious"), NULL), CG_OK);
	put(in_dir("precious/file"), "keep me");
	REQUIRE_INT(symlink(in_dir("precious"), in_dir("link")), 0);
	CHECK_INT(remove_directory(in_dir("link"), NULL), CG_OK);
	CHECK(access(in_dir("link"), F_OK) != 0);
	CHECK_STR(contents(in_dir("precious/file")), "keep me");

	REQUIRE_INT(make_directories(in_dir("other"), NULL), CG_OK);
	REQUIRE_INT(symlink(in_dir("precious"), in_dir("other/link")), 0);
	CHECK_INT(remove_directory(in_dir("other"), NULL), CG_OK);
	CHECK_STR(contents(in_dir("precious/file")), "keep me");
	CHECK_INT(remove_directory(in_dir("precious"), NULL), CG_OK);
	end(0);
}

static void test_compressed(void)
{
	begin();
	put(in_dir("one"), "first\n");
	put(in_dir("two"), "second\n");
	char one[512], two[512];
	snprintf(one, sizeof one, "%s", in_dir("one"));
	snprintf(two, sizeof two, "%s", in_dir("two"));
	const char *from[] = { one, two, "/nonexistent" };
	struct cg_error err = { 0 };
	REQUIRE_INT(store_compressed(from, 2, in_dir("packed"), &err), CG_OK);

	struct cg_input *in;
	char text[100];
	size_t used = 0, got = 1;
	REQUIRE_INT(cg_input_open(&in, in_dir("packed"), &err), CG_OK);
	while (got) {
		REQUIRE_INT(cg_input_read(in, text + used, sizeof text - 1 - used, &got, &err),
			    CG_OK);
		used += got;
	}
	text[used] = '\0';
	cg_input_free(in);
	CHECK_STR(text, "first\nsecond\n");

	CHECK_INT(store_compressed(from, 3, in_dir("other"), &err), CG_EIO);
	CHECK_STR(err.file, "/nonexistent");
	end(3);
}

/* What a directory of somebody else has. */
static void test_foreign(void)
{
	char *text;
	size_t size;
	struct cg_error err = { 0 };

	begin();
	put(in_dir("a"), "four");
	REQUIRE_INT(foreign_file_read(in_dir("a"), 4, &text, &size, &err), CG_OK);
	CHECK_STR(text, "four");
	CHECK_U64(size, 4);
	free(text);
	CHECK_INT(foreign_file_read(in_dir("a"), 3, &text, &size, &err), CG_EINVAL);
	CHECK_STR(err.message, "larger than 3 bytes");
	REQUIRE_INT(symlink("a", in_dir("link")), 0);
	CHECK_INT(foreign_file_read(in_dir("link"), 4, &text, &size, &err), CG_EINVAL);
	CHECK_STR(err.message, "is a symbolic link");
	REQUIRE_INT(mkfifo(in_dir("pipe"), 0600), 0);
	CHECK_INT(foreign_file_read(in_dir("pipe"), 4, &text, &size, &err), CG_EINVAL);
	CHECK_INT(foreign_file_read(dir, 4, &text, &size, &err), CG_EINVAL);
	CHECK_INT(foreign_file_read(in_dir("none"), 4, &text, &size, &err), CG_EIO);
	end(3);
}

TEST_MAIN("files", { "a file appears when it is complete", test_commit },
	  { "an abandoned file", test_abandon }, { "files of the dead", test_dead },
	  { "links that are named", test_named_links }, { "removing", test_removing },
	  { "permissions", test_permissions }, { "places that cannot be written", test_unwritable },
	  { "devices", test_devices }, { "directories", test_directories },
	  { "symbolic links", test_symbolic_links }, { "compressed files", test_compressed },
	  { "files of others", test_foreign })
