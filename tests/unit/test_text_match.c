#include "tests/unit/harness.h"

#include "src/report/match_words.h"
#include "src/text/text.h"

static const struct tree_absorption absorbed[] = { { "scan", "", "", false },
						   { "skip", "", "", true } };
static const struct tree_diff tree = { .absorbed = (struct tree_absorption *)absorbed };
static const struct tree_row row = { .name = "draw_everything",
				     .base_name = "paint",
				     .match = DIFF_RENAMED,
				     .nabsorbed = 2,
				     .base = { .present = true },
				     .head = { .present = true } };

static void check(const struct path_label *label, unsigned width, const char *expected)
{
	char *text = text_path_name(&tree, &row, label, width);
	CHECK_STR(text, expected);
	if (text && width >= 24)
		CHECK(text_width(text) <= width);
	free(text);
}

/* Notes are left out from the last on, before anything is cut. */
static void test_notes(void)
{
	const struct path_label label = { "  ", NULL, true };
	const char all[] = "  draw_everything (was paint, includes scan of base and 1 more) ~";
	check(&label, 0, all);
	check(&label, sizeof all - 1, all);
	check(&label, sizeof all - 2, "  draw_everything (was paint) ~");
	/* What it was called stays where names are cut, as long as there is room for both. */
	check(&label, 30, "  draw_e…rything (was paint) ~");
	check(&label, 27, "  draw_…thing (was paint) ~");
	check(&label, 26, "  draw_everything ~");
	check(&label, 18, "  draw_e…rything ~");
	/* Less is of no use to anyone. */
	check(&label, 1, "  dra…hing ~");
}

/* Each name has at least its share. */
static void test_callers(void)
{
	const struct tree_row start = { .name = "main" };
	const struct tree_row push = { .name = "std::vector<int>::push_back(int const&)" };
	const struct tree_row moved = { .name = "run_all",
					.base_name = "run",
					.match = DIFF_RENAMED };
	const struct path_label near = { "", &start, false };
	const struct path_label far = { "", &push, false };
	const struct path_label renamed = { "", &moved, false };
	check(&renamed, 60, "run_all (was run) → draw_everything (was paint)");
	check(&renamed, 50, "run_all (was run) → draw_everything (was paint)");
	check(&renamed, 49, "run_all (was run) → draw_everything (was paint)");
	check(&renamed, 24, "run_all → draw_e…rything");
	check(&near, 22, "main → draw_everything");
	check(&near, 20, "main → draw_e…ything");
	check(&far, 30, "…push_back(…) → draw_e…rything");
	check(&far, 40, "push_back(…) → draw_e…ything (was paint)");
	check(&far, 24, "push…ck(…) → draw_…thing");
}

/* What a name holds is shown safely, and cut where it can be seen. */
static void test_hostile(void)
{
	const struct tree_row hostile = { .name = "a\033[2Jb" };
	const struct path_label label = { "", &hostile, false };
	check(&label, 40, "a\\x1b[2Jb → draw_everything (was paint)");
	check(&label, 24, "a\\x1b[2Jb → draw_…ything");
}

TEST_MAIN("text_match", { "notes", test_notes }, { "callers", test_callers },
	  { "hostile", test_hostile })
