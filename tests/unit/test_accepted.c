#include "tests/unit/harness.h"

#include <stdlib.h>
#include <string.h>

#include "src/config/accepted.h"
#include "src/text/text.h"

/* ---- the rule ---- */

static bool holds(int64_t base0, int64_t head0, int64_t base, int64_t head, enum limit_kind kind)
{
	const struct acceptance a = { .has_base = true, .base = base0, .head = head0 };
	const struct limit limit = { .kind = kind };
	const struct limit_counts counts = { .has_base = true, .base = base, .head = head };
	return acceptance_holds(&a, &limit, &counts);
}

static void test_tolerance(void)
{
	struct acceptance a = { .has_base = true, .base = 100, .head = 120, .tolerance = 3 };
	const struct limit limit = { .kind = LIMIT_GROWTH };
	struct limit_counts counts = { .has_base = true, .base = 100, .head = 123, .tolerance = 3 };

	CHECK(acceptance_holds(&a, &limit, &counts));
	counts.head = 117;
	counts.base = 97;
	CHECK(acceptance_holds(&a, &limit, &counts));
	counts.head = 124;
	CHECK(!acceptance_holds(&a, &limit, &counts));
	counts.head = 120;
	counts.base = 96;
	CHECK(!acceptance_holds(&a, &limit, &counts));
	/* One that is raised later, or was larger then, lets nothing more through. */
	counts = (struct limit_counts){
		.has_base = true, .base = 100, .head = 130, .tolerance = 50
	};
	CHECK(!acceptance_holds(&a, &limit, &counts));
	a.tolerance = 50;
	counts.tolerance = 3;
	CHECK(!acceptance_holds(&a, &limit, &counts));
}

static void test_rule(void)
{
	/* One transition. */
	CHECK(holds(100, 120, 100, 120, LIMIT_GROWTH));
	CHECK(!holds(100, 120, 90, 120, LIMIT_GROWTH));
	CHECK(!holds(100, 120, 120, 120, LIMIT_GROWTH));
	CHECK(!holds(100, 120, 100, 119, LIMIT_GROWTH));
	CHECK(!holds(100, 120, 100, 121, LIMIT_GROWTH));
	/* Growth by as much is another one. */
	CHECK(!holds(100, 120, 200, 240, LIMIT_GROWTH));
	CHECK(!holds(100, 80, 200, 160, LIMIT_EQUAL));
	CHECK(holds(INT64_MIN, INT64_MAX, INT64_MIN, INT64_MAX, LIMIT_EQUAL));
	CHECK(!holds(INT64_MIN, INT64_MAX, INT64_MAX, INT64_MAX, LIMIT_EQUAL));
	/* A ceiling does not ask for base, unless there is nothing on head. */
	CHECK(holds(100, 120, 110, 120, LIMIT_CEILING));
	CHECK(!holds(100, 120, 110, 121, LIMIT_CEILING));
	CHECK(!holds(100, 0, 110, 0, LIMIT_CEILING));
	CHECK(holds(100, 0, 100, 0, LIMIT_CEILING));
}

static void test_base(void)
{
	const struct limit growth = { .kind = LIMIT_GROWTH }, ceiling = { .kind = LIMIT_CEILING };
	const struct acceptance without = { .head = 120 };
	const struct limit_counts with = { .has_base = true, .head = 120 }, none = { .head = 120 };

	CHECK(!acceptance_holds(&without, &growth, &with));
	CHECK(!acceptance_holds(&without, &growth, &none));
	CHECK(acceptance_holds(&without, &ceiling, &with));
	CHECK(acceptance_holds(&without, &ceiling, &none));
	/* What is missing in head, where base could not count it. */
	const struct acceptance gone = { .head = 0 };
	const struct limit_counts nothing = { .head = 0 }, counted = { .has_base = true };
	CHECK(acceptance_holds(&gone, &growth, &nothing));
	CHECK(!acceptance_holds(&gone, &growth, &counted));
	CHECK(!acceptance_holds(&without, &growth, &nothing));
}

static void test_verdicts(void)
{
	struct limit whole = { .metric = "Ir" },
		     inclusive = { .metric = "Ir", .inclusive = true, .function = "f" };
	struct limit_verdict verdicts[] = {
		{ .rule = { &whole, NULL },
		  .status = LIMIT_EXCEEDED,
		  .fails = true,
		  .counts = { true, 1, 5, 0 } },
		{ .rule = { &whole, NULL }, .status = LIMIT_PASS, .counts = { true, 1, 5, 0 } },
		{ .rule = { &inclusive, NULL },
		  .status = LIMIT_EXCEEDED,
		  .subject = "f\n",
		  .inclusive = true,
		  .counts = { true, 1, 7, 0 } },
		{ .rule = { &inclusive, NULL },
		  .status = LIMIT_EXCEEDED,
		  .subject = "g",
		  .inclusive = true,
		  .counts = { true, 1, 7, 0 } },
	};
	struct judgement j = { .verdicts = verdicts, .count = 4, .failing = 3 };
	const struct acceptance items[] = {
		{ .benchmark = "other", .metric = "Ir", .head = 5 },
		{ .benchmark = "b", .metric = "Ir", .has_base = true, .base = 1, .head = 4 },
		{ .benchmark = "b", .metric = "Ir", .has_base = true, .base = 1, .head = 5 },
		{ .benchmark = "b",
		  .metric = "incl.Ir",
		  .function = "f\\x0a",
		  .has_base = true,
		  .base = 1,
		  .head = 7 },
		{ .benchmark = "b", .metric = "Ir", .function = "g", .head = 7 },
	};
	const struct accepting a = { items, 5, "b", text_safe };

	REQUIRE_INT(accept_verdicts(&a, &j), CG_OK);
	CHECK_U64(j.failing, 1);
	CHECK_INT(verdicts[0].status, LIMIT_ACCEPTED);
	CHECK(!verdicts[0].fails);
	CHECK(verdicts[0].acceptance == &items[2]);
	CHECK_INT(verdicts[1].status, LIMIT_PASS);
	CHECK_INT(verdicts[2].status, LIMIT_ACCEPTED);
	CHECK_INT(verdicts[3].status, LIMIT_EXCEEDED);
	CHECK(verdicts[3].acceptance == NULL);
	CHECK(!limit_fails(LIMIT_ACCEPTED, true));
}

/* ---- the file ---- */

static struct acceptance entry(const char *benchmark, const char *function, int64_t head)
{
	return (struct acceptance){ .benchmark = benchmark,
				    .metric = "Ir",
				    .function = function,
				    .limit = "+1%",
				    .head = head,
				    .why = "so",
				    .date = "2026-11-21" };
}

static void edits(const char *text, const bool *drop, const struct acceptance *add, size_t nadd,
		  const char *expected)
{
	struct cg_error err = { 0 };
	char *out = NULL;
	int status = accepted_edit(text, strlen(text), "a.yml", drop, add, nadd, &out, &err);

	test_report(status == CG_OK, true, __FILE__, __LINE__, "%s", err.message);
	CHECK_STR(out, expected);
	free(out);
}

static void test_edit(void)
{
#define ENTRY(name, number) \
	"- benchmark: " name "\n  metric: Ir\n  head: " number "\n  why: so\n  date: 2026-11-21\n"
#define ADDED(name, number) \
	"- benchmark: " name "\n  metric: Ir\n  limit: \"+1%\"\n  head: " number \
	"\n  why: so\n  date: 2026-11-21\n"
	const struct acceptance b = entry("b", NULL, 5), two[] = { entry("z", NULL, 6), b };
	static const bool first[] = { true, false };

	edits("", NULL, &b, 1,
	      "# Accepted regressions: see irdiff-baseline(1). 'irdiff baseline "
	      "accept' adds entries,\n# 'irdiff baseline prune' removes expired ones.\n"
	      "accepted:\n" ADDED("b", "5"));
	edits("# x\naccepted: []", NULL, &b, 1, "# x\naccepted:\n" ADDED("b", "5"));
	/* Sorted between others; comments and a missing line end are no trouble. */
	edits("accepted:\n# of a\n" ENTRY("a", "1") "\n# of c\n" ENTRY("c", "3") "# end", NULL, two,
	      2,
	      "accepted:\n# of a\n" ENTRY("a", "1") "\n" ADDED("b", "5") "# of c\n" ENTRY("c", "3")
		      ADDED("z", "6") "# end\n");
	/* In the place of another one, or without it. */
	edits("accepted:\n# of b\n" ENTRY("b", "1") ENTRY("c", "3"), first, &b, 1,
	      "accepted:\n# of b\n" ADDED("b", "5") ENTRY("c", "3"));
	edits("accepted:\n# of b\n" ENTRY("b", "1") "# of c\n" ENTRY("c", "3"), first, NULL, 0,
	      "accepted:\n# of c\n" ENTRY("c", "3"));
	/* Names that YAML would read otherwise. */
	const struct acceptance odd = entry("null", "a: \"b\" \\ #\xe2\x80\xa8", -7);
	edits("accepted:\n", NULL, &odd, 1,
	      "accepted:\n- benchmark: \"null\"\n  metric: Ir\n"
	      "  function: \"a: \\\"b\\\" \\\\ #\\U00002028\"\n  limit: \"+1%\"\n  head: -7\n  why: so\n"
	      "  date: 2026-11-21\n");
}

static void test_no_harm(void)
{
	const struct acceptance b = entry("b", NULL, 5);
	static const char *const texts[] = {
		"accepted: [{benchmark: a, metric: Ir, head: 1, why: x, date: 2026-11-21}]\n",
		"{accepted: [\n{benchmark: a, metric: Ir, head: 1, why: x, date: 2026-11-21}]}\n",
	};

	for (size_t i = 0; i < 2; i++) {
		struct cg_error err = { 0 };
		char *out = NULL;
		CHECK_INT(
			accepted_edit(texts[i], strlen(texts[i]), "a.yml", NULL, &b, 1, &out, &err),
			CG_EINVAL);
		CHECK(out == NULL);
	}
}

static void test_errors(void)
{
	static const struct {
		const char *text;
		uint64_t line;
	} wrong[] = {
		{ "accepted: 5\n", 1 },
		{ "- a\n", 1 },
		{ "accepted:\n- 5\n", 2 },
		{ "accepted:\n- benchmark: b\n  metric: Ir\n  head: 99999999999999999999\n", 4 },
		{ "accepted:\n- benchmark: b\n  metric: Ir\n  head: 1\n  date: 2026-11-21\n", 2 },
		{ "accepted:\n- benchmark: b\n  tolerance: -1\n", 3 },
		{ "accepted:\n- benchmark: b\n  why: \"a\\nb\"\n", 3 },
		{ "accepted:\n" ENTRY("b", "1") ENTRY("c", "1") ENTRY("b", "1"), 12 },
	};

	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct accepted a = { .count = 77 };
		struct cg_error err = { 0 };
		CHECK_INT(accepted_parse(wrong[i].text, strlen(wrong[i].text), "a.yml", &a, &err),
			  CG_ESYNTAX);
		CHECK_STR(err.file, "a.yml");
		CHECK_U64(err.line, wrong[i].line);
		CHECK_U64(a.count, 77);
	}
}

TEST_MAIN("accepted", { "the rule", test_rule }, { "counts that vary", test_tolerance },
	  { "no base", test_base }, { "verdicts", test_verdicts }, { "editing", test_edit },
	  { "no harm to others", test_no_harm }, { "errors", test_errors })
