#include "tests/unit/harness.h"

#include "src/diff/variation.h"
#include "tests/unit/profiles.h"

/* main calls scan so many times, which calls hash, if it does. */
#define RUN(MAIN, CALLS, SCAN, REST) \
	"events: Ir Dr\nob=/bin/app\nfl=app.c\nfn=main\n1 " #MAIN " 10\n" \
	"cfn=scan\ncalls=" #CALLS " 1\n1 " #SCAN " 5\nfn=scan\n9 " #SCAN " 5\n" REST

static void find(const char *const *texts, size_t count, struct variation *v)
{
	struct cg_profile *profiles[8];

	REQUIRE(count <= 8);
	for (size_t i = 0; i < count; i++)
		profiles[i] = profile_of(texts[i]);
	CHECK_INT(variation_find((const struct cg_profile *const *)profiles, count, v), CG_OK);
	for (size_t i = 0; i < count; i++)
		cg_profile_free(profiles[i]);
}

static void check_row(const struct variation_row *row, const char *name, const char *callee,
		      int64_t min, int64_t max)
{
	CHECK_STR(row->function.name, name);
	CHECK_STR(row->callee.name, callee);
	CHECK_INT(row->spread.min, min);
	CHECK_INT(row->spread.max, max);
}

static void test_equal(void)
{
	const char *texts[] = { RUN(100, 2, 50, ""), RUN(100, 2, 50, ""), RUN(100, 2, 50, "") };
	struct variation v;

	find(texts, 3, &v);
	CHECK(v.equal);
	CHECK_U64(v.nevents, 2);
	CHECK_INT(v.totals[0].min, 150);
	CHECK_INT(v.totals[0].max, 150);
	CHECK_U64(v.nfunctions, 0);
	CHECK_U64(v.ncalls, 0);
	variation_free(&v);

	find(texts, 1, &v);
	CHECK(v.equal);
	variation_free(&v);
}

/* What varies most comes first; what only one run has cost 0 in the others. */
static void test_different(void)
{
	const char *texts[] = {
		RUN(100, 2, 50, ""),
		RUN(103, 5, 40, "cfn=hash\ncalls=7 1\n9 20 0\nfn=hash\n30 20 0\n"),
		RUN(101, 3, 60, ""),
	};
	struct variation v;

	find(texts, 3, &v);
	CHECK(!v.equal);
	CHECK_U64(v.event, 0);
	CHECK_INT(v.totals[0].min, 150);
	CHECK_INT(v.totals[0].max, 163);
	CHECK_INT(v.totals[1].min, 15);
	CHECK_INT(v.totals[1].max, 15);
	REQUIRE_U64(v.nfunctions, 3);
	check_row(&v.functions[0], "hash", NULL, 0, 20);
	check_row(&v.functions[1], "scan", NULL, 40, 60);
	check_row(&v.functions[2], "main", NULL, 100, 103);
	CHECK_STR(v.functions[0].function.object, "/bin/app");
	CHECK_STR(v.functions[0].function.file, "app.c");
	REQUIRE_U64(v.ncalls, 2);
	check_row(&v.calls[0], "scan", "hash", 0, 7);
	check_row(&v.calls[1], "main", "scan", 2, 5);
	variation_free(&v);
}

/* Totals that agree by chance, and another event than the first. */
static void test_hidden(void)
{
	const char *moved[] = { RUN(100, 2, 50, ""), RUN(90, 2, 60, "") };
	const char *other[] = {
		"events: Ir Dr\nfn=a\n1 100 10\nfn=b\n2 5 5\n",
		"events: Ir Dr\nfn=a\n1 100 12\nfn=b\n2 5 5\n",
	};
	struct variation v;

	find(moved, 2, &v);
	CHECK(!v.equal);
	CHECK_INT(v.totals[0].min, v.totals[0].max);
	CHECK_U64(v.nfunctions, 2);
	variation_free(&v);

	find(other, 2, &v);
	CHECK(!v.equal);
	CHECK_U64(v.event, 1);
	REQUIRE_U64(v.nfunctions, 1);
	check_row(&v.functions[0], "a", NULL, 10, 12);
	variation_free(&v);
}

/* The same name in two files is two functions; recursion is one. */
static void test_identity(void)
{
	const char *texts[] = {
		"events: Ir\nfl=a.c\nfn=f\n1 10\nfl=b.c\nfn=f\n1 20\nfn=f'2\n1 5\n",
		"events: Ir\nfl=a.c\nfn=f\n1 20\nfl=b.c\nfn=f\n1 10\nfn=f'2\n1 15\n",
	};
	struct variation v;

	find(texts, 2, &v);
	REQUIRE_U64(v.nfunctions, 1);
	CHECK_STR(v.functions[0].function.file, "a.c");
	variation_free(&v);
}

static void test_events(void)
{
	struct cg_profile *a = profile_of("events: Ir\nfn=f\n1 1\n");
	struct cg_profile *b = profile_of("events: Dr\nfn=f\n1 1\n");
	struct variation v;

	CHECK_INT(variation_find((const struct cg_profile *const[]){ a, b }, 2, &v), CG_EINVAL);
	cg_profile_free(a);
	cg_profile_free(b);
}

static void test_ppm(void)
{
	CHECK(spread_ppm(&(struct spread){ 999, 1000 }) == 1000);
	CHECK(spread_ppm(&(struct spread){ 5, 5 }) == 0);
	CHECK(spread_ppm(&(struct spread){ 0, 0 }) == 0);
	CHECK(spread_ppm(&(struct spread){ 0, INT64_MAX }) == 1e6);
}

static void test_threads(void)
{
	struct cg_profile *one = profile_of("events: Ir\nfn=main\n1 1\n");
	struct cg_profile *two = profile_of("events: Ir\nfn=main\n1 1\nfn=start_thread\n1 1\n");

	CHECK(!variation_has_threads(one));
	CHECK(variation_has_threads(two));
	cg_profile_free(one);
	cg_profile_free(two);
}

TEST_MAIN("variation", { "equal", test_equal }, { "different", test_different },
	  { "hidden", test_hidden }, { "identity", test_identity }, { "events", test_events },
	  { "ppm", test_ppm }, { "threads", test_threads })
