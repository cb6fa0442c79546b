#include "tests/unit/refusals.h"

/* ---- inlined code of CodSpeed's Valgrind ---- */

static void test_inlined(void)
{
	static const char text[] = "events: Ir\n"
				   "ob=/bin/a\nfl=(1) a.c\nfn=(1) f\n"
				   "1 1\n"
				   "fi=(2) in.h\ncfni=(7) helper\n"
				   "70 20\n"
				   "71 300\n"
				   "cfi=(1)\ncfn=(8) g\ncalls=2 5\n72 4000\n"
				   "fe=(1)\ncfni=???\n"
				   "2 50000\n"
				   "fn=(8)\n5 4000\n";
	struct cg_profile *p = profile_with(LINES(text), &with_lines);
	uint32_t helper = function_at(p, "/bin/a", "in.h", "helper");
	int64_t cost;

	CHECK_U64(self_cost(p, helper, 0), 320);
	CHECK_U64(self_of(p, "f", 0), 50001);
	/* The link from f: no call, but all that is below. */
	CHECK_U64(calls_between(p, "f", "helper", 0, &cost), 0);
	CHECK_U64(cost, 4320);
	CHECK_U64(calls_between(p, "helper", "g", 0, &cost), 2);
	CHECK_U64(cost, 4000);
	CHECK_U64(p->total[0], 54321);

	uint32_t inlined = 0;
	for (uint32_t r = 1; r < p->nrecords; r++)
		if (p->records[r].function == helper)
			inlined = r;
	REQUIRE(inlined != 0);
	uint32_t into = p->records[inlined].inlined_into;
	CHECK_STR(cg_string(p, p->functions[p->records[into].function].name), "f");
	cg_profile_free(p);
}

/* ---- inlined code in files of irdiff ---- */

/* Inner is inlined into outer, that into main; inner calls leaf. */
static const char nested[] = "events: Ir\n"
			     "ob=/bin/a\nfl=a.c\nfn=(1) main\n1 1\n"
			     "fl=in.h\ninlined=(1)\nfn=(2) outer\n5 20\n"
			     "inlined=(2)\nfn=(3) inner\n7 300\n"
			     "cfi=a.c\ncfn=(4) leaf\ncalls=2 9\n8 4000\n"
			     "fl=a.c\nfn=(4)\n9 4000\n"
			     "totals: 4321\n";

static uint32_t record_named(const struct cg_profile *p, const char *name)
{
	uint32_t function = function_named(p, name), found = 0;
	REQUIRE(function != 0);
	for (uint32_t r = 1; r < p->nrecords; r++)
		if (p->records[r].function == function)
			found = r;
	return found;
}

static void test_nested_inlined(void)
{
	struct cg_profile *p = whole_profile_of(nested);
	int64_t cost;

	CHECK(p->has_inlined);
	CHECK_U64(p->records[record_named(p, "inner")].inlined_into, record_named(p, "outer"));
	CHECK_U64(p->records[record_named(p, "outer")].inlined_into, record_named(p, "main"));
	CHECK_U64(p->records[record_named(p, "main")].inlined_into, 0);
	CHECK_STR(cg_string(p, p->functions[function_named(p, "inner")].file), "in.h");
	CHECK_INT(self_of(p, "main", 0), 1);
	CHECK_INT(self_of(p, "outer", 0), 20);
	CHECK_INT(self_of(p, "inner", 0), 300);
	/* What flows into each goes out of it again. */
	CHECK_U64(calls_between(p, "main", "outer", 0, &cost), 0);
	CHECK_INT(cost, 20 + 300 + 4000);
	CHECK_U64(calls_between(p, "outer", "inner", 0, &cost), 0);
	CHECK_INT(cost, 300 + 4000);
	CHECK_U64(calls_between(p, "inner", "leaf", 0, &cost), 2);
	CHECK_INT(cost, 4000);
	CHECK_INT(p->total[0], 4321);
	cg_profile_free(p);
}

static void test_folded_inlined(void)
{
	const struct cg_read_options folded = { .fold_inlined = true };
	struct cg_profile *p = profile_with(LINES(nested), &folded);
	int64_t cost;

	CHECK(!p->has_inlined);
	CHECK_U64(p->nfunctions - 1, 2);
	CHECK_INT(self_of(p, "main", 0), 321);
	CHECK_U64(calls_between(p, "main", "leaf", 0, &cost), 2);
	CHECK_INT(cost, 4000);
	CHECK_INT(p->total[0], 4321);
	cg_profile_free(p);
}

/* A number stands for the record that it was given to last. */
static void test_inlined_twice(void)
{
	struct cg_profile *p = whole_profile_of("events: Ir\n"
						"fn=(1) main\n1 1\n"
						"inlined=(1)\nfn=(2) mix\n5 20\n"
						"inlined=(2)\nfn=(3) deep\n6 300\n"
						"fn=(4) other\n1 4000\n"
						"inlined=(4)\nfn=(5) mix\n5 50000\n"
						"inlined=(5)\nfn=(6) deep\n6 600000\n");
	uint32_t mixes = 0, deeps = 0;

	for (uint32_t r = 1; r < p->nrecords; r++) {
		const char *name = cg_string(p, p->functions[p->records[r].function].name);
		mixes += strcmp(name, "mix") == 0;
		deeps += strcmp(name, "deep") == 0;
	}
	CHECK_U64(mixes, 2);
	CHECK_U64(deeps, 2);
	CHECK_INT(self_of(p, "mix", 0), 50020);
	CHECK_INT(self_of(p, "deep", 0), 600300);
	int64_t cost;
	calls_between(p, "other", "mix", 0, &cost);
	CHECK_INT(cost, 650000);
	calls_between(p, "mix", "deep", 0, &cost);
	CHECK_INT(cost, 600300);
	cg_profile_free(p);
}

static void test_inlined_in_parts(void)
{
	struct cg_profile *p = whole_profile_of("events: Ir\n"
						"fn=(1) main\n1 1\n"
						"inlined=(1)\nfn=(2) mix\n5 20\n"
						"totals: 21\n"
						"events: Ir\n"
						"fn=(1) other\n1 300\n"
						"inlined=(1)\nfn=(2) mix\n5 4000\n"
						"totals: 4300\n");
	int64_t cost;

	calls_between(p, "main", "mix", 0, &cost);
	CHECK_INT(cost, 20);
	calls_between(p, "other", "mix", 0, &cost);
	CHECK_INT(cost, 4000);
	CHECK_INT(self_of(p, "mix", 0), 4020);
	CHECK_INT(p->total[0], 4321);
	cg_profile_free(p);
}

static void test_bad_inlined(void)
{
	static const char expected[] = "expected inlined=(NUMBER)",
			  unknown[] = "defined in the file";
	refuses("events: Ir\nfn=(1) main\n1 1\ninlined=(2)\nfn=(3) f\n1 1\n", 4, unknown);
	refuses("events: Ir\ninlined=(1)\nfn=(1) main\n1 1\n", 2, expected);
	refuses("events: Ir\nfn=(1) main\n1 1\ninlined=main\nfn=(3) f\n1 1\n", 4, expected);
	/* A function cannot be inlined into itself before it is there. */
	refuses("events: Ir\ninlined=(1) main\nfn=(1)\n1 1\n", 2, expected);
}

/* How often inlined functions are called is a comment, which may be missing. */
#define CALLS_OF_OUTER(comment) \
	"fn=(1) main\n1 1\n" \
	"inlined=(1)\nfn=(2) outer\n" comment "5 20\n"
#define CALLS_OF_INNER_AGAIN CALLS_OF_OUTER("") CALLS_OF_INNER "totals: 321\n"
#define CALLS_OF_INNER "inlined=(2)\nfn=(3) inner\n# inlined calls: 7\n6 300\n"

static void check_inlined_calls(const char *text, size_t len, uint64_t outer, uint64_t inner)
{
	struct cg_profile *p = profile_with(text, len, NULL);
	int64_t cost;

	CHECK_U64(calls_between(p, "main", "outer", 0, &cost), outer);
	CHECK_U64(calls_between(p, "outer", "inner", 0, &cost), inner);
	cg_profile_free(p);
}

static void test_inlined_calls(void)
{
	static const char both[] = "events: Ir\n" CALLS_OF_OUTER("# inlined calls: 5000\n")
		CALLS_OF_INNER,
			  one[] = "events: Ir\n" CALLS_OF_OUTER("") CALLS_OF_INNER,
			  other_comment[] = "events: Ir\n" CALLS_OF_OUTER("# inlined calls\n")
				  CALLS_OF_INNER,
			  parts[] = "events: Ir\npart: 1\n" CALLS_OF_OUTER("# inlined calls: 5\n")
				  CALLS_OF_INNER
			  "totals: 321\npart: 2\n" CALLS_OF_OUTER("# inlined calls: 6\n")
				  CALLS_OF_INNER "totals: 321\n",
			  /* Of a sum, part of which is unknown, nothing is known. */
		some[] = "events: Ir\npart: 1\n" CALLS_OF_OUTER("# inlined calls: 5\n")
			CALLS_OF_INNER "totals: 321\npart: 2\n" CALLS_OF_INNER_AGAIN,
			  not_inlined[] = "events: Ir\n# inlined calls: many\nfn=(1) main\n"
					  "# inlined calls: 3\n1 1\n"
					  "inlined=(1)\nfn=(2) outer\n5 20\n" CALLS_OF_INNER;

	check_inlined_calls(LINES(both), 5000, 7);
	check_inlined_calls(LINES(one), 0, 7);
	check_inlined_calls(LINES(other_comment), 0, 7);
	check_inlined_calls(LINES(parts), 11, 14);
	check_inlined_calls(LINES(some), 0, 14);
	check_inlined_calls(LINES(not_inlined), 0, 7);
	refuses("events: Ir\nfn=(1) main\n1 1\ninlined=(1)\nfn=(2) f\n# inlined calls: x\n1 1\n", 6,
		"expected how often an inlined function is called");
	refuses("events: Ir\nfn=(1) main\n1 1\ninlined=(1)\nfn=(2) f\n"
		"# inlined calls: 99999999999999999999\n1 1\n",
		6, "expected how often an inlined function is called");
}

static void test_folded_inlined_calls(void)
{
	static const char text[] = "events: Ir\n" CALLS_OF_OUTER("# inlined calls: 5\n")
		CALLS_OF_INNER;
	const struct cg_read_options folded = { .fold_inlined = true };
	struct cg_profile *p = profile_with(LINES(text), &folded);

	CHECK_U64(p->ncalls, 1);
	CHECK_INT(self_of(p, "main", 0), 321);
	cg_profile_free(p);
}

/* ---- the lines that call it ---- */

struct expected_site {
	const char *file;
	uint32_t line;
	uint64_t count;
	int64_t cost;
};

/* What main calls, and nothing else. */
static void check_sites(const char *text, const struct expected_site *expected, size_t count)
{
	struct cg_profile *p = whole_profile_of(text);
	uint32_t outer = record_named(p, "outer"), links = 0;

	for (uint32_t i = 1; i < p->ncalls; i++) {
		const struct cg_call *c = &p->calls[i];
		const struct cg_position at = cg_call_place(p, i);
		bool found = false;
		if (c->callee != outer)
			continue;
		for (size_t k = 0; k < count; k++)
			found |= at.line == expected[k].line && c->count == expected[k].count &&
				 p->call_cost[i] == expected[k].cost &&
				 strcmp(cg_string(p, at.file), expected[k].file) == 0;
		CHECK(found);
		links++;
	}
	CHECK_U64(links, count);
	cg_profile_free(p);
}

#define SITES(lines) \
	"events: Ir\nfl=a.c\nfn=(1) main\n1 1\nfl=in.h\ninlined=(1)\nfn=(2) outer\n" lines \
	"fe=in.h\n5 320\n"
#define CHECK_SITES(lines, ...) \
	check_sites(SITES(lines), (const struct expected_site[]){ __VA_ARGS__ }, \
		    sizeof((const struct expected_site[]){ __VA_ARGS__ }) / \
			    sizeof(struct expected_site))

static void test_sites(void)
{
	CHECK_SITES("fi=a.c\n# inlined at: 3 0 300\n# inlined at: 9 0 20\n", { "a.c", 3, 0, 300 },
		    { "a.c", 9, 0, 20 });
	CHECK_SITES(
		"# inlined calls: 7\nfi=a.c\n# inlined at: 3 5 300\nfi=b.c\n# inlined at: 3 2 20\n",
		{ "a.c", 3, 5, 300 }, { "b.c", 3, 2, 20 });
	/* What is at no known line. */
	CHECK_SITES("fi=a.c\n# inlined at: 3 0 300\n", { "a.c", 3, 0, 300 }, { "", 0, 0, 20 });
	CHECK_SITES("# inlined calls: 7\nfi=a.c\n# inlined at: 3 5 300\n", { "a.c", 3, 5, 300 },
		    { "", 0, 2, 20 });
	/* Code that was moved is at the line that calls most: no line has an unknown number. */
	CHECK_SITES("# inlined calls: 7\nfi=a.c\n# inlined at: 3 2 100\n# inlined at: 4 5 200\n"
		    "# inlined at: 9 0 20\n",
		    { "a.c", 3, 2, 100 }, { "a.c", 4, 5, 220 });
	/* Numbers of lines that are known are no use where others are not. */
	CHECK_SITES("fi=a.c\n# inlined at: 3 5 300\n# inlined at: 9 0 20\n", { "a.c", 3, 0, 300 },
		    { "a.c", 9, 0, 20 });
}

/* Lines that claim more than the record has are not believed. */
static void test_false_sites(void)
{
	CHECK_SITES("fi=a.c\n# inlined at: 3 0 300\n# inlined at: 9 0 21\n", { "", 0, 0, 320 });
	CHECK_SITES("fi=a.c\n# inlined at: 3 0 -1\n", { "", 0, 0, 320 });
	CHECK_SITES("# inlined calls: 4\nfi=a.c\n# inlined at: 3 5 300\n", { "", 0, 4, 320 });
	CHECK_SITES("fi=a.c\n# inlined at: 0 0 300\n", { "", 0, 0, 320 });
	/* Of a function that is not inlined, such a line is a comment. */
	struct cg_profile *p = whole_profile_of("events: Ir\nfn=f\n# inlined at: x\n1 1\n");
	CHECK_INT(self_of(p, "f", 0), 1);
	cg_profile_free(p);
	refuses(SITES("# inlined at: x 5 300\n"), 8, "a line that calls an inlined function");
	refuses(SITES("# inlined at: 3 5x 300\n"), 8, "a line that calls an inlined function");
	refuses(SITES("# inlined at: 4294967296 5 300\n"), 8,
		"a line that calls an inlined function");
	refuses(SITES("# inlined at: 3 5 x\n"), 8, "a cost");
}

static void test_folded_sites(void)
{
	const struct cg_read_options folded = { .fold_inlined = true };
	static const char text[] = SITES("fi=a.c\n# inlined at: 3 0 300\n");
	struct cg_profile *p = profile_with(LINES(text), &folded);

	CHECK_U64(p->ncalls, 1);
	CHECK_INT(self_of(p, "main", 0), 321);
	cg_profile_free(p);
}

TEST_MAIN("inlined code that is read", { "inlined code", test_inlined },
	  { "inlined into inlined code", test_nested_inlined },
	  { "inlined code, folded", test_folded_inlined },
	  { "inlined into two functions", test_inlined_twice },
	  { "inlined code in several parts", test_inlined_in_parts },
	  { "calls of inlined code", test_inlined_calls },
	  { "calls of inlined code, folded", test_folded_inlined_calls },
	  { "inlined into what is not there", test_bad_inlined },
	  { "lines that call it", test_sites }, { "lines that cannot call it", test_false_sites },
	  { "lines that call it, folded", test_folded_sites })
