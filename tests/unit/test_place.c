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
	struct place_function f = { "f", "app", "f.c" };
	struct place place;

	snprintf(base, sizeof base, "events: Ir\nob=/bin/app\nfl=f.c\nfn=f\n%s", base_lines);
	snprintf(head, sizeof head, "events: Ir\nob=/bin/app\nfl=f.c\nfn=f.part.0\n%s", head_lines);
	struct cg_profile *b = lines_of(base), *h = lines_of(head);
	CHECK_INT(place_of_code(b, h, "Ir", &f, &place), CG_OK);
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

static void test_calls(void)
{
	struct cg_profile *p = lines_of("events: Ir\nob=/bin/app\nfl=a.c\nfn=a\n3 1\n"
					"cfn=b\ncalls=1 20\n4 10\n"
					"cfn=b\ncalls=7 20\n6 70\n"
					"cfn=b\ncalls=7 20\n5 70\n"
					"cfn=c\ncalls=1 30\n9 500\n"
					"fn=b\n20 150\nfn=c\n30 500\n");
	struct place_function a = { "a", "app", "a.c" }, b = { "b", "???", NULL };
	struct place_function nothing = { "d", NULL, NULL };
	struct place place;

	CHECK_INT(place_of_call(p, "Ir", &a, &b, &place), CG_OK);
	CHECK_U64(place.line, 5);
	CHECK_STR(place.file, "a.c");
	CHECK(place_of_call(p, "Ir", &b, &a, &place) == CG_OK && !place.file);
	CHECK(place_of_call(p, "Ir", &a, &nothing, &place) == CG_OK && !place.file);
	CHECK(place_of_call(p, "Dr", &a, &b, &place) == CG_OK && !place.file);
	cg_profile_free(p);
}

static void test_unknown(void)
{
	struct cg_profile *p = lines_of("events: Ir\nfl=a.c\nfn=a\n0 5\n");
	struct place_function a = { "a", NULL, NULL }, other = { "b", NULL, NULL };
	struct place place;

	CHECK_INT(place_of_code(NULL, p, "Ir", &a, &place), CG_OK);
	CHECK(!place.file);
	CHECK_INT(place_of_code(NULL, p, "Ir", &other, &place), CG_OK);
	CHECK(!place.file);
	CHECK_INT(place_of_code(NULL, p, "Dr", &a, &place), CG_OK);
	CHECK(!place.file);
	cg_profile_free(p);
}

TEST_MAIN("place", { "self", test_code }, { "other files", test_other_files },
	  { "calls", test_calls }, { "unknown", test_unknown })
