/* Why an entry of the cache is not used: in what its key differs. */
#include "src/commits/other_key.h"
#include "tests/unit/repository.h"
#include "tests/unit/scratch_files.h"

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
		    "variable PASSED");
}

static void test_variables(void)
{
	const char *begin = "key: 5\nirdiff: 1\nvalgrind: 3.19\ntool: cc /usr/bin/gcc 1 2\n";
	char key[1000];

	snprintf(key, sizeof key, "%senvironment: bb\nof: LANG\n" REVISION BENCHMARK, begin);
	check_facts(key, "environment variables");
	snprintf(key, sizeof key, "%senvironment: bb\nof: LANG\nof: FOO\n" REVISION BENCHMARK,
		 begin);
	check_facts(key, "variable FOO");
}

static void test_several_facts(void)
{
	check_facts(TOOLS REVISION "build: ninja\ncommand: ./a\ncommand: -x\nwarm_up: 0\n"
				   "env PASSED: dd\n",
		    "build:, command:");
	check_facts(KEY "a: 1\nb: 1\nc: 1\nd: 1\ne: 1\n", "a:, b:, c:, d:, e:");
	check_facts("key: 6\n" REVISION BENCHMARK "a: 1\nb: 1\nc: 1\nd: 1\n",
		    "irdiff, Valgrind, cc, variable LANG, a: and 3 more");
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

/* ---- what is told ---- */

static const struct config_benchmark bench = { .name = "a" };

static void write_entry(const char *root, const char *name, const char *key)
{
	char command[300], path[200];

	snprintf(command, sizeof command, "mkdir -p %s/.irdiff/cache/%s", root, name);
	REQUIRE_INT(system(command), 0);
	snprintf(path, sizeof path, ".irdiff/cache/%s/key.txt", name);
	free(write_file(root, path, key, 0600));
}

/* What is told if the benchmark is measured by `key`. */
static void check_told(struct build_area *w, const char *key, const char *expected)
{
	static const struct revision side = {
		.name = (char *)"HEAD\t1",
		.commit.id = (char *)"1111111111222222222233333333334444444444"
	};

	told[0] = '\0';
	other_key_tell(w, &side, &bench, key);
	CHECK_STR(told, expected);
}

#define SAYS(facts) \
	"the cached measurement of a at HEAD\\x091 is not used, as it differs in " facts "\n"

static void test_told(void)
{
	char *root = make_directory();
	struct project project = { .root = root, .notices = &told_notices };
	struct build_area w = { .project = &project };

	check_told(&w, KEY, "");
	write_entry(root, "a@2222222222-000000000000", KEY "other: 1\n");
	write_entry(root, "b@1111111111-000000000000", KEY "other: 1\n");
	write_entry(root, "a@1111111111+-000000000000", KEY "other: 1\n");
	check_told(&w, KEY, "");
	write_entry(root, "a@1111111111-000000000001", KEY "x: 1\ny: 1\nz: 1\n");
	check_told(&w, KEY, SAYS("x:, y:, z:"));
	check_told(&w, KEY, "");
	/* The nearest, of whatever age. */
	write_entry(root, "a@1111111111-000000000002", KEY "y: 1\n");
	check_told(&w, KEY, SAYS("y:"));
	write_entry(root, "a@1111111111-000000000003", KEY "u: 1\nv: 1\n");
	write_entry(root, "a@1111111111-000000000004", "");
	check_told(&w, KEY "y: 2\n", "");
	check_told(&w, KEY "u: 1\n", SAYS("v:"));
	/* None, if all have other files. */
	check_told(&w, TOOLS "commit: ef\n" BENCHMARK, "");
	w.options.quiet = true;
	check_told(&w, KEY "y: 1\nw: 1\n", "");
	w.options.quiet = false;
	check_told(&w, KEY "y: 1\nw: 1\n", SAYS("w:"));
	path_list_free(&w.said_other_keys);
	remove_tree(root);
}

TEST_MAIN("other_key", { "one fact", test_one_fact }, { "variables", test_variables },
	  { "several facts", test_several_facts }, { "other revisions", test_other_revisions },
	  { "hostile facts", test_hostile_facts }, { "what is told", test_told })
