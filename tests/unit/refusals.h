/* What the tests of the reader share: ways to read, and texts that must be refused. */
#ifndef TESTS_UNIT_REFUSALS_H
#define TESTS_UNIT_REFUSALS_H

#include "tests/unit/profiles.h"

#define LINES(text) text, sizeof text - 1

TEST_UNUSED static const struct cg_read_options plain = { 0 };
TEST_UNUSED static const struct cg_read_options with_lines = { .detail = { .lines = true } };
TEST_UNUSED static const struct cg_read_options with_addresses = { .detail = {
									   .addresses = true } };

/* `bytes` must be refused with this code, at this line (0: any), with a message
 * that contains `why`. */
TEST_UNUSED static void refuses_with(const char *bytes, size_t len,
				     const struct cg_read_options *options, int code, uint64_t line,
				     const char *why)
{
	struct cg_profile *untouched = (struct cg_profile *)&len, *p = untouched;
	struct cg_error err = { 0 };

	int status = cg_read_memory(bytes, len, "bad.callgrind", options, &p, &err);
	test_report(status == code, true, __FILE__, __LINE__, "status %d, not %d: %s", status, code,
		    err.message);
	CHECK(p == untouched);
	CHECK_INT(err.code, code);
	CHECK_STR(err.file, "bad.callgrind");
	if (line)
		CHECK_U64(err.line, line);
	test_report(strstr(err.message, why) != NULL, false, __FILE__, __LINE__,
		    "the message does not say \"%s\": %s", why, err.message);
}

TEST_UNUSED static void refuses(const char *text, uint64_t line, const char *why)
{
	refuses_with(text, strlen(text), &plain, CG_ESYNTAX, line, why);
}

#endif
