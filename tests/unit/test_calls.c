#include "tests/unit/profiles.h"

#include "src/view/calls.h"

static struct calls *calls_of(const struct cg_profile *p)
{
	struct calls *c = NULL;
	REQUIRE_INT(calls_make(p, 0, &c, NULL), CG_OK);
	return c;
}

/* The callers (or callees) of a function in order: "main 3x 30, b 1x 10". */
static void check(const struct cg_profile *p, const struct calls *c, bool callers, const char *name,
		  const char *expected)
{
	char text[400] = "";
	size_t count, used = 0;
	uint32_t function = function_named(p, name);
	REQUIRE(function != 0);
	const struct calls_edge *e = callers ? calls_to(c, function, &count)
					     : calls_from(c, function, &count);

	for (size_t i = 0; i < count; i++) {
		uint32_t other = callers ? e[i].caller : e[i].callee;
		used += (size_t)snprintf(text + used, sizeof text - used,
					 "%s%s %" PRIu64 "x (%" PRIu64 ") %" PRIu64, i ? ", " : "",
					 cg_string(p, p->functions[other].name), e[i].count,
					 e[i].recursive, e[i].cost[0]);
	}
	test_report(strcmp(text, expected) == 0, false, __FILE__, __LINE__,
		    "the %s of %s are \"%s\", not \"%s\"", callers ? "callers" : "callees", name,
		    text, expected);
}

static void test_edges(void)
{
	struct cg_profile *p = profile_of("events: Ir\n"
					  "fn=main\n1 1\n"
					  "cfn=a\ncalls=2 1\n1 20\ncfn=b\ncalls=1 1\n1 300\n"
					  "cfn=a\ncalls=1 1\n2 10\n"
					  "fn=b\n1 100\ncfn=a\ncalls=4 1\n1 200\n"
					  "fn=a\n1 230\n");
	struct calls *c = calls_of(p);
	check(p, c, true, "main", "");
	check(p, c, true, "a", "b 4x (0) 200, main 3x (0) 30"); /* the costliest first */
	check(p, c, true, "b", "main 1x (0) 300");
	check(p, c, false, "main", "b 1x (0) 300, a 3x (0) 30");
	check(p, c, false, "b", "a 4x (0) 200");
	check(p, c, false, "a", "");
	calls_free(c);
	cg_profile_free(p);
}

static void test_ties(void)
{
	struct cg_profile *p = profile_of("events: Ir\n"
					  "fn=main\ncfn=z\ncalls=1 1\n1 5\ncfn=a\ncalls=2 1\n1 5\n"
					  "fn=z\n1 5\nfn=a\n1 5\n");
	struct calls *c = calls_of(p);
	check(p, c, false, "main", "a 2x (0) 5, z 1x (0) 5");
	calls_free(c);
	cg_profile_free(p);
}

/* fact(3), as in test_inclusive: the calls of itself cost nothing more. */
static void test_recursion(void)
{
	struct cg_profile *p = profile_of("events: Ir\n"
					  "fn=main\n1 4\ncfn=fact\ncalls=1 1\n1 21\n"
					  "fn=fact\n1 7\ncfn=fact'2\ncalls=1 1\n1 14\n"
					  "fn=fact'2\n1 14\ncfn=fact'2\ncalls=1 1\n1 7\n");
	struct calls *c = calls_of(p);
	check(p, c, true, "fact", "main 1x (0) 21, fact 2x (2) 0");
	calls_free(c);
	cg_profile_free(p);

	/* Without levels. */
	p = profile_of("events: Ir\n"
		       "fn=main\n1 4\ncfn=fact\ncalls=1 1\n1 21\n"
		       "fn=fact\n1 21\ncfn=fact\ncalls=2 1\n1 21\n");
	c = calls_of(p);
	check(p, c, true, "fact", "main 1x (0) 21, fact 2x (2) 0");
	calls_free(c);
	cg_profile_free(p);
}

/* expr → factor → expr'2, as in test_inclusive. One edge may be both: factor is
 * called twice by expr'1 (19 Ir) and once, recursively, by expr'2. */
static void test_mutual_recursion(void)
{
	struct cg_profile *p = profile_of("events: Ir\n"
					  "fn=main\n1 1\ncfn=expr\ncalls=1 1\n1 29\n"
					  "fn=expr\n1 10\ncfn=factor\ncalls=2 1\n1 19\n"
					  "fn=factor\n1 6\ncfn=expr'2\ncalls=1 1\n1 13\n"
					  "fn=expr'2\n1 10\ncfn=factor'2\ncalls=1 1\n1 3\n"
					  "fn=factor'2\n1 3\n");
	struct calls *c = calls_of(p);
	check(p, c, true, "expr", "main 1x (0) 29, factor 1x (1) 0");
	check(p, c, true, "factor", "expr 3x (1) 19");
	check(p, c, false, "factor", "expr 1x (1) 0");
	calls_free(c);
	cg_profile_free(p);
}

/* The law of the header, on everything but the roots. */
static void test_callers_add_up(void)
{
	struct cg_profile *p = profile_of("events: Ir\n"
					  "fn=main\n1 1\ncfn=expr\ncalls=1 1\n1 29\n"
					  "fn=expr\n1 10\ncfn=factor\ncalls=2 1\n1 19\n"
					  "fn=factor\n1 6\ncfn=expr'2\ncalls=1 1\n1 13\n"
					  "fn=expr'2\n1 10\ncfn=factor'2\ncalls=1 1\n1 3\n"
					  "fn=factor'2\n1 3\n");
	struct calls *c = calls_of(p);
	struct cg_inclusive *inc = NULL;
	REQUIRE_INT(cg_inclusive_compute(p, NULL, 0, &inc), CG_OK);
	for (uint32_t f = 1; f < p->nfunctions; f++) {
		size_t count;
		const struct calls_edge *e = calls_to(c, f, &count);
		uint64_t sum = 0, times = 0;
		for (size_t i = 0; i < count; i++) {
			sum += e[i].cost[0];
			times += e[i].count;
		}
		CHECK_U64(times, inc->calls[f]);
		if (count)
			CHECK_U64(sum, inc->cost[f]);
	}
	cg_inclusive_free(inc);
	calls_free(c);
	cg_profile_free(p);
}

static void test_overflow(void)
{
	/* Two records, one edge: each sum fits, the edge's does not. */
	struct cg_read_options options = { .detail = { .contexts = true } };
	static const char text[] = "creator: callgrind-3.19.0\nevents: Ir\n"
				   "fn=f'a\ncfn=g'f'a\ncalls=1 1\n1 9223372036854775807\n"
				   "fn=f'b\ncfn=g'f'b\ncalls=1 1\n1 1\ntotals: 0\n";
	struct cg_profile *p = profile_with(text, sizeof text - 1, &options);
	struct calls *c = NULL;
	CHECK_INT(calls_make(p, 0, &c, NULL), CG_ERANGE);
	CHECK(c == NULL);
	cg_profile_free(p);
}

static void test_empty(void)
{
	struct cg_profile *p = profile_of("events: Ir\nfn=f\n1 1\n");
	struct calls *c = calls_of(p);
	CHECK_U64(c->count, 0);
	check(p, c, true, "f", "");
	check(p, c, false, "f", "");
	calls_free(c);
	cg_profile_free(p);
}

TEST_MAIN("calls", { "edges", test_edges }, { "ties", test_ties },
	  { "recursive calls cost nothing more", test_recursion },
	  { "mutual recursion", test_mutual_recursion },
	  { "callers add up to the inclusive cost", test_callers_add_up },
	  { "overflow", test_overflow }, { "no calls", test_empty })
