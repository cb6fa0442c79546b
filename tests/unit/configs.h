/* Texts of irdiff.yml that must be accepted or refused. */
#ifndef TESTS_UNIT_CONFIGS_H
#define TESTS_UNIT_CONFIGS_H

#include "src/config/config.h"
#include "tests/unit/harness.h"

TEST_UNUSED static struct config *parse(const char *text)
{
	struct config *config = NULL;
	struct cg_error err = { .code = 42 };
	int rc = config_parse(text, strlen(text), "dir/irdiff.yml", &config, &err);

	test_report(rc == CG_OK, true, __FILE__, __LINE__, "%s\nis refused, line %d: %s", text,
		    (int)err.line, err.message);
	CHECK_INT(err.code, 42);
	return config;
}

/* The text must be refused because of `line`, and the message must hold `why`. */
TEST_UNUSED static void refuses_bytes(const char *text, size_t len, uint64_t line, const char *why)
{
	struct config *config = (void *)&line;
	struct cg_error err = { 0 };
	int rc = config_parse(text, len, "dir/irdiff.yml", &config, &err);

	test_report(rc < 0, true, __FILE__, __LINE__, "%.200s\nis accepted", text);
	CHECK(config == (void *)&line);
	CHECK_INT(err.code, rc);
	CHECK_STR(err.file, "dir/irdiff.yml");
	test_report(err.line == line, false, __FILE__, __LINE__,
		    "%.200s\nis refused in line %d, not %d: %s", text, (int)err.line, (int)line,
		    err.message);
	test_report(strstr(err.message, why) != NULL, false, __FILE__, __LINE__,
		    "%.200s\nthe message does not say \"%s\": %s", text, why, err.message);
	CHECK_INT(config_parse(text, len, "x", &config, NULL), rc);
}

TEST_UNUSED static void refuses(const char *text, uint64_t line, const char *why)
{
	refuses_bytes(text, strlen(text), line, why);
}

/* One benchmark with one more key, in line 4. */
TEST_UNUSED static void refuses_key(const char *key, const char *why)
{
	char text[512];

	snprintf(text, sizeof text, "benchmarks:\n  p:\n    command: x\n    %s\n", key);
	refuses(text, 4, why);
}

#endif
