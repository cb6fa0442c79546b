#include "tests/unit/harness.h"

#include "cgprofile/error.h"
#include "src/json/json.h"

/* The document as text; free() it. */
static char *finished(struct json *j)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	REQUIRE(to != NULL);
	REQUIRE_INT(json_finish(j, to), CG_OK);
	fclose(to);
	return text;
}

static struct json *new (void)
{
	struct json *j = json_new();
	REQUIRE(j != NULL);
	return j;
}

static void is_written(struct json *j, const char *expected)
{
	char *text = finished(j);
	CHECK_STR(text, expected);
	free(text);
}

static void test_document(void)
{
	struct json *j = new ();
	json_text(j, "name", "x");
	json_begin_object(j, "object");
	json_flag(j, "yes", true);
	json_none(j, "none");
	json_end(j);
	json_begin_array(j, "array");
	json_count(j, NULL, 7);
	json_begin_object(j, NULL);
	json_number(j, "half", 0.5);
	json_end(j);
	json_end(j);
	json_text(j, "last", NULL);
	is_written(j, "{\n"
		      " \"name\": \"x\",\n"
		      " \"object\": {\"yes\":true,\"none\":null},\n"
		      " \"array\": [7,{\"half\":0.5}],\n"
		      " \"last\": null\n"
		      "}\n");
	is_written(new (), "{}\n");
}

/* What does not fit into a line takes several: rows one each, the rest as much as fits. */
static void test_layout(void)
{
	static const char name[] = "a name of forty characters, no less: ....";
	struct json *j = new ();
	json_begin_array(j, "rows");
	for (uint64_t i = 0; i < 2; i++) {
		json_begin_object(j, NULL);
		json_text(j, "name", name);
		json_count(j, "number", i);
		json_begin_object(j, "side");
		json_text(j, "name", name);
		json_end(j);
		json_end(j);
	}
	json_end(j);
	json_begin_array(j, "words");
	for (int i = 0; i < 3; i++)
		json_text(j, NULL, name);
	json_end(j);
	json_begin_object(j, "nothing");
	json_end(j);
	is_written(j, "{\n"
		      " \"rows\": [\n"
		      "  {\"name\":\"a name of forty characters, no less: ....\",\"number\":0,\n"
		      "   \"side\":{\"name\":\"a name of forty characters, no less: ....\"}},\n"
		      "  {\"name\":\"a name of forty characters, no less: ....\",\"number\":1,\n"
		      "   \"side\":{\"name\":\"a name of forty characters, no less: ....\"}}\n"
		      " ],\n"
		      " \"words\": [\"a name of forty characters, no less: ....\","
		      "\"a name of forty characters, no less: ....\",\n"
		      "  \"a name of forty characters, no less: ....\"],\n"
		      " \"nothing\": {}\n"
		      "}\n");
}

/* No line is longer than it must be, whatever is inside. */
static void test_width(void)
{
	for (int size = 1; size < 120; size++) {
		struct json *j = new ();
		json_begin_object(j, "o");
		json_begin_array(j, "numbers");
		for (int i = 0; i < size; i++)
			json_count(j, NULL, (uint64_t)i);
		json_end(j);
		json_flag(j, "last", true);
		json_end(j);
		char *text = finished(j);
		for (char *line = text; *line; line += strcspn(line, "\n") + 1)
			CHECK(strcspn(line, "\n") <= 110);
		struct json_value *root = NULL;
		REQUIRE_INT(json_read(text, strlen(text), "it", &root, NULL), CG_OK);
		CHECK_U64(json_items(json_member(json_member(root, "o"), "numbers")), size);
		json_forget(root);
		free(text);
	}
}

static void test_shortening(void)
{
	struct json *j = new ();
	json_count(j, "hidden", 0);
	json_begin_array(j, "rows");
	for (uint64_t i = 0; i < 9; i++)
		json_count(j, NULL, i);
	json_end(j);
	CHECK_U64(json_shorten(j, "rows", 1000, 3), 0);
	CHECK_U64(json_shorten(j, "rows", 40, 3), 4);
	json_count(j, "hidden", 4);
	CHECK_U64(json_shorten(j, "rows", 1, 3), 2);
	CHECK_U64(json_shorten(j, "nothing", 1, 3), 0);
	is_written(j, "{\n \"hidden\": 4,\n \"rows\": [0,1,2]\n}\n");
}

static void test_shares_and_times(void)
{
	struct json *j = new ();
	json_share(j, "a", 2.0 / 3);
	json_share(j, "b", -1e-9);
	json_time(j, "c", 1795400100);
	json_time(j, "d", INT64_MAX);
	is_written(j, "{\n \"a\": 0.666667,\n \"b\": 0.0,\n"
		      " \"c\": \"2026-11-23T02:15:00Z\",\n \"d\": null\n}\n");
}

/* Up to 2^63 - 1 as a number, above as a text: never rounded, never negative. */
static void test_counts(void)
{
	struct json *j = new ();
	json_count(j, "a", 0);
	json_count(j, "b", INT64_MAX);
	json_count(j, "c", (uint64_t)INT64_MAX + 1);
	json_count(j, "d", UINT64_MAX);
	is_written(j, "{\n"
		      " \"a\": 0,\n"
		      " \"b\": 9223372036854775807,\n"
		      " \"c\": \"9223372036854775808\",\n"
		      " \"d\": \"18446744073709551615\"\n"
		      "}\n");
}

static void test_deltas(void)
{
	struct json *j = new ();
	json_delta(j, "a", 4, 10);
	json_delta(j, "b", 10, 4);
	json_delta(j, "c", 0, INT64_MAX);
	json_delta(j, "d", INT64_MAX, 0);
	json_delta(j, "e", INT64_MIN, INT64_MAX);
	json_delta(j, "f", INT64_MAX, INT64_MIN);
	json_delta(j, "g", INT64_MAX, INT64_MAX - 1);
	is_written(j, "{\n"
		      " \"a\": 6,\n"
		      " \"b\": -6,\n"
		      " \"c\": 9223372036854775807,\n"
		      " \"d\": -9223372036854775807,\n"
		      " \"e\": \"18446744073709551615\",\n"
		      " \"f\": \"-18446744073709551615\",\n"
		      " \"g\": -1\n"
		      "}\n");
}

static void test_texts(void)
{
	struct json *j = new ();
	json_text(j, "quotes", "\"\\\n");
	json_text(j, "utf8", "größe");
	json_text(j, "bytes",
		  "a\xff"
		  "b");
	json_text(j, "k\xfe", "key");
	json_text(j, "empty", "");
	is_written(j, "{\n"
		      " \"quotes\": \"\\\"\\\\\\n\",\n"
		      " \"utf8\": \"größe\",\n"
		      " \"bytes\": \"a\\\\xffb\",\n"
		      " \"k\\\\xfe\": \"key\",\n"
		      " \"empty\": \"\"\n"
		      "}\n");
}

/* A document that could not be built is not written in part. */
static void test_failures(void)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	struct json *j = new ();
	for (int i = 0; i < 100; i++)
		json_begin_array(j, "deep");
	json_count(j, "x", 1);
	for (int i = 0; i < 200; i++)
		json_end(j);
	json_text(j, "after", "all");
	CHECK_INT(json_finish(j, to), CG_ENOMEM);
	fclose(to);
	CHECK_U64(size, 0);
	free(text);

	to = fopen("/dev/full", "w");
	REQUIRE(to != NULL);
	setvbuf(to, NULL, _IONBF, 0);
	CHECK_INT(json_finish(new (), to), CG_EIO);
	fclose(to);

	j = new ();
	json_begin_object(j, "x");
	json_abandon(j);
}

/* ---- reading ---- */

static void test_reading(void)
{
	static const char text[] =
		"{\"a\": [1, {\"b\": \"x\\u0000y\"}, -1, 1.5, null], \"c\": \"1\"}";
	struct json_value *root = NULL;
	uint64_t n = 42;
	double number = 42;

	REQUIRE_INT(json_read(text, strlen(text), "it", &root, NULL), CG_OK);
	const struct json_value *a = json_member(root, "a");
	CHECK(json_is_list(a) && !json_is_list(root) && !json_is_list(NULL));
	CHECK_U64(json_items(a), 5);
	CHECK(json_count_of(json_item(a, 0), &n) && n == 1);
	CHECK_STR(json_text_of(json_member(json_item(a, 1), "b")), "x");
	for (size_t i = 1; i < 6; i++)
		CHECK(!json_count_of(json_item(a, i), &n));
	CHECK(!json_count_of(json_member(root, "c"), &n));
	CHECK_U64(n, 1);
	CHECK(!json_number_of(json_item(a, 4), &number) &&
	      !json_number_of(json_member(root, "c"), &number) && !json_number_of(NULL, &number));
	CHECK(number == 42);
	CHECK(json_number_of(json_item(a, 2), &number) && number == -1);
	CHECK(json_number_of(json_item(a, 3), &number) && number == 1.5);
	CHECK_STR(json_text_of(json_member(root, "c")), "1");
	/* What is not there has nothing in it either. */
	CHECK(json_text_of(json_member(json_item(json_member(root, "c"), 0), "d")) == NULL);
	CHECK_U64(json_items(json_member(root, "c")), 0);
	json_forget(root);
	json_forget(NULL);
}

static void test_damaged(void)
{
	static const char *const texts[] = { "",        "{",     "{\"a\": 1} x", "\"\xff\"",
					     "[1e999]", "[nan]", "'a'" };
	struct json_value *root = NULL;
	struct cg_error err;

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		CHECK_INT(json_read(texts[i], strlen(texts[i]), "the answer", &root, &err),
			  CG_ESYNTAX);
		CHECK(strncmp(err.message, "the answer is not JSON: ", 24) == 0);
		CHECK(root == NULL);
	}
	char *deep = malloc(100000);
	REQUIRE(deep != NULL);
	memset(deep, '[', 100000);
	CHECK_INT(json_read(deep, 100000, "x", &root, NULL), CG_ESYNTAX);
	free(deep);
}

TEST_MAIN("json", { "a document", test_document }, { "layout", test_layout },
	  { "width", test_width }, { "shortening", test_shortening },
	  { "shares and times", test_shares_and_times }, { "counts", test_counts },
	  { "deltas", test_deltas }, { "texts and keys", test_texts },
	  { "failures", test_failures }, { "what is read", test_reading },
	  { "what is no JSON", test_damaged })
