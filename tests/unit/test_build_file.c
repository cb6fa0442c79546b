#include "tests/unit/harness.h"

#include "src/init/build_file.h"

/* All calls of `name`, as "LINE TARGET: WORD|WORD". */
static void has_calls(const char *text, const char *name, const char *expected)
{
	struct build_file file = { .text = strdup(text) };
	struct cursor at = { 0 };
	struct build_call c;
	char *found = NULL;
	size_t size;
	FILE *to = open_memstream(&found, &size);

	REQUIRE(file.text != NULL && to != NULL);
	while (build_file_call(&file, &at, name, &c)) {
		fprintf(to, "%d %s:", (int)c.line, c.target);
		for (size_t i = 0; i < c.count; i++)
			fprintf(to, "|%s", c.words[i]);
		fputc('\n', to);
	}
	fclose(to);
	CHECK_STR(found, expected);
	free(found);
	build_file_free(&file);
}

static void test_calls(void)
{
	has_calls("add(a b)", "add", "1 :|a|b\n");
	has_calls("\nx = Add ( 'a b', c,\n[d] )\nadd(e)", "add", "2 x:|a b|c|[|d|]\n4 :|e\n");
	has_calls("read(a) readd(b) add_more(c) add (d)", "add", "1 :|d\n");
	has_calls("y=add('n', add('m'))", "add", "1 y:|n|add|(|m|)\n1 :|m\n");
	has_calls("add(", "add", "1 :\n");
	has_calls("add('a", "add", "1 :|a\n");
	has_calls("add()", "add", "1 :\n");
	has_calls("add", "add", "");
	has_calls("", "add", "");
	has_calls("== add(a)", "add", "1 :|a\n");
}

/* What is too long, too deep or too much is left out. */
static void test_bounds(void)
{
	enum { MANY = 100000 };
	struct build_file file = { .text = malloc(8 * MANY + 1) };
	struct cursor at = { 0 };
	struct build_call c;
	size_t calls = 0;

	REQUIRE(file.text != NULL);
	for (size_t i = 0; i < MANY; i++)
		memcpy(file.text + 8 * i, "add(a \n\n", 8);
	file.text[8 * MANY] = '\0';
	while (build_file_call(&file, &at, "add", &c))
		calls++;
	CHECK_U64(calls, MANY);
	CHECK_U64(c.line, 2 * MANY - 1);
	CHECK(c.count == 1);
	memset(file.text + 4, 'x', 1000);
	at = (struct cursor){ 0 };
	REQUIRE(build_file_call(&file, &at, "add", &c));
	CHECK(c.count > 0 && c.count <= CALL_WORDS_MAX && strlen(c.words[0]) < CALL_WORD_MAX);
	build_file_free(&file);
}

TEST_MAIN("build files", { "calls in build files", test_calls },
	  { "calls without end", test_bounds })
