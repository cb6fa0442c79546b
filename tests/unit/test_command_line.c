#include "tests/unit/harness.h"

#include "src/config/command_line.h"

/* `expected` has the words with a `|` after each. */
static void splits(const char *text, const char *expected)
{
	struct command_line line;
	struct cg_error err = { 0 };
	char joined[256];
	size_t at = 0;

	if (command_line_split(text, &line, &err) != CG_OK) {
		test_report(false, false, __FILE__, __LINE__, "%s: %s", text, err.message);
		return;
	}
	for (size_t i = 0; i < line.argc; i++)
		at += (size_t)snprintf(joined + at, sizeof joined - at, "%s|", line.argv[i]);
	CHECK_STR(joined, expected);
	CHECK(line.argv[line.argc] == NULL);
	command_line_free(&line);
}

static void refuses(const char *text, const char *why)
{
	struct command_line line;
	struct cg_error err = { 0 };

	test_report(command_line_split(text, &line, &err) == CG_ESYNTAX, false, __FILE__, __LINE__,
		    "\"%s\" is accepted", text);
	test_report(strstr(err.message, why) != NULL, false, __FILE__, __LINE__,
		    "%s: the message does not say \"%s\": %s", text, why, err.message);
}

static void test_plain(void)
{
	splits("a", "a|");
	splits("make -j bench", "make|-j|bench|");
	splits("  a\t b  ", "a|b|");
	splits("a\n", "a|");
	splits("\n a b \n\n", "a|b|");
	splits("./x --opt=a=b,c:d%e@f+g", "./x|--opt=a=b,c:d%e@f+g|");
	splits("x A=b", "x|A=b|"); /* an assignment only in front */
	splits("a~ b#c {} !", "a~|b#c|{}|!|");
}

static void test_quotes(void)
{
	splits("''", "|");
	splits("a '' \"\" b", "a|||b|");
	splits("'a b'", "a b|");
	splits("a'b c'd", "ab cd|");
	splits("\"a b\"c", "a bc|");
	splits("'$x `y` * \\'", "$x `y` * \\|");
	splits("'a\"b' \"a'b\"", "a\"b|a'b|");
	splits("\"* | ; ~ # ()\"", "* | ; ~ # ()|");
	splits("'a\nb'", "a\nb|");
	splits("'A'=b", "A=b|"); /* quoted, so no assignment */
}

static void test_backslash(void)
{
	splits("a\\ b", "a b|");
	splits("\\$x \\* \\\\ \\'", "$x|*|\\|'|");
	splits("\\a", "a|");
	splits("a\\\nb", "ab|");
	splits("a \\\n b", "a|b|");
	splits("\"\\$ \\` \\\" \\\\ \\a a\\\nb\"", "$ ` \" \\ \\a ab|");
	splits("\\#x \\~", "#x|~|");
}

static void test_unterminated(void)
{
	refuses("a 'b", "column 3: this ' is never closed");
	refuses("'", "column 1: this '");
	refuses("a\"", "column 2: this \"");
	refuses("\"a\\\"", "column 1: this \"");
	refuses("\"\\", "column 1: this \"");
	refuses("ab\\", "column 3: nothing follows");
}

static void test_empty(void)
{
	refuses("", "the command is empty");
	refuses(" \t\n", "the command is empty");
	refuses("\\\n", "the command is empty");
}

static void test_special(void)
{
	static const char *const texts[] = { "a $x",     "a `b`",    "a *",   "a b?",  "a [b]",
					     "a | b",    "a & b",    "a ; b", "a < b", "a > b",
					     "a (b)",    "a ~",      "a ~/x", "a 2>b", "a && b",
					     "a \"$x\"", "a \"`x`\"" };

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		refuses(texts[i], "`shell: true`");
	refuses("ab $x", "column 4: '$' is expanded");
	refuses("a \"b$x\"", "column 5: '$'");
	refuses("a # b", "column 3: '#' begins a comment in a shell");
	refuses("a\nb", "column 2: a line break ends a command");
	refuses("  A_1=b ./x", "column 3: only a shell sets variables");
}

/* The result has room for the worst cases: words of one byte, only empty ones. */
static void test_large(void)
{
	size_t n = 100001;
	char *text = malloc(n + 1);
	struct command_line line;

	for (size_t i = 0; i < n; i++)
		text[i] = i % 2 ? ' ' : 'x';
	text[n] = '\0';
	REQUIRE_INT(command_line_split(text, &line, NULL), CG_OK);
	CHECK_U64(line.argc, 50001);
	CHECK_STR(line.argv[50000], "x");
	command_line_free(&line);

	for (size_t i = 0; i < n; i++)
		text[i] = i % 3 == 2 ? ' ' : '\'';
	text[n - 2] = '\0'; /* ends in a space: 33333 times '' */
	REQUIRE_INT(command_line_split(text, &line, NULL), CG_OK);
	CHECK_U64(line.argc, 33333);
	CHECK_STR(line.argv[33332], "");
	command_line_free(&line);
	free(text);
}

TEST_MAIN("command line", { "plain words", test_plain }, { "quotes", test_quotes },
	  { "backslash", test_backslash }, { "unterminated", test_unterminated },
	  { "no words", test_empty }, { "what only a shell can do", test_special },
	  { "many words", test_large })
