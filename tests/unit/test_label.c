#include "src/store/label.h"

#include <stdlib.h>

#include "tests/unit/harness.h"

static void accepts(const char *label)
{
	struct cg_error err = { .code = 42 };

	test_report(label_check(label, &err) == CG_OK, false, __FILE__, __LINE__,
		    "\"%s\" is refused: %s", label, err.message);
	CHECK_INT(err.code, 42); /* untouched on success */
}

static void refuses(const char *label, const char *why)
{
	struct cg_error err = { 0 };

	test_report(label_check(label, &err) == CG_EINVAL, false, __FILE__, __LINE__,
		    "\"%s\" is accepted", label);
	test_report(strstr(err.message, why) != NULL, false, __FILE__, __LINE__,
		    "the message does not say \"%s\": %s", why, err.message);
}

static void test_accepted(void)
{
	accepts("parse");
	accepts("a");
	accepts("v1.2-rc3 (clang)");
	accepts("größe");
	accepts("parse.old");
	accepts("a..b");
	accepts("日本");
	accepts("parse/small");
	accepts("rs/benches/sort.rs::sort[a b]/1%");
}

static void test_refused(void)
{
	refuses("", "empty");
	refuses(".", "dot");
	refuses("..", "dot");
	refuses(".hidden", "dot");
	refuses("-x", "dash");
	refuses(" a", "space");
	refuses("a ", "space");
	refuses("/etc/passwd", "begin or end with a slash");
	refuses("a/", "begin or end with a slash");
	refuses("a//b", "begin or end with a slash");
	refuses("a/../b", "dot");
	refuses("a/-b", "dash");
	refuses("a /b", "space");
	refuses("a\\b", "'\\'");
}

static void test_controls(void)
{
	refuses("a\nb", "byte 2 is one (U+000A)");
	refuses("a\x1b[31m", "U+001B");
	refuses("\x7f", "U+007F");
	refuses("a\xc2\x85", "U+0085"); /* C1: next line */
}

static void test_not_utf8(void)
{
	refuses("ab\xff", "byte 3");
	refuses("\xc3", "byte 1");             /* cut */
	refuses("\xc0\xae\xc0\xae", "byte 1"); /* ".." in overlong form */
	refuses("\xed\xa0\x80", "byte 1");     /* a surrogate */
	refuses("\xf5\x80\x80\x80", "byte 1");
}

static void test_length(void)
{
	char label[LABEL_MAX + 2];

	memset(label, 'x', sizeof label);
	label[LABEL_MAX] = '\0';
	accepts(label);
	label[LABEL_MAX] = 'x';
	label[LABEL_MAX + 1] = '\0';
	refuses(label, "at most 200 bytes; this one has 201");
}

/* What is shown of a hostile label cannot steer a terminal. */
static void test_message_is_clean(void)
{
	struct cg_error err;

	CHECK_INT(label_check("a\x1b[2Jb\xff", &err), CG_EINVAL);
	CHECK(strchr(err.message, '\x1b') == NULL);
	CHECK(strstr(err.message, "'a\\x1b[2Jb\\xff'") != NULL);
}

static void test_new(void)
{
	struct cg_error err;

	CHECK_INT(label_check_new("parse", &err), CG_OK);
	CHECK_INT(label_check_new("old", &err), CG_OK);
	CHECK_INT(label_check_new("parse.older", &err), CG_OK);
	CHECK_INT(label_check_new("parse.old", &err), CG_EINVAL);
	CHECK_INT(label_check_new("a/b", &err), CG_EINVAL);

	/* LABEL/CASE and LABEL.old must be labels as well. */
	char label[LABEL_NEW_MAX + 2];
	memset(label, 'x', sizeof label - 1);
	label[LABEL_NEW_MAX + 1] = '\0';
	CHECK_INT(label_check_new(label, &err), CG_EINVAL);
	label[LABEL_NEW_MAX] = '\0';
	CHECK_INT(label_check_new(label, &err), CG_OK);
	CHECK_INT(label_check_new("", NULL), CG_EINVAL);
}

static void test_names(void)
{
	struct cg_error err = { 0 };

	CHECK_INT(label_check_name("parse", &err), CG_OK);
	CHECK_INT(label_check_name("parse/small", &err), CG_EINVAL);
	CHECK(strstr(err.message, "'/'") != NULL);
	CHECK_INT(label_benchmark_length("parse/small/x"), 5);
	CHECK_INT(label_benchmark_length("parse"), 5);
}

/* The label of a case is one, and so is that of the profile it replaced. */
static void case_is(const char *name, const char *expected)
{
	struct cg_error err = { 0 };
	char old[LABEL_MAX + 8], *label = label_of_case("parse", name);

	REQUIRE(label != NULL);
	CHECK_STR(label, expected);
	CHECK_INT(label_check(label, &err), CG_OK);
	snprintf(old, sizeof old, "%s.old", label);
	CHECK_INT(label_check(old, &err), CG_OK);
	free(label);
}

static void test_cases(void)
{
	case_is("small", "parse/small");
	case_is("benches/sort.rs::sort[1 000]", "parse/benches/sort.rs::sort[1 000]");
	case_is("größe", "parse/größe");
	case_is("", "parse/%");
	case_is("%", "parse/%25");
	case_is("/", "parse/%2F");
	case_is("a//b/", "parse/a%2F%2Fb%2F");
	case_is("../../etc", "parse/%2E./%2E./etc");
	case_is("-x", "parse/%2Dx");
	case_is(" a ", "parse/%20a%20");
	case_is("a\\b\n\xff", "parse/a%5Cb%0A%FF");
	case_is("x.old", "parse/x.old~c3f379407d48df8c");
}

static void test_long_cases(void)
{
	struct cg_error err = { 0 };
	char name[2000], other[2000];

	/* Characters of three bytes, of which none is cut. */
	for (size_t i = 0; i + 3 < sizeof name; i += 3)
		memcpy(name + i, "\xe6\x97\xa5", 4);
	memcpy(other, name, sizeof name);
	other[strlen(other) - 3] = 'x';
	other[strlen(other) - 2] = '\0';
	char *a = label_of_case("parse", name), *b = label_of_case("parse", other);
	REQUIRE(a && b);
	CHECK_INT(label_check(a, &err), CG_OK);
	CHECK_INT(label_check(b, &err), CG_OK);
	CHECK(strcmp(a, b) != 0);
	CHECK(strlen(a) <= LABEL_MAX - 4 && strlen(a) > LABEL_MAX - 12);
	free(a);
	free(b);

	/* However long a benchmark's name is, it stays whole. */
	char bench[LABEL_NEW_MAX + 1];
	memset(bench, 'x', sizeof bench);
	bench[LABEL_NEW_MAX] = '\0';
	a = label_of_case(bench, name);
	b = label_of_case(bench, other);
	REQUIRE(a && b);
	CHECK_INT(label_check(a, &err), CG_OK);
	CHECK_INT(label_benchmark_length(a), LABEL_NEW_MAX);
	CHECK(strcmp(a, b) != 0);
	free(a);
	free(b);
}

static void file_is(const char *label, const char *expected)
{
	char *name = label_file(label), *back = label_of_file(expected);

	REQUIRE(name && back);
	CHECK_STR(name, expected);
	CHECK_STR(back, label);
	free(name);
	free(back);
}

static void test_files(void)
{
	file_is("parse", "parse");
	file_is("parse/small", "parse%2Fsmall");
	file_is("parse/%2Fb", "parse%2F%252Fb");
	file_is("100%", "100%25");
	CHECK(label_of_file("a/b") == NULL);
	CHECK(label_of_file("50%") == NULL);
	CHECK(label_of_file("a%2fb") == NULL); /* one name for each label */
	CHECK(label_of_file("a%41") == NULL);
}

static void path_is(const char *label, const char *expected)
{
	char *path = label_path(label), *back = label_of_path(expected);

	REQUIRE(path && back);
	CHECK_STR(path, expected);
	CHECK_STR(back, label);
	free(path);
	free(back);
}

static void test_label_paths(void)
{
	path_is("parse", "parse");
	path_is("parse/small", "parse/small");
	path_is("cs/src/b.c::sum[10]", "cs/src/b.c::sum[10]");
	path_is("parse/50%", "parse/50%25");
	path_is("parse/%2F", "parse/%252F");
	path_is("parse.callgrind", "parse.callgrind"); /* its file is parse.callgrind.callgrind */
	path_is("parse.callgrind/x.callgrind", "parse%2Ecallgrind/x.callgrind");
	path_is("a.callgrind.flat.txt/b.callgrind/c", "a%2Ecallgrind.flat.txt/b%2Ecallgrind/c");
	path_is("a.callgrin/d", "a.callgrin/d");

	/* Each label has one path. Files of other versions are no labels. */
	CHECK(label_of_path("parse%2Fsmall") == NULL);
	CHECK(label_of_path("parse.callgrind/x") == NULL);
	CHECK(label_of_path("parse%2Ecallgrind") == NULL);
	CHECK(label_of_path("a%2Eb/x") == NULL);
	CHECK(label_of_path("50%") == NULL);
	CHECK(label_of_path("a%41") == NULL);
}

TEST_MAIN("label", { "accepted", test_accepted }, { "refused", test_refused },
	  { "control characters", test_controls }, { "not UTF-8", test_not_utf8 },
	  { "length", test_length }, { "message is clean", test_message_is_clean },
	  { "labels to be written", test_new }, { "names without a case", test_names },
	  { "cases", test_cases }, { "long cases", test_long_cases }, { "files", test_files },
	  { "paths", test_label_paths })
