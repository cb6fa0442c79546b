#include "tests/unit/harness.h"

#include "src/diff/limit.h"

/* ---- values ---- */

static void value_is(const char *text, enum limit_kind kind, uint64_t value)
{
	struct cg_error err = { 0 };
	enum limit_kind k = LIMIT_EQUAL;
	uint64_t v = 1;
	int rc = limit_parse_value(text, &k, &v, &err);

	test_report(rc == CG_OK && k == kind && v == value, false, __FILE__, __LINE__,
		    "%s is (%d) %s %" PRIu64 ": %s", text, rc, limit_kind_name(k), v, err.message);
}

static void refuses(const char *text, int code, const char *why)
{
	struct cg_error err = { 0 };
	enum limit_kind kind;
	uint64_t value = 77;

	CHECK_INT(limit_parse_value(text, &kind, &value, &err), code);
	CHECK_U64(value, 77); /* untouched on failure */
	test_report(strstr(err.message, why) != NULL, false, __FILE__, __LINE__,
		    "%s: the message does not say \"%s\": %s", text, why, err.message);
}

static void test_growth(void)
{
	value_is("+2%", LIMIT_GROWTH, 20000000);
	value_is("+0.5%", LIMIT_GROWTH, 5000000);
	value_is("+0%", LIMIT_GROWTH, 0);
	value_is("+100%", LIMIT_GROWTH, LIMIT_WHOLE);
	value_is("+1_000%", LIMIT_GROWTH, 10 * LIMIT_WHOLE);
	value_is("+0.0000001%", LIMIT_GROWTH, 1);
	value_is("+12.3456789%", LIMIT_GROWTH, 123456789);
	value_is("+1.00000000000%", LIMIT_GROWTH, 10000000);
	value_is("+1844674407370.9551615%", LIMIT_GROWTH, UINT64_MAX);
}

static void test_counts(void)
{
	value_is("+500", LIMIT_INCREASE, 500);
	value_is("+1.5k", LIMIT_INCREASE, 1500);
	value_is("+0", LIMIT_INCREASE, 0);
	value_is("0", LIMIT_CEILING, 0);
	value_is("1.2M", LIMIT_CEILING, 1200000);
	value_is("1_000_000", LIMIT_CEILING, 1000000);
	value_is("1K", LIMIT_CEILING, 1000);
	value_is("2G", LIMIT_CEILING, 2000000000);
	value_is("3T", LIMIT_CEILING, 3000000000000);
	value_is("1.0", LIMIT_CEILING, 1);
	value_is("1.234567M", LIMIT_CEILING, 1234567);
	value_is("1.2345670M", LIMIT_CEILING, 1234567);
	value_is("000500", LIMIT_CEILING, 500);
	value_is("18446744073709551615", LIMIT_CEILING, UINT64_MAX);
	value_is("18446744.073709551615T", LIMIT_CEILING, UINT64_MAX);
	value_is("=", LIMIT_EQUAL, 0);
}

static void test_overflow(void)
{
	refuses("18446744073709551616", CG_ERANGE, "too large");
	refuses("+18446744073709551616", CG_ERANGE, "too large");
	refuses("18446744.073709551616T", CG_ERANGE, "too large");
	refuses("18446745T", CG_ERANGE, "too large");
	refuses("+1844674407370.9551616%", CG_ERANGE, "too large");
	refuses("99999999999999999999999999999999999999999999", CG_ERANGE, "too large");
}

static void test_malformed(void)
{
	refuses("", CG_ESYNTAX, "empty");
	refuses("+", CG_ESYNTAX, "column 2: it ends where a digit is expected");
	refuses("+-5", CG_ESYNTAX, "column 2: expected a digit");
	refuses("-5", CG_ESYNTAX, "negative");
	refuses("-1%", CG_ESYNTAX, "set a ceiling");
	refuses("++5", CG_ESYNTAX, "column 2");
	refuses("1e9", CG_ESYNTAX, "column 2: there are no exponents");
	refuses("2%", CG_ESYNTAX, "write it as +2%");
	refuses("2000%", CG_ESYNTAX, "write it as +2000%");
	refuses("+2%%", CG_ESYNTAX, "column 4");
	refuses("+1k%", CG_ESYNTAX, "column 4");
	refuses("1.2m", CG_ESYNTAX, "column 4: unknown suffix");
	refuses("1MiB", CG_ESYNTAX, "column 3");
	refuses("1,200,000", CG_ESYNTAX, "1_200_000");
	refuses("1__0", CG_ESYNTAX, "between two digits");
	refuses("_1", CG_ESYNTAX, "column 1");
	refuses("1_", CG_ESYNTAX, "column 2");
	refuses("1.", CG_ESYNTAX, "column 3: it ends");
	refuses(".5k", CG_ESYNTAX, "column 1");
	refuses("1.2.3k", CG_ESYNTAX, "column 4");
	refuses("+1 %", CG_ESYNTAX, "no spaces");
	refuses(" +1%", CG_ESYNTAX, "column 1");
	refuses("==", CG_ESYNTAX, "column 2: '=' stands alone");
	refuses("=5", CG_ESYNTAX, "stands alone");
	refuses("0x10", CG_ESYNTAX, "column 2");
	refuses("inf", CG_ESYNTAX, "column 1");
	refuses("nan%", CG_ESYNTAX, "column 1");
	refuses("\xff\x1b", CG_ESYNTAX, "'\\xff\\x1b'");
}

static void test_not_whole(void)
{
	refuses("1.5", CG_ERANGE, "column 3: this is not a whole number");
	refuses("1.2345k", CG_ERANGE, "column 6: this is not a whole number");
	refuses("+0.00000001%", CG_ERANGE, "at most 7 decimals");
}

static void amount_is(const char *text, enum limit_kind kind, int rc, uint64_t expected)
{
	uint64_t value = 77;

	CHECK_INT(limit_parse_amount(text, kind, &value, NULL), rc);
	CHECK_U64(value, rc == CG_OK ? expected : 77);
}

static void test_amount(void)
{
	amount_is("1%", LIMIT_GROWTH, CG_OK, 10000000);
	amount_is("+1%", LIMIT_GROWTH, CG_OK, 10000000);
	amount_is("1", LIMIT_GROWTH, CG_ESYNTAX, 0);
	amount_is("500", LIMIT_INCREASE, CG_OK, 500);
	amount_is("+500", LIMIT_INCREASE, CG_OK, 500);
	amount_is("1%", LIMIT_INCREASE, CG_ESYNTAX, 0);
	amount_is("1.2M", LIMIT_CEILING, CG_OK, 1200000);
	amount_is("+1.2M", LIMIT_CEILING, CG_ESYNTAX, 0);
	amount_is("1%", LIMIT_CEILING, CG_ESYNTAX, 0);
	amount_is("", LIMIT_CEILING, CG_ESYNTAX, 0);
	amount_is("1", LIMIT_EQUAL, CG_EINVAL, 0);
}

/* ---- keys and specs ---- */

static void test_metric(void)
{
	static const char *const wrong[] = { "",    "incl.", "1r",  "Ir ",          "I r",    "Ir:",
					     "Ir=", "fn",    ".Ir", "incl.incl.Ir", "self.Ir" };
	const char *name;
	bool inclusive;

	CHECK_INT(limit_parse_metric("Ir", &name, &inclusive, NULL), CG_OK);
	CHECK_STR(name, "Ir");
	CHECK(!inclusive);
	CHECK_INT(limit_parse_metric("incl.D1mr", &name, &inclusive, NULL), CG_OK);
	CHECK_STR(name, "D1mr");
	CHECK(inclusive);
	CHECK_INT(limit_parse_metric("cache-misses", &name, &inclusive, NULL), CG_OK);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		int rc = limit_parse_metric(wrong[i], &name, &inclusive, NULL);
		/* "fn" is a fine name for an event, only "fn:" is a scope. */
		test_report(strcmp(wrong[i], "fn") == 0 ? rc == CG_OK : rc == CG_ESYNTAX, false,
			    __FILE__, __LINE__, "\"%s\" gives %d", wrong[i], rc);
	}

	char longest[LIMIT_METRIC_MAX + 2] = { 0 };
	memset(longest, 'a', LIMIT_METRIC_MAX);
	CHECK_INT(limit_parse_metric(longest, &name, &inclusive, NULL), CG_OK);
	longest[LIMIT_METRIC_MAX] = 'a';
	CHECK_INT(limit_parse_metric(longest, &name, &inclusive, NULL), CG_ERANGE);
}

static void test_scope(void)
{
	struct limit limit = { .function = "" };
	char longest[LIMIT_REGEX_MAX + 5];

	CHECK_INT(limit_parse_scope("Ir", &limit, NULL), CG_OK);
	CHECK(limit.function == NULL);
	CHECK_INT(limit_parse_scope("fn:a=b: c", &limit, NULL), CG_OK);
	CHECK_STR(limit.function, "a=b: c");
	CHECK_STR(limit_regex(&limit), "a=b: c");
	CHECK(!limit.module);
	CHECK_INT(limit_parse_scope("fn:", &limit, NULL), CG_ESYNTAX);
	CHECK_INT(limit_parse_scope("mod:", &limit, NULL), CG_ESYNTAX);
	CHECK_INT(limit_parse_scope("mod:/src/json/", &limit, NULL), CG_OK);
	CHECK_STR(limit.function, "mod:/src/json/");
	CHECK_STR(limit_regex(&limit), "/src/json/");
	CHECK(limit.module && !limit.by_namespace);
	CHECK_INT(limit_parse_scope("namespace:", &limit, NULL), CG_ESYNTAX);
	CHECK_INT(limit_parse_scope("namespace:^json(::|$)", &limit, NULL), CG_OK);
	CHECK_STR(limit.function, "namespace:^json(::|$)");
	CHECK_STR(limit_regex(&limit), "^json(::|$)");
	CHECK(limit.module && limit.by_namespace);
	CHECK_INT(limit_parse_scope("fn:mod:x", &limit, NULL), CG_OK);
	CHECK_STR(limit_regex(&limit), "mod:x");
	CHECK(!limit.module);

	memset(longest, 'a', sizeof longest);
	memcpy(longest, "fn:", 3);
	longest[sizeof longest - 1] = '\0';
	CHECK_INT(limit_parse_scope(longest, &limit, NULL), CG_ERANGE);
	longest[sizeof longest - 2] = '\0';
	CHECK_INT(limit_parse_scope(longest, &limit, NULL), CG_OK);
}

/* `function` NULL: the whole benchmark. */
static void spec_is(const char *spec, const char *metric, bool inclusive, const char *text,
		    enum limit_kind kind, const char *function)
{
	struct limit_set set = { 0 };
	struct cg_error err = { 0 };
	int rc = limit_set_add_spec(&set, spec, LIMIT_COMMAND_LINE, "--limit", &err);

	test_report(rc == CG_OK, false, __FILE__, __LINE__, "%s: %s", spec, err.message);
	if (rc != CG_OK)
		return;
	REQUIRE_U64(set.count, 1);
	CHECK_STR(set.items[0]->metric, metric);
	CHECK_STR(set.items[0]->text, text);
	CHECK_STR(set.items[0]->function, function);
	CHECK_STR(set.items[0]->file, "--limit");
	CHECK_INT(set.items[0]->kind, kind);
	CHECK_INT(set.items[0]->level, LIMIT_COMMAND_LINE);
	CHECK(set.items[0]->inclusive == inclusive);
	limit_set_free(&set);
	CHECK(set.items == NULL && set.count == 0);
}

static void test_spec(void)
{
	spec_is("Ir=+1%", "Ir", false, "+1%", LIMIT_GROWTH, NULL);
	spec_is("Ir==", "Ir", false, "=", LIMIT_EQUAL, NULL);
	spec_is("D1mr=1.2M", "D1mr", false, "1.2M", LIMIT_CEILING, NULL);
	spec_is("Ir=+0.5% fn:^json_", "Ir", false, "+0.5%", LIMIT_GROWTH, "^json_");
	spec_is("incl.Ir=+500   fn:^a", "Ir", true, "+500", LIMIT_INCREASE, "^a");
	spec_is("Ir== fn:operator ==", "Ir", false, "=", LIMIT_EQUAL, "operator ==");
	spec_is("Ir=5 fn:std::map<a, b>=+1%", "Ir", false, "5", LIMIT_CEILING,
		"std::map<a, b>=+1%");
	spec_is("Ir=5 fn: a ", "Ir", false, "5", LIMIT_CEILING, " a ");
	spec_is("Ir=5 fn:fn:", "Ir", false, "5", LIMIT_CEILING, "fn:");
}

static void spec_refused(const char *spec, const char *why)
{
	struct limit_set set = { 0 };
	struct cg_error err = { 0 };

	CHECK(limit_set_add_spec(&set, spec, LIMIT_COMMAND_LINE, "--limit", &err) != CG_OK);
	test_report(strstr(err.message, why) != NULL, false, __FILE__, __LINE__,
		    "%s: the message does not say \"%s\": %s", spec, why, err.message);
	CHECK_U64(set.count, 0);
	limit_set_free(&set);
}

static void test_spec_refused(void)
{
	spec_refused("", "empty");
	spec_refused("Ir", "column 3: '=' is expected");
	spec_refused("Ir: +1%", "column 3: '=' is expected");
	spec_refused("Ir=", "empty");
	spec_refused("Ir= +1%", "empty");
	spec_refused("=+1%", "column 1: the name of an event");
	spec_refused("+1%", "name of an event");
	spec_refused("Ir=+1% ", "column 8: 'fn:', 'mod:', 'namespace:' or the end");
	spec_refused("Ir=+1% ^json_", "column 8: 'fn:', 'mod:', 'namespace:' or the end");
	spec_refused("Ir=+1%:fn:a", "'+1%:fn:a', column 4");
	spec_refused("Ir=+1% fn:", "needs a regex");
	spec_refused("fn:^json_:Ir=+1%", "the function comes last");
	spec_refused("incl.Ir=+1%", "no inclusive cost");
	spec_refused("calls=+1%", "below fn:REGEX");
	spec_refused("calls=+1% mod:a", "below fn:REGEX");
	spec_refused("incl.calls=+1% fn:a", "below fn:REGEX");
}

/* ---- sets and precedence ---- */

static void add(struct limit_set *set, enum limit_level level, const char *spec)
{
	REQUIRE_INT(limit_set_add_spec(set, spec, level, "x", NULL), CG_OK);
}

static void test_twice(void)
{
	struct limit_set set = { 0 };
	struct cg_error err;

	add(&set, LIMIT_GENERAL, "Ir=+1%");
	add(&set, LIMIT_GENERAL, "Ir=+1");       /* another kind */
	add(&set, LIMIT_GENERAL, "Dr=+1%");      /* another metric */
	add(&set, LIMIT_GENERAL, "Ir=+1% fn:a"); /* another function */
	add(&set, LIMIT_GENERAL, "Ir=+1% fn:b");
	add(&set, LIMIT_GENERAL, "incl.Ir=+1% fn:b");
	CHECK_INT(limit_set_add_spec(&set, "Ir=+2%", LIMIT_GENERAL, "x", &err), CG_EINVAL);
	CHECK_STR(err.message, "'Ir' has two growth limits, +1% and this one; keep one");
	CHECK_INT(limit_set_add_spec(&set, "Ir=+2% fn:a", LIMIT_GENERAL, "x", &err), CG_EINVAL);
	CHECK_U64(set.count, 6);
	limit_set_free(&set);
}

static void test_bounded(void)
{
	struct limit_set set = { 0 };
	char spec[64];

	for (int i = 0; i < LIMIT_SET_MAX; i++) {
		snprintf(spec, sizeof spec, "m%d=1", i);
		add(&set, LIMIT_GENERAL, spec);
	}
	CHECK_INT(limit_set_add_spec(&set, "x=1", LIMIT_GENERAL, "x", NULL), CG_ERANGE);
	limit_set_free(&set);
}

/* The limits of the three levels; each line says what is to become of it. */
static void test_precedence(void)
{
	struct limit_set general = { 0 }, bench = { 0 }, line = { 0 };
	const struct limit_set *sets[] = { &general, &bench, &line };
	struct limit_rule *rules;
	size_t n;

	add(&general, LIMIT_GENERAL, "Ir=+1%");           /* 0: by 4 */
	add(&general, LIMIT_GENERAL, "Ir=9M");            /* 1: by 4, though another kind */
	add(&general, LIMIT_GENERAL, "Dr=+1%");           /* 2: in force */
	add(&general, LIMIT_GENERAL, "Ir=+1% fn:a");      /* 3: by 8, the highest, not by 5 */
	add(&bench, LIMIT_BENCHMARK, "Ir=+5%");           /* 4: in force */
	add(&bench, LIMIT_BENCHMARK, "Ir=+5% fn:a");      /* 5: by 8 */
	add(&bench, LIMIT_BENCHMARK, "Ir=+5% fn:aa");     /* 6: in force */
	add(&bench, LIMIT_BENCHMARK, "incl.Ir=+5% fn:a"); /* 7: in force, not self */
	add(&line, LIMIT_COMMAND_LINE, "Ir=7 fn:a");      /* 8: in force */
	add(&line, LIMIT_COMMAND_LINE, "Ir=+7 fn:a");     /* 9: in force as well */

	REQUIRE_INT(limit_resolve(sets, 3, NULL, &rules, &n, NULL), CG_OK);
	REQUIRE_U64(n, 10);
	CHECK(rules[0].limit == general.items[0]);
	CHECK(rules[0].overridden_by == bench.items[0]);
	CHECK(rules[1].overridden_by == bench.items[0]);
	CHECK(rules[2].overridden_by == NULL);
	CHECK(rules[3].overridden_by == line.items[0]);
	CHECK(rules[4].overridden_by == NULL);
	CHECK(rules[5].overridden_by == line.items[0]);
	CHECK(rules[6].overridden_by == NULL);
	CHECK(rules[7].overridden_by == NULL);
	CHECK(rules[8].limit == line.items[0]);
	CHECK(rules[8].overridden_by == NULL);
	CHECK(rules[9].overridden_by == NULL);

	struct limit_counts counts = { .has_base = true, .base = 100, .head = 1000 };
	struct limit_verdict verdict = limit_verdict(&rules[0], NULL, &counts);
	CHECK_INT(verdict.status, LIMIT_OVERRIDDEN);
	CHECK(verdict.rule.overridden_by == bench.items[0]);
	verdict = limit_verdict(&rules[4], NULL, &counts);
	CHECK_INT(verdict.status, LIMIT_EXCEEDED);
	CHECK(verdict.has_allowed);
	CHECK_U64(verdict.allowed, 105);

	free(rules);
	limit_set_free(&general);
	limit_set_free(&bench);
	limit_set_free(&line);
	REQUIRE_INT(limit_resolve(sets, 3, NULL, &rules, &n, NULL), CG_OK);
	CHECK(rules == NULL && n == 0);
}

/* ---- judging ---- */

static void judged(const char *text, int64_t base, int64_t head, enum limit_status expected,
		   int64_t allowed)
{
	struct limit limit = { .metric = "Ir" };
	struct limit_counts counts = { .has_base = true, .base = base, .head = head };
	int64_t max = 0;

	REQUIRE_INT(limit_parse_value(text, &limit.kind, &limit.value, NULL), CG_OK);
	enum limit_status status = limit_judge(&limit, &counts);
	test_report(status == expected, false, __FILE__, __LINE__,
		    "%s, %" PRId64 " -> %" PRId64 ": %s", text, base, head,
		    limit_status_name(status));
	CHECK(limit_allowed(&limit, &counts, &max));
	CHECK_INT(max, allowed);
}

static void test_judge_growth(void)
{
	judged("+2%", 1000, 1020, LIMIT_PASS, 1020);
	judged("+2%", 1000, 1021, LIMIT_EXCEEDED, 1020);
	judged("+2%", 1000, 1, LIMIT_PASS, 1020);
	judged("+2%", 149, 151, LIMIT_PASS, 151); /* 2.98 may be had, 2 are */
	judged("+2%", 149, 152, LIMIT_EXCEEDED, 151);
	judged("+2%", 49, 49, LIMIT_PASS, 49);
	judged("+2%", 49, 50, LIMIT_EXCEEDED, 49);
	judged("+0%", 49, 49, LIMIT_PASS, 49);
	judged("+0%", 49, 50, LIMIT_EXCEEDED, 49);
	judged("+0.0000001%", 1000000000, 1000000001, LIMIT_PASS, 1000000001);
	judged("+0.0000001%", 999999999, 1000000000, LIMIT_EXCEEDED, 999999999);
	/* 0.1 has no exact double: 3 × 0.1 is not 0.3 there. */
	judged("+0.3%", 1000, 1003, LIMIT_PASS, 1003);
}

static void test_judge_from_zero(void)
{
	judged("+2%", 0, 0, LIMIT_PASS, 0);
	judged("+2%", 0, 1, LIMIT_EXCEEDED, 0);
	judged("+1000000%", 0, 1, LIMIT_EXCEEDED, 0);
	judged("+5", 0, 5, LIMIT_PASS, 5);
	judged("+5", 0, 6, LIMIT_EXCEEDED, 5);
	judged("=", 0, 0, LIMIT_PASS, 0);
	judged("=", 0, 1, LIMIT_EXCEEDED, 0);
	judged("0", 5, 0, LIMIT_PASS, 0);
	judged("0", 5, 1, LIMIT_EXCEEDED, 0);
}

static void test_judge_counts(void)
{
	judged("+500", 1000, 1500, LIMIT_PASS, 1500);
	judged("+500", 1000, 1501, LIMIT_EXCEEDED, 1500);
	judged("+500", 1000, 0, LIMIT_PASS, 1500);
	judged("1.2k", 5000, 1200, LIMIT_PASS, 1200);
	judged("1.2k", 5, 1201, LIMIT_EXCEEDED, 1200);
	judged("=", 7, 7, LIMIT_PASS, 7);
	judged("=", 7, 8, LIMIT_EXCEEDED, 7);
	judged("=", 7, 6, LIMIT_EXCEEDED, 7); /* cheaper is a change too */
}

static void test_judge_huge(void)
{
	const int64_t max = INT64_MAX;

	judged("+1%", max, max, LIMIT_PASS, max);
	judged("+100%", max / 2, max - 1, LIMIT_PASS, max - 1);
	judged("+100%", max / 2, max, LIMIT_EXCEEDED, max - 1);
	judged("+1844674407370.9551615%", max, max, LIMIT_PASS, max);
	judged("+1844674407370.9551615%", 1, max, LIMIT_EXCEEDED, 18446744074);
	judged("+9223372036854775807", -max, 0, LIMIT_PASS, 0);
	judged("+9223372036854775807", -max, 1, LIMIT_EXCEEDED, 0);
	judged("+18446744073709551615", max, 0, LIMIT_PASS, max);
	/* 1 % of 10^18 is 10^16. */
	judged("+1%", 1000000000000000000, 1010000000000000000, LIMIT_PASS, 1010000000000000000);
	judged("+1%", 1000000000000000000, 1010000000000000001, LIMIT_EXCEEDED,
	       1010000000000000000);
}

/* Memory that was given back: the limit is above the base all the same. */
static void test_judge_negative(void)
{
	judged("+2%", -1000, -980, LIMIT_PASS, -980);
	judged("+2%", -1000, -979, LIMIT_EXCEEDED, -980);
	judged("+2%", -1000, -5000, LIMIT_PASS, -980);
	judged("+2%", -49, -49, LIMIT_PASS, -49);
	judged("+500", -200, 300, LIMIT_PASS, 300);
	judged("=", -5, -5, LIMIT_PASS, -5);
	judged("=", -5, 5, LIMIT_EXCEEDED, -5);
	judged("100", -5, -1000, LIMIT_PASS, 100);
}

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 i128;

/* Near what is allowed, where it matters. */
static int64_t edge_of(int64_t base, uint64_t value, int64_t more)
{
	i128 edge = base + (i128)((u128)(base < 0 ? -(i128)base : base) * value / LIMIT_WHOLE) +
		    more;
	return edge > INT64_MAX ? INT64_MAX : (int64_t)edge;
}

/* The rounded comparison against its definition in limit.h. */
static void test_judge_definition(void)
{
	uint64_t seed = 1;

	for (int i = test_rounds(20000); i > 0; i--) {
		int64_t r[3];

		for (int j = 0; j < 3; j++) {
			seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
			r[j] = (int64_t)(seed >> (1 + (seed >> 58) % 63));
		}
		struct limit limit = { .kind = LIMIT_GROWTH,
				       .value = (uint64_t)r[2] % (4 * LIMIT_WHOLE) };
		struct limit_counts c = { .has_base = true, .base = r[0], .head = r[1] };
		if (i % 3 == 0)
			c.base = -c.base;
		if (i % 2)
			c.head = edge_of(c.base, limit.value, r[1] % 3);
		bool broken = c.head > c.base &&
			      (u128)((i128)c.head - c.base) * LIMIT_WHOLE >
				      (u128)(c.base < 0 ? -(i128)c.base : c.base) * limit.value;
		if ((limit_judge(&limit, &c) == LIMIT_EXCEEDED) != broken) {
			test_report(false, true, __FILE__, __LINE__, "%" PRId64 " %" PRId64, c.base,
				    c.head);
		}
	}
	CHECK(true);
}

static void test_no_base(void)
{
	struct limit_counts counts = { .head = 10 };
	struct limit limit = { .metric = "Ir", .value = 9 };
	int64_t allowed = 77;

	for (int kind = LIMIT_GROWTH; kind <= LIMIT_EQUAL; kind++) {
		limit.kind = (enum limit_kind)kind;
		CHECK_INT(limit_judge(&limit, &counts),
			  kind == LIMIT_CEILING ? LIMIT_EXCEEDED : LIMIT_NO_BASE);
		CHECK(limit_allowed(&limit, &counts, &allowed) == (kind == LIMIT_CEILING));
	}
	CHECK_INT(allowed, 9);
	limit.kind = LIMIT_CEILING;
	counts.head = 9;
	CHECK_INT(limit_judge(&limit, &counts), LIMIT_PASS);
}

static void test_fails(void)
{
	CHECK(limit_was_judged(LIMIT_PASS) && limit_was_judged(LIMIT_EXCEEDED));
	CHECK(limit_was_judged(LIMIT_ACCEPTED) && limit_was_judged(LIMIT_TOLERATED));
	CHECK(!limit_was_judged(LIMIT_MISSING) && !limit_was_judged(LIMIT_NO_BASE));
	CHECK(!limit_was_judged(LIMIT_NO_METRIC) && !limit_was_judged(LIMIT_NO_MATCH));
	CHECK(!limit_fails(LIMIT_PASS, true));
	CHECK(limit_fails(LIMIT_EXCEEDED, false));
	CHECK(limit_fails(LIMIT_MISSING, false));
	CHECK(!limit_fails(LIMIT_NO_BASE, false));
	CHECK(limit_fails(LIMIT_NO_BASE, true));
	CHECK(limit_fails(LIMIT_NO_METRIC, false));
	CHECK(!limit_fails(LIMIT_NO_MATCH, false));
	CHECK(limit_fails(LIMIT_NO_MATCH, true));
	CHECK(!limit_fails(LIMIT_OVERRIDDEN, true));
	CHECK_STR(limit_status_name(LIMIT_OVERRIDDEN), "overridden");
	CHECK_STR(limit_kind_name(LIMIT_EQUAL), "equal");
}

TEST_MAIN("limit", { "growth", test_growth }, { "counts", test_counts },
	  { "overflow", test_overflow }, { "malformed", test_malformed },
	  { "not whole", test_not_whole }, { "amounts", test_amount }, { "metrics", test_metric },
	  { "scopes", test_scope }, { "specs", test_spec }, { "specs refused", test_spec_refused },
	  { "given twice", test_twice }, { "bounded", test_bounded },
	  { "precedence", test_precedence }, { "judging growth", test_judge_growth },
	  { "judging from zero", test_judge_from_zero }, { "judging counts", test_judge_counts },
	  { "judging huge counts", test_judge_huge },
	  { "judging negative counts", test_judge_negative },
	  { "judging as defined", test_judge_definition }, { "no base", test_no_base },
	  { "what fails the gate", test_fails })
