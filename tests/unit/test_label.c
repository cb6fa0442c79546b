#include "tests/unit/harness.h"

#include "src/store/label.h"

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
	refuses("a/b", "'/'");
	refuses("/etc/passwd", "'/'");
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
	refuses(label, "at most 200 bytes, this one has 201");
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

	/* LABEL.old must be a label as well. */
	char label[LABEL_MAX - 2];
	memset(label, 'x', sizeof label - 1);
	label[LABEL_MAX - 3] = '\0'; /* 197 bytes */
	CHECK_INT(label_check_new(label, &err), CG_EINVAL);
	label[LABEL_MAX - 4] = '\0';
	CHECK_INT(label_check_new(label, &err), CG_OK);
	CHECK_INT(label_check_new("", NULL), CG_EINVAL);
}

TEST_MAIN("label", { "accepted", test_accepted }, { "refused", test_refused },
	  { "control characters", test_controls }, { "not UTF-8", test_not_utf8 },
	  { "length", test_length }, { "message is clean", test_message_is_clean },
	  { "labels to be written", test_new })
