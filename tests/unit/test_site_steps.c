/* Which steps of a series have reports on the site. */
#include "tests/unit/harness.h"

#include "src/site/site_steps.h"

enum { MOST_POINTS = 16 };

/* The indices of the chosen ones, as "2 5 ". */
static const char *chosen_of(const int64_t *counts, size_t n, uint64_t most)
{
	static char text[8 * MOST_POINTS];
	static const struct step_limits limits = { .threshold_ppb = SERIES_THRESHOLD_PPB,
						   .min_delta = 1 };
	struct series_point points[MOST_POINTS] = { 0 };
	const struct series s = { .points = points, .count = n };
	bool chosen[MOST_POINTS];
	struct cg_error err;

	memset(chosen, true, sizeof chosen);
	for (size_t i = 0; i < n; i++)
		points[i].count = counts[i];
	series_find_steps(points, n, &limits);
	CHECK(!site_choose_steps(&s, most, chosen, &err));
	text[0] = '\0';
	for (size_t i = 0; i < n; i++)
		if (chosen[i])
			snprintf(text + strlen(text), sizeof text - strlen(text), "%zu ", i);
	return text;
}

#define CHOSEN(most, ...) \
	chosen_of((const int64_t[]){ __VA_ARGS__ }, \
		  sizeof((const int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t), most)

/* The largest is that of index 1, the second largest that of 2. */
#define HISTORY 1000, 2000, 1100, 1100, 1111, 1122, 1133, 1144

static void test_chosen(void)
{
	CHECK_STR(CHOSEN(0, HISTORY), "");
	CHECK_STR(CHOSEN(1, HISTORY), "7 ");
	CHECK_STR(CHOSEN(2, HISTORY), "1 7 ");
	CHECK_STR(CHOSEN(3, HISTORY), "1 6 7 ");
	CHECK_STR(CHOSEN(4, HISTORY), "1 2 6 7 ");
	CHECK_STR(CHOSEN(6, HISTORY), "1 2 4 5 6 7 ");
	CHECK_STR(CHOSEN(UINT64_MAX, HISTORY), "1 2 4 5 6 7 ");
	CHECK_STR(CHOSEN(4, 5), "");
}

static void test_both(void)
{
	/* The newest is the largest, too: there is room for more. */
	CHECK_STR(CHOSEN(2, 100, 101, 102, 110), "1 3 ");
	CHECK_STR(CHOSEN(3, 100, 101, 102, 103, 110), "1 3 4 ");
	CHECK_STR(CHOSEN(2, 100, 150, 149, 400), "1 3 ");
}

static void test_sizes(void)
{
	/* By share, in both directions; from 0 more than any. */
	CHECK_STR(CHOSEN(2, 1000000, 1200000, 100, 101), "2 3 ");
	CHECK_STR(CHOSEN(2, 0, 1, 100000, 100500), "1 3 ");
	/* The same share: the larger change, then the newer one. */
	CHECK_STR(CHOSEN(2, 200, 300, 100, 150, 151), "2 4 ");
	CHECK_STR(CHOSEN(2, 10, 20, 10, 20, 10, 11), "3 5 ");
	/* Without overflow. */
	CHECK_STR(CHOSEN(2, INT64_MIN, INT64_MAX, 1000000, 1100000), "1 3 ");
}

/* A new step takes the place of one that is neither new nor large any more. */
static void test_new_step(void)
{
	CHECK_STR(CHOSEN(4, 1000, 2000, 2100, 2150, 2200), "1 2 3 4 ");
	CHECK_STR(CHOSEN(4, 1000, 2000, 2100, 2150, 2200, 2210), "1 2 4 5 ");
	CHECK_STR(CHOSEN(4, 1000, 2000, 2100, 2150, 2200, 2210, 3000), "1 2 5 6 ");
}

TEST_MAIN("steps with reports", { "the newest and the largest", test_chosen },
	  { "those that are both", test_both }, { "what is larger", test_sizes },
	  { "a new step", test_new_step })
