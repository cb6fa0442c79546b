#include "src/run/cases.h"

#include <stdlib.h>

#include "tests/unit/harness.h"

#define REQUEST "Client Request: "

static void names(enum run_cases kind, const char *trigger, const char *expected)
{
	const char *name = case_of_trigger(kind, trigger);

	if (expected)
		CHECK_STR(name ? name : "(none)", expected);
	else
		CHECK(name == NULL);
}

static void test_triggers(void)
{
	names(RUN_CASES_AUTO, REQUEST "irdiff: a/b c", "a/b c");
	names(RUN_CASES_AUTO, REQUEST "phase 1", NULL);
	names(RUN_CASES_AUTO, REQUEST, NULL);
	names(RUN_CASES_AUTO, "Program termination", NULL);
	names(RUN_CASES_AUTO, "", NULL);
	names(RUN_CASES_IRDIFF, REQUEST "irdiff: a", "a");
	names(RUN_CASES_IRDIFF, REQUEST "irdiff: ", "");
	names(RUN_CASES_IRDIFF, REQUEST "a", NULL);
	names(RUN_CASES_DUMPS, REQUEST "phase 1", "phase 1");
	names(RUN_CASES_DUMPS, REQUEST, NULL);
	names(RUN_CASES_DUMPS, "Program termination", NULL);
	names(RUN_CASES_CODSPEED, REQUEST "a.py::b", "a.py::b");
	names(RUN_CASES_CODSPEED, REQUEST "Metadata: pytest-codspeed 4.1", NULL);
	names(RUN_CASES_NONE, REQUEST "irdiff: a", NULL);
}

static void test_names(void)
{
	static const char *const known[] = { "auto", "none", "irdiff", "dumps", "codspeed" };
	enum run_cases kind;

	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		CHECK(cases_parse(known[i], &kind));
		CHECK_INT(kind, i);
	}
	CHECK(!cases_parse("Auto", &kind));
	CHECK(!cases_parse("", &kind));
}

static struct run_profile part(const char *trigger, uint64_t collected)
{
	return (struct run_profile){ .trigger = (char *)trigger, .collected = collected };
}

static void test_find(void)
{
	struct cg_error err;
	struct run_profile profiles[] = {
		part(REQUEST "Metadata: codspeed-rust 6.0.0", 0), part(REQUEST "b", 10),
		part("Program termination", 5),			  part(REQUEST "a", 7),
		part(REQUEST "b", UINT64_MAX - 3),
	};
	struct run_result r = { .profiles = profiles, .nprofiles = 5 };

	REQUIRE_INT(cases_find(&r, RUN_CASES_CODSPEED, &err), CG_OK);
	REQUIRE_INT(r.ncases, 2);
	CHECK_STR(r.cases[0].name, "b");
	REQUIRE_INT(r.cases[0].nfiles, 2);
	CHECK_INT(r.cases[0].files[0], 1);
	CHECK_INT(r.cases[0].files[1], 4);
	CHECK(r.cases[0].collected == UINT64_MAX);
	CHECK_STR(r.cases[1].name, "a");
	CHECK_INT(r.cases[1].collected, 7);
	CHECK_STR(r.integration, "codspeed-rust 6.0.0");
	cases_free(r.cases, r.ncases);
	free(r.integration);

	r = (struct run_result){ .profiles = profiles, .nprofiles = 5 };
	REQUIRE_INT(cases_find(&r, RUN_CASES_AUTO, &err), CG_OK);
	CHECK_INT(r.ncases, 0);
	CHECK(r.integration == NULL);
}

TEST_MAIN("cases", { "triggers", test_triggers }, { "names", test_names }, { "find", test_find })
