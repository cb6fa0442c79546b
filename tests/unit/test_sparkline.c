#include "src/text/sparkline.h"
#include "tests/unit/harness.h"

static void draws(const int64_t *numbers, size_t count, unsigned width, bool ascii,
		  const char *expected)
{
	char *line = text_sparkline(numbers, count, width, ascii);
	CHECK_STR(line, expected);
	free(line);
}

static void test_levels(void)
{
	const int64_t steps[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	draws(steps, 8, 0, false, "▁▂▃▄▅▆▇█");
	draws(steps, 8, 0, true, "_.:-=+*#");
	draws(steps, 8, 100, true, "_.:-=+*#");
}

static void test_flat(void)
{
	const int64_t same[] = { 5, 5, 5 };
	draws(same, 3, 0, false, "▄▄▄");
	draws(same, 1, 0, true, "-");
	draws(same, 0, 10, true, "");
}

static void test_width(void)
{
	const int64_t peak[] = { 1, 1, 1, 9, 1, 1, 1, 1 };
	draws(peak, 8, 4, true, "_#__");
	draws(peak, 8, 1, true, "#");
	draws(peak, 7, 3, true, "_#_");
}

static void test_range(void)
{
	const int64_t ends[] = { INT64_MIN, 0, INT64_MAX };
	draws(ends, 3, 0, true, "_=#");
}

TEST_MAIN("sparkline", { "bars say how high", test_levels },
	  { "what does not change is flat", test_flat },
	  { "no peak is lost where bars are few", test_width },
	  { "the largest numbers there are", test_range })
