#include "src/commits/same_build.h"

#include <stdlib.h>

#include "tests/unit/harness.h"

#define TREE "0123456789012345678901234567890123456789"
#define OTHER_TREE "abcdefabcdefabcdefabcdefabcdefabcdefabcd"
#define KEY "key: 5\ncommit: 1\nfiles: " TREE " \\n\nproject: \n"

static void check_tree(const char *of, const char *key, const char *expected)
{
	struct cg_error err;
	char *tree;

	REQUIRE_INT(same_build_tree(of, key, &tree, &err), CG_OK);
	CHECK_STR(tree, expected);
	free(tree);
}

static void test_tree(void)
{
	check_tree(KEY, KEY, TREE);
	check_tree(KEY, "files: " OTHER_TREE " \\n\n", TREE);
	check_tree("files: " OTHER_TREE " \\n\n", KEY, OTHER_TREE);
	check_tree(KEY, "key: 5\n", NULL);
	check_tree("key: 5\n", KEY, NULL);
	check_tree("", "", NULL);
}

static void test_submodules(void)
{
	check_tree("files: " TREE " \\n1 sub\\n\n", "files: " OTHER_TREE " \\n1 sub\\n\n", TREE);
	check_tree("files: " TREE " \\n1 sub\\n\n", "files: " OTHER_TREE " \\n2 sub\\n\n", NULL);
	check_tree(KEY, "files: " OTHER_TREE " \\n2 sub\\n\n", NULL);
}

static void test_copied(void)
{
	check_tree(KEY "copied: a\n", KEY "copied: a\n", TREE);
	check_tree(KEY "copied: a\n", KEY "copied: b\n", NULL);
	check_tree(KEY "copied: a\n", KEY, NULL);
	check_tree(KEY, KEY "copied: a\n", NULL);
}

/* It becomes an argument of git. */
static void test_hostile(void)
{
	check_tree("files: --output=x \\n\n", KEY, NULL);
	check_tree("files:  \\n\n", KEY, NULL);
	check_tree("files: HEAD \\n\n", KEY, NULL);
	check_tree("files: " TREE, KEY, NULL);
	check_tree("xfiles: " TREE " \\n\n", KEY, NULL);
}

int main(void)
{
	static const struct test tests[] = {
		{ "the tree of an entry", test_tree },
		{ "submodules are the same", test_submodules },
		{ "what is copied is the same", test_copied },
		{ "keys that were made up", test_hostile },
	};
	return test_main("what need not be built", tests, sizeof tests / sizeof *tests);
}
