#include "tests/unit/trees.h"

#include <math.h>

#include "src/report/suite_report.h"
#include "src/report/summary.h"

/* Two benchmarks in each format; one of them has events that the other lacks. */
struct fixture {
	struct trees one, two;
	struct environment_diff environment;
	uint32_t rows[2];
	struct bench_report benches[2];
	struct suite_report suite;
};

static struct diff_report report_of(const struct fixture *f, const struct trees *t,
				    const char *name)
{
	return (struct diff_report){
		.diff = t->diff,
		.base = { .name = "base" },
		.head = { .name = name },
		.environment = &f->environment,
		.rows = f->rows,
		.nrows = t->diff->count,
		.changed = t->diff->count,
		.filtered = t->diff->count,
	};
}

static void set_up(struct fixture *f)
{
	*f = (struct fixture){ .rows = { 0, 1 } };
	f->one = trees_of("events: Ir\nfn=f\n1 100\n", "events: Ir\nfn=f\n1 150\n", &instructions,
			  TREE_ALL);
	f->two = trees_of("events: Ir Dr\nfn=g\n1 100 7\n", "events: Dr Ir\nfn=g\n1 9 80\n",
			  &instructions, TREE_ALL);
	f->benches[0] = (struct bench_report){ .name = "one:a",
					       .diff = report_of(f, &f->one, "h1"),
					       .cause = { "src/f,1.c", 7 } };
	f->benches[1] = (struct bench_report){ .name = "two", .diff = report_of(f, &f->two, "h2") };
	f->suite = (struct suite_report){ .benches = f->benches, .count = 2 };
}

static void tear_down(struct fixture *f)
{
	trees_free(&f->one);
	trees_free(&f->two);
}

static void check(int (*write)(const struct suite_report *r, FILE *to), const char *expected)
{
	struct fixture f;
	char *text = NULL;
	size_t size = 0;

	set_up(&f);
	FILE *to = open_memstream(&text, &size);
	REQUIRE(to != NULL);
	CHECK_INT(write(&f.suite, to), CG_OK);
	fclose(to);
	CHECK_STR(text, expected);
	free(text);
	tear_down(&f);
}

static void test_github(void)
{
	check(suite_github, "::warning file=src/f%2C1.c,line=7,title=one%3Aa%3A REGRESSION::"
			    "100 → 150 Ir (+50.0%25)\n"
			    "::notice title=two%3A IMPROVEMENT::100 → 80 Ir (-20.0%25)\n");
}

static void test_csv(void)
{
	check(suite_csv, "bench,function,object,file,base_object,base_file,match,metric,class,why,"
			 "base_calls,head_calls,inclusive_is,"
			 "base_self_Ir,head_self_Ir,base_inclusive_Ir,head_inclusive_Ir,"
			 "base_self_Dr,head_self_Dr,base_inclusive_Dr,head_inclusive_Dr\r\n"
			 "one:a,f,,,,,same,Ir,regressed,regressed,0,0,exact,100,150,100,150,,,,\r\n"
			 "two,g,,,,,same,Ir,improved,improved,0,0,exact,100,80,100,80,7,9,7,9\r\n");
}

static void test_junit(void)
{
	check(suite_junit,
	      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	      "<testsuites name=\"irdiff\" tests=\"3\" failures=\"0\" errors=\"0\" time=\"0\">\n"
	      "  <testsuite name=\"one:a\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\" "
	      "time=\"0\">\n"
	      "    <properties>\n"
	      "      <property name=\"metric\" value=\"Ir\"/>\n"
	      "      <property name=\"verdict\" value=\"REGRESSION\"/>\n"
	      "      <property name=\"base.name\" value=\"base\"/>\n"
	      "      <property name=\"head.name\" value=\"h1\"/>\n"
	      "    </properties>\n"
	      "    <testcase classname=\"irdiff.one:a\" name=\"Ir\" time=\"0\">\n"
	      "      <system-out>100 → 150 (+50.0%)</system-out>\n"
	      "    </testcase>\n"
	      "  </testsuite>\n"
	      "  <testsuite name=\"two\" tests=\"2\" failures=\"0\" errors=\"0\" skipped=\"0\" time=\"0\">\n"
	      "    <properties>\n"
	      "      <property name=\"metric\" value=\"Ir\"/>\n"
	      "      <property name=\"verdict\" value=\"IMPROVEMENT\"/>\n"
	      "      <property name=\"base.name\" value=\"base\"/>\n"
	      "      <property name=\"head.name\" value=\"h2\"/>\n"
	      "    </properties>\n"
	      "    <testcase classname=\"irdiff.two\" name=\"Dr\" time=\"0\">\n"
	      "      <system-out>7 → 9 (+28.6%)</system-out>\n"
	      "    </testcase>\n"
	      "    <testcase classname=\"irdiff.two\" name=\"Ir\" time=\"0\">\n"
	      "      <system-out>100 → 80 (-20.0%)</system-out>\n"
	      "    </testcase>\n"
	      "  </testsuite>\n"
	      "</testsuites>\n");
}

/* A new benchmark and a removed one beside one that is compared. */
static void test_one_side(void)
{
	struct fixture f;
	struct diff_options options = { .metric = "Ir", .missing = DIFF_NO_BASE };
	struct cg_profile *nothing = profile_of("events: Ir\n"),
			  *p = profile_of("events: Ir\nfn=f\n1 5\n");
	struct diff *added = NULL, *removed = NULL;
	struct bench_report benches[3];
	char *text = NULL;
	size_t size = 0;

	set_up(&f);
	REQUIRE_INT(diff_make(nothing, p, &options, &added, NULL), CG_OK);
	options.missing = DIFF_NO_HEAD;
	REQUIRE_INT(diff_make(p, nothing, &options, &removed, NULL), CG_OK);
	benches[0] = f.benches[0];
	benches[1] = benches[2] = (struct bench_report){ .name = "new", .diff = f.benches[0].diff };
	benches[1].diff.diff = added;
	benches[1].diff.base.name = "";
	benches[2].name = "gone";
	benches[2].diff.diff = removed;
	benches[2].diff.head.name = "";
	FILE *to = open_memstream(&text, &size);
	REQUIRE(to != NULL);
	CHECK_INT(suite_github(&(struct suite_report){ .benches = benches + 1, .count = 2 }, to),
		  CG_OK);
	fflush(to);
	CHECK_STR(text, "::notice title=new%3A NEW::5 Ir, no base to compare with\n"
			"::notice title=gone%3A REMOVED::5 Ir in base, no head\n");
	CHECK_INT(suite_markdown(&(struct suite_report){ .benches = benches, .count = 3 }, to),
		  CG_OK);
	fclose(to);
	/* Only what is on both sides counts for the mean. */
	CHECK(strstr(text,
		     "## ⚠️ REGRESSION: 1 regressed, 1 new, 1 removed of 3 benchmarks\n"));
	CHECK(strstr(text, "\nGeometric mean of head / base: +50.0%\n"));
	CHECK(strstr(text, "| `new` | – | 5 | new | – |\n"
			   "| `gone` | 5 | – | removed | – |\n") != NULL);
	free(text);
	diff_free(added);
	diff_free(removed);
	cg_profile_free(nothing);
	cg_profile_free(p);
	tear_down(&f);
}

/* Benchmarks that are compared in different metrics have the mean of what most have: Ir. */
static void test_mixed_mean(void)
{
	struct fixture f;
	const struct diff_options reads = { .metric = "Dr" }, blocks = { .metric = "AllocBlocks" };
	struct cg_profile *few = profile_of("events: AllocBlocks\nfn=f\n1 2\n"),
			  *many = profile_of("events: AllocBlocks\nfn=f\n1 20\n");
	struct bench_report benches[3];
	struct diff *by_reads = NULL, *by_blocks = NULL;
	char *text = NULL;
	size_t size = 0;
	double mean = 0;

	set_up(&f);
	REQUIRE_INT(diff_make(f.two.base, f.two.head, &reads, &by_reads, NULL), CG_OK);
	REQUIRE_INT(diff_make(few, many, &blocks, &by_blocks, NULL), CG_OK);
	benches[0] = f.benches[0];
	benches[1] = benches[2] = f.benches[1];
	benches[1].diff.diff = by_reads;
	benches[2].diff.diff = by_blocks;
	const struct suite_report all = { .benches = benches, .count = 3 };
	CHECK(summary_geometric_mean(&all, &mean));
	CHECK(fabs(mean - sqrt(1.5 * 0.8)) < 1e-12);
	FILE *to = open_memstream(&text, &size);
	REQUIRE(to != NULL);
	summary_print_mean(&all, to);
	fclose(to);
	CHECK_STR(text, "\nGeometric mean of head / base of Ir: +9.54%\n");
	free(text);
	/* All in one: of that, whatever it is. */
	CHECK(summary_geometric_mean(&(struct suite_report){ .benches = benches + 1, .count = 1 },
				     &mean));
	CHECK(fabs(mean - 9.0 / 7) < 1e-12);
	diff_free(by_reads);
	diff_free(by_blocks);
	cg_profile_free(few);
	cg_profile_free(many);
	tear_down(&f);
}

TEST_MAIN("suite", { "github", test_github }, { "csv", test_csv }, { "junit", test_junit },
	  { "one side only", test_one_side }, { "mixed mean", test_mixed_mean })
