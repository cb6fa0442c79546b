#include "tests/unit/harness.h"
#include "tests/unit/profiles.h"

#include "src/text/text.h"
#include "src/text/wrap.h"

static char buffer[TEXT_NUMBER];

static void test_counts(void)
{
	CHECK_STR(text_count(0, buffer), "0");
	CHECK_STR(text_count(999, buffer), "999");
	CHECK_STR(text_count(1000, buffer), "1,000");
	CHECK_STR(text_count(12345, buffer), "12,345");
	CHECK_STR(text_count(123456, buffer), "123,456");
	CHECK_STR(text_count(1234567, buffer), "1,234,567");
	CHECK_STR(text_count(UINT64_MAX, buffer), "18,446,744,073,709,551,615");
}

static void test_deltas(void)
{
	CHECK_STR(text_delta(4, 10, buffer), "+6");
	CHECK_STR(text_delta(10, 4, buffer), "-6");
	CHECK_STR(text_delta(7, 7, buffer), "0");
	CHECK_STR(text_delta(0, 1234567, buffer), "+1,234,567");
	CHECK_STR(text_delta(INT64_MAX, INT64_MIN, buffer), "-18,446,744,073,709,551,615");
}

static void test_changes(void)
{
	CHECK_STR(text_change(1000, 1212, buffer), "+21.2%");
	CHECK_STR(text_change(1000, 980, buffer), "-2.00%");
	CHECK_STR(text_change(1000, 1000, buffer), "0%");
	CHECK_STR(text_change(0, 0, buffer), "0%");
	CHECK_STR(text_change(0, 5, buffer), "new");
	CHECK_STR(text_change(5, 0, buffer), "-100%");
	CHECK_STR(text_change(1, 4, buffer), "+300%");
	CHECK_STR(text_change(1000, 59474, buffer), "+5,847%");
	CHECK_STR(text_change(2, 1999997, buffer), "+99,999,750%");
	CHECK_STR(text_change(100000, 1099499, buffer), "+999%");
	CHECK_STR(text_change(100000, 1099500, buffer), "+1,000%");
	/* Three digits that count, until they would be places after the point. */
	CHECK_STR(text_change(10000, 11234, buffer), "+12.3%");
	CHECK_STR(text_change(10000, 10123, buffer), "+1.23%");
	/* 9.995 % is 10.0 %, not 10.00 %; 99.95 % is 100 %. */
	CHECK_STR(text_change(100000, 109996, buffer), "+10.0%");
	CHECK_STR(text_change(100000, 109994, buffer), "+9.99%");
	CHECK_STR(text_change(100000, 199960, buffer), "+100%");
	CHECK_STR(text_change(100000, 199940, buffer), "+99.9%");
}

/* What changed never looks as if it had not. */
static void test_small_changes(void)
{
	CHECK_STR(text_change(1000000, 1000099, buffer), "+0.01%");
	CHECK_STR(text_change(1000000, 999999, buffer), "-<0.001%");
	CHECK_STR(text_change(10000, 10001, buffer), "+0.01%");
	CHECK_STR(text_change(100000, 100009, buffer), "+0.009%");
	CHECK_STR(text_change(10000000, 10000537, buffer), "+0.005%");
	CHECK_STR(text_change(10000000000, 9999999999, buffer), "-<0.001%");
	CHECK_STR(text_change(INT64_MAX, INT64_MAX - 1, buffer), "-<0.001%");
	/* Growth and decrease look different. */
	CHECK_STR(text_change(5769491, 5769119, buffer), "-0.006%");
	CHECK_STR(text_change(5769119, 5769491, buffer), "+0.006%");
	CHECK_STR(text_change(1000000, 1000001, buffer), "+<0.001%");
	CHECK_STR(text_change(100000, 99999, buffer), "-0.001%");
	CHECK_STR(text_change(1000000, 1000094, buffer), "+0.009%");
	CHECK_STR(text_change(1000000, 1000095, buffer), "+0.01%");
	CHECK_STR(text_share_of_base(5, 4, 5769491, buffer), "-<0.001%");
	for (int64_t base = 1; base < INT64_MAX / 10; base *= 10) {
		text_change(base, base + 1, buffer);
		test_report(strpbrk(buffer, "123456789") != NULL, false, __FILE__, __LINE__,
			    "1 more than %" PRId64 " is \"%s\"", base, buffer);
	}
}

static void test_impacts(void)
{
	CHECK_STR(text_share_of_base(10, 351, 10000, buffer), "+3.41%");
	CHECK_STR(text_share_of_base(351, 10, 10000, buffer), "-3.41%");
	CHECK_STR(text_share_of_base(5, 5, 100, buffer), "0%");
	CHECK_STR(text_share_of_base(0, 5, 0, buffer), "-");
	CHECK_STR(text_share_of_base(-10, -351, 10000, buffer), "-3.41%");
	CHECK_STR(text_share_of_base(-10, 331, -10000, buffer), "+3.41%");
}

static void test_shares(void)
{
	/* As wide as callgrind_annotate prints them. */
	CHECK_STR(text_share(1234, 10000, buffer), "12.34%");
	CHECK_STR(text_share(1, 100, buffer), " 1.00%");
	CHECK_STR(text_share(100, 100, buffer), "100.0%");
	CHECK_STR(text_share(99999, 100000, buffer), "100.0%");
	CHECK_STR(text_share(0, 0, buffer), " 0.00%");
	CHECK_STR(text_share(5, 0, buffer), "   n/a");
	CHECK_STR(text_share(-5, 20, buffer), "-25.00%");
	CHECK_STR(text_share(-40, 20, buffer), "-200.0%");
	CHECK_STR(text_cost(-1234, buffer), "-1,234");
	CHECK_STR(text_cost(INT64_MIN, buffer), "-9,223,372,036,854,775,808");
	CHECK_STR(text_delta(-5, 5, buffer), "+10");
}

static void is_safe(const char *text, const char *expected)
{
	char *safe = text_safe(text);
	CHECK_STR(safe, expected);
	free(safe);
}

static void test_safe(void)
{
	is_safe("", "");
	is_safe("std::map<int, größe>", "std::map<int, größe>");
	is_safe("日本", "日本");
	is_safe("\033[31mred", "\\x1b[31mred");
	is_safe("a\nb\tc\r\x7f", "a\\x0ab\\x09c\\x0d\\x7f");
	is_safe("\xc2\x9b", "\\xc2\\x9b"); /* C1: a terminal may read it as ESC [ */
	is_safe("a\xff\xc3", "a\\xff\\xc3");
	is_safe("\xc0\x80", "\\xc0\\x80");          /* overlong */
	is_safe("\xed\xa0\x80", "\\xed\\xa0\\x80"); /* a surrogate */
	is_safe("\\x1b", "\\x1b");
}

/* Each of them can make a name look like another one. */
static void test_direction(void)
{
	static const char *const harmful[] = {
		"\u200b", "\u200e", "\u200f", "\u061c", "\u202a", "\u202b", "\u202c", "\u202d",
		"\u202e", "\u2066", "\u2067", "\u2068", "\u2069", "\u2028", "\u2029", "\ufeff",
	};
	for (size_t i = 0; i < sizeof harmful / sizeof *harmful; i++) {
		char *safe = text_safe(harmful[i]);
		REQUIRE(safe != NULL);
		test_report(strncmp(safe, "\\x", 2) == 0 && strlen(safe) == 4 * strlen(harmful[i]),
			    false, __FILE__, __LINE__, "harmful character %zu is kept", i);
		free(safe);
	}
	is_safe("a\u202eb", "a\\xe2\\x80\\xaeb");
}

static void prints_name(const char *name, unsigned width, const char *expected)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	REQUIRE(to != NULL);
	text_print_name(to, name, width);
	fclose(to);
	CHECK_STR(text, expected);
	if (width >= 4)
		CHECK(text_width(text) <= width);
	free(text);
}

static void test_cutting(void)
{
	prints_name("abcdefghij", 0, "abcdefghij");
	prints_name("abcdefghij", 10, "abcdefghij");
	prints_name("abcdefghij", 9, "abcd…ghij");
	prints_name("abcdefghij", 8, "abc…ghij");
	prints_name("abcdefghij", 4, "a…ij");
	prints_name("abcdefghij", 3, "abcdefghij"); /* too narrow to say anything */
	prints_name("äöüäöüäöüä", 9, "äöüä…äöüä");
	prints_name("\033[2Jxxxxxx", 0, "\\x1b[2Jxxxxxx");
}

static void prints_source(const char *line, const char *expected)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	REQUIRE(to != NULL);
	text_print_source(to, line);
	fclose(to);
	CHECK_STR(text, expected);
	free(text);
}

static void test_source(void)
{
	prints_source("", "");
	prints_source("x;", "x;");
	prints_source("\tx;", "        x;");
	prints_source("\t\tx\t;", "                x       ;");
	prints_source("ab\tc", "ab      c");
	prints_source("ä\tc", "ä       c");
	prints_source("1234567\t8", "1234567 8");
	prints_source("12345678\t9", "12345678        9");
	prints_source("end\t", "end     ");
	/* A backslash in the source is not a tab. */
	prints_source("puts(\"\\x09\");", "puts(\"\\x09\");");
	prints_source("a\033[2J\tb", "a\\x1b[2J        b");
}

static void test_width(void)
{
	CHECK_U64(text_width(""), 0);
	CHECK_U64(text_width("größe"), 5);
	CHECK_U64(text_width("…"), 1);
}

static void test_color(void)
{
	struct text_style plain = { 0 }, colored = { .color = true };
	CHECK_STR(text_red(&plain), "");
	CHECK_STR(text_plain(&plain), "");
	CHECK_STR(text_red(&colored), "\033[31m");
	CHECK_STR(text_plain(&colored), "\033[0m");
}

static void test_part(void)
{
	char b[TEXT_NUMBER];
	CHECK_STR(text_part(2, 3, b), "66.7%");
	CHECK_STR(text_part(80000, 75000, b), "107%");
	CHECK_STR(text_part(-9000, 75000, b), "-12.0%");
	CHECK_STR(text_part(9000, -75000, b), "-12.0%");
	CHECK_STR(text_part(-9, -100, b), "9.00%");
	CHECK_STR(text_part(123456, 10, b), "1,234,560%");
	CHECK_STR(text_part(1, 20000, b), "0.005%");
	CHECK_STR(text_part(1, 200000, b), "<0.001%");
	CHECK_STR(text_part(-1, 200000, b), "-<0.001%");
	CHECK_STR(text_part(0, 5, b), "0%");
	CHECK_STR(text_part(0, 0, b), "0%");
	CHECK_STR(text_part(1, 0, b), "n/a");
	CHECK_STR(text_part(INT64_MIN, INT64_MAX, b), "-100%");
}

static void test_bytes(void)
{
	char b[TEXT_NUMBER];
	CHECK_STR(text_bytes(0, b), "0.0 kB");
	CHECK_STR(text_bytes(999900, b), "999.9 kB");
	CHECK_STR(text_bytes(999950, b), "1.0 MB");
	CHECK_STR(text_bytes(247085300, b), "247.1 MB");
	CHECK_STR(text_bytes(1500000000, b), "1.5 GB");
	CHECK_STR(text_bytes(4000000000000, b), "4000.0 GB");
}

static void test_per_call(void)
{
	char b[TEXT_NUMBER];
	CHECK_STR(text_per_call(12345, 10, b), "1,234");
	CHECK_STR(text_per_call(-12345, 10, b), "-1,234");
	CHECK_STR(text_per_call(29, 100, b), "0.29");
	CHECK_STR(text_per_call(-29, 100, b), "-0.29");
	CHECK_STR(text_per_call(1, 101, b), "<0.01");
	CHECK_STR(text_per_call(0, 100, b), "0");
	CHECK_STR(text_per_call(5, 0, b), "–");
	CHECK_STR(text_per_call(INT64_MIN, 1, b), "-9,223,372,036,854,775,808");
	CHECK_STR(text_per_call(INT64_MAX, UINT64_MAX, b), "0.50");

	/* Both in as many digits as tell them apart. */
	char pair[TEXT_PAIR];
	CHECK_STR(text_per_call_pair(100, 10, 150, 10, pair), "10 → 15");
	CHECK_STR(text_per_call_pair(100, 10, 103, 10, pair), "10.0 → 10.3");
	CHECK_STR(text_per_call_pair(12340000, 10000, 12340500, 10000, pair),
		  "1,234.00 → 1,234.05");
	CHECK_STR(text_per_call_pair(-100, 10, -103, 10, pair), "-10.0 → -10.3");
	CHECK_STR(text_per_call_pair(29, 10000, 30, 10000, pair), "0.002 → 0.003");
	CHECK_STR(text_per_call_pair(100, 10, 200, 20, pair), "10");
	CHECK_STR(text_per_call_pair(10000000000, 1000000000, 10000000001, 1000000000, pair), "10");
	CHECK_STR(text_per_call_pair(INT64_MIN, UINT64_MAX, INT64_MAX, UINT64_MAX, pair),
		  "-0.50 → 0.50");
	CHECK_STR(text_per_call_pair(5, 0, 5, 1, pair), "– → 5");
	CHECK_STR(text_calls_word(1, 1), "call");
	CHECK_STR(text_calls_word(0, 1), "call");
	CHECK_STR(text_calls_word(1, 2), "calls");
}

static void check_wrap(const char *line, unsigned width, const char *expected)
{
	char *text = text_wrap(line, width, 2);
	CHECK_STR(text, expected);
	free(text);
}

static void test_wrapping(void)
{
	check_wrap("", 10, "");
	check_wrap("one two", 0, "one two");
	check_wrap("one two", 7, "one two");
	check_wrap("one two", 6, "one\n  two");
	check_wrap("one two three four", 8, "one two\n  three\n  four");
	check_wrap("ööö äää", 7, "ööö äää");
	check_wrap("far-too-long-for-a-line two", 8, "far-too-long-for-a-line\n  two");
}

static void test_wrapping_names(void)
{
	check_wrap("in 'a b c d' too", 8, "in\n  'a b c d'\n  too");
	check_wrap("in `a: b c d` too", 8, "in\n  `a: b c d`\n  too");
	check_wrap("f<int, char>(long, int) is", 8, "f<int, char>(long, int)\n  is");
	check_wrap("say (what is said) now", 10, "say (what\n  is said)\n  now");
	check_wrap("it's what it's called", 10, "it's what\n  it's\n  called");
	check_wrap("never f(closed again", 9, "never\n  f(closed\n  again");
	check_wrap("a->b (c d>) e f", 6, "a->b\n  (c\n  d>)\n  e f");
}

/* What one line becomes that is written in pieces, after `begun` columns. */
static void line_is(unsigned begun, const char *line, unsigned width, const char *expected)
{
	struct text_line pieces;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size), *to = text_line_begin(&pieces, out);

	for (const char *c = line; *c; c++)
		fputc(*c, to);
	text_line_end(&pieces, begun, width, 4);
	CHECK(fclose(out) == 0);
	CHECK_STR(text, expected);
	free(text);
}

static void test_lines_in_pieces(void)
{
	line_is(0, "one two three", 0, "one two three\n");
	line_is(0, "one two three", 9, "one two\n    three\n");
	line_is(5, "one two three", 9, "one\n    two\n    three\n");
	line_is(5, "one two three", 12, "one two\n    three\n");
	line_is(5, "one two three", 0, "one two three\n");
	line_is(2, "one", 2, "one\n");
	line_is(2, "", 10, "\n");
	line_is(14, "one two", 8, "one\n    two\n");
	line_is(14, "größenordnungsmäßig", 20, "gr…ßig\n");
	line_is(0, "a_word_without_blanks", 10, "a_wo…lanks\n");
	line_is(2, "größe der länge", 12, "größe der\n    länge\n");
}

/* Names of several bytes a character are as wide as they look. */
static void test_event_columns(void)
{
	const char name[] = "größenordnungsmäßige_Zählung_über_alles_was_war";
	char *text = NULL;
	const uint32_t events[] = { 0, 1 };
	struct text_columns c;
	char *file = NULL;
	size_t size;

	CHECK(asprintf(&file, "events: %s Ir\nfn=f\n1 2 3\n", name) > 0);
	struct cg_profile *p = profile_of(file);
	FILE *to = open_memstream(&text, &size);

	CHECK(p && text_columns_init(&c, p, events, 2) == 0);
	text_columns_print_names(to, &c);
	CHECK(fclose(to) == 0);
	CHECK_STR(text, "größenordnungsm…er_alles_was_war Ir ");
	text_columns_free(&c);
	cg_profile_free(p);
	free(text);
	free(file);
}

static void check_path(const char *path, const char *here, const char *expected)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	text_print_path(to, path, here);
	CHECK(fclose(to) == 0);
	CHECK_STR(text, expected);
	free(text);
}

static void test_paths(void)
{
	check_path("/home/x/p/irdiff.yml", "/home/x/p", "irdiff.yml");
	check_path("/home/x/p/irdiff.yml", "/home/x", "p/irdiff.yml");
	check_path("/home/x/p/irdiff.yml", "/home/x/p/src", "../irdiff.yml");
	check_path("/home/x/p/irdiff.yml", "/home/x/p/a/b/c", "../../../irdiff.yml");
	check_path("/home/x/p/irdiff.yml", "/home/x/p/a/b/c/d", "/home/x/p/irdiff.yml");
	check_path("/home/x/p/irdiff.yml", "/home/x/pp", "../p/irdiff.yml");
	check_path("/home/x/pp/irdiff.yml", "/home/x/p", "../pp/irdiff.yml");
	check_path("/home/x/p/irdiff.yml", "/srv", "/home/x/p/irdiff.yml");
	check_path("/home/x/p/irdiff.yml", "/", "/home/x/p/irdiff.yml");
	check_path("/p/irdiff.yml", "/p/src", "/p/irdiff.yml"); /* as long */
	check_path("/p/irdiff.yml", "/p/a/b", "/p/irdiff.yml");
	check_path("/home/x/p/irdiff.yml", NULL, "/home/x/p/irdiff.yml");
	check_path("--limit", "/home/x", "--limit");
}

TEST_MAIN("text", { "counts", test_counts }, { "deltas", test_deltas }, { "changes", test_changes },
	  { "small changes", test_small_changes }, { "impacts", test_impacts },
	  { "shares", test_shares }, { "safe texts", test_safe },
	  { "characters that turn the writing", test_direction }, { "cutting names", test_cutting },
	  { "source lines", test_source }, { "width", test_width }, { "colours", test_color },
	  { "lines are wrapped at spaces", test_wrapping },
	  { "names are not broken inside", test_wrapping_names },
	  { "lines in pieces", test_lines_in_pieces }, { "columns of events", test_event_columns },
	  { "paths as seen from a directory", test_paths }, { "parts of a total", test_part },
	  { "sizes", test_bytes }, { "what one call costs may be less than one", test_per_call })
