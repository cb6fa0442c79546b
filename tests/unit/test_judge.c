#include "tests/unit/profiles.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "src/diff/remarks.h"

/* Ir: 1000 → 1020 (+2 %), Dr: 100 → 90. parse_a 100 → 130, parse_b 200 → 200,
 * main 700 → 690; new_fn only in head (0). inclusive parse_a 300 → 330. */
static const char base_text[] = "events: Ir Dr\n"
				"fn=main\n1 700 100\ncfn=parse_a\ncalls=1 1\n1 300\n"
				"fn=parse_a\n1 100\ncfn=parse_b\ncalls=1 1\n1 200\n"
				"fn=parse_b\n1 200\n";
static const char head_text[] = "events: Ir Dr\n"
				"fn=main\n1 690 90\ncfn=parse_a\ncalls=1 1\n1 330\n"
				"fn=parse_a\n1 130\ncfn=parse_b\ncalls=1 1\n1 200\n"
				"fn=parse_b\n1 200\n";

static const struct judge_options usual = { 0 };

/* The verdicts on these specs, each "METRIC[ SUBJECT] STATUS". */
static void judges_options(const char *base_profile, struct diff_options options,
			   const char *const *specs, bool require_base, const char *expected,
			   size_t broken)
{
	struct cg_profile *base = profile_of(base_profile), *head = profile_of(head_text);
	struct diff *d = NULL;
	struct limit_set set = { 0 };
	const struct limit_set *sets[] = { &set };
	struct limit_rule *rules = NULL;
	size_t nrules, used = 0;
	struct judgement j;
	struct cg_error err = { 0 };
	char text[600] = "";

	options.metric = cg_string(base, base->events[0].name);
	REQUIRE_INT(diff_make(base, head, &options, &d, NULL), CG_OK);
	for (size_t i = 0; specs[i]; i++) {
		int status = limit_set_add_spec(&set, specs[i], LIMIT_COMMAND_LINE, "--limit",
						&err);
		test_report(status == CG_OK, true, __FILE__, __LINE__, "%s: %s", specs[i],
			    err.message);
	}
	REQUIRE_INT(limit_resolve(sets, 1, NULL, &rules, &nrules, NULL), CG_OK);
	int status = judge(d, rules, nrules,
			   &(struct judge_options){ .require_base = require_base }, &j, &err);
	test_report(status == CG_OK, true, __FILE__, __LINE__, "%s", err.message);

	for (size_t i = 0; i < j.count; i++) {
		const struct limit_verdict *v = &j.verdicts[i];
		used += (size_t)snprintf(text + used, sizeof text - used, "%s%s%s%s %s",
					 i ? ", " : "", v->rule.limit->metric,
					 v->subject ? " " : "", v->subject ? v->subject : "",
					 limit_status_name(v->status));
	}
	CHECK_STR(text, expected);
	CHECK_U64(j.failing, broken);
	judgement_free(&j);
	free(rules);
	limit_set_free(&set);
	diff_free(d);
	cg_profile_free(base);
	cg_profile_free(head);
}

static void judges_sides(const char *base_profile, enum diff_missing missing,
			 const char *const *specs, bool require_base, const char *expected,
			 size_t broken)
{
	judges_options(base_profile, (struct diff_options){ .missing = missing }, specs,
		       require_base, expected, broken);
}

static void judges_with(const char *base_profile, const char *const *specs, bool require_base,
			const char *expected, size_t broken)
{
	judges_sides(base_profile, DIFF_BOTH_THERE, specs, require_base, expected, broken);
}

#define JUDGES(expected, broken, ...) \
	judges_with(base_text, (const char *const[]){ __VA_ARGS__, NULL }, false, expected, broken)

static void test_totals(void)
{
	JUDGES("Ir pass", 0, "Ir=+2%"); /* exactly */
	JUDGES("Ir exceeded", 1, "Ir=+1.99%");
	JUDGES("Ir pass", 0, "Ir=+20");
	JUDGES("Ir exceeded", 1, "Ir=+19");
	JUDGES("Ir pass", 0, "Ir=1020");
	JUDGES("Ir exceeded", 1, "Ir=1019");
	JUDGES("Ir exceeded", 1, "Ir==");
	JUDGES("Dr exceeded", 1, "Dr=="); /* in either direction */
	JUDGES("Dr pass", 0, "Dr=+0%");
	JUDGES("Ir exceeded, Dr pass", 1, "Ir=+1%", "Dr=+1%");
}

static void test_functions(void)
{
	/* Verdicts in the order of the rows: largest |Δ| first. */
	JUDGES("Ir parse_a exceeded, Ir parse_b pass", 1, "Ir=+5% fn:^parse_");
	JUDGES("Ir parse_a pass", 0, "Ir=+30% fn:^parse_a$");
	JUDGES("Ir parse_b pass", 0, "Ir== fn:parse_b");
	/* Inclusive: 300 → 330 is 10 %. */
	JUDGES("Ir parse_a pass", 0, "incl.Ir=+10% fn:parse_a");
	JUDGES("Ir parse_a exceeded", 1, "incl.Ir=+9% fn:parse_a");
	JUDGES("Ir parse_a exceeded, Ir main pass, Ir parse_b pass", 1, "Ir=+29 fn:.");
}

/* Both of parse_: 300 → 330. */
static void test_modules(void)
{
	JUDGES("Ir mod:^parse_ pass", 0, "Ir=+10% mod:^parse_");
	JUDGES("Ir mod:^parse_ exceeded", 1, "Ir=+9% mod:^parse_");
	JUDGES("Ir mod:^parse_ pass", 0, "Ir=+30 mod:^parse_");
	JUDGES("Ir mod:^parse_ exceeded", 1, "Ir=329 mod:^parse_");
	JUDGES("Ir mod:. pass", 0, "Ir=+2% mod:.");                   /* all of it */
	JUDGES("Ir mod::parse_a$ exceeded", 1, "Ir== mod::parse_a$"); /* after the file */
	JUDGES("Ir no match", 0, "Ir=+1% mod:^nothing$");
	/* A function is one of a module, but not the same number. */
	JUDGES("Ir parse_a exceeded, Ir mod:parse_a pass", 1, "Ir=+29% fn:parse_a",
	       "Ir=+30% mod:parse_a");
}

/* json: 100 → 130 and its template 50 → 50, json::detail 10 → 10, csv: 7 → 9; C: 5 → 5. */
static const char spaces_base[] =
	"events: Ir Dr\n"
	"fn=json::parse(char const*)\n1 100\n"
	"fn=json::list<int, csv::row>::add(int)\n1 50\nfn=json::detail::skip()\n1 10\n"
	"fn=<csv::Row as core::fmt::Display>::fmt\n1 7\nfn=json\n1 5\n";
static const char spaces_head[] =
	"events: Ir Dr\n"
	"fn=json::parse(char const*)\n1 130\n"
	"fn=json::list<int, csv::row>::add(int)\n1 50\nfn=json::detail::skip()\n1 10\n"
	"fn=<csv::Row as core::fmt::Display>::fmt\n1 9\nfn=json\n1 5\n";

static void check_space(const char *spec, const char *expected)
{
	struct cg_profile *base = profile_of(spaces_base), *head = profile_of(spaces_head);
	const struct diff_options options = { .metric = "Ir" };
	struct diff *d = NULL;
	struct limit_set set = { 0 };
	const struct limit_set *sets[] = { &set };
	struct limit_rule *rules = NULL;
	struct judgement j;
	size_t nrules;
	char text[100];

	REQUIRE_INT(diff_make(base, head, &options, &d, NULL), CG_OK);
	REQUIRE_INT(limit_set_add_spec(&set, spec, LIMIT_COMMAND_LINE, "--limit", NULL), CG_OK);
	REQUIRE_INT(limit_resolve(sets, 1, NULL, &rules, &nrules, NULL), CG_OK);
	REQUIRE_INT(judge(d, rules, nrules, &usual, &j, NULL), CG_OK);
	REQUIRE_U64(j.count, 1);
	snprintf(text, sizeof text, "%s %" PRId64 " %" PRId64,
		 limit_status_name(j.verdicts[0].status), j.verdicts[0].counts.base,
		 j.verdicts[0].counts.head);
	CHECK_STR(text, expected);
	judgement_free(&j);
	free(rules);
	limit_set_free(&set);
	diff_free(d);
	cg_profile_free(base);
	cg_profile_free(head);
}

/* ---- calls ---- */

/* get: 2 → 5 calls, from two callers in head; old is gone, and new is new. */
static const char calls_base[] = "events: Ir Dr\n"
				 "fn=main\n1 10 0\ncfn=get\ncalls=2 1\n1 20\n"
				 "cfn=old\ncalls=1 1\n1 1\n"
				 "fn=get\n1 20\nfn=old\n1 1\n";
static const char calls_head[] = "events: Ir Dr\n"
				 "fn=main\n1 10 0\ncfn=get\ncalls=2 1\n1 20\n"
				 "cfn=by\ncalls=1 1\n1 31\ncfn=new\ncalls=4 1\n1 4\n"
				 "fn=by\n1 1\ncfn=get\ncalls=3 1\n1 30\n"
				 "fn=get\n1 50\nfn=new\n1 4\n";

static int judge_one(const char *of_base, const char *of_head, const char *spec, char *text,
		     size_t size)
{
	struct cg_profile *base = profile_of(of_base), *head = profile_of(of_head);
	const struct diff_options options = { .metric = "Ir" };
	struct diff *d = NULL;
	struct limit_set set = { 0 };
	const struct limit_set *sets[] = { &set };
	struct limit_rule *rules = NULL;
	struct judgement j = { 0 };
	size_t nrules;

	REQUIRE_INT(diff_make(base, head, &options, &d, NULL), CG_OK);
	REQUIRE_INT(limit_set_add_spec(&set, spec, LIMIT_COMMAND_LINE, "--limit", NULL), CG_OK);
	REQUIRE_INT(limit_resolve(sets, 1, NULL, &rules, &nrules, NULL), CG_OK);
	struct cg_error err = { 0 };
	int status = judge(d, rules, nrules, &usual, &j, &err);
	if (status)
		snprintf(text, size, "%s", err.message);
	else
		snprintf(text, size, "%s %" PRId64 " %" PRId64,
			 limit_status_name(j.verdicts[0].status), j.verdicts[0].counts.base,
			 j.verdicts[0].counts.head);
	judgement_free(&j);
	free(rules);
	limit_set_free(&set);
	diff_free(d);
	cg_profile_free(base);
	cg_profile_free(head);
	return status;
}

static void check_calls(const char *of_base, const char *spec, const char *expected)
{
	char text[800];

	REQUIRE_INT(judge_one(of_base, calls_head, spec, text, sizeof text), CG_OK);
	CHECK_STR(text, expected);
}

static void test_calls(void)
{
	check_calls(calls_base, "calls=+3 fn:^get$", "pass 2 5");
	check_calls(calls_base, "calls=+2 fn:^get$", "exceeded 2 5");
	check_calls(calls_base, "calls=4 fn:^get$", "exceeded 2 5");
	check_calls(calls_base, "calls=+0 fn:^new$", "exceeded 0 4");
	check_calls(calls_base, "calls=+0 fn:^old$", "missing in head 1 0");
	check_calls(calls_base, "calls=+0 fn:^nothing$", "no match 0 0");
}

/* What has no calls, or not their number, has not 0 of them. */
static void test_unknown_calls(void)
{
	static const char self_only[] = "desc: irdiff.baseline: 1\nevents: Ir Dr\n"
					"fn=main\n1 10 0\nfn=get\n1 20\n";
	static const char stacks[] = "events: Ir Dr\nfn=main\n1 10 0\ncfn=get\ncalls=0 1\n1 20\n"
				     "fn=get\n1 20\n";
	char text[800];

	check_calls(self_only, "calls=+0 fn:^get$", "no base 0 5");
	check_calls(stacks, "calls=+0 fn:^get$", "no base 0 5");
	check_calls(self_only, "calls=4 fn:^get$", "exceeded 0 5");
	REQUIRE_INT(judge_one(calls_base, stacks, "calls=+0 fn:^get$", text, sizeof text), CG_OK);
	CHECK_STR(text, "no metric 0 0");
}

static void test_namespaces(void)
{
	check_space("Ir=+1% namespace:^json$", "exceeded 100 130");
	check_space("Ir=+1% namespace:^json::list$", "pass 50 50");
	check_space("Ir=+20% namespace:^json(::|$)", "pass 160 190");
	check_space("Ir=+1 namespace:^csv::Row$", "exceeded 7 9");
	check_space("Ir== namespace:^csv$", "no match 0 0"); /* an argument of a template is none */
	check_space("Ir== namespace:^.no namespace", "pass 5 5");
}

static void test_nothing_to_judge(void)
{
	JUDGES("Ir no match", 0, "Ir=+1% fn:^nothing$");
	JUDGES("D1mr no metric", 1, "D1mr=+1%"); /* a gate that cannot close has failed */
	JUDGES("EstCycles no metric", 1, "EstCycles=+1%");
}

/* Base has no Dr: growth cannot be judged, a ceiling can. */
static void test_without_base(void)
{
	static const char no_dr[] = "events: Ir\nfn=main\n1 1000\n";
	static const char *const specs[] = { "Dr=+1%", "Dr=100", NULL };
	judges_with(no_dr, specs, false, "Dr no base, Dr pass", 0);
	judges_with(no_dr, specs, true, "Dr no base, Dr pass", 1);
	judges_with(no_dr, (const char *const[]){ "Dr=+1% mod:main", NULL }, false,
		    "Dr mod:main no base", 0);
}

/* A base of self costs alone, as a baseline, says nothing of inclusive costs. */
static void test_without_calls_in_base(void)
{
	static const char self_only[] = "desc: irdiff.baseline: 1\nevents: Ir Dr\n"
					"fn=main\n1 700 100\nfn=parse_a\n1 100\n";
	static const char *const specs[] = { "incl.Ir=+1% fn:^parse_a$", "incl.Ir=329 fn:^parse_a$",
					     "Ir=+30% fn:^parse_a$", NULL };
	judges_with(self_only, specs, false,
		    "Ir parse_a no base, Ir parse_a exceeded, Ir parse_a pass", 1);
}

/* A benchmark that is new has only ceilings; one that head does not have fails for that alone. */
static void test_one_side(void)
{
	static const char nothing[] = "events: Ir Dr\n";
	static const char *const specs[] = { "Ir=+1%", "Ir=1019", "Dr==", "Ir=+1 fn:parse_a",
					     NULL };

	judges_sides(nothing, DIFF_NO_BASE, specs, false,
		     "Ir no base, Ir exceeded, Dr no base, Ir parse_a no base", 1);
	judges_sides(nothing, DIFF_NO_BASE, specs, true,
		     "Ir no base, Ir exceeded, Dr no base, Ir parse_a no base", 4);
	judges_sides(base_text, DIFF_NO_HEAD, specs, true, "Ir missing in head", 1);
}

/* ---- what is missing in head ---- */

static const char long_base[] =
	"events: Ir Dr\nfn=main\n1 100 5\nfn=old\n1 5000 50\nfn=tiny\n1 99 0\n"
	"fn=m::a\n1 700 0\nfn=m::b\n1 300 0\n";
static const char long_head[] =
	"events: Ir Dr\nfn=main\n1 100 5\nfn=huge\n1 90000 50\nfn=like\n1 7000 40\n"
	"fn=unlike\n1 2499 0\n";

/* A benchmark that is gone is told with what it cost in base, where events may stand in another
 * order. */
static void test_missing_counts(void)
{
	struct cg_profile *base = profile_of(base_text),
			  *head = profile_of("events: Dr Ir\nfn=f\n1 0 0\n");
	struct diff *d = NULL;
	struct judgement j;

	REQUIRE_INT(diff_make(base, head,
			      &(struct diff_options){ .metric = "Ir", .missing = DIFF_NO_HEAD }, &d,
			      NULL),
		    CG_OK);
	REQUIRE_INT(judge(d, NULL, 0, &usual, &j, NULL), CG_OK);
	REQUIRE_U64(j.count, 1);
	CHECK_INT(j.verdicts[0].status, LIMIT_MISSING);
	CHECK(j.verdicts[0].counts.has_base);
	CHECK_INT(j.verdicts[0].counts.base, 1000);
	CHECK_INT(j.verdicts[0].counts.head, 0);
	judgement_free(&j);
	diff_free(d);
	cg_profile_free(base);
	cg_profile_free(head);
}

struct missing_case {
	const char *spec;
	bool allow_removed;
	const char *expected; /* status, and what may have replaced it */
};

static void check_missing_in(const char *of_base, const char *of_head, const struct missing_case *c)
{
	struct cg_profile *base = profile_of(of_base), *head = profile_of(of_head);
	const struct diff_options options = { .metric = "Ir",
					      .threshold_ppb = DIFF_DEFAULT_THRESHOLD_PPB,
					      .min_delta = DIFF_DEFAULT_MIN_DELTA };
	const struct judge_options judging = { .allow_removed = c->allow_removed };
	struct diff *d = NULL;
	struct limit_set set = { 0 };
	const struct limit_set *sets[] = { &set };
	struct limit_rule *rules = NULL;
	struct judgement j;
	size_t nrules;
	char text[100];

	REQUIRE_INT(diff_make(base, head, &options, &d, NULL), CG_OK);
	REQUIRE_INT(limit_set_add_spec(&set, c->spec, LIMIT_COMMAND_LINE, "--limit", NULL), CG_OK);
	REQUIRE_INT(limit_resolve(sets, 1, NULL, &rules, &nrules, NULL), CG_OK);
	REQUIRE_INT(judge(d, rules, nrules, &judging, &j, NULL), CG_OK);
	REQUIRE_U64(j.count, 1);
	const struct limit_verdict *v = &j.verdicts[0];
	snprintf(text, sizeof text, "%s %" PRId64 " %s %" PRId64, limit_status_name(v->status),
		 v->counts.base, v->replacement ? v->replacement : "-", v->replacement_cost);
	CHECK_STR(text, c->expected);
	CHECK_INT(v->fails, v->status == LIMIT_MISSING);
	CHECK_U64(j.failing, v->status == LIMIT_MISSING);
	judgement_free(&j);
	free(rules);
	limit_set_free(&set);
	diff_free(d);
	cg_profile_free(base);
	cg_profile_free(head);
}

static void check_missing(const struct missing_case *c)
{
	check_missing_in(long_base, long_head, c);
}

/* What is little of the metric that is shown may be much of the one that has a limit. */
static void test_missing_in_other_metric(void)
{
	static const char base[] = "events: Ir D1mr\nfn=main\n1 1000000 100\nfn=old\n1 10 200\n";
	static const char head[] = "events: Ir D1mr\nfn=main\n1 1000000 100\n";

	check_missing_in(
		base, head,
		&(struct missing_case){ "D1mr=+1% fn:^old$", false, "missing in head 200 - 0" });
	check_missing_in(
		base, head,
		&(struct missing_case){ "D1mr=+1% mod:^old$", false, "missing in head 200 - 0" });
	check_missing_in(base, head,
			 &(struct missing_case){ "Ir=+1% fn:^old$", false, "pass 10 - 0" });
	/* Each system call counts. */
	check_missing_in(
		"events: Ir sysCount\nfn=main\n1 1000000 10\nfn=old\n1 10 3\n",
		"events: Ir sysCount\nfn=main\n1 1000000 13\n",
		&(struct missing_case){ "syscalls=+0 fn:^old$", false, "missing in head 3 - 0" });
}

static void test_missing(void)
{
	static const struct missing_case cases[] = {
		{ "Ir=+1% fn:^old$", false, "missing in head 5000 like 7000" },
		{ "Ir=1M fn:^old$", false, "missing in head 5000 like 7000" },
		{ "Ir== fn:^old$", false, "missing in head 5000 like 7000" },
		{ "Dr=+1% fn:^old$", true, "pass 50 - 0" },
		{ "Ir=+1% fn:^old$", true, "pass 5000 - 0" },
		{ "Ir=+1% fn:^tiny$", false, "pass 99 - 0" },
		{ "Ir=+1% fn:^main$", false, "pass 100 - 0" },
		{ "Ir=+1% namespace:^m$", false, "missing in head 1000 - 0" },
		{ "Ir=+1% mod:^m::a$", false, "missing in head 700 - 0" },
		{ "Ir=+10000% mod:^(m|main)", false, "pass 1100 - 0" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		check_missing(&cases[i]);
	/* The least that counts as a change. */
	check_missing_in(
		"events: Ir\nfn=main\n1 900\nfn=old\n1 100\n", "events: Ir\nfn=main\n1 900\n",
		&(struct missing_case){ "Ir=+1% fn:^old$", false, "missing in head 100 - 0" });
	/* The nearest is not the cheapest; of two as near, it is the one that stands first. */
	check_missing_in("events: Ir\nfn=old\n1 5000\n",
			 "events: Ir\nfn=near\n1 5200\nfn=less\n1 3001\n",
			 &(struct missing_case){ "Ir=+1% fn:^old$", false,
						 "missing in head 5000 near 5200" });
	check_missing_in("events: Ir\nfn=old\n1 5000\n",
			 "events: Ir\nfn=below\n1 4000\nfn=above\n1 6000\n",
			 &(struct missing_case){ "Ir=+1% fn:^old$", false,
						 "missing in head 5000 above 6000" });
	/* Less than half of it, and more than twice. */
	check_missing_in(
		"events: Ir\nfn=old\n1 5000\n", "events: Ir\nfn=less\n1 2499\n",
		&(struct missing_case){ "Ir=+1% fn:^old$", false, "missing in head 5000 - 0" });
	check_missing_in(
		"events: Ir\nfn=old\n1 5000\n", "events: Ir\nfn=more\n1 10002\n",
		&(struct missing_case){ "Ir=+1% fn:^old$", false, "missing in head 5000 - 0" });
	/* It may be what has changed most; of two the nearer one, wherever it stands. */
	check_missing_in("events: Ir\nfn=old\n1 5000\n", "events: Ir\nfn=like\n1 7000\n",
			 &(struct missing_case){ "Ir=+1% fn:^old$", false,
						 "missing in head 5000 like 7000" });
	check_missing_in("events: Ir\nfn=old\n1 5000\n",
			 "events: Ir\nfn=like\n1 7000\nfn=near\n1 3001\n",
			 &(struct missing_case){ "Ir=+1% fn:^old$", false,
						 "missing in head 5000 near 3001" });
	check_missing_in("events: Ir\nfn=old\n1 5000\n", "events: Ir\nfn=half\n1 2500\n",
			 &(struct missing_case){ "Ir=+1% fn:^old$", false,
						 "missing in head 5000 half 2500" });
	check_missing_in("events: Ir\nfn=old\n1 5000\n",
			 "events: Ir\nfn=twice\n1 10000\nfn=more\n1 10002\n",
			 &(struct missing_case){ "Ir=+1% fn:^old$", false,
						 "missing in head 5000 twice 10000" });
}

/* ---- limits that match nothing ---- */

static struct limit_verdict unmatched(const struct limit *limit, enum limit_status status)
{
	return (struct limit_verdict){ .rule.limit = limit, .status = status };
}

/* How many of two benchmarks fail for a limit that the first one does not match. */
static size_t fail_unmatched(enum limit_level level, enum limit_status other, bool whole,
			     bool complete)
{
	const struct limit limit = {
		.level = level, .metric = "Ir", .text = "+1%", .function = "f"
	};
	struct limit_verdict first = unmatched(&limit, LIMIT_NO_MATCH),
			     second = unmatched(&limit, other);
	struct judgement a = { .verdicts = &first, .count = 1 },
			 b = { .verdicts = &second, .count = 1 };
	const struct judged_bench benches[] = { { &a, whole, false, "a", NULL },
						{ &b, whole, false, "b", NULL } };

	judge_unmatched(benches, 2, complete);
	CHECK_INT(first.fails, a.failing == 1);
	CHECK_INT(second.fails, b.failing == 1);
	return a.failing + b.failing;
}

static void test_unmatched(void)
{
	CHECK_U64(fail_unmatched(LIMIT_GENERAL, LIMIT_NO_MATCH, true, true), 2);
	CHECK_U64(fail_unmatched(LIMIT_GENERAL, LIMIT_PASS, true, true), 0);
	CHECK_U64(fail_unmatched(LIMIT_GENERAL, LIMIT_EXCEEDED, true, true), 0);
	CHECK_U64(fail_unmatched(LIMIT_GENERAL, LIMIT_NO_MATCH, true, false), 0);
	CHECK_U64(fail_unmatched(LIMIT_BENCHMARK, LIMIT_NO_MATCH, true, false), 2);
	CHECK_U64(fail_unmatched(LIMIT_BENCHMARK, LIMIT_NO_MATCH, false, false), 0);
	CHECK_U64(fail_unmatched(LIMIT_COMMAND_LINE, LIMIT_NO_MATCH, false, false), 2);
	CHECK_U64(fail_unmatched(LIMIT_COMMAND_LINE, LIMIT_PASS, false, false), 0);

	/* That another limit matches says nothing of this one. */
	const struct limit ir = { .metric = "Ir", .text = "+1%", .function = "f" },
			   dr = { .metric = "Dr", .text = "+1%", .function = "f" };
	struct limit_verdict first = unmatched(&ir, LIMIT_NO_MATCH),
			     second = unmatched(&dr, LIMIT_PASS);
	struct judgement a = { .verdicts = &first, .count = 1 },
			 b = { .verdicts = &second, .count = 1 };
	const struct judged_bench both[] = { { &a, true, false, "a", NULL },
					     { &b, true, false, "b", NULL } };
	judge_unmatched(both, 2, true);
	CHECK_U64(a.failing, 1);
	CHECK_U64(b.failing, 0);
}

/* A benchmark whose heap has a profile of its own: of the others one has the function, which does
 * not allocate, so that its heap does not have it. */
static void test_unmatched_in_heap(void)
{
	const struct limit limit = { .metric = "alloc_bytes",
				     .kind = LIMIT_EQUAL,
				     .text = "=",
				     .function = "^f$",
				     .inclusive = true };
	const struct limit_rule rule = { .limit = &limit };
	static const char *const texts[] = {
		"desc: " METRIC_HEAP_KEY ": " METRIC_HEAP_APART "\nevents: Ir\nfn=main\n1 100\n",
		"desc: " METRIC_HEAP_KEY ": " METRIC_HEAP_HERE
		"\nevents: AllocBytes\nfn=main\n1 100\n",
		"desc: " METRIC_HEAP_KEY ": " METRIC_HEAP_APART "\nevents: Ir\nfn=f\n1 100\n",
		"desc: " METRIC_HEAP_KEY ": " METRIC_HEAP_HERE
		"\nevents: AllocBytes\nfn=main\n1 100\n",
	};
	enum { BENCHES = sizeof texts / sizeof *texts };
	struct cg_profile *profiles[BENCHES];
	struct diff *diffs[BENCHES];
	struct judgement of[BENCHES];
	struct judged_bench benches[BENCHES];

	for (size_t i = 0; i < BENCHES; i++) {
		profiles[i] = profile_of(texts[i]);
		const struct diff_options options = {
			.metric = cg_string(profiles[i], profiles[i]->events[0].name)
		};
		REQUIRE_INT(diff_make(profiles[i], profiles[i], &options, &diffs[i], NULL), CG_OK);
		REQUIRE_INT(judge(diffs[i], &rule, 1, &usual, &of[i], NULL), CG_OK);
		benches[i] = (struct judged_bench){ &of[i], true, i % 2, "b", diffs[i] };
	}
	judge_unmatched(benches, BENCHES, true);
	CHECK_U64(of[0].count, 1);
	CHECK_U64(of[0].failing + of[1].failing + of[2].failing + of[3].failing, 0);
	/* There is no verdict on it in the other, and without that it matches nothing. */
	CHECK(!judge_has_limit(&benches[2], 2, &limit, false));
	judge_unmatched(benches, 2, true);
	CHECK_U64(of[0].failing, 1);
	for (size_t i = 0; i < BENCHES; i++) {
		judgement_free(&of[i]);
		diff_free(diffs[i]);
		cg_profile_free(profiles[i]);
	}
}

/* ---- what may be chance, or was not seen ---- */

static void test_remarks(void)
{
	struct cg_profile *p = profile_of(base_text);
	const struct tolerance stated = { "Ir", 5, 0 };
	const struct diff_options options = { .metric = "Ir" }, tolerant = { .metric = "Ir",
									     .tolerances = &stated,
									     .ntolerances = 1 };
	const struct limit ir = { .metric = "Ir" }, dr = { .metric = "Dr" };
	struct limit_verdict verdicts[] = {
		{ .rule.limit = &ir, .status = LIMIT_EXCEEDED, .fails = true },
		{ .rule.limit = &dr, .status = LIMIT_PASS }
	};
	struct judgement j = { .verdicts = verdicts, .count = 2, .failing = 1 };
	struct remarks warning = { 0 }, unseen = { 0 }, chance = { 0 }, estimate = { 0 };
	struct diff *d = NULL, *t = NULL;

	REQUIRE_INT(diff_make(p, p, &options, &d, NULL), CG_OK);
	REQUIRE_INT(diff_make(p, p, &tolerant, &t, NULL), CG_OK);
	REQUIRE_INT(remarks_add(&warning, REMARK_WARNING, "w", strdup("text"), NULL, NULL), CG_OK);
	REQUIRE_INT(
		remarks_add(&unseen, REMARK_UNSEEN, "u", strdup("text"), strdup("advice"), NULL),
		CG_OK);
	REQUIRE_INT(remarks_add(&chance, REMARK_CHANCE, "c", strdup("text"), NULL, NULL), CG_OK);
	CHECK_INT(remarks_add(&chance, REMARK_CHANCE, "c", NULL, strdup("advice"), NULL),
		  CG_ENOMEM);
	CHECK_U64(chance.count, 1);
	REQUIRE_INT(remarks_add(&estimate, REMARK_ESTIMATE, "e", strdup("text"), NULL, NULL),
		    CG_OK);
	CHECK_STR(remark_effect_name(unseen.items[0].effect), "unseen");

	CHECK_INT(remarks_judge(NULL, d, &j), JUDGED_FAIL);
	CHECK_INT(remarks_judge(&warning, d, &j), JUDGED_FAIL);
	CHECK_INT(remarks_judge(&unseen, d, &j), JUDGED_FAIL);
	CHECK_INT(remarks_judge(&chance, d, &j), JUDGED_INCONCLUSIVE);
	CHECK_INT(remarks_judge(&chance, t, &j), JUDGED_FAIL);
	CHECK_INT(remarks_judge(&estimate, d, &j), JUDGED_INCONCLUSIVE);
	CHECK_INT(remarks_judge(&estimate, t, &j), JUDGED_FAIL);
	/* What is missing is no matter of chance. */
	verdicts[0].status = LIMIT_MISSING;
	CHECK_INT(remarks_judge(&chance, d, &j), JUDGED_FAIL);
	/* One that is no matter of chance is enough. */
	verdicts[0].status = LIMIT_EXCEEDED;
	verdicts[1] = (struct limit_verdict){ .rule.limit = &dr,
					      .status = LIMIT_NO_MATCH,
					      .fails = true };
	j.failing = 2;
	CHECK_INT(remarks_judge(&chance, d, &j), JUDGED_FAIL);

	verdicts[0] = verdicts[1] = (struct limit_verdict){ .rule.limit = &ir,
							    .status = LIMIT_PASS };
	j.failing = 0;
	CHECK_INT(remarks_judge(NULL, d, &j), JUDGED_PASS);
	CHECK_INT(remarks_judge(&warning, d, &j), JUDGED_PASS);
	CHECK_INT(remarks_judge(&chance, d, &j), JUDGED_PASS);
	CHECK_INT(remarks_judge(&unseen, d, &j), JUDGED_INCONCLUSIVE);
	CHECK_INT(remarks_judge(&estimate, d, &j), JUDGED_INCONCLUSIVE);
	remarks_free(&estimate);
	remarks_free(&warning);
	remarks_free(&unseen);
	remarks_free(&chance);
	diff_free(d);
	diff_free(t);
	cg_profile_free(p);
}

/* A function that base does not have grew from 0. */
static void test_new_function(void)
{
	static const char other[] = "events: Ir Dr\nfn=main\n1 890 100\n";
	static const char *const specs[] = { "Ir=+1000% fn:parse_a", "Ir=+130 fn:parse_b", NULL };
	judges_with(other, specs, false, "Ir parse_a exceeded, Ir parse_b exceeded", 2);
}

/* Of Ir 1000 → 1020, and Dr 100 → 90. */
static void tolerates(uint64_t amount, uint64_t share, const char *const *specs,
		      const char *expected, size_t broken)
{
	const struct tolerance tolerances[] = { { "Ir", amount, share } };
	judges_options(base_text,
		       (struct diff_options){ .tolerances = tolerances, .ntolerances = 1 }, specs,
		       false, expected, broken);
}

#define TOLERATES(amount, share, expected, broken, ...) \
	tolerates(amount, share, (const char *const[]){ __VA_ARGS__, NULL }, expected, broken)

static void test_tolerance(void)
{
	/* All of the difference or nothing, in both directions, by the larger of both numbers. */
	TOLERATES(20, 0, "Ir within tolerance", 0, "Ir=+1%");
	TOLERATES(19, 0, "Ir exceeded", 1, "Ir=+1%");
	TOLERATES(19, 0, "Ir pass", 0, "Ir=+2%");
	TOLERATES(20, 0, "Ir pass", 0, "Ir=+2%");
	TOLERATES(20, 0, "Ir within tolerance", 0, "Ir==");
	TOLERATES(0, 20000000, "Ir within tolerance", 0, "Ir=+1"); /* 2 % */
	TOLERATES(0, 19999999, "Ir exceeded", 1, "Ir=+1");         /* of 1000: 19 */
	TOLERATES(5, 20000000, "Ir within tolerance", 0, "Ir=+1");
	TOLERATES(20, 1, "Ir within tolerance", 0, "Ir=+1");
	/* It is no limit on differences; nor is the tolerance one on this metric. */
	TOLERATES(20, 0, "Ir exceeded", 1, "Ir=1019");
	TOLERATES(20, 0, "Ir parse_b exceeded", 1, "Ir=199 fn:^parse_b$"); /* 200 on both sides */
	TOLERATES(20, 0, "Dr exceeded", 1, "Dr==");
	/* Functions and modules: a share is one of the total. */
	TOLERATES(30, 0, "Ir parse_a within tolerance", 0, "Ir=+1 fn:^parse_a$");
	TOLERATES(29, 0, "Ir parse_a exceeded", 1, "Ir=+1 fn:^parse_a$");
	TOLERATES(0, 30000000, "Ir parse_a within tolerance", 0, "incl.Ir=+1 fn:^parse_a$");
	TOLERATES(10, 0, "Ir main within tolerance", 0, "Ir== fn:main");
	TOLERATES(30, 0, "Ir mod:^parse_ within tolerance", 0, "Ir=+1 mod:^parse_");
	TOLERATES(29, 0, "Ir mod:^parse_ exceeded", 1, "Ir=+1 mod:^parse_");
}

/* What there is nothing to compare with does not vary. */
static void test_tolerance_without_base(void)
{
	static const char *const specs[] = { "Ir=+1", "Ir=1019", NULL };
	const struct tolerance t = { "Ir", UINT64_MAX, 0 };
	judges_options(base_text,
		       (struct diff_options){
			       .missing = DIFF_NO_BASE, .tolerances = &t, .ntolerances = 1 },
		       specs, false, "Ir no base, Ir exceeded", 1);
}

static void test_bad_patterns(void)
{
	struct cg_profile *p = profile_of(base_text);
	const struct diff_options options = { .metric = "Ir" };
	struct diff *d = NULL;
	REQUIRE_INT(diff_make(p, p, &options, &d, NULL), CG_OK);

	struct limit limit = { .kind = LIMIT_INCREASE,
			       .function = "a(b",
			       .metric = "Ir",
			       .text = "+1",
			       .file = "irdiff.yml",
			       .line = 12 };
	struct limit_rule rule = { .limit = &limit };
	struct judgement j = { .count = 77 };
	struct cg_error err = { 0 };
	CHECK_INT(judge(d, &rule, 1, &usual, &j, &err), CG_EINVAL);
	CHECK_STR(err.file, "irdiff.yml");
	CHECK_U64(err.line, 12);
	CHECK_U64(j.count, 77); /* untouched */
	CHECK_INT(judge(d, &rule, 1, &usual, &j, NULL), CG_EINVAL);

	/* Overridden limits are not even compiled. */
	rule.overridden_by = &limit;
	REQUIRE_INT(judge(d, &rule, 1, &usual, &j, &err), CG_OK);
	REQUIRE_U64(j.count, 1);
	CHECK_STR(limit_status_name(j.verdicts[0].status), "overridden");
	CHECK_U64(j.failing, 0);
	judgement_free(&j);
	diff_free(d);
	cg_profile_free(p);
}

TEST_MAIN("judge", { "what a missing benchmark cost", test_missing_counts },
	  { "the whole benchmark", test_totals }, { "functions", test_functions },
	  { "modules are the sum of their functions", test_modules },
	  { "namespaces are the sum of their functions", test_namespaces },
	  { "calls of a function have a limit", test_calls },
	  { "calls that are not known are not 0", test_unknown_calls },
	  { "nothing to judge", test_nothing_to_judge }, { "without base", test_without_base },
	  { "without calls in base", test_without_calls_in_base },
	  { "one side only", test_one_side }, { "missing in head", test_missing },
	  { "missing in another metric", test_missing_in_other_metric },
	  { "limits that match nothing", test_unmatched },
	  { "limits on the heap that match nothing", test_unmatched_in_heap },
	  { "remarks", test_remarks }, { "a new function", test_new_function },
	  { "bad patterns", test_bad_patterns }, { "a tolerance", test_tolerance },
	  { "a tolerance and no base", test_tolerance_without_base })
