#include "tests/unit/profiles.h"

#include "src/view/pattern.h"

static bool matches(const char *regex, const char *text)
{
	struct pattern *p;
	struct cg_error err = { 0 };
	bool result = false;

	int status = pattern_compile(regex, &p, &err);
	test_report(status == CG_OK, true, __FILE__, __LINE__, "%s: %s", regex, err.message);
	status = pattern_matches(p, text, &result, &err);
	test_report(status == CG_OK, true, __FILE__, __LINE__, "%s: %s", regex, err.message);
	pattern_free(p);
	return result;
}

static void test_matching(void)
{
	CHECK(matches("arse", "parse_file"));
	CHECK(!matches("^arse", "parse_file"));
	CHECK(matches("^parse_(file|line)$", "parse_line"));
	CHECK(!matches("PARSE", "parse"));
	CHECK(matches("(?i)PARSE", "parse"));
	CHECK(matches("", "anything"));
	CHECK(matches("operator\\(\\)", "A::operator()(int)"));
}

static void test_utf8(void)
{
	CHECK(matches("^gr..e$", "größe")); /* a character is a character, not a byte */
	CHECK(matches("ö", "größe"));
	CHECK(!matches("^....$", "größe"));
}

static void test_invalid_utf8(void)
{
	CHECK(matches("bc", "a\xff"
			    "bc"));
	CHECK(matches("^a", "a\xff"
			    "bc"));
	CHECK(!matches("a.b", "a\xff"
			      "b")); /* bytes that are no characters match nothing */
	CHECK(!matches("x", "\xc3"));
}

static void refuses(const char *regex, const char *where)
{
	struct pattern *p = NULL;
	struct cg_error err = { 0 };

	CHECK_INT(pattern_compile(regex, &p, &err), CG_EINVAL);
	CHECK(p == NULL);
	test_report(strstr(err.message, regex) && strstr(err.message, where), false, __FILE__,
		    __LINE__, "the message does not say \"%s\": %s", where, err.message);
}

static void test_bad_patterns(void)
{
	/* PCRE2 counts the bytes before the place where it gave up, or after what it cannot
	 * take. */
	refuses("a(b", "at column 4");
	refuses("ab)c", "at column 3");
	refuses("*a", "at column 1");
	refuses("ab(c|+)", "at column 6");
	refuses("a))", "at column 2");
	refuses("[a-", "at column 4");
	refuses("\\", "at column 2");

	struct pattern *p;
	CHECK_INT(pattern_compile("\xff", &p, NULL), CG_EINVAL);
}

/* Exponential for a backtracking matcher: must end soon, and say why. */
static void test_catastrophic(void)
{
	char text[5001];
	struct pattern *p;
	struct cg_error err = { 0 };
	bool result = true;

	memset(text, 'a', sizeof text - 2);
	text[sizeof text - 2] = '!';
	text[sizeof text - 1] = '\0';
	REQUIRE_INT(pattern_compile("^(a+)+$", &p, &err), CG_OK);
	CHECK_INT(pattern_matches(p, text, &result, &err), CG_ERANGE);
	CHECK(strstr(err.message, "too costly") != NULL);
	CHECK(strstr(err.message, "(a+)+$") != NULL);
	/* The pattern is still of use for other texts. */
	CHECK_INT(pattern_matches(p, "aaa", &result, &err), CG_OK);
	CHECK(result);
	pattern_free(p);
}

static bool matches_name(const char *regex, const char *name)
{
	struct pattern *p;
	bool result = false;
	REQUIRE_INT(pattern_compile(regex, &p, NULL), CG_OK);
	REQUIRE_INT(pattern_matches_name(p, "/usr/lib/libz.so", "inflate.c", name, &result, NULL),
		    CG_OK);
	pattern_free(p);
	return result;
}

static void test_names(void)
{
	/* The bare name … */
	CHECK(matches_name("^inflate$", "inflate"));
	CHECK(!matches_name("^flate$", "inflate"));
	/* … or all of it. */
	CHECK(matches_name("libz.*:inflate\\.c:", "crc"));
	CHECK(matches_name("^/usr/lib/libz\\.so:inflate\\.c:crc$", "crc"));
	CHECK(matches_name("^/usr", "crc"));
	CHECK(matches_name(":crc$", "crc"));
	CHECK(!matches_name("deflate", "crc"));
	/* Clones, by either name. */
	CHECK(matches_name("^peek$", "peek.isra.0"));
	CHECK(matches_name("^peek\\.isra\\.0$", "peek.isra.0"));
	CHECK(matches_name("\\.cold$", "peek.cold"));
	CHECK(matches_name("inflate\\.c:peek$", "peek.constprop.0.isra.0"));
	CHECK(matches_name("^a::f$", "a::f::h0123456789abcdef"));
	CHECK(!matches_name("^pee$", "peek.isra.0"));
	CHECK(!matches_name("^peek$", "peek.more"));
}

static bool finds(const struct pattern *p, const char *file, const char *name)
{
	bool result = false;
	REQUIRE_INT(pattern_matches_name(p, "app", file, name, &result, NULL), CG_OK);
	return result;
}

/* What a diff calls peek is found by the name that a clone of it has in a profile. */
static void test_clones(void)
{
	struct cg_profile *profile = whole_profile_of(
		"events: Ir\nob=/bin/app\nfl=a.c\nfn=peek.isra.0\n1 1\n"
		"fn=peek.constprop.1\n1 1\nfn=pop.part.0\n1 1\n"
		"fl=\nfn=push.isra.0\n1 1\n");
	struct pattern *p;
	REQUIRE_INT(pattern_compile("isra", &p, NULL), CG_OK);
	CHECK(!finds(p, "a.c", "peek"));
	REQUIRE_INT(pattern_add_clones(p, profile, NULL), CG_OK);
	REQUIRE_INT(pattern_add_clones(p, profile, NULL), CG_OK);
	CHECK(finds(p, "a.c", "peek"));
	CHECK(finds(p, "???", "push"));
	CHECK(!finds(p, "b.c", "peek"));
	CHECK(!finds(p, "a.c", "pop"));
	CHECK(!finds(p, "a.c", "pee"));
	CHECK(finds(p, "a.c", "israel"));
	pattern_free(p);
	REQUIRE_INT(pattern_compile("^app:a\\.c:pop\\.part\\.0$", &p, NULL), CG_OK);
	REQUIRE_INT(pattern_add_clones(p, profile, NULL), CG_OK);
	CHECK(finds(p, "a.c", "pop"));
	pattern_free(p);
	cg_profile_free(profile);
}

TEST_MAIN("pattern", { "matching", test_matching }, { "clones", test_clones },
	  { "UTF-8", test_utf8 }, { "bytes that are not UTF-8", test_invalid_utf8 },
	  { "bad patterns and their column", test_bad_patterns },
	  { "a pattern that would not end", test_catastrophic },
	  { "names of functions", test_names })
