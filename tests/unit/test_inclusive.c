#include "tests/unit/profiles.h"

static struct cg_inclusive *inclusive_of(const struct cg_profile *p)
{
	struct cg_inclusive *inc = NULL;
	REQUIRE_INT(cg_inclusive_compute(p, NULL, 0, &inc), CG_OK);
	CHECK_U64(inc->count, p->nfunctions);
	return inc;
}

static void check(const struct cg_profile *p, const struct cg_inclusive *inc, const char *name,
		  int64_t cost, uint64_t calls, bool bound)
{
	uint32_t f = function_named(p, name);
	test_report(f != 0, true, __FILE__, __LINE__, "no single function %s", name);
	test_report(inc->cost[(size_t)f * p->nevents] == cost, false, __FILE__, __LINE__,
		    "%s costs %" PRIu64 ", not %" PRIu64, name, inc->cost[(size_t)f * p->nevents],
		    cost);
	test_report(inc->calls[f] == calls, false, __FILE__, __LINE__,
		    "%s is called %" PRIu64 " times, not %" PRIu64, name, inc->calls[f], calls);
	test_report(inc->bound[f] == bound, false, __FILE__, __LINE__, "%s is %sa bound", name,
		    bound ? "not " : "");
}

/* main (10) calls a twice (5 each, and 20 each in b); b (20) is also called
 * once by main: main = 10 + 2 · 25 + 20 = 80, a = 2 · 25, b = 3 · 20. */
static void test_without_recursion(void)
{
	struct cg_profile *p = profile_of("events: Ir Dr\n"
					  "fn=main\n1 10 1\n"
					  "cfn=a\ncalls=2 1\n1 50 4\n"
					  "cfn=b\ncalls=1 1\n1 20\n"
					  "fn=a\n1 10 4\ncfn=b\ncalls=2 1\n1 40\n"
					  "fn=b\n1 60\n");
	struct cg_inclusive *inc = inclusive_of(p);
	check(p, inc, "main", 80, 0, false);
	check(p, inc, "a", 50, 2, false);
	check(p, inc, "b", 60, 3, false);
	CHECK_U64(inc->cost[(size_t)function_named(p, "main") * 2 + 1], 5); /* Dr: 1 + 4 */
	cg_inclusive_free(inc);
	cg_profile_free(p);
}

/*
 * fact(3) by recursion: main → fact → fact'2 → fact'3, 7 instructions each.
 *     out(fact'1) = 21; fact'2: out 14 = in 14; fact'3: out 7 = in 7
 *     incl = 21 + (14 - 14) + (7 - 7) = 21, called 3 times.
 */
static void test_levels(void)
{
	struct cg_profile *p = profile_of("events: Ir\n"
					  "fn=main\n1 4\ncfn=fact\ncalls=1 1\n1 21\n"
					  "fn=fact\n1 7\ncfn=fact'2\ncalls=1 1\n1 14\n"
					  "fn=fact'2\n1 7\ncfn=fact'3\ncalls=1 1\n1 7\n"
					  "fn=fact'3\n1 7\n");
	struct cg_inclusive *inc = inclusive_of(p);
	check(p, inc, "main", 25, 0, false);
	check(p, inc, "fact", 21, 3, false);
	cg_inclusive_free(inc);
	cg_profile_free(p);
}

/* The same with the deepest level folded (--separate-recs=2): fact'2 calls itself.
 * fact'2: self 14, calls itself once for 7; in = 14 + 7 = 21 = out. */
static void test_folded_levels(void)
{
	struct cg_profile *p = profile_of("events: Ir\n"
					  "fn=main\n1 4\ncfn=fact\ncalls=1 1\n1 21\n"
					  "fn=fact\n1 7\ncfn=fact'2\ncalls=1 1\n1 14\n"
					  "fn=fact'2\n1 14\ncfn=fact'2\ncalls=1 1\n1 7\n");
	struct cg_inclusive *inc = inclusive_of(p);
	check(p, inc, "fact", 21, 3, false);
	cg_inclusive_free(inc);
	cg_profile_free(p);
}

/*
 * "(1+(2))" by a recursive-descent parser, self costs expr 10, factor 3 per call:
 *
 *     main 1 → expr 10 → factor 3                       (the 1)
 *                      → factor 3 → expr'2 10 → factor'2 3 (the bracket)
 *
 *     expr'2 = 10 + 3 = 13;  factor = 3 + (3 + 13) = 19;  expr = 10 + 19 = 29
 *     incl(expr)   = out(expr) = 29 + (out(expr'2) 13 - in 13) = 29
 *     incl(factor) = out(factor) = 19: factor'2 (3) runs below factor. 19 + (3 - 3)
 */
static void test_mutual_recursion(void)
{
	struct cg_profile *p = profile_of("events: Ir\n"
					  "fn=main\n1 1\ncfn=expr\ncalls=1 1\n1 29\n"
					  "fn=expr\n1 10\ncfn=factor\ncalls=2 1\n1 19\n"
					  "fn=factor\n1 6\ncfn=expr'2\ncalls=1 1\n1 13\n"
					  "fn=expr'2\n1 10\ncfn=factor'2\ncalls=1 1\n1 3\n"
					  "fn=factor'2\n1 3\n");
	struct cg_inclusive *inc = inclusive_of(p);
	check(p, inc, "main", 30, 0, false);
	check(p, inc, "expr", 29, 2, false);
	check(p, inc, "factor", 19, 3, false);
	cg_inclusive_free(inc);
	cg_profile_free(p);
}

/* Instrumentation that starts inside of f: its record of level 2 has no caller,
 * so what it costs was not counted by any other record.
 *     incl(f) = 8 + (5 - 0) = 13 */
static void test_level_without_caller(void)
{
	struct cg_profile *p = profile_of("events: Ir\n"
					  "fn=main\n1 1\ncfn=f\ncalls=1 1\n1 8\n"
					  "fn=f\n1 8\n"
					  "fn=f'2\n1 5\n");
	struct cg_inclusive *inc = inclusive_of(p);
	check(p, inc, "f", 13, 1, false);
	cg_inclusive_free(inc);
	cg_profile_free(p);
}

/* f calls itself, no levels: the calls from f to f do not count again, and no
 * other way leads back, so it is exact: 30 self + 12 of g. */
static void test_self_recursion_without_levels(void)
{
	struct cg_profile *p = profile_of(
		"events: Ir\n"
		"fn=main\n1 1\ncfn=f\ncalls=1 1\n1 42\n"
		"fn=f\n1 30\ncfn=f\ncalls=2 1\n1 70\ncfn=g\ncalls=3 1\n1 12\n"
		"fn=g\n1 12\n");
	struct cg_inclusive *inc = inclusive_of(p);
	check(p, inc, "f", 42, 3, false);
	check(p, inc, "g", 12, 3, false);
	check(p, inc, "main", 43, 0, false);
	cg_inclusive_free(inc);
	cg_profile_free(p);
}

/*
 * even ↔ odd without levels. even(4): even 2 odd 3 even 2 odd 3 even 2 = 12, and
 * odd calls leaf (4) each time: 20 in all. The file has
 *     main → even 20; even → odd 18 + 9 = 27; odd → even 11 + 2 = 13; odd → leaf 8
 * out(even) = 6 + 27 = 33, above the 20 of the whole cycle (6 + 6 + 8), which
 * bounds both. (Exact would be even 20, odd 18.)
 */
static void test_cycle_without_levels(void)
{
	struct cg_profile *p = profile_of("events: Ir\n"
					  "fn=main\n1 100\ncfn=even\ncalls=1 1\n1 20\n"
					  "fn=even\n1 6\ncfn=odd\ncalls=2 1\n1 27\n"
					  "fn=odd\n1 6\ncfn=even\ncalls=2 1\n1 13\n"
					  "cfn=leaf\ncalls=2 1\n1 8\n"
					  "fn=leaf\n1 8\n");
	struct cg_inclusive *inc = inclusive_of(p);
	CHECK_U64(p->total[0], 120);
	check(p, inc, "even", 20, 3, true);
	check(p, inc, "odd", 20, 2, true);
	check(p, inc, "leaf", 8, 2, false); /* below a cycle, not in it */
	check(p, inc, "main", 120, 0, false);
	cg_inclusive_free(inc);
	cg_profile_free(p);
}

/* Nothing above 100 %, even of a file whose numbers do not fit each other. */
static void test_never_above_total(void)
{
	struct cg_profile *p = profile_of("events: Ir\n"
					  "fn=f\n1 10\ncfn=g\ncalls=1 1\n1 9223372036854775807\n"
					  "cfn=h\ncalls=1 1\n1 9223372036854775807\n"
					  "fn=g\n1 5\n");
	struct cg_inclusive *inc = inclusive_of(p);
	check(p, inc, "f", 15, 0, true);
	check(p, inc, "g", 5, 1, false);
	cg_inclusive_free(inc);
	cg_profile_free(p);
}

/* A function and its cold part as one group: a jump from one to the other is no
 * call, and what it costs is not counted twice.
 *     f 20 → f.cold 5; g 3 → f.cold 2 (twice)
 *     group f: f out 25, f.cold out 9 - 5 (from f) = 4; together 29 */
static void test_groups(void)
{
	struct cg_profile *p = profile_of("events: Ir\n"
					  "fn=main\n1 1\ncfn=f\ncalls=1 1\n1 25\n"
					  "cfn=g\ncalls=1 1\n1 7\n"
					  "fn=f\n1 20\ncfn=f.cold\ncalls=1 1\n1 5\n"
					  "fn=f.cold\n1 9\n"
					  "fn=g\n1 3\ncfn=f.cold\ncalls=2 1\n1 4\n");
	uint32_t group[8] = { 0 };
	struct cg_inclusive *inc = NULL;

	REQUIRE_U64(p->nfunctions - 1, 4);
	group[function_named(p, "main")] = 1;
	group[function_named(p, "f")] = 2;
	group[function_named(p, "f.cold")] = 2;
	group[function_named(p, "g")] = 3;
	REQUIRE_INT(cg_inclusive_compute(p, group, 4, &inc), CG_OK);
	CHECK_U64(inc->count, 4);
	CHECK_U64(inc->cost[1], 33); /* 1 + 25 + 7: everything */
	CHECK_U64(inc->cost[2], 29);
	CHECK_U64(inc->cost[3], 7);
	CHECK_U64(inc->calls[2], 3); /* once by main, twice by g */
	CHECK(!inc->bound[2]);
	cg_inclusive_free(inc);
	cg_profile_free(p);
}

static void test_contexts(void)
{
	/* f in two contexts, and f below g below f: only through level 2. */
	static const char text[] = "events: Ir\n"
				   "fn=main\n1 1\ncfn=f'main\ncalls=1 1\n1 30\n"
				   "cfn=g'main\ncalls=1 1\n1 12\n"
				   "fn=f'main\n1 10\ncfn=g'f'main\ncalls=1 1\n1 20\n"
				   "fn=g'f'main\n1 5\ncfn=f'2'g'f'main\ncalls=1 1\n1 15\n"
				   "fn=f'2'g'f'main\n1 15\n"
				   "fn=g'main\n1 5\ncfn=f'g'main\ncalls=1 1\n1 7\n"
				   "fn=f'g'main\n1 7\n";
	struct cg_read_options options = { .detail = { .contexts = true } };
	struct cg_profile *p = profile_with(text, strlen(text), &options);
	struct cg_inclusive *inc = inclusive_of(p);
	/* main: 1 + 30 + 12; f: 30 below main, 7 below g; g: 20 below f, 12 below main. */
	check(p, inc, "main", 43, 0, false);
	check(p, inc, "f", 37, 3, false);
	check(p, inc, "g", 32, 2, false);
	cg_inclusive_free(inc);
	cg_profile_free(p);
}

static void test_record_out(void)
{
	struct cg_profile *p = profile_of("events: Ir Dr\n"
					  "fn=f\n1 1 2\ncfn=g\ncalls=1 1\n1 30 40\n"
					  "calls=1 1\n1 500 600\n"
					  "cfn=h\ncalls=1 1\n1 9223372036854775000\n");
	int64_t *out = cg_record_out(p);
	REQUIRE(out != NULL);
	CHECK_INT(out[2], 9223372036854775531); /* 1 + 530 + the call of h */
	CHECK_U64(out[3], 642);
	free(out);
	cg_profile_free(p);

	p = profile_of("events: Ir\nfn=f\n1 817\ncfn=h\ncalls=1 1\n1 9223372036854775000\n");
	out = cg_record_out(p);
	REQUIRE(out != NULL);
	CHECK_INT(out[1], INT64_MAX); /* would be 2^63 + 9 */
	free(out);
	cg_profile_free(p);
}

/*
 * A group of f and f.part, which calls itself through h: f 10 → h 10 → f.part 80.
 * Exact is 100, but the levels do not show that f was on the stack: 180 at most.
 */
static void test_group_through_others(void)
{
	struct cg_profile *p = profile_of("creator: irdiff\nevents: Ir\n"
					  "desc: Option: --separate-recs=2\n"
					  "fn=main\n1 1000\ncfn=f\ncalls=1 1\n1 100\n"
					  "fn=f\n1 10\ncfn=h\ncalls=1 1\n1 90\n"
					  "fn=h\n1 10\ncfn=f.part\ncalls=1 1\n1 80\n"
					  "fn=f.part\n1 80\ntotals: 1100\n");
	uint32_t group[16] = { 0 }; /* main 1, f and f.part 2, h 3 */
	group[function_named(p, "main")] = 1;
	group[function_named(p, "f")] = group[function_named(p, "f.part")] = 2;
	group[function_named(p, "h")] = 3;
	struct cg_inclusive *inc = NULL;
	REQUIRE_INT(cg_inclusive_compute(p, group, 4, &inc), CG_OK);
	CHECK_U64(inc->cost[1], 1100);
	CHECK_U64(inc->cost[2], 180);
	CHECK(inc->bound[2] && !inc->bound[1] && !inc->bound[3]);
	cg_inclusive_free(inc);
	cg_profile_free(p);
}

/* zz is inlined into f: 10 in f, 100 in f'2, which is called from inside zz or
 * not, so 110 or 210. */
static void test_inlined_recursion(void)
{
	struct cg_profile *p = profile_of(
		"creator: callgrind-3.25\nevents: Ir\n"
		"fn=main\n1 1000\ncfn=f\ncalls=1 1\n1 110\n"
		"fn=f\ncfni=zz\n1 10\ncfn=f'2\ncalls=1 1\n1 100\ncfni=???\n"
		"fn=f'2\ncfni=zz\n1 100\ncfni=???\ntotals: 1110\n");
	struct cg_inclusive *inc = inclusive_of(p);
	uint32_t zz = function_named(p, "zz");
	CHECK(inc->bound[zz]);
	CHECK(inc->cost[zz] >= 110);
	CHECK_U64(inc->cost[function_named(p, "f")], 110);
	CHECK(!inc->bound[function_named(p, "f")]);
	cg_inclusive_free(inc);
	cg_profile_free(p);
}

/* g is inlined into one, where it calls two, and into two: 20 of its 30 are in both. In leaf
 * nothing can enter it again. */
static void test_inlined_twice(void)
{
	struct cg_profile *p = profile_of(
		"events: Ir\nfn=(1) main\n1 1\ncfn=(2) one\ncalls=1 1\n1 30\n"
		"fn=(2)\ninlined=(2)\nfn=(4) g\n1 10\n"
		"cfn=(3) two\ncalls=1 1\n1 20\n"
		"fn=(3)\ninlined=(3)\nfn=(5) g\n1 12\n"
		"inlined=(3)\nfn=(6) leaf\n1 8\n");
	struct cg_inclusive *inc = inclusive_of(p);
	uint32_t g = function_named(p, "g"), leaf = function_named(p, "leaf");
	CHECK(inc->bound[g]);
	CHECK(inc->cost[g] >= 30);
	CHECK(!inc->bound[leaf]);
	CHECK_INT(inc->cost[leaf], 8);
	CHECK_INT(inc->cost[function_named(p, "two")], 20);
	CHECK_INT(inc->cost[function_named(p, "one")], 30);
	cg_inclusive_free(inc);
	cg_profile_free(p);
}

/* An event with negative costs: nothing is cut off at 0 or at the total, not even
 * what enters f again. Of Ir, the same numbers are cut. */
static void test_negative_costs(void)
{
	struct cg_profile *p = profile_of("creator: callgrind-3.25\nevents: Ir Mem\n"
					  "fn=main\n1 5 -90\ncfn=f\ncalls=1 1\n1 20 100\n"
					  "fn=f\n1 5 40\ncfn=f'2\ncalls=1 1\n1 15 60\n"
					  "fn=f'2\n1 10 60\ntotals: 20 10\n");
	struct cg_inclusive *inc = inclusive_of(p);
	uint32_t f = function_named(p, "f"), main_fn = function_named(p, "main");
	CHECK_INT(inc->cost[2 * f], 20);       /* 5 + 15 + 10 - 15 */
	CHECK_INT(inc->cost[2 * f + 1], 100);  /* 40 + 60 + 60 - 60, ten times the total */
	CHECK_INT(inc->cost[2 * main_fn], 20); /* 25, cut */
	CHECK_INT(inc->cost[2 * main_fn + 1], 10);
	cg_inclusive_free(inc);
	cg_profile_free(p);
}

/* Every event of a cycle has its own bound: of Dr, 3 + 4 of itself and 5 of what it calls. */
static void test_cycle_of_several_events(void)
{
	struct cg_profile *p = profile_of(
		"events: Ir Dr\n"
		"fn=main\n1 1 1\ncfn=a\ncalls=1 1\n1 40 12\n"
		"fn=a\n1 10 3\ncfn=b\ncalls=2 1\n1 50 20\n"
		"fn=b\n1 10 4\ncfn=a\ncalls=1 1\n1 30 9\ncfn=leaf\ncalls=1 1\n1 20 5\n"
		"fn=leaf\n1 20 5\n");
	struct cg_inclusive *inc = inclusive_of(p);

	/* a: 10 + 50 is above the 10 + 10 + 20 of both, b: 10 + 30 + 20 as well. */
	check(p, inc, "a", 40, 2, true);
	check(p, inc, "b", 40, 2, true);
	CHECK_INT(inc->cost[(size_t)function_named(p, "a") * 2 + 1], 12);
	CHECK_INT(inc->cost[(size_t)function_named(p, "b") * 2 + 1], 12);
	cg_inclusive_free(inc);
	cg_profile_free(p);
}

/* What is freed may make the whole cost less than a part of it. */
static void test_more_than_all(void)
{
	struct cg_profile *p = profile_of(
		"events: mem Ir\nfn=main\n1 -6 1\ncfn=f\ncalls=1 1\n1 10 1\nfn=f\n1 10 1\n");
	struct cg_inclusive *inc = inclusive_of(p);

	check(p, inc, "f", 10, 1, false);
	check(p, inc, "main", 4, 0, false);
	cg_inclusive_free(inc);
	cg_profile_free(p);
}

/* A file that has none is not one whose calls were left out. */
static void test_no_calls(void)
{
	static const char text[] = "desc: I1 cache: none\ncmd: ./a\nevents: Ir\nfl=a.c\nfn=f\n"
				   "1 7\nfn=main\n2 30\nsummary: 37\n";
	const struct cg_read_options without = { .detail.no_calls = true };
	struct cg_profile *p = profile_of(text);
	struct cg_inclusive *inc = NULL;

	CHECK(p->has_calls);
	CHECK(p->ncalls <= 1);
	REQUIRE_INT(cg_inclusive_compute(p, NULL, 0, &inc), CG_OK);
	CHECK_INT(inc->cost[function_named(p, "f")], 7);
	CHECK_INT(inc->cost[function_named(p, "main")], 30);
	cg_inclusive_free(inc);
	cg_profile_free(p);

	p = profile_with(text, sizeof text - 1, &without);
	inc = NULL;
	CHECK(!p->has_calls);
	CHECK_INT(cg_inclusive_compute(p, NULL, 0, &inc), CG_EINVAL);
	CHECK(inc == NULL);
	cg_profile_free(p);
}

TEST_MAIN("inclusive", { "without recursion", test_without_recursion },
	  { "recursion with levels", test_levels }, { "folded levels", test_folded_levels },
	  { "mutual recursion with levels", test_mutual_recursion },
	  { "a level that nobody called", test_level_without_caller },
	  { "direct recursion without levels", test_self_recursion_without_levels },
	  { "a cycle without levels", test_cycle_without_levels },
	  { "a cycle of several events", test_cycle_of_several_events },
	  { "more than all", test_more_than_all },
	  { "never above the total", test_never_above_total }, { "groups", test_groups },
	  { "a group that calls itself through others", test_group_through_others },
	  { "inlined code in recursion", test_inlined_recursion },
	  { "a function inlined twice on one path", test_inlined_twice },
	  { "negative costs", test_negative_costs }, { "contexts", test_contexts },
	  { "out", test_record_out }, { "no calls", test_no_calls })
