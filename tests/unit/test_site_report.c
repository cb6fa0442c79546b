/* The files of a site: counts in pieces, small charts, badges, names. */
#include "src/report/site_report.h"

#include "cgprofile/error.h"
#include "src/json/json.h"
#include "src/site/site_making.h"
#include "tests/unit/harness.h"

static struct step_limits limits = { .threshold_ppb = SERIES_THRESHOLD_PPB, .min_delta = 100 };

static struct series series_of(struct series_point *points, size_t count, const char *metric)
{
	series_find_steps(points, count, &limits);
	return (struct series){ .metric = metric, .points = points, .count = count };
}

static char *counts_script(const struct series *metrics, size_t count, uint64_t chunk)
{
	const struct site_series s = { .metrics = metrics, .limits = &limits, .nmetrics = count };
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	REQUIRE(to != NULL);
	CHECK_INT(site_counts_script(&s, chunk, "n", to), CG_OK);
	fclose(to);
	return text;
}

static void check_counts(const struct series *metrics, size_t count, uint64_t chunk,
			 const char *expected)
{
	char *text = counts_script(metrics, count, chunk);
	CHECK_STR(text, expected);
	free(text);
}

static void test_counts(void)
{
	struct series_point ir[] = { { .number = 0, .count = 1000 },
				     { .number = 999, .count = 1000 },
				     { .number = 1000, .count = 2000 },
				     { .number = 1002, .count = 1500 },
				     { .number = 5001, .count = 1500 } };
	struct series_point dr[] = { { .number = 1001, .count = -7 },
				     { .number = 1002, .count = 0 } };
	const struct series m[] = { series_of(ir, 5, "Ir"), series_of(dr, 2, "Dr") };

	check_counts(m, 2, 0,
		     "irdiff(\"n\",{\"at\":[0,999],\"metrics\":["
		     "{\"name\":\"Ir\",\"counts\":[1000,0],\"steps\":[]},"
		     "{\"name\":\"Dr\",\"counts\":[null,null],\"steps\":[]}]});\n");
	check_counts(m, 2, 1,
		     "irdiff(\"n\",{\"at\":[0,1,1],\"metrics\":["
		     "{\"name\":\"Ir\",\"counts\":[2000,null,-500],\"steps\":[0,1,2,-1]},"
		     "{\"name\":\"Dr\",\"counts\":[null,-7,7],\"steps\":[]}]});\n");
	check_counts(m, 2, 5,
		     "irdiff(\"n\",{\"at\":[1],\"metrics\":["
		     "{\"name\":\"Ir\",\"counts\":[1500],\"steps\":[]},"
		     "{\"name\":\"Dr\",\"counts\":[null],\"steps\":[]}]});\n");
	check_counts(m, 2, 4,
		     "irdiff(\"n\",{\"at\":[],\"metrics\":["
		     "{\"name\":\"Ir\",\"counts\":[],\"steps\":[]},"
		     "{\"name\":\"Dr\",\"counts\":[],\"steps\":[]}]});\n");
}

/* JavaScript has whole numbers up to 2^53 - 1: of counts, and of differences between them. */
static void test_large_counts(void)
{
	struct series_point p[] = { { .number = 0, .count = (INT64_C(1) << 53) - 1 },
				    { .number = 1, .count = INT64_C(1) << 53 },
				    { .number = 2, .count = INT64_MIN },
				    { .number = 3, .count = INT64_MAX },
				    { .number = 4, .count = -((INT64_C(1) << 53) - 1) } };
	struct series m = { .benchmark = "b", .metric = "Ir</script>", .points = p, .count = 5 };

	check_counts(
		&m, 1, 0,
		"irdiff(\"n\",{\"at\":[0,1,1,1,1],\"metrics\":[{\"name\":\"Ir\\u003c/script>\","
		"\"counts\":[9007199254740991,\"9007199254740992\",\"-9223372036854775808\","
		"\"9223372036854775807\",\"-9007199254740991\"],\"steps\":[]}]});\n");
}

/* Likewise in what is read first. */
static void test_large_summary(void)
{
	struct series_point p[] = {
		{ .number = 0, .commit = "a", .subject = "", .count = 7 },
		{ .number = 1, .commit = "b", .subject = "", .count = INT64_MAX }
	};
	const struct site_commit newest = { "b", "", NULL, 0, 1 };
	const size_t tag = 0;
	const struct site_since since = { true, (INT64_C(1) << 53) + 1, STEP_REGRESSED };
	struct series s = series_of(p, 2, "Ir");
	struct site_summary y = { .name = "n",
				  .id = "n",
				  .metric = "Ir",
				  .last = &p[1],
				  .count = 2,
				  .step = { .at = &p[1] },
				  .since = &since };
	const struct site_index index = {
		.newest = &newest, .benches = &y, .count = 1, .since = &tag, .nsince = 1
	};
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	y.nspark = site_spark(&s, y.spark);
	REQUIRE(to != NULL);
	CHECK_INT(site_index_script(&index, "data", to), CG_OK);
	fclose(to);
	CHECK(strstr(text,
		     "\"count\":\"9223372036854775807\",\"spark\":[7,\"9223372036854775807\"]"));
	CHECK(strstr(text, "\"since\":[\"9007199254740993\",1]"));
	CHECK(strstr(text, "\"before\":7,\"count\":\"9223372036854775807\""));
	free(text);
}

static void test_spark(void)
{
	struct series_point p[1000] = { 0 };
	int64_t spark[SITE_SPARK];
	bool peak = false, dip = false;

	for (int i = 0; i < 1000; i++)
		p[i] = (struct series_point){ .number = (uint64_t)i, .count = 50 };
	p[0].count = 1;
	p[500].count = 99;
	p[777].count = -3;
	p[995].count = 70;
	p[997].count = 40;
	p[999].count = 60;
	struct series s = { .points = p, .count = 1000 };
	size_t n = site_spark(&s, spark);
	CHECK(n <= SITE_SPARK && n >= SITE_SPARK - 1);
	for (size_t i = 0; i < n; i++) {
		peak |= spark[i] == 99;
		dip |= spark[i] == -3;
	}
	CHECK(peak && dip && spark[0] == 1 && spark[n - 1] == 60);
	s.count = SITE_SPARK;
	CHECK_U64(site_spark(&s, spark), SITE_SPARK);
	s.count = SITE_SPARK + 1;
	CHECK(site_spark(&s, spark) <= SITE_SPARK);
	s.count = 1;
	CHECK_U64(site_spark(&s, spark), 1);
	CHECK_INT(spark[0], 1);
}

static void check_drawn_badge(const char *text, const char *title, const char *color)
{
	char *wanted;

	REQUIRE(asprintf(&wanted, "<title>%s</title>", title) > 0);
	if (!strstr(text, wanted))
		CHECK_STR(text, wanted);
	CHECK(strstr(text, color) != NULL);
	free(wanted);
}

static void check_badge(const char *name, const struct series_point *last, const char *title,
			const char *color)
{
	const struct site_summary s = { .name = name, .metric = "Ir", .last = last };
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	REQUIRE(to != NULL);
	CHECK_INT(site_bench_badge(&s, to), CG_OK);
	fclose(to);
	check_drawn_badge(text, title, color);
	free(text);
}

static void check_project_badge(const struct site_index *index, const char *title,
				const char *color)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	REQUIRE(to != NULL);
	CHECK_INT(site_project_badge(index, to), CG_OK);
	fclose(to);
	check_drawn_badge(text, title, color);
	free(text);
}

static void test_badges(void)
{
	struct series_point p[] = { { .number = 0, .count = 1000000 },
				    { .number = 1, .count = 1010000 },
				    { .number = 2, .count = 1010000 },
				    { .number = 3, .count = 505000 } };

	series_of(p, 4, "Ir");
	check_badge("parse", &p[0], "parse: 1,000,000 Ir", "#57606a");
	check_badge("parse", &p[1], "parse: 1,010,000 Ir, +1.00%", "#b92f17");
	check_badge("parse", &p[2], "parse: 1,010,000 Ir", "#57606a");
	check_badge("parse", &p[3], "parse: 505,000 Ir, -50.0%", "#00695c");
	check_badge("<script>&\"'\x1b", &p[0], "&lt;script&gt;&amp;&quot;&#39;\\x1b: 1,000,000 Ir",
		    "#57606a");
}

/* One that was not measured at the newest commit is not said to be unchanged there. */
static void test_project_badge(void)
{
	struct series_point p[] = { { .number = 0, .count = 1000000 },
				    { .number = 1, .count = 1010000 },
				    { .number = 2, .count = 1010000 },
				    { .number = 3, .count = 505000 } };
	struct site_summary s[] = { { .last = &p[1] }, { .last = &p[2] }, { .last = &p[2] } };
	struct site_commit newest = { .number = 2 };
	struct site_index index = { .newest = &newest, .benches = s, .count = 3 };

	series_of(p, 4, "Ir");
	check_project_badge(&index, "irdiff: 2 unchanged", "#57606a");
	s[1].last = &p[3];
	newest.number = 3;
	check_project_badge(&index, "irdiff: 1 improved", "#00695c");
	s[1].last = &p[1];
	newest.number = 1;
	check_project_badge(&index, "irdiff: 2 regressed", "#b92f17");
}

static void check_id(const char *name, const char *readable)
{
	char *id = site_bench_id(name);
	size_t len = strlen(readable);
	REQUIRE(id != NULL);
	CHECK(strncmp(id, readable, len) == 0 && id[len] == '-');
	CHECK_U64(strspn(id + len + 1, "0123456789abcdef"), 20);
	CHECK_U64(strlen(id), len + 21);
	free(id);
}

static void test_names(void)
{
	char *a = site_bench_id("a/b"), *b = site_bench_id("a-b");

	check_id("parse/small", "parse-small");
	check_id("../../etc/passwd", "------etc-passwd");
	check_id("_A\n<\"", "-a---");
	check_id("", "");
	check_id("\xc3\xa4", "--");
	check_id("nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn",
		 "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn");
	REQUIRE(a && b);
	CHECK(strcmp(a, b) != 0);
	free(a);
	free(b);
}

TEST_MAIN("site_report", { "counts are in pieces", test_counts },
	  { "large counts stay exact", test_large_counts },
	  { "also in the index", test_large_summary }, { "a small chart keeps peaks", test_spark },
	  { "badges", test_badges }, { "the badge of a project", test_project_badge },
	  { "names of benchmarks as names of files", test_names })
