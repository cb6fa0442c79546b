#include "src/history/series.h"
#include "tests/unit/harness.h"

static const struct step_limits usual = { .threshold_ppb = SERIES_THRESHOLD_PPB, .min_delta = 100 };

static void test_classes(void)
{
	CHECK_INT(series_classify(1000000, 1000000, &usual), STEP_NONE);
	CHECK_INT(series_classify(1000000, 1000499, &usual), STEP_NONE);
	CHECK_INT(series_classify(1000000, 1000500, &usual), STEP_REGRESSED); /* 0.05 %, exactly */
	CHECK_INT(series_classify(1000000, 999500, &usual), STEP_IMPROVED);
	CHECK_INT(series_classify(1000, 1099, &usual), STEP_NONE); /* 10 %, but few */
	CHECK_INT(series_classify(1000, 1100, &usual), STEP_REGRESSED);
	CHECK_INT(series_classify(0, 100, &usual), STEP_REGRESSED);
	CHECK_INT(series_classify(-1000000, -1000500, &usual), STEP_IMPROVED);
}

/* Where a double would not tell them apart. */
static void test_exact(void)
{
	const struct step_limits one = { .threshold_ppb = 0, .min_delta = 1 };
	const struct step_limits all = { .threshold_ppb = 1000000000, .min_delta = 0 };

	CHECK_INT(series_classify(INT64_MAX - 1, INT64_MAX, &one), STEP_REGRESSED);
	CHECK_INT(series_classify(INT64_MIN, INT64_MAX, &all), STEP_REGRESSED);
	CHECK_INT(series_classify(INT64_C(1) << 60, INT64_C(1) << 61, &all), STEP_REGRESSED);
	CHECK_INT(series_classify(INT64_C(1) << 60, (INT64_C(1) << 61) - 1, &all), STEP_NONE);
	CHECK_INT(series_classify(7, 7, &(struct step_limits){ 0 }), STEP_NONE);
	CHECK_INT(series_classify(7, 8, &(struct step_limits){ 0 }), STEP_REGRESSED);
	CHECK_INT(series_classify(7, 6, &(struct step_limits){ 0 }), STEP_IMPROVED);
}

static void test_series(void)
{
	struct series_point p[] = {
		{ .count = 10000 },
		{ .count = 10050 },
		{ .count = 90000, .place = PLACE_OTHER },
		{ .count = 20000, .place = PLACE_BRANCH },
		{ .count = 30000, .place = PLACE_MERGED },
		{ .count = 15000 },
	};

	/* What was found before is forgotten. */
	for (size_t i = 0; i < 6; i++) {
		p[i].previous = &p[5];
		p[i].step = STEP_REGRESSED;
	}
	series_find_steps(p, 6, &usual);
	CHECK(p[0].previous == NULL);
	CHECK_INT(p[0].step, STEP_NONE);
	CHECK(p[1].previous == &p[0]);
	CHECK_INT(p[1].step, STEP_NONE);
	CHECK(p[2].previous == NULL); /* other branches are compared with nothing */
	CHECK_INT(p[2].step, STEP_NONE);
	CHECK(p[3].previous == &p[1]);
	CHECK_INT(p[3].step, STEP_REGRESSED);
	CHECK_INT(p[4].step, STEP_NONE);
	CHECK(p[5].previous == &p[3]);
	CHECK_INT(p[5].step, STEP_IMPROVED);
	series_find_steps(p, 0, &usual);
	CHECK_STR(series_step_name(p[5].step), "improved");
	CHECK_STR(series_place_name(p[2].place), "other branch");
}

/* The larger of an amount and of a share, which itself is no step. */
static void test_tolerance(void)
{
	struct step_limits varies = usual;

	varies.tolerance = 2000;
	CHECK_INT(series_classify(1000000, 1002000, &varies), STEP_NONE);
	CHECK_INT(series_classify(1000000, 1002001, &varies), STEP_REGRESSED);
	varies.tolerance_ppb = 5000000; /* 0.5 % */
	CHECK_INT(series_classify(1000000, 995000, &varies), STEP_NONE);
	CHECK_INT(series_classify(1000000, 994999, &varies), STEP_IMPROVED);
	CHECK_INT(series_classify(100000, 102000, &varies), STEP_NONE);
}

/* `ups` commits that cost more than the one before, `downs` that cost less, and `same`. */
static bool varies(size_t ups, size_t downs, size_t same)
{
	struct series_point p[201] = { 0 };
	size_t n = 1;

	p[0].count = 1000000;
	for (; n <= ups + downs + same; n++)
		p[n].count = p[n - 1].count + (n <= ups ? 1000 : n <= ups + downs ? -1000 : 0);
	series_find_steps(p, n, &usual);
	return series_varies(&(struct series){ .points = p, .count = n });
}

static void test_varies(void)
{
	CHECK(varies(5, 5, 10));
	CHECK(!varies(5, 5, 9));  /* too few to tell */
	CHECK(!varies(5, 5, 11)); /* most are the same */
	CHECK(varies(15, 5, 0));
	CHECK(!varies(16, 4, 0)); /* a project that grows */
	CHECK(!varies(50, 50, 100));
}

static bool is_level(const struct series_point *points, size_t count, size_t hidden)
{
	struct series s = { .points = (struct series_point *)points,
			    .count = count,
			    .hidden = hidden };
	return series_is_level(&s, &usual);
}

/* Between the least and the most of what is shown there is no step, wherever they stand. */
static void test_level(void)
{
	const struct series_point p[] = {
		{ .count = 20000 },
		{ .count = 10050 },
		{ .count = 90000, .place = PLACE_OTHER },
		{ .count = 10000 },
		{ .count = 1, .place = PLACE_MERGED },
		{ .count = 10099 },
		{ .count = 10100 },
		{ .count = 10060 },
	};

	CHECK(is_level(p, 0, 0));
	CHECK(is_level(p, 1, 0));
	CHECK(!is_level(p, 2, 0));
	CHECK(is_level(p, 2, 1));  /* what is hidden does not count */
	CHECK(is_level(p, 6, 1));  /* nor what is on other branches */
	CHECK(!is_level(p, 7, 1)); /* 100 in steps of 50, 99 and 1 */
	CHECK(!is_level(p, 8, 1));
	CHECK(is_level(p, 8, 5));
	CHECK(is_level(p, 3, 2));
}

static void test_names(void)
{
	CHECK_STR(series_step_name(STEP_NONE), "");
	CHECK_STR(series_step_name(STEP_REGRESSED), "regressed");
	CHECK_STR(series_place_name(PLACE_BRANCH), "");
	CHECK_STR(series_place_name(PLACE_MERGED), "merged");
}

TEST_MAIN("steps", { "what differs enough is a step", test_classes },
	  { "large counts are compared exactly", test_exact },
	  { "what is within the tolerance is none", test_tolerance },
	  { "what goes up and down varies", test_varies },
	  { "a level series has none", test_level }, { "names", test_names },
	  { "commits of the branch are compared with each other", test_series })
