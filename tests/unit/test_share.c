#include "tests/unit/harness.h"

#include "src/git/objects.h"
#include "src/share/join.h"
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
	char *key = share_row_key(&run), name[SHARE_ROWS_NAME], commit[SHARE_ROWS_NAME];

	CHECK_STR(key, "cbf29ce484222325-0123456789abcdef-parse");
	free(key);
	share_rows_name(COMMIT, name);
	CHECK_STR(name, COMMIT ".jsonl");
	CHECK_STR(share_commit_of(name, commit), COMMIT);
	CHECK(share_commit_of(COMMIT, commit) == NULL);
	CHECK(share_commit_of(COMMIT ".json", commit) == NULL);
	CHECK(share_commit_of(COMMIT "0.jsonl", commit) == NULL);
	CHECK(share_commit_of("1A" COMMIT ".jsonl", commit) == NULL);
	CHECK(share_commit_of("../" COMMIT ".jsonl", commit) == NULL);
	CHECK(share_is_fan("1a"));
	CHECK(!share_is_fan("1"));
	CHECK(!share_is_fan("1a2"));
	CHECK(!share_is_fan("1A"));
	CHECK(!share_is_fan(".."));
	CHECK_U64(history_fan_of(COMMIT), 0x1a);
	history_fan_name(0x0f, name);
	CHECK_STR(name, "0f");
}

static void test_winner(void)
{
	struct shared_row early = { .text = (char *)"b", .measured = 1 };
	struct shared_row late = { .text = (char *)"a", .measured = 2 };
	struct shared_row same = { .text = (char *)"b", .measured = 2 };

	CHECK(shared_row_wins(&late, &early));
	CHECK(!shared_row_wins(&early, &late));
	CHECK(shared_row_wins(&same, &late));
	CHECK(!shared_row_wins(&late, &same));
	CHECK(!shared_row_wins(&same, &same));
}

/* "KEY TEXT MEASURED" of each row. */
static struct shared_row row(const char *key, const char *text, int64_t measured)
{
	return (struct shared_row){ (char *)key, (char *)text, measured };
}

static void test_join(void)
{
	struct shared_row ours[] = { row("a", "same", 1), row("b", "newer", 2),
				     row("c", "older", 1) };
	struct shared_row theirs[] = { row("a", "same", 1), row("b", "older", 1),
				       row("c", "newer", 2), row("d", "theirs", 1) };
	struct shared_row equal[] = { row("a", "same", 1) };
	struct shared_commit here[] = { { .id = "1", .rows = ours, .nrows = 3 },
					{ .id = "2", .rows = equal, .nrows = 1 },
					{ .id = "4", .rows = equal, .nrows = 1 } };
	struct shared_commit there[] = { { .id = "1", .blob = "x", .rows = theirs, .nrows = 4 },
					 { .id = "2", .blob = "y", .rows = equal, .nrows = 1 },
					 { .id = "3", .blob = "z", .rows = theirs, .nrows = 2 } };
	const struct shared_fan a = { .commits = here, .ncommits = 3 };
	const struct shared_fan b = { .commits = there, .ncommits = 3 };
	struct joined_fan joined;

	REQUIRE_INT(share_join(&a, &b, &joined, NULL), CG_OK);
	REQUIRE_U64(joined.ncommits, 4);
	CHECK_U64(joined.nrows, 4 + 1 + 2 + 1);
	CHECK_U64(joined.from_here, 1 + 0 + 0 + 1);
	CHECK_U64(joined.from_there, 2 + 0 + 2 + 0);
	const struct joined_row *rows = joined.commits[0].rows;
	CHECK(!rows[0].is_theirs && !rows[1].is_theirs && rows[2].is_theirs && rows[3].is_theirs);
	CHECK_STR(rows[1].row->text, "newer");
	CHECK_STR(rows[2].row->text, "newer");
	static const char *const blobs[] = { "", "y", "z", "" };
	for (size_t i = 0; i < 4; i++) {
		CHECK_STR(joined.commits[i].blob, blobs[i]);
		CHECK_INT(joined.commits[i].id[0], '1' + (int)i);
	}
	joined_fan_free(&joined);
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
	  { "the row that stays", test_winner }, { "rows of two machines", test_join },
	  { "trees", test_trees })
