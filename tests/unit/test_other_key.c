/* Why an entry of the cache is not used: in what its key differs. */
#include "src/commits/other_key.h"
#include "tests/unit/harness.h"

#define TOOLS \
	"key: 5\nirdiff: 1\nvalgrind: 3.19\ntool: cc /usr/bin/gcc 1 2\nenvironment: aa\nof: LANG\n"
#define REVISION "commit: abcd\nfiles: 1111 \\n\nproject: \n"
#define BENCHMARK "build: make\ncommand: ./a\nwarm_up: 0\nenv PASSED: dd\n"
#define KEY TOOLS REVISION BENCHMARK

static void check_facts(const char *key, const char *expected)
{
	struct cg_error err;
	char *forth = NULL, *back = NULL;
	size_t count;

	REQUIRE(other_key_facts(KEY, key, &forth, &count, &err) == CG_OK);
	REQUIRE(other_key_facts(key, KEY, &back, &count, &err) == CG_OK);
	if (expected) {
		CHECK_STR(forth ? forth : "", expected);
		CHECK(back != NULL);
	} else {
		CHECK(!forth && !back);
	}
	free(forth);
	free(back);
}

static void test_one_fact(void)
{
	check_facts("key: 5\nirdiff: 1\nvalgrind: 3.20\ntool: cc /usr/bin/gcc 1 2\n"
		    "environment: aa\nof: LANG\n" REVISION BENCHMARK,
		    "Valgrind");
	check_facts("key: 4\nirdiff: 2\nvalgrind: 3.19\ntool: cc /usr/bin/gcc 1 2\n"
		    "environment: aa\nof: LANG\n" REVISION BENCHMARK,
		    "irdiff");
	check_facts("key: 5\nirdiff: 1\nvalgrind: 3.19\ntool: cc /usr/bin/gcc 1 3\n"
		    "environment: aa\nof: LANG\n" REVISION BENCHMARK,
		    "cc");
	check_facts(TOOLS REVISION "build: make fast\ncommand: ./a\nwarm_up: 0\nenv PASSED: dd\n",
		    "build:");
	check_facts(TOOLS REVISION "build: make\ncommand: ./a\nwarm_up: 1\nenv PASSED: dd\n",
		    "warm_up:");
	check_facts(TOOLS REVISION "build: make\ncommand: ./a\nwarm_up: 0\nenv PASSED: ee\n",
		    "$PASSED");
}

static void test_variables(void)
{
	const char *begin = "key: 5\nirdiff: 1\nvalgrind: 3.19\ntool: cc /usr/bin/gcc 1 2\n";
	char key[1000];

	snprintf(key, sizeof key, "%senvironment: bb\nof: LANG\n" REVISION BENCHMARK, begin);
	check_facts(key, "environment variables");
	snprintf(key, sizeof key, "%senvironment: bb\nof: LANG\nof: FOO\n" REVISION BENCHMARK,
		 begin);
	check_facts(key, "$FOO");
}

static void test_several_facts(void)
{
	check_facts(TOOLS REVISION "build: ninja\ncommand: ./a\ncommand: -x\nwarm_up: 0\n"
				   "env PASSED: dd\n",
		    "build:, command:");
	check_facts("key: 6\n" REVISION BENCHMARK "a: 1\nb: 1\nc: 1\nd: 1\n",
		    "irdiff, Valgrind, cc, $LANG, a: and 3 more");
}

static void test_other_revisions(void)
{
	check_facts(KEY, NULL);
	check_facts(TOOLS "commit: ef\nfiles: 1111 \\n\nproject: \n" BENCHMARK, NULL);
	check_facts(TOOLS "commit: abcd\nfiles: 2222 \\n\nproject: \n" BENCHMARK, NULL);
	check_facts(TOOLS REVISION "without: third\n" BENCHMARK, NULL);
	check_facts(TOOLS REVISION "pointers: 1\npointer: big\n" BENCHMARK "depth: 3\n", NULL);
	check_facts("", NULL);
}

static void test_hostile_facts(void)
{
	check_facts(KEY "\033[2J: 1\n", "\\x1b[2J:");
	check_facts(KEY "of: the command line\n", NULL);
	check_facts(KEY "no end", "no end");
}

TEST_MAIN("other_key", { "one fact", test_one_fact }, { "variables", test_variables },
	  { "several facts", test_several_facts }, { "other revisions", test_other_revisions },
	  { "hostile facts", test_hostile_facts })
