#include "src/store/label_tree.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/store/label.h"
#include "tests/unit/harness.h"

static char root[64];

static const char *in_root(const char *name)
{
	static char path[4][600];
	static int turn;
	turn = (turn + 1) % 4;
	snprintf(path[turn], sizeof path[turn], "%s/%s", root, name);
	return path[turn];
}

static void begin(void)
{
	snprintf(root, sizeof root, "/tmp/irdiff-tree.XXXXXX");
	REQUIRE(mkdtemp(root) != NULL);
	REQUIRE_INT(mkdir(in_root("top"), 0777), 0);
}

static void end(void)
{
	char command[128];
	snprintf(command, sizeof command, "rm -rf %s", root);
	REQUIRE_INT(system(command), 0);
}

static void put(const char *name)
{
	REQUIRE_INT(label_tree_make(root, in_root(name), NULL), CG_OK);
	FILE *f = fopen(in_root(name), "w");
	REQUIRE(f != NULL);
	fclose(f);
}

/* The labels, sorted, each after a blank. */
static void lists(bool directories, const char *expected)
{
	struct path_list labels = { 0 };
	char text[1000] = "";

	REQUIRE_INT(label_tree_list(root, in_root("top"), directories, &labels, NULL), CG_OK);
	path_list_sort(&labels, 0);
	for (size_t i = 0; i < labels.count; i++)
		snprintf(text + strlen(text), sizeof text - strlen(text), " %s", labels.paths[i]);
	CHECK_STR(text, expected);
	path_list_free(&labels);
}

static void test_files(void)
{
	begin();
	put("top/a.callgrind");
	put("top/a.callgrind.flat.txt");
	put("top/a/x.callgrind");
	put("top/a/deep/y z.callgrind");
	put("top/b%2Ecallgrind/x.callgrind");
	put("top/c/50%25.callgrind");
	lists(false, " a a/deep/y z a/x b.callgrind/x c/50%");
	lists(true, "");
	end();
}

/* What is no label's is left out. */
static void test_strangers(void)
{
	begin();
	put("top/parse%2Fold.callgrind"); /* as older versions named it */
	put("top/50%.callgrind");
	put("top/.callgrind");
	put("top/.hidden.callgrind");
	put("top/.git/x.callgrind");
	put("top/-x/y.callgrind");
	put("top/ab/.y.callgrind");
	put("top/ab/notes.txt");
	put("top/bad\xff/x.callgrind");
	put("top/new\nline/x.callgrind");
	put("top/back\\slash/x.callgrind");
	put("top/dir.callgrind/x.callgrind"); /* not "dir.callgrind/x" */
	put("top/sub.callgrind.flat.txt/x.callgrind");
	lists(false, "");
	lists(true, " dir");
	lists(false, "");
	end();
}

/* No link is walked into, so that a directory cannot contain itself. */
static void test_links(void)
{
	begin();
	put("top/a/x.callgrind");
	put("elsewhere/y.callgrind");
	REQUIRE_INT(symlink(".", in_root("top/self")), 0);
	REQUIRE_INT(symlink("..", in_root("top/a/up")), 0);
	REQUIRE_INT(symlink("../elsewhere", in_root("top/near")), 0);
	REQUIRE_INT(symlink("/tmp", in_root("top/out")), 0);
	lists(false, " a/x");
	end();
}

/* A tree that somebody made deep is walked only as deep as a label can be. */
static void test_depth(void)
{
	enum { PARTS = 250 };
	char path[2 * PARTS + 40] = "top";

	begin();
	for (int i = 0; i < PARTS; i++) {
		strcat(path, "/d");
		REQUIRE_INT(mkdir(in_root(path), 0777), 0);
	}
	put("top/d/d/d/x.callgrind");
	lists(false, " d/d/d/x");
	end();
}

static void test_longest(void)
{
	char label[LABEL_MAX + 1], name[LABEL_MAX + 40];

	begin();
	memset(label, 'x', LABEL_MAX);
	label[LABEL_MAX] = '\0';
	memcpy(label + LABEL_MAX - 4, "/y", 2);
	label[LABEL_MAX - 2] = '\0'; /* a slash counts three */
	snprintf(name, sizeof name, "top/%s.callgrind", label);
	put(name);
	char expected[LABEL_MAX + 8];
	snprintf(expected, sizeof expected, " %s", label);
	lists(false, expected);
	end();
}

static void test_check(void)
{
	struct cg_error err = { 0 };

	begin();
	put("top/file");
	CHECK_INT(label_tree_check(root, in_root("top/a/b/x.callgrind"), NULL), CG_OK);
	CHECK_INT(label_tree_check(root, in_root("nothing/x.callgrind"), NULL), CG_OK);
	CHECK_INT(label_tree_check(root, in_root("top/file/a/x.callgrind"), &err), CG_EINVAL);
	CHECK_STR(err.file, in_root("top/file"));
	CHECK(strstr(err.message, "not a directory") != NULL);
	REQUIRE_INT(symlink("/tmp", in_root("top/out")), 0);
	CHECK_INT(label_tree_check(root, in_root("top/out/x.callgrind"), &err), CG_EINVAL);
	CHECK(strstr(err.message, "symbolic link") != NULL);
	CHECK_INT(label_tree_make(root, in_root("top/out/a/x.callgrind"), &err), CG_EINVAL);
	end();
}

static void test_prune(void)
{
	begin();
	put("top/a/b/c/x.callgrind");
	put("top/a/y.callgrind");
	label_tree_prune(root, in_root("top"), in_root("top/a/b/c/x.callgrind"));
	CHECK(access(in_root("top/a/b/c/x.callgrind"), F_OK) == 0);
	unlink(in_root("top/a/b/c/x.callgrind"));
	label_tree_prune(root, in_root("top"), in_root("top/a/b/c/x.callgrind"));
	CHECK(access(in_root("top/a/b"), F_OK) != 0);
	CHECK(access(in_root("top/a/y.callgrind"), F_OK) == 0);
	unlink(in_root("top/a/y.callgrind"));
	label_tree_prune(root, in_root("top"), in_root("top/a/y.callgrind"));
	CHECK(access(in_root("top/a"), F_OK) != 0);
	CHECK(access(in_root("top"), F_OK) == 0); /* stays, though it is empty */

	/* What a link leads to stays. */
	put("other/x");
	unlink(in_root("other/x"));
	REQUIRE_INT(symlink("../other", in_root("top/link")), 0);
	label_tree_prune(root, in_root("top"), in_root("top/link/x.callgrind"));
	CHECK(access(in_root("other"), F_OK) == 0);
	end();
}

TEST_MAIN("label_tree", { "files", test_files }, { "what is no label's", test_strangers },
	  { "links", test_links }, { "depth", test_depth }, { "the longest label", test_longest },
	  { "places of files", test_check }, { "empty directories", test_prune })
