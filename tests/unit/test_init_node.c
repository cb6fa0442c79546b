#include "tests/unit/surveys.h"

static void test_node(void)
{
	struct survey s = SURVEY(
		{ "package.json",
		  "{\"scripts\": {\"bench\": \"node test/b.js -q\", \"benchmark\": \"a && b\", "
		  "\"build\": \"tsc\"}, \"devDependencies\": {\"benchmark\": \"2\"}}" },
		{ "package-lock.json", "{}" });

	CHECK_INT(s.kind, PROJECT_NODE);
	REQUIRE_U64(s.count, 2);
	has_words(&s, 0, "node test/b.js -q");
	CHECK(strstr(s.benches[0].variable, "NODE_OPTIONS=--perf-basic-prof"));
	CHECK_INT(s.benches[0].harness, HARNESS_BENCHMARK_JS);
	has_words(&s, 1, "npm run -s benchmark");
	is_built_by(&s, "npm ci && npm run build");

	s = SURVEY({ "package.json", "{\"dependencies\": {\"vitest\": \"1\"}}" },
		   { "src/a.bench.ts", "" }, { "bench/b.mjs", "" });
	REQUIRE_U64(s.count, 2);
	has_words(&s, 0, "node bench/b.mjs");
	has_words(&s, 1, "node node_modules/.bin/vitest bench --run src/a.bench.ts");

	s = SURVEY({ "package.json", "{\"scripts\": {\"test\": \"mocha --exit\"}}" });
	has_words(&s, 0, "node node_modules/.bin/mocha --exit");
	CHECK_U64(SURVEY({ "package.json", "{\"scripts\": [" }).count, 0);
}

static void test_tinybench(void)
{
	struct survey s = SURVEY({ "package.json",
				   "{\"scripts\": {\"bench\": \"node b.mjs\"}, "
				   "\"devDependencies\": {\"tinybench\": \"6\"}}" });

	REQUIRE_U64(s.count, 1);
	CHECK_INT(s.benches[0].harness, HARNESS_TINYBENCH);
	has_words(&s, 0, "node --allow-natives-syntax b.mjs");
	CHECK(strstr(harness_kind(HARNESS_TINYBENCH)->cannot_run, "withCodSpeed") != NULL);
}

TEST_MAIN("init, node", { "a project with Node.js", test_node },
	  { "a project with tinybench", test_tinybench })
