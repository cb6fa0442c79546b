#include "tests/unit/harness.h"

#include "src/diff/place.h"
#include "tests/unit/profiles.h"

static struct cg_profile *lines_of(const char *text)
{
	struct cg_read_options options = { .detail = { .lines = true } };
	return profile_with(text, strlen(text), &options);
}

/* Where f's own code grew most: lines are "LINE COST" pairs. */
static void check(const char *base_lines, const char *head_lines, uint32_t line)
{
	char base[400], head[400];
	struct place_function f = { .name = "f", .object = "app", .file = "f.c" };
	struct place place;

	snprintf(base, sizeof base, "events: Ir\nob=/bin/app\nfl=f.c\nfn=f\n%s", base_lines);
	snprintf(head, sizeof head, "events: Ir\nob=/bin/app\nfl=f.c\nfn=f.part.0\n%s", head_lines);
	struct cg_profile *b = lines_of(base), *h = lines_of(head);
	const struct place_sides sides = { .base = b, .head = h, .metric = "Ir" };
	CHECK_INT(place_of_code(&sides, &f, &f, &place), CG_OK);
	CHECK_U64(place.line, line);
	CHECK_STR(place.file, "f.c");
	cg_profile_free(b);
	cg_profile_free(h);
}

static void test_code(void)
{
	check("10 5\n11 100\n12 5\n", "10 5\n11 120\n12 5\n", 11);
	/* All of it moved down by 20 lines. */
	check("10 5\n11 100\n12 5\n", "30 5\n31 100\n32 8\n", 32);
	/* One line was inserted in the middle. */
	check("10 5\n11 100\n12 90\n13 5\n", "10 5\n11 100\n12 30\n13 90\n14 5\n", 12);
	/* Nothing grew: where it begins. */
	check("10 5\n11 100\n", "20 5\n21 100\n", 20);
	check("", "20 5\n21 100\n", 21);
}

/* Lines of other files do not count: they have other numbers. */
static void test_other_files(void)
{
	check("10 5\n", "10 6\nfi=f.h\n900 700\nfe=f.c\n12 3\n", 12);
}

/* Where f's self cost fell most. */
static void check_either_way(const char *base_lines, const char *head_lines, uint32_t line,
			     bool in_base, const struct place_match *match, bool either)
{
	char base[400], head[400];
	struct place_function f = { .name = "f", .object = "app", .file = "f.c" };
	struct place place;

	snprintf(base, sizeof base, "events: Ir\nob=/bin/app\nfl=f.c\nfn=f\n%s", base_lines);
	snprintf(head, sizeof head, "events: Ir\nob=/bin/app\nfl=f.c\nfn=f\n%s", head_lines);
	struct cg_profile *b = lines_of(base), *h = lines_of(head);
	const struct place_sides sides = { .base = b,
					   .head = h,
					   .metric = "Ir",
					   .match = match,
					   .shrank = true,
					   .either = either };
	CHECK_INT(place_of_code(&sides, &f, &f, &place), CG_OK);
	CHECK_U64(place.line, line);
	CHECK_INT(place.in_base, in_base);
	cg_profile_free(b);
	cg_profile_free(h);
}

static void check_fall(const char *base_lines, const char *head_lines, uint32_t line, bool in_base,
		       const struct place_match *match)
{
	check_either_way(base_lines, head_lines, line, in_base, match, false);
}

static void check_either(const char *base_lines, const char *head_lines, uint32_t line,
			 const struct place_match *match)
{
	check_either_way(base_lines, head_lines, line, false, match, true);
}

static void test_fall(void)
{
	/* The same line, 20 lines further down. */
	check_fall("10 5\n11 100\n12 5\n", "30 5\n31 60\n32 5\n", 31, false, NULL);
	/* A line that is gone. */
	static const uint32_t head_of[] = { 0, 0, 2, 0, 3 }, base_of[] = { 0, 0, 2, 4 };
	const struct place_match match = { base_of, 4, head_of, 5 };
	check_fall("2 5\n3 100\n4 9\n", "2 5\n3 7\n", 3, true, &match);
	check_fall("2 5\n3 1\n4 9\n", "2 5\n3 7\n", 3, false, &match);
}

/* The sum of a function and its calls may fall while its own lines grow. */
static void test_other_direction(void)
{
	static const uint32_t of[] = { 0, 1, 2, 3, 4, 5, 6 };
	const struct place_match match = { of, 7, of, 7 };

	check_fall("2 5\n3 100\n4 9\n", "2 5\n3 100\n4 90\n", 4, false, NULL);
	check_fall("2 5\n3 100\n4 9\n", "2 5\n3 100\n4 9\n6 70\n", 6, false, &match);
	/* A line that fell counts before one that grew, unless both directions do. */
	check_fall("2 5\n3 100\n4 9\n", "2 5\n3 99\n4 90\n", 3, false, &match);
	check_either("2 5\n3 100\n4 9\n", "2 5\n3 99\n4 90\n", 4, &match);
	check_either("2 5\n3 100\n4 9\n", "2 5\n3 10\n4 19\n", 3, &match);
}

static const char three_calls[] = "events: Ir\nob=/bin/app\nfl=a.c\nfn=a\n3 1\n"
				  "cfn=b\ncalls=1 20\n4 10\n"
				  "cfn=b\ncalls=7 20\n6 70\n"
				  "cfn=b\ncalls=7 20\n5 70\n"
				  "cfn=c\ncalls=1 30\n9 500\n"
				  "fn=b\n20 150\nfn=c\n30 500\n";

/* `to` is called; NULL: that side has no profile. */
static struct place place_between(const struct cg_profile *base, const struct cg_profile *head,
				  const char *metric, const char *from, const char *to)
{
	const struct place_sides sides = { .base = base, .head = head, .metric = metric };
	const struct place_function a = { .name = from, .object = "app", .file = "a.c" };
	const struct place_function b = { .name = to, .object = "???" };
	const struct place_call call = {
		.base_caller = a, .base_callee = b, .caller = a, .callee = b
	};
	struct place place;

	CHECK_INT(place_of_call(&sides, &call, &place), CG_OK);
	return place;
}

static void test_calls(void)
{
	struct cg_profile *p = lines_of(three_calls);
	struct place place = place_between(NULL, p, "Ir", "a", "b");

	CHECK_U64(place.line, 5);
	CHECK_STR(place.file, "a.c");
	CHECK(!place_between(NULL, p, "Ir", "b", "a").file);
	CHECK(!place_between(NULL, p, "Ir", "a", "d").file);
	CHECK(!place_between(NULL, p, "Dr", "a", "b").file);
	cg_profile_free(p);
}

/* Of several calls the one that is made more often, though another one costs more. */
static void test_changed_call(void)
{
	struct cg_profile *base = lines_of(three_calls);
	struct cg_profile *head = lines_of("events: Ir\nob=/bin/app\nfl=a.c\nfn=a\n3 1\n"
					   "cfn=b\ncalls=5 20\n4 50\n"
					   "cfn=b\ncalls=7 20\n6 700\n"
					   "cfn=b\ncalls=7 20\n5 70\n"
					   "fn=b\n20 820\n");
	CHECK_U64(place_between(base, head, "Ir", "a", "b").line, 4);
	/* What is no longer called, was called in base. */
	struct place gone = place_between(base, head, "Ir", "a", "c");
	CHECK_U64(gone.line, 9);
	CHECK(gone.in_base);
	cg_profile_free(base);
	cg_profile_free(head);
}

static void test_unknown(void)
{
	struct cg_profile *p = lines_of("events: Ir\nfl=a.c\nfn=a\n0 5\n");
	struct place_function a = { .name = "a" }, other = { .name = "b" };
	struct place place;

	struct place_sides sides = { .head = p, .metric = "Ir" };

	CHECK_INT(place_of_code(&sides, &a, &a, &place), CG_OK);
	CHECK(!place.file);
	CHECK_INT(place_of_code(&sides, &other, &other, &place), CG_OK);
	CHECK(!place.file);
	sides.metric = "Dr";
	CHECK_INT(place_of_code(&sides, &a, &a, &place), CG_OK);
	CHECK(!place.file);
	cg_profile_free(p);
}

TEST_MAIN("place", { "self", test_code }, { "other files", test_other_files },
	  { "calls", test_calls }, { "a call that changed", test_changed_call },
	  { "cost that fell", test_fall }, { "other direction", test_other_direction },
	  { "unknown", test_unknown })
