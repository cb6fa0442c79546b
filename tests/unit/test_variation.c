#include "tests/unit/harness.h"

#include "src/diff/threads.h"
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

/* The total of 100 is the same; f and g are 7 apart, in Dr all is. */
static void test_tolerance(void)
{
	const char *const texts[] = { "events: Ir Dr Dw\nfn=f\n1 50 1 1\nfn=g\n1 50 1 1\n",
				      "events: Ir Dr Dw\nfn=f\n1 57 1 1\nfn=g\n1 43 4 1\n" };
	struct variation v;

	find(texts, 2, &v);
	CHECK_U64(variation_tolerance(&v, 0), 14);
	CHECK_U64(variation_tolerance(&v, 1), 6);
	CHECK_U64(variation_tolerance(&v, 2), 0);
	variation_free(&v);
}

static void has_threads(const char *text, uint64_t threads)
{
	struct cg_profile *p = profile_of(text);
	CHECK_U64(threads_of(p), threads);
	CHECK_INT(threads_are_several(p), threads > 1);
	cg_profile_free(p);
}

static void test_threads(void)
{
	char text[THREADS_TEXT];

	has_threads("events: Ir\nfn=main\n1 1\n", 0);
	has_threads("events: Ir\nob=./a\nfn=main\n1 1\nob=/lib/libc.so.6\nfn=start_thread\n1 1\n",
		    THREADS_SEVERAL);
	has_threads("events: Ir\nob=./a\nfn=main\n1 1\nfn=start_thread\n1 1\n", 0);
	has_threads("events: Ir\nfn=pthread_create@@GLIBC_2.34\n1 1\n", THREADS_SEVERAL);
	has_threads("events: Ir\nfn=__pthread_create_2_1\n1 1\n", THREADS_SEVERAL);
	has_threads("events: Ir\nfn=pthread_created\n1 1\n", 0);
	has_threads("pid: 7\nthread: 2\nevents: Ir\nfn=main\n1 1\n", THREADS_SEVERAL);
	has_threads("pid: 7\nthread: 1\nevents: Ir\nfn=main\n1 1\n", 0);
	/* What was counted is worth more than what it looks like; what is no number is not. */
	has_threads("desc: irdiff.subject.threads: 3\nevents: Ir\nfn=main\n1 1\n", 3);
	has_threads("desc: irdiff.subject.threads: 1\nevents: Ir\nfn=start_thread\n1 1\n", 1);
	has_threads("desc: irdiff.subject.threads: 3x\nevents: Ir\nfn=main\n1 1\n", 0);
	has_threads("desc: irdiff.subject.threads: 99999999999\nevents: Ir\nfn=main\n1 1\n", 0);
	CHECK_STR(threads_text(2, text), "2 threads");
	CHECK_STR(threads_text(THREADS_SEVERAL, text), "several threads");
}

TEST_MAIN("variation", { "a tolerance", test_tolerance }, { "equal", test_equal },
	  { "different", test_different }, { "hidden", test_hidden }, { "identity", test_identity },
	  { "events", test_events }, { "ppm", test_ppm }, { "threads", test_threads })
