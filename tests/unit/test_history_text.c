#include "tests/unit/history_rows.h"

#define ENVIRONMENT "\"environment\":{\"cpu\":\"one\",\"valgrind\":\"3.19.0\"}"
#define ROW(commit, subject, environment, counts) \
	"{\"schema\":\"irdiff/run\",\"version\":2,\"benchmark\":\"parse\"," \
	"\"definition\":\"0123456789abcdef\",\"commit\":\"" commit \
	"\",\"tree\":null,\"committed\":100,\"subject\":" subject "," environment \
	",\"irdiff\":\"0.1.0\",\"valgrind\":\"3.19.0\",\"measured\":200,\"counts\":{" counts "}}"
#define GOOD ROW(A, "\"words\"", ENVIRONMENT, "\"Dr\":7,\"Ir\":1000")

static void test_text(void)
{
	struct history_run run = row("parse", A), back = { 0 };
	struct history_reader reader = { 0 };
	char *text = NULL;

	REQUIRE_INT(history_row_text(&run, &text, NULL), CG_OK);
	CHECK_STR(text, GOOD);
	free(text);

	struct history_count extremes[] = { { (char *)"\"\\\t", INT64_MIN },
					    { (char *)"z", INT64_MAX } };
	run.counts = extremes;
	run.subject = (char *)"\"\\/\x01\x1f\x7f é \xe2\x80\xae";
	run.tree = (char *)B;
	run.nenvironment = 0;
	REQUIRE_INT(history_row_text(&run, &text, NULL), CG_OK);
	REQUIRE_INT(history_row_read(&reader, text, strlen(text), "f", 1, &back, NULL), CG_OK);
	CHECK_STR(back.subject, run.subject);
	CHECK_STR(back.tree, B);
	CHECK_U64(back.nenvironment, 0);
	CHECK_STR(back.counts[0].metric, "\"\\\t");
	CHECK_INT(back.counts[0].count, INT64_MIN);
	CHECK_INT(back.counts[1].count, INT64_MAX);

	/* No part of a row is a row, nor is one with another byte in front. */
	back = (struct history_run){ 0 };
	for (size_t len = strlen(text); len-- > 0;)
		CHECK_INT(history_row_read(&reader, text, len, "f", 1, &back, NULL), CG_ESYNTAX);
	CHECK(back.benchmark == NULL);
	history_reader_free(&reader);
	free(text);
}

/* Wherever in a long text they are, what JSON escapes is escaped, and nothing else. */
static void test_escapes(void)
{
	struct history_run run = row("parse", A), back = { 0 };
	struct history_reader reader = { 0 };
	char subject[24], *text = NULL;

	run.subject = subject;
	for (size_t at = 0; at < sizeof subject - 1; at++)
		for (int c = 1; c < 0x80; c++) {
			if (c == '\n')
				continue;
			memset(subject, '!', sizeof subject - 1);
			subject[sizeof subject - 1] = '\0';
			subject[at] = (char)c;
			REQUIRE_INT(history_row_text(&run, &text, NULL), CG_OK);
			bool escaped = c < 0x20 || c == '"' || c == '\\';
			CHECK(!strchr(text, '\\') == !escaped);
			REQUIRE_INT(
				history_row_read(&reader, text, strlen(text), "f", 1, &back, NULL),
				CG_OK);
			CHECK_STR(back.subject, subject);
			free(text);
		}
	history_reader_free(&reader);
}

static void rejects(const char *text, size_t len, const char *words)
{
	struct history_reader reader = { 0 };
	struct history_run run = { 0 };
	struct cg_error err = { 0 };

	int status = history_row_read(&reader, text, len, "rows", 3, &run, &err);
	test_report(status == CG_ESYNTAX && strstr(err.message, words), false, __FILE__, __LINE__,
		    "%s: %s", text, err.message);
	CHECK_U64(err.line, 3);
	history_reader_free(&reader);
}

static void test_hostile(void)
{
	static const struct {
		const char *text, *words;
	} bad[] = {
		{ "", "from byte 1" },
		{ "{}", "from byte 1" },
		{ GOOD "}", "not a history row" },
		{ GOOD " ", "not a history row" },
		{ GOOD "\n\n", "not a history row" },
		{ "{\"schema\":\"irdiff/run\",\"version\":1,\"benchmark\":\"parse\"}",
		  "from byte 1" },
		{ ROW("../../etc/passwd", "\"w\"", ENVIRONMENT, "\"Ir\":1"), "commit" },
		{ ROW("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "\"w\"", ENVIRONMENT, "\"Ir\":1"),
		  "commit" },
		{ ROW(A, "\"a\\u000ab\"", ENVIRONMENT, "\"Ir\":1"), "subject" },
		{ ROW(A, "\"\xff\"", ENVIRONMENT, "\"Ir\":1"), "subject" },
		{ ROW(A, "\"\\u0041\"", ENVIRONMENT, "\"Ir\":1"), "not a history row" },
		{ ROW(A, "\"\\u0000\"", ENVIRONMENT, "\"Ir\":1"), "not a history row" },
		{ ROW(A, "\"\\u00", ENVIRONMENT, "\"Ir\":1"), "not a history row" },
		{ ROW(A, "\"w\"", ENVIRONMENT, ""), "not a history row" },
		{ ROW(A, "\"w\"", ENVIRONMENT, "\"Ir\":01"), "not a history row" },
		{ ROW(A, "\"w\"", ENVIRONMENT, "\"Ir\":-0"), "not a history row" },
		{ ROW(A, "\"w\"", ENVIRONMENT, "\"Ir\":1.5"), "not a history row" },
		{ ROW(A, "\"w\"", ENVIRONMENT, "\"Ir\":9223372036854775808"), "not a history row" },
		{ ROW(A, "\"w\"", ENVIRONMENT, "\"Ir\":1,\"Ir\":2"), "sorted by" },
		{ ROW(A, "\"w\"", ENVIRONMENT, "\"b\":1,\"a\":2"), "sorted by" },
		{ ROW(A, "\"w\"", ENVIRONMENT, "\"\":1"), "name" },
		{ ROW(A, "\"w\"", "\"environment\":{\"b\":\"\",\"a\":\"\"}", "\"Ir\":1"),
		  "sorted by" },
		{ ROW(A, "\"w\"", "\"environment\":{\"a\":\"\",}", "\"Ir\":1"),
		  "not a history row" },
	};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		rejects(bad[i].text, strlen(bad[i].text), bad[i].words);
	rejects("{\0}", 3, "not a history row");

	size_t size = HISTORY_MOST_TEXT + 10;
	char *huge = malloc(size);
	REQUIRE(huge != NULL);
	memset(huge, '{', size - 1);
	huge[size - 1] = '\0';
	rejects(huge, size - 1, "too long");
	free(huge);
}

/* Whatever byte is changed: it is refused, or it is what would be written. */
static void test_every_byte(void)
{
	static const char replacements[] = { '\0', '"', '\\', '{', '}',  ',',
					     '0',  '9', '-',  ' ', '\n', '\xff' };
	struct history_reader reader = { 0 };
	char text[] = GOOD;

	for (size_t i = 0; i < strlen(GOOD); i++) {
		for (size_t k = 0; k < sizeof replacements; k++) {
			struct history_run run = { 0 };
			char *again = NULL;
			text[i] = replacements[k];
			if (history_row_read(&reader, text, sizeof text - 1, "f", 1, &run, NULL))
				continue;
			REQUIRE_INT(history_row_text(&run, &again, NULL), CG_OK);
			CHECK_STR(again, text);
			free(again);
		}
		text[i] = GOOD[i];
	}
	history_reader_free(&reader);
}

TEST_MAIN("history as text", { "a row has one text", test_text },
	  { "what JSON escapes", test_escapes }, { "no other text is a row", test_hostile },
	  { "not with any byte changed", test_every_byte })
