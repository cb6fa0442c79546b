#include "tests/unit/harness.h"

#include "src/git/objects.h"
#include "src/share/content.h"
#include "src/share/names.h"

#define COMMIT "1a2b3c4d5e1a2b3c4d5e1a2b3c4d5e1a2b3c4d5e"

static void test_entries(void)
{
	static const char *const good[] = {
		"20260131T235959Z-parse@1a2b3c4d5e-0123456789ab",
		"19700101T000000Z-git~1:x@1a2b3c4d5e-0123456789ab",
		"20240229T000000Z-a@b-c@1a2b3c4d5e-0123456789ab",
	};
	static const char *const bad[] = {
		"",
		"-",
		"20260131T235959Z",
		"20260131T235959Z-",
		"parse@1a2b3c4d5e-0123456789ab",
		"20260131T235959Z-parse@1a2b3c4d5e+-0123456789ab",
		"20260131T235959Z-parse@1a2b3c4d5-0123456789ab",
		"20260131T235959Z-parse@1A2b3c4d5e-0123456789ab",
		"20260131T235959Z-parse@1a2b3c4d5e-0123456789ag",
		"20260131T235959Z-parse@1a2b3c4d5e-0123456789abc",
		"20260131T235959Z-@1a2b3c4d5e-0123456789ab",
		"20260131T235959Z-.git@1a2b3c4d5e-0123456789ab",
		"20260131T235959Z-../x@1a2b3c4d5e-0123456789ab",
		"20260131T235959Z-a/b@1a2b3c4d5e-0123456789ab",
		"20260131T235959Z-a\nb@1a2b3c4d5e-0123456789ab",
		"20260131T235959Z-\xff@1a2b3c4d5e-0123456789ab",
		"20260230T235959Z-parse@1a2b3c4d5e-0123456789ab",
		"20260131T235960Z-parse@1a2b3c4d5e-0123456789ab",
		"2026013 T235959Z-parse@1a2b3c4d5e-0123456789ab",
		"19691231T235959Z-parse@1a2b3c4d5e-0123456789ab",
	};
	const char *name = NULL;
	int64_t measured = 0;

	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		REQUIRE(share_entry_parse(good[i], &measured, &name));
		CHECK(name == good[i] + 17);
		char *again = share_entry_path(measured, name);
		CHECK_STR(again, good[i]);
		free(again);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		test_report(!share_entry_parse(bad[i], &measured, &name), false, __FILE__, __LINE__,
			    "%s is taken", bad[i]);
}

static void test_rows(void)
{
	struct history_run run = { .benchmark = (char *)"parse",
				   .commit = (char *)COMMIT,
				   .definition = (char *)"0123456789abcdef" };
	char *path = share_row_path(&run);

	CHECK_STR(path, "1a/" COMMIT "-cbf29ce484222325-0123456789abcdef-parse.json");
	free(path);
	CHECK(share_is_fan("1a"));
	CHECK(!share_is_fan("1"));
	CHECK(!share_is_fan("1a2"));
	CHECK(!share_is_fan("1A"));
	CHECK(!share_is_fan(".."));
}

static void test_winner(void)
{
	struct shared_row early = { .text = (char *)"b", .run.measured = 1 };
	struct shared_row late = { .text = (char *)"a", .run.measured = 2 };
	struct shared_row same = { .text = (char *)"b", .run.measured = 2 };

	CHECK(shared_row_wins(&late, &early));
	CHECK(!shared_row_wins(&early, &late));
	CHECK(shared_row_wins(&same, &late));
	CHECK(!shared_row_wins(&late, &same));
	CHECK(!shared_row_wins(&same, &same));
}

/* What stands between two ids, and where it is cut off. */
static void test_trees(void)
{
	static const char content[] = "40000 a\0AAAAAAAAAAAAAAAAAAAA100644 b\0BBBBBBBBBBBBBBBBBBBB";
	struct git_object tree = { .id = COMMIT, .size = sizeof content - 1, .content = content };
	struct git_tree_item item;
	const char *at = content;

	REQUIRE(git_tree_next(&tree, &at, &item));
	CHECK_INT(item.mode, GIT_MODE_TREE);
	CHECK_STR(item.name, "a");
	CHECK_STR(item.id, "4141414141414141414141414141414141414141");
	REQUIRE(git_tree_next(&tree, &at, &item));
	CHECK_INT(item.mode, GIT_MODE_FILE);
	CHECK_STR(item.name, "b");
	CHECK(!git_tree_next(&tree, &at, &item));
	CHECK(at == content + tree.size);

	for (size_t size = 1; size < sizeof content - 1; size++) {
		char *cut = malloc(size);
		REQUIRE(cut != NULL);
		memcpy(cut, content, size);
		tree.content = at = cut;
		tree.size = size;
		while (git_tree_next(&tree, &at, &item))
			;
		CHECK_INT(at == cut + size, size == 28);
		free(cut);
	}
	static const char *const odd[] = { " a", "8 a", "1000000000 a", "40000", "40000 " };
	for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
		tree.content = at = odd[i];
		tree.size = strlen(odd[i]) + 1;
		CHECK(!git_tree_next(&tree, &at, &item));
	}
}

TEST_MAIN("share", { "names of entries", test_entries }, { "names of rows", test_rows },
	  { "the row that stays", test_winner }, { "trees", test_trees })
