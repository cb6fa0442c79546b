#include "src/run/cases.h"

#include <stdlib.h>

#include "tests/unit/harness.h"

#define REQUEST "Client Request: "

static void names(enum run_cases kind, const char *trigger, const char *expected)
{
	bool begun = false;
	const char *name = case_of_trigger(kind, trigger, &begun);

	CHECK(begun);
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

	bool begun = true;
	CHECK_STR(case_of_trigger(RUN_CASES_AUTO, REQUEST "irdiff, not begun: a", &begun), "a");
	CHECK(!begun);
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
		part(REQUEST "Metadata: codspeed-rust 6.0.0", 0),
		part(REQUEST "b", 10),
		part("Program termination", 5),
		part(REQUEST "/run/w/a", 7),
		part(REQUEST "b", UINT64_MAX - 3),
	};
	struct run_mapping root = { .seen = (char *)"/run/w", .real = (char *)"/home/me" };
	struct run_result r = {
		.profiles = profiles, .nprofiles = 5, .mappings = &root, .nmappings = 1
	};
	const char *after = NULL;

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
	CHECK(cases_one_is_open(&r, &after)); /* the parts are of one pid */
	CHECK_STR(after, "b");
	profiles[4].pid = 7;
	CHECK(cases_one_is_open(&r, &after));
	CHECK_STR(after, "a");
	profiles[4].pid = 0;
	profiles[2].collected = 0;
	CHECK(!cases_one_is_open(&r, &after));
	profiles[2].collected = 5;
	profiles[2].pid = 7; /* a child */
	CHECK(!cases_one_is_open(&r, &after));
	run_cases_free(r.cases, r.ncases);
	free(r.integration);

	r = (struct run_result){ .profiles = profiles, .nprofiles = 5 };
	REQUIRE_INT(cases_find(&r, RUN_CASES_AUTO, &err), CG_OK);
	CHECK_INT(r.ncases, 0);
	CHECK(r.integration == NULL);
}

/* What counts nothing, or did not begin, is known by its name, and takes nothing from others. */
static void test_lost(void)
{
	struct cg_error err;
	struct run_profile profiles[] = {
		part(REQUEST "irdiff, not begun: early", 1000),
		part(REQUEST "irdiff: empty", 0),
		part(REQUEST "irdiff: a", 7),
		part(REQUEST "irdiff: early", 5),
	};
	struct run_result r = { .profiles = profiles, .nprofiles = 4 };

	REQUIRE_INT(cases_find(&r, RUN_CASES_AUTO, &err), CG_OK);
	REQUIRE_INT(r.ncases, 3);
	CHECK_INT(r.cases[0].state, RUN_CASE_NOT_BEGUN);
	CHECK_INT(r.cases[0].collected, 5);
	CHECK_INT(r.cases[1].state, RUN_CASE_EMPTY);
	CHECK_INT(r.cases[2].state, RUN_CASE_MEASURED);
	CHECK(cases_first(&r) == &r.cases[2]);
	run_cases_free(r.cases, r.ncases);

	r = (struct run_result){ .profiles = profiles, .nprofiles = 2 };
	REQUIRE_INT(cases_find(&r, RUN_CASES_AUTO, &err), CG_OK);
	CHECK(cases_first(&r) == NULL);
	run_cases_free(r.cases, r.ncases);
}

/* Cases that did not end have no name; they are counted, and the one before the first is known. */
static void test_not_ended(void)
{
	struct cg_error err;
	struct run_profile profiles[] = {
		part(REQUEST "irdiff, not ended", 9), part(REQUEST "irdiff: a", 7),
		part(REQUEST "irdiff, not ended", 8), part(REQUEST "irdiff, not ended", 8),
		part(REQUEST "irdiff: b", 5),
	};
	struct run_result r = { .profiles = profiles, .nprofiles = 5 };
	const char *after = "unset";

	REQUIRE_INT(cases_find(&r, RUN_CASES_AUTO, &err), CG_OK);
	CHECK_INT(r.ncases, 2);
	CHECK_INT(cases_not_ended(&r, RUN_CASES_AUTO, &after), 3);
	CHECK(after == NULL);
	profiles[0].trigger = "Program termination";
	CHECK_INT(cases_not_ended(&r, RUN_CASES_IRDIFF, &after), 2);
	CHECK_STR(after, "a");
	CHECK_INT(cases_not_ended(&r, RUN_CASES_DUMPS, &after), 0);
	profiles[2].forked = true;
	profiles[2].part = 1;
	CHECK_INT(cases_not_ended(&r, RUN_CASES_IRDIFF, &after), 1);
	run_cases_free(r.cases, r.ncases);
}

static struct run_profile process(const char *image, pid_t pid, uint64_t collected)
{
	return (struct run_profile){ .image = (char *)image,
				     .command = "x",
				     .pid = pid,
				     .collected = collected,
				     .bytes = 1,
				     .trigger = "",
				     .part = 1 };
}

static void test_processes(void)
{
	struct cg_error err;
	struct run_profile profiles[] = {
		process("/bin/sh", 2, 5), process("/p/gcc", 3, 10),   process("/p/gcc", 3, 11),
		process("/p/gcc", 4, 7),  process("/p/gcc-12", 5, 9), process("/p/gcc", 6, 8),
		process("", 7, 3),        process("/p/ld", 8, 0),
	};
	struct run_result r = { .profiles = profiles, .nprofiles = 8 };

	profiles[0].launcher = true;
	profiles[2].part = 2;
	profiles[3].forked = profiles[3].replaced = true; /* between fork and exec */
	profiles[5].forked = true;

	REQUIRE_INT(cases_of_processes(&r, &err), CG_OK);
	REQUIRE_INT(r.ncases, 4);
	CHECK_STR(r.cases[0].name, "gcc");
	CHECK_INT(r.cases[0].nfiles, 2);
	CHECK_INT(r.cases[0].collected, 21);
	CHECK_STR(r.cases[1].name, "gcc-12");
	CHECK_STR(r.cases[2].name, "gcc#2");
	CHECK_STR(r.cases[3].name, "x");
	run_cases_free(r.cases, r.ncases);

	REQUIRE_INT(files_of_all(&r, &err), CG_OK);
	REQUIRE_INT(r.nfiles, 5);
	CHECK_INT(r.files[0], 1);
	CHECK_INT(r.files[4], 6);
	free(r.files);
}

static void test_threads(void)
{
	struct cg_error err;
	struct run_profile profiles[] = {
		process("/p/a", 2, 1),  process("/p/a", 3, 10), process("/p/a", 3, 20),
		process("/p/a", 3, 30), process("/p/a", 3, 0),
	};
	struct run_result r = { .profiles = profiles, .nprofiles = 5, .chosen = 1, .nchosen = 4 };

	profiles[1].thread = profiles[3].thread = 1;
	profiles[2].thread = 2;
	profiles[4].thread = 3; /* counts nothing */
	REQUIRE_INT(cases_of_threads(&r, &err), CG_OK);
	REQUIRE_INT(r.ncases, 2);
	CHECK_STR(r.cases[0].name, "thread 1");
	CHECK_INT(r.cases[0].collected, 40);
	CHECK_STR(r.cases[1].name, "thread 2");
	run_cases_free(r.cases, r.ncases);
}

TEST_MAIN("cases", { "triggers", test_triggers }, { "names", test_names }, { "find", test_find },
	  { "lost", test_lost }, { "not ended", test_not_ended }, { "processes", test_processes },
	  { "threads", test_threads })
