#include "tests/unit/profiles.h"

#include "src/view/flat.h"

/* Self Ir: hot 60, warm 25, cold 10, b_tie 2, a_tie 2 (one in each object), main 1, gone 0.
 * Inclusive: main all. Dr: warm 9, cold 10. */
static const char text[] = "events: Ir Dr\n"
			   "ob=/bin/a\nfl=a.c\nfn=main\n1 1\n"
			   "cfn=hot\ncalls=2 1\n1 70 10\n"
			   "cfn=warm\ncalls=1 1\n1 25 9\n"
			   "cfn=b_tie\ncalls=1 1\n1 2\n"
			   "cfn=a_tie\ncalls=1 1\n1 1\n"
			   "cob=/bin/b\ncfn=a_tie\ncalls=1 1\n1 1\n"
			   "cfn=gone\ncalls=1 1\n1 0\n"
			   "fn=hot\n1 60\ncfn=cold\ncalls=1 1\n1 10 10\n"
			   "fn=warm\n1 25 9\n"
			   "fn=cold\n1 10 10\n"
			   "fn=b_tie\n1 2\n"
			   "fn=a_tie\n1 1\n"
			   "ob=/bin/b\nfn=a_tie\n1 1\n";

/* The names of the rows in order, "hot warm …". */
static void shows(const struct flat_options *options, const char *expected)
{
	struct cg_profile *p = profile_of(text);
	struct flat *f = NULL;
	struct cg_error err = { 0 };
	char names[400] = "";
	size_t used = 0;

	int status = flat_make(p, options, &f, &err);
	test_report(status == CG_OK, true, __FILE__, __LINE__, "%s", err.message);
	for (size_t i = 0; i < f->count; i++)
		used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? " " : "",
					 view_function(p, f->rows[i].function));
	CHECK_STR(names, expected);
	CHECK_U64(f->total, 7); /* gone has no cost */
	flat_free(f);
	cg_profile_free(p);
}

static const uint32_t ir[] = { 0 }, dr_then_ir[] = { 1, 0 };

static void test_sorting(void)
{
	struct flat_options o = { .sort = ir, .nsort = 1 };
	/* main has 1 Ir, as have the two a_tie: by name. */
	shows(&o, "hot warm cold b_tie a_tie a_tie main");
	o.by_inclusive = true; /* 100, 70, 25, 10, 2, 1, 1 */
	shows(&o, "main hot warm cold b_tie a_tie a_tie");
	o = (struct flat_options){ .sort = dr_then_ir, .nsort = 2 };
	/* Dr: cold 10, warm 9; the rest has none and is ordered by Ir. */
	shows(&o, "cold warm hot b_tie a_tie a_tie main");
}

static void test_ties(void)
{
	struct cg_profile *p = profile_of(text);
	struct flat_options o = { .sort = ir, .nsort = 1 };
	struct flat *f = NULL;
	REQUIRE_INT(flat_make(p, &o, &f, NULL), CG_OK);
	REQUIRE_U64(f->count, 7);
	/* Names and costs are equal: by object. */
	CHECK_STR(view_object(p, f->rows[4].function), "/bin/a");
	CHECK_STR(view_object(p, f->rows[5].function), "/bin/b");
	flat_free(f);
	cg_profile_free(p);
}

static void test_rows(void)
{
	struct cg_profile *p = profile_of(text);
	struct flat_options o = { .sort = ir, .nsort = 1 };
	struct flat *f = NULL;
	REQUIRE_INT(flat_make(p, &o, &f, NULL), CG_OK);
	CHECK_U64(f->rows[0].self[0], 60);
	CHECK_U64(f->rows[0].inclusive[0], 70);
	CHECK_U64(f->rows[0].inclusive[1], 10);
	CHECK_U64(f->rows[0].calls, 2);
	CHECK(!f->rows[0].bound);
	CHECK_STR(view_file(p, f->rows[0].function), "a.c");
	flat_free(f);
	cg_profile_free(p);
}

/* Rows of at least that share of 100 Ir. */
static void test_threshold_by_self(void)
{
	struct flat_options o = { .sort = ir, .nsort = 1 };
	o.threshold = 60;
	shows(&o, "hot"); /* exactly 60 */
	o.threshold = 60.5;
	shows(&o, "");
	o.threshold = 10;
	shows(&o, "hot warm cold");
	o.threshold = 10.5;
	shows(&o, "hot warm");
	o.threshold = 0;
	shows(&o, "hot warm cold b_tie a_tie a_tie main");
}

static void test_threshold_by_inclusive(void)
{
	struct flat_options o = { .sort = ir, .nsort = 1, .by_inclusive = true };
	o.threshold = 10;
	shows(&o, "main hot warm cold"); /* cold has exactly 10 % */
	o.threshold = 10.5;
	shows(&o, "main hot warm");
	o.threshold = 100;
	shows(&o, "main");
}

static void test_filters(void)
{
	struct pattern *tie, *bin_b, *hot_or_warm;
	REQUIRE_INT(pattern_compile("_tie$", &tie, NULL), CG_OK);
	REQUIRE_INT(pattern_compile("^/bin/b:", &bin_b, NULL), CG_OK);
	REQUIRE_INT(pattern_compile("^(hot|warm)$", &hot_or_warm, NULL), CG_OK);

	struct flat_options o = { .sort = ir, .nsort = 1 };
	o.filter = tie;
	shows(&o, "b_tie a_tie a_tie");
	o.ignore = bin_b;
	shows(&o, "b_tie a_tie");
	o.filter = NULL;
	o.ignore = hot_or_warm;
	shows(&o, "cold b_tie a_tie a_tie main");
	/* The share is one of the program's cost, not of what was filtered. */
	o.ignore = NULL;
	o.filter = hot_or_warm;
	o.threshold = 60;
	shows(&o, "hot");
	o.threshold = 1;
	shows(&o, "hot warm");

	pattern_free(tie);
	pattern_free(bin_b);
	pattern_free(hot_or_warm);
}

static void test_costly_filter(void)
{
	char profile[6000] = "events: Ir\nfn=";
	size_t used = strlen(profile);
	memset(profile + used, 'a', 5000);
	strcpy(profile + used + 5000, "!\n1 7\n");
	struct cg_profile *p = profile_of(profile);
	struct pattern *bad;
	struct flat *f = NULL;
	struct cg_error err = { 0 };

	REQUIRE_INT(pattern_compile("^(a+)+$", &bad, NULL), CG_OK);
	struct flat_options o = { .sort = ir, .nsort = 1, .filter = bad };
	CHECK_INT(flat_make(p, &o, &f, &err), CG_ERANGE);
	CHECK(f == NULL);
	pattern_free(bad);
	cg_profile_free(p);
}

static void test_unknown(void)
{
	struct cg_profile *p = profile_of("events: Ir\nob=???\nfl=???\nfn=???\n1 7\n");
	CHECK_STR(view_function(p, 1), "???");
	CHECK_STR(view_file(p, 1), "???");
	CHECK_STR(view_object(p, 1), "???");
	cg_profile_free(p);
}

static void test_empty(void)
{
	struct cg_profile *p = profile_of("events: Ir\n");
	struct flat_options o = { .sort = ir, .nsort = 1, .threshold = 1 };
	struct flat *f = NULL;
	REQUIRE_INT(flat_make(p, &o, &f, NULL), CG_OK);
	CHECK_U64(f->count, 0);
	flat_free(f);
	cg_profile_free(p);
}

TEST_MAIN("flat", { "sorting", test_sorting }, { "ties", test_ties }, { "rows", test_rows },
	  { "threshold by self cost", test_threshold_by_self },
	  { "threshold by inclusive cost", test_threshold_by_inclusive },
	  { "filter and ignore", test_filters },
	  { "a filter that is too costly", test_costly_filter },
	  { "what is unknown", test_unknown }, { "an empty profile", test_empty })
