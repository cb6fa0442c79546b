/* Names that lead out of a directory, by the kernel and step by step. tests/leaks.sh runs it in a
 * sandbox that refuses openat2 as well. */
#include "callgrind/support/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include "tests/unit/harness.h"

static char dir[64];

static const char *in_dir(const char *name)
{
	static char path[200];
	snprintf(path, sizeof path, "%s/%s", dir, name);
	return path;
}

static void make_file(const char *name)
{
	int fd = open(in_dir(name), O_WRONLY | O_CREAT | O_EXCL, 0644);
	REQUIRE(fd >= 0);
	REQUIRE_INT(write(fd, name, strlen(name)), (int64_t)strlen(name));
	close(fd);
}

static const char *const links[][2] = {
	{ "/etc", "top/etc" },  { "../out", "top/out" },    { "sub/../../out", "top/winding" },
	{ "loop", "top/loop" }, { "../f", "top/in/upper" }, { "sub/../in/f", "top/around" },
	{ "/", "top/slash" },   { "..", "top/sub/parent" },
};

enum { LINKS = sizeof links / sizeof *links };

static int make_tree(void)
{
	snprintf(dir, sizeof dir, "/tmp/irdiff-beneath.XXXXXX");
	REQUIRE(mkdtemp(dir) != NULL);
	REQUIRE_INT(mkdir(in_dir("top"), 0777), 0);
	REQUIRE_INT(mkdir(in_dir("top/in"), 0777), 0);
	REQUIRE_INT(mkdir(in_dir("top/sub"), 0777), 0);
	make_file("out");
	make_file("top/f");
	make_file("top/in/f");
	for (size_t i = 0; i < LINKS; i++)
		REQUIRE_INT(symlink(links[i][0], in_dir(links[i][1])), 0);
	REQUIRE_INT(mkfifo(in_dir("top/pipe"), 0666), 0);
	int top = open(in_dir("top"), O_PATH | O_DIRECTORY | O_CLOEXEC);
	REQUIRE(top >= 0);
	return top;
}

static void remove_tree(int top)
{
	static const char *const names[] = { "out",        "top/f",    "top/in/f",
					     "top/in/new", "top/pipe", NULL };
	close(top);
	for (size_t i = 0; names[i]; i++)
		unlink(in_dir(names[i]));
	for (size_t i = 0; i < LINKS; i++)
		unlink(in_dir(links[i][1]));
	rmdir(in_dir("top/in"));
	rmdir(in_dir("top/sub"));
	rmdir(in_dir("top"));
	REQUIRE_INT(rmdir(dir), 0);
}

/* NULL: it leads out. */
static void check_open(int top, const char *name, const char *text)
{
	char found[40] = "";
	errno = 0;
	int fd = cg_beneath_open(top, name, O_RDONLY, 0);
	int error = errno;

	if (fd >= 0) {
		ssize_t len = read(fd, found, sizeof found - 1);
		CHECK(len >= 0);
		close(fd);
		CHECK_STR(found, text);
		return;
	}
	CHECK_STR(name, text ? "to be opened" : name);
	CHECK_INT(error, ELOOP);
}

static void test_names(void)
{
	int top = make_tree();

	check_open(top, "f", "top/f");
	check_open(top, "in/f", "top/in/f");
	check_open(top, "./in//f", "top/in/f");
	check_open(top, "in/../f", "top/f");
	check_open(top, "around", "top/in/f");
	check_open(top, "in/upper", "top/f");
	check_open(top, "sub/parent/f", "top/f");
	check_open(top, "sub/parent/in/upper", "top/f");
	check_open(top, "../out", NULL);
	check_open(top, "../top/f", NULL);
	check_open(top, "in/../../out", NULL);
	check_open(top, "out", NULL);
	check_open(top, "winding", NULL);
	check_open(top, "sub/parent/../out", NULL);
	check_open(top, "etc/passwd", NULL);
	check_open(top, "slash/etc/passwd", NULL);
	check_open(top, "loop", NULL);
	check_open(top, "/etc/passwd", NULL);
	remove_tree(top);
}

static void check_fails(int fd, int error)
{
	int found = errno;
	CHECK_INT(fd, -1);
	CHECK_INT(found, error);
	if (fd >= 0)
		close(fd);
}

static void test_flags(void)
{
	struct stat st;
	char longest[PATH_MAX + 10];
	int top = make_tree();

	check_fails(cg_beneath_open(top, "around", O_RDONLY | O_NOFOLLOW, 0), ELOOP);
	check_fails(cg_beneath_open(top, "none", O_RDONLY, 0), ENOENT);
	check_fails(cg_beneath_open(top, "f/g", O_RDONLY, 0), ENOTDIR);
	check_fails(cg_beneath_open(top, "f", O_WRONLY | O_CREAT | O_EXCL, 0666), EEXIST);
	check_fails(cg_beneath_open(top, "out", O_WRONLY | O_CREAT, 0666), ELOOP);
	int fd = cg_beneath_open(top, "sub/parent/in/new", O_WRONLY | O_CREAT | O_EXCL, 0600);
	REQUIRE(fd >= 0);
	REQUIRE_INT(fstat(fd, &st), 0);
	CHECK_INT(st.st_mode & 0777, 0600);
	CHECK(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	close(fd);
	CHECK_INT(access(in_dir("top/in/new"), F_OK), 0);
	fd = cg_beneath_open(top, ".", O_PATH | O_DIRECTORY, 0);
	REQUIRE(fd >= 0);
	close(fd);
	memset(longest, 'x', sizeof longest - 1);
	longest[sizeof longest - 1] = '\0';
	check_fails(cg_beneath_open(top, longest, O_RDONLY, 0), ENAMETOOLONG);
	longest[NAME_MAX + 1] = '\0';
	check_fails(cg_beneath_open(top, longest, O_RDONLY, 0), ENAMETOOLONG);
	remove_tree(top);
}

static void test_regular_files(void)
{
	struct stat st = { 0 };
	int top = make_tree();
	int fd = cg_beneath_open_regular(top, "in/f", &st);

	REQUIRE(fd >= 0);
	CHECK_INT(st.st_size, (int64_t)strlen("top/in/f"));
	close(fd);
	check_fails(cg_beneath_open_regular(top, "out", NULL), ELOOP);
	check_fails(cg_beneath_open_regular(top, "in", NULL), EINVAL);
	check_fails(cg_beneath_open_regular(top, "pipe", NULL), EINVAL); /* and it does not wait */
	check_fails(cg_beneath_open_regular(AT_FDCWD, "/dev/null", NULL), EINVAL);
	check_fails(cg_beneath_open_regular(AT_FDCWD, "/proc/version", NULL), EINVAL);
	check_fails(cg_beneath_open_regular(AT_FDCWD, "/nonexistent/f", NULL), ENOENT);
	fd = cg_beneath_open_regular(AT_FDCWD, in_dir("top/around"), NULL);
	CHECK(fd >= 0);
	if (fd >= 0)
		close(fd);
	remove_tree(top);
}

TEST_MAIN("beneath", { "names that lead out, and others", test_names },
	  { "ways to open", test_flags }, { "regular files", test_regular_files })
