/* When functions of JavaScript have names, and what Valgrind is told then. */
#include "src/run/v8.h"

#include "tests/unit/harness.h"

#define SKIP "--fn-skip=Builtins_"
#define FRAMES "--interpreted-frames-native-stack"

static bool names(const char *first, const char *second, const char *node_options)
{
	const char *argv[] = { "node", first, second, NULL };

	return v8_names_functions(argv, node_options);
}

static void test_options(void)
{
	CHECK(names("app.js", NULL, "--perf-basic-prof " FRAMES));
	CHECK(names("app.js", NULL, "  " FRAMES "  --perf-basic-prof-only-functions "));
	CHECK(names("app.js", NULL, "--perf_basic_prof --interpreted_frames_native_stack"));
	CHECK(names("--perf-basic-prof", FRAMES, NULL));
	CHECK(names("--perf-basic-prof", "app.js", FRAMES));

	CHECK(!names("app.js", NULL, NULL));
	CHECK(!names(NULL, NULL, ""));
	CHECK(!names("app.js", NULL, "--perf-basic-prof"));
	CHECK(!names("app.js", NULL, FRAMES));
	CHECK(!names("app.js", NULL, "--no-perf-basic-prof " FRAMES));
	CHECK(!names("app.js", NULL, "--perf-basic " FRAMES));
}

/* The text before the asterisk of a pattern, or the whole pattern without one. */
static size_t literal(const char *pattern)
{
	return strcspn(pattern, "*");
}

/* Valgrind looks for a pattern among those whose text before the asterisk begins a name, and takes
 * the first one it finds. */
static void test_patterns(void)
{
	struct strings added = { 0 };

	REQUIRE_INT(v8_add_options(&added, 100, NULL), CG_OK);
	REQUIRE(added.count > 20);
	CHECK_STR(added.items[0], SKIP "*Handler");
	for (size_t i = 1; i < added.count; i++) {
		const char *one = text_after(added.items[i], SKIP);
		REQUIRE(one && literal(one));
		CHECK(!one[literal(one)] || !one[literal(one) + 1]);
		for (size_t j = 1; j < added.count; j++) {
			const char *other = text_after(added.items[j], SKIP);
			REQUIRE(other != NULL);
			CHECK(i == j || strncmp(one, other, literal(one)) != 0);
		}
	}
	strings_free(&added);
}

static bool records_callers(unsigned depth)
{
	struct strings added = { 0 };
	bool records = false;

	REQUIRE_INT(v8_add_options(&added, depth, NULL), CG_OK);
	for (size_t i = 0; i < added.count; i++)
		records |= text_after(added.items[i], "--separate-callers") != NULL;
	strings_free(&added);
	return records;
}

static void test_callers(void)
{
	CHECK(records_callers(0));
	CHECK(!records_callers(10));
}

TEST_MAIN("v8", { "which options name functions", test_options },
	  { "no pattern hides another", test_patterns },
	  { "callers of the library are recorded if no others are", test_callers })
