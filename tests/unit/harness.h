/*
 * A unit test is one program with one suite:
 *
 *	#include "tests/unit/harness.h"
 *
 *	static void test_empty(void)
 *	{
 *		CHECK_U64(count(""), 0);
 *	}
 *
 *	TEST_MAIN("count", {"an empty string has no words", test_empty})
 *
 * The CHECK macros report and go on; the REQUIRE macros report and leave the test, for what
 * everything after them depends on. All of them say what was found, not only that it was wrong.
 * TEST_DATA "/name" is the path of a file in tests/data. With TEST_STOP in the environment the
 * first failure ends the program, and laws are tried on fewer inputs (test_rounds): whoever runs
 * many programs only wants to know whether one of them fails.
 */
#ifndef TESTS_UNIT_HARNESS_H
#define TESTS_UNIT_HARNESS_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CUnit/Basic.h>

struct test {
	const char *name;
	void (*run)(void);
};

#define TEST_MAIN(suite, ...) \
	int main(void) \
	{ \
		static const struct test tests[] = { __VA_ARGS__ }; \
		return test_main(suite, tests, sizeof tests / sizeof *tests); \
	}

#define CHECK(cond) test_report((cond), false, __FILE__, __LINE__, "%s is false", #cond)
#define REQUIRE(cond) test_report((cond), true, __FILE__, __LINE__, "%s is false", #cond)

#define CHECK_STR(actual, expected) \
	test_str((actual), (expected), false, __FILE__, __LINE__, #actual)
#define REQUIRE_STR(actual, expected) \
	test_str((actual), (expected), true, __FILE__, __LINE__, #actual)

/* Signed and unsigned 64-bit numbers; smaller types convert. */
#define CHECK_INT(actual, expected) \
	test_int((actual), (expected), false, __FILE__, __LINE__, #actual)
#define REQUIRE_INT(actual, expected) \
	test_int((actual), (expected), true, __FILE__, __LINE__, #actual)
#define CHECK_U64(actual, expected) \
	test_u64((actual), (expected), false, __FILE__, __LINE__, #actual)
#define REQUIRE_U64(actual, expected) \
	test_u64((actual), (expected), true, __FILE__, __LINE__, #actual)

#define TEST_UNUSED __attribute__((unused))

/* How many inputs made by chance are tried. */
TEST_UNUSED static int test_rounds(int usual)
{
	return getenv("TEST_STOP") ? usual / 10 : usual;
}

/* The one place that talks to CUnit; a fatal failure does not return. */
__attribute__((format(printf, 5, 6))) TEST_UNUSED static void test_report(bool ok, bool fatal,
									  const char *file,
									  unsigned line,
									  const char *fmt, ...)
{
	char words[1024];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(words, sizeof words, fmt, ap);
	va_end(ap);
	if (!ok && getenv("TEST_STOP"))
		_Exit(EXIT_FAILURE);
	CU_assertImplementation(ok, line, words, file, "", fatal);
}

TEST_UNUSED static void test_str(const char *actual, const char *expected, bool fatal,
				 const char *file, unsigned line, const char *what)
{
	bool ok = actual && expected ? strcmp(actual, expected) == 0 : actual == expected;
	test_report(ok, fatal, file, line, "%s is \"%s\", not \"%s\"", what,
		    actual ? actual : "(null)", expected ? expected : "(null)");
}

TEST_UNUSED static void test_int(int64_t actual, int64_t expected, bool fatal, const char *file,
				 unsigned line, const char *what)
{
	test_report(actual == expected, fatal, file, line, "%s is %" PRId64 ", not %" PRId64, what,
		    actual, expected);
}

TEST_UNUSED static void test_u64(uint64_t actual, uint64_t expected, bool fatal, const char *file,
				 unsigned line, const char *what)
{
	test_report(actual == expected, fatal, file, line, "%s is %" PRIu64 ", not %" PRIu64, what,
		    actual, expected);
}

/* Runs the tests in order and prints CUnit's summary; a suite that runs nothing fails. */
static int test_main(const char *suite_name, const struct test *tests, size_t n)
{
	if (CU_initialize_registry() != CUE_SUCCESS)
		return EXIT_FAILURE;

	CU_pSuite suite = CU_add_suite(suite_name, NULL, NULL);
	for (size_t i = 0; suite && i < n; i++) {
		if (!CU_add_test(suite, tests[i].name, tests[i].run))
			suite = NULL;
	}

	bool ok = false;
	if (suite) {
		CU_basic_set_mode(CU_BRM_VERBOSE);
		CU_ErrorCode status = CU_basic_run_tests();
		ok = status == CUE_SUCCESS && CU_get_number_of_tests_run() == n &&
		     CU_get_number_of_failure_records() == 0;
	} else {
		fprintf(stderr, "%s: %s\n", suite_name, CU_get_error_msg());
	}
	CU_cleanup_registry();
	return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
