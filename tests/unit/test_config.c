#include "src/config/document.h"
#include "src/run/count.h"
#include "src/run/freeze.h"
#include "src/text/suggest.h"
#include "tests/unit/configs.h"

static void has_limit(const struct limit_set *set, size_t i, const char *function,
		      const char *metric, enum limit_kind kind, uint64_t value, const char *text,
		      uint64_t line)
{
	REQUIRE(i < set->count);
	const struct limit *limit = set->items[i];

	CHECK_STR(limit->function, function);
	CHECK_STR(limit->metric, metric);
	CHECK_INT(limit->kind, kind);
	CHECK_U64(limit->value, value);
	CHECK_STR(limit->text, text);
	CHECK_STR(limit->file, "dir/irdiff.yml");
	CHECK_U64(limit->line, line);
}

/* ---- what is accepted ---- */

/* The example of the design, and a benchmark with everything. */
static void test_example(void)
{
	struct config *c = parse("build: make -j bench\n"
				 "benchmarks:\n"
				 "  parse:\n"
				 "    command: [./bench, parse, data/big.json]\n"
				 "    root: parse_document          # only below\n"
				 "    filter: ^json_\n"
				 "    limits:\n"
				 "      Ir: \"+1%\"\n"
				 "      \"fn:^json_scan\": {Ir: \"+0.5%\", incl.Ir: =}\n"
				 "  other:\n"
				 "    command: ./bench 'a b'\n"
				 "    cwd: data/x\n"
				 "    timeout: 5m\n"
				 "    depth: 0\n"
				 "    warm_up: true\n"
				 "    presets: false\n"
				 "    cache_sim: false\n"
				 "    freeze: [time, random]\n"
				 "    tags: [slow, x.1]\n"
				 "    count: [syscalls, bus]\n"
				 "limits: {Ir: \"+1%\", Dw: \"+2%\"}\n");

	CHECK_STR(c->path, "dir/irdiff.yml");
	CHECK_STR(c->dir, "dir");
	CHECK_U64(c->build.argc, 3);
	CHECK_STR(c->build.argv[2], "bench");
	CHECK(c->build.argv[3] == NULL);
	REQUIRE_U64(c->benchmark_count, 2);

	const struct config_benchmark *b = config_benchmark(c, "parse");
	REQUIRE(b == &c->benchmarks[0]);
	CHECK_U64(b->line, 3);
	CHECK_U64(b->command.argc, 3);
	CHECK_U64(b->command.line, 4);
	CHECK_STR(b->command.argv[2], "data/big.json");
	CHECK_STR(b->root.text, "parse_document");
	CHECK_STR(b->filter.text, "^json_");
	CHECK_U64(b->filter.line, 6);
	CHECK(b->cwd.text == NULL && b->env_count == 0);
	CHECK_U64(b->timeout, 0);
	CHECK_INT(b->depth, -1);
	CHECK(!b->warm_up);
	CHECK(!b->no_presets && !b->no_caches);
	CHECK_U64(b->freeze, 0);
	CHECK_U64(b->limits.count, 3);
	has_limit(&b->limits, 0, NULL, "Ir", LIMIT_GROWTH, 10000000, "+1%", 8);
	has_limit(&b->limits, 1, "^json_scan", "Ir", LIMIT_GROWTH, 5000000, "+0.5%", 9);
	CHECK(!b->limits.items[1]->inclusive);
	has_limit(&b->limits, 2, "^json_scan", "Ir", LIMIT_EQUAL, 0, "=", 9);
	CHECK(b->limits.items[2]->inclusive);
	CHECK_INT(b->limits.items[0]->level, LIMIT_BENCHMARK);

	b = config_benchmark(c, "other");
	REQUIRE(b != NULL);
	CHECK_STR(b->command.argv[1], "a b");
	CHECK_STR(b->cwd.text, "data/x");
	CHECK_U64(b->timeout, 300);
	CHECK_INT(b->depth, 0);
	CHECK(b->warm_up);
	CHECK(b->no_presets && b->no_caches);
	CHECK_U64(b->freeze, FREEZE_RANDOM | FREEZE_TIME);
	CHECK_U64(b->tag_count, 2);
	CHECK_STR(b->tags[0], "slow");
	CHECK_STR(b->tags[1], "x.1");
	CHECK_U64(b->count, COUNT_SYSCALLS | COUNT_BUS);
	CHECK(config_benchmark(c, "nothing") == NULL);

	CHECK_U64(c->limits.count, 2);
	has_limit(&c->limits, 1, NULL, "Dw", LIMIT_GROWTH, 20000000, "+2%", 21);
	CHECK_INT(c->limits.items[1]->level, LIMIT_GENERAL);
	config_free(c);
}

static void test_empty(void)
{
	static const char *const texts[] = {
		"",          "# nothing\n",    "---\n", "{}", "benchmarks:\n",
		"limits:\n", "benchmarks: {}", "~"
	};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct config *c = parse(texts[i]);
		CHECK_U64(c->benchmark_count, 0);
		CHECK_U64(c->build.argc, 0);
		config_free(c);
	}
	config_free(NULL);
}

static void test_limit_map(void)
{
	struct config *c = parse("limits:\n"
				 "  Ir:\n"
				 "    max_growth: 1%\n"
				 "    max_increase: 500\n"
				 "    ceiling: 1.2M\n"
				 "    equal: true\n"
				 "  Dw: 1.2M\n"
				 "  Dr: !!str 500\n"
				 "  D1mr: +2%\n"
				 "  DLmr: {max_increase: +1_000}\n");

	CHECK_U64(c->limits.count, 8);
	has_limit(&c->limits, 0, NULL, "Ir", LIMIT_GROWTH, 10000000, "+1%", 3);
	has_limit(&c->limits, 1, NULL, "Ir", LIMIT_INCREASE, 500, "+500", 4);
	has_limit(&c->limits, 2, NULL, "Ir", LIMIT_CEILING, 1200000, "1.2M", 5);
	has_limit(&c->limits, 3, NULL, "Ir", LIMIT_EQUAL, 0, "=", 6);
	has_limit(&c->limits, 4, NULL, "Dw", LIMIT_CEILING, 1200000, "1.2M", 7);
	has_limit(&c->limits, 5, NULL, "Dr", LIMIT_CEILING, 500, "500", 8);
	has_limit(&c->limits, 6, NULL, "D1mr", LIMIT_GROWTH, 20000000, "+2%", 9);
	has_limit(&c->limits, 7, NULL, "DLmr", LIMIT_INCREASE, 1000, "+1_000", 10);
	config_free(c);
}

static void test_commands(void)
{
	struct config *c = parse(
		"build: {command: ./configure && make, shell: true}\n"
		"benchmarks:\n"
		"  a: {shell: true, command: 'a | b'}\n"
		"  b: {command: [x, '', \"~\", 10, yes, $HOME, '*'], shell: false}\n"
		"  c:\n"
		"    command: >\n"
		"      ./bench\n"
		"      --fast\n");

	CHECK(c->build.shell);
	CHECK_STR(c->build.argv[2], "./configure && make");
	CHECK(c->benchmarks[0].command.shell);
	CHECK_U64(c->benchmarks[0].command.argc, 3);
	CHECK_STR(c->benchmarks[0].command.argv[0], "/bin/sh");
	CHECK_STR(c->benchmarks[0].command.argv[1], "-c");
	CHECK_STR(c->benchmarks[0].command.argv[2], "a | b");
	CHECK(c->benchmarks[0].command.argv[3] == NULL);
	CHECK_U64(c->benchmarks[1].command.argc, 7);
	CHECK_STR(c->benchmarks[1].command.argv[1], "");
	CHECK_STR(c->benchmarks[1].command.argv[2], "~");
	CHECK_STR(c->benchmarks[1].command.argv[3], "10");
	CHECK_STR(c->benchmarks[1].command.argv[5], "$HOME");
	CHECK_U64(c->benchmarks[2].command.argc, 2);
	CHECK_STR(c->benchmarks[2].command.argv[1], "--fast");
	config_free(c);
}

static void test_env(void)
{
	struct config *c = parse("benchmarks:\n"
				 "  a: {command: x, env: [PATH_A, B=, C=d=e]}\n"
				 "  b: {command: x, env: {A: 1, B: , C: \"\", D: ~, E: \"~\"}}\n"
				 "  c: {command: x, env: []}\n");
	const struct config_env *env = c->benchmarks[0].env;

	REQUIRE_U64(c->benchmarks[0].env_count, 3);
	CHECK_STR(env[0].name, "PATH_A");
	CHECK_STR(env[0].value, NULL);
	CHECK_STR(env[1].value, "");
	CHECK_STR(env[2].name, "C");
	CHECK_STR(env[2].value, "d=e");
	REQUIRE_U64(c->benchmarks[1].env_count, 5);
	env = c->benchmarks[1].env;
	CHECK_STR(env[0].value, "1");
	CHECK_STR(env[1].value, NULL);
	CHECK_STR(env[2].value, "");
	CHECK_STR(env[3].value, NULL);
	CHECK_STR(env[4].value, "~");
	CHECK_U64(env[4].line, 3);
	CHECK_U64(c->benchmarks[2].env_count, 0);
	config_free(c);
}

static void test_alias(void)
{
	struct config *c = parse("limits: &strict {Ir: \"+1%\"}\n"
				 "benchmarks:\n"
				 "  a: {command: &x [y, z], limits: *strict}\n"
				 "  b: {command: *x}\n");

	has_limit(&c->benchmarks[0].limits, 0, NULL, "Ir", LIMIT_GROWTH, 10000000, "+1%", 1);
	CHECK_INT(c->benchmarks[0].limits.items[0]->level, LIMIT_BENCHMARK);
	CHECK_STR(c->benchmarks[1].command.argv[1], "z");
	config_free(c);
}

static void timeout_is(const char *text, uint32_t seconds)
{
	char yaml[128];

	snprintf(yaml, sizeof yaml, "benchmarks: {p: {command: x, timeout: %s}}", text);
	struct config *c = parse(yaml);
	CHECK_U64(c->benchmarks[0].timeout, seconds);
	config_free(c);
}

static void test_timeout(void)
{
	timeout_is("30", 30);
	timeout_is("30s", 30);
	timeout_is("\"5m\"", 300);
	timeout_is("168h", 604800);
	timeout_is("604800", 604800);
}

static void test_dir(void)
{
	static const char *const paths[][2] = { { "irdiff.yml", "." },
						{ "/irdiff.yml", "/" },
						{ "/a/b/irdiff.yml", "/a/b" } };

	for (size_t i = 0; i < 3; i++) {
		struct config *c;
		REQUIRE_INT(config_parse("", 0, paths[i][0], &c, NULL), CG_OK);
		CHECK_STR(c->dir, paths[i][1]);
		config_free(c);
	}
}

static void test_keep(void)
{
	struct config *c = parse("keep:\n"
				 "  - ./target/\n"
				 "  - a//./b/.\n");
	CHECK(c->keep_given);
	REQUIRE_U64(c->keep_count, 2);
	CHECK_STR(c->keep[0].text, "target");
	CHECK_U64(c->keep[0].line, 2);
	CHECK_STR(c->keep[1].text, "a/b");
	config_free(c);

	c = parse("keep: []\n");
	CHECK(c->keep_given && c->keep_count == 0);
	config_free(c);
	c = parse("base: x\n");
	CHECK(!c->keep_given && c->keep_count == 0);
	config_free(c);

	refuses("keep: target", 1, "a list of directories, such as [target]");
	static const char *const bad[] = { "..",       "a/../b",    "/etc",      ".",
					   "././/",    ".git",      ".Git",      "a/.git",
					   "a/.git/x", "./.irdiff", ".irdiff/x", "a*" };
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		char text[100];
		snprintf(text, sizeof text, "keep:\n  - target\n  - \"%s\"", bad[i]);
		refuses(text, 3, "expected a directory below that of irdiff.yml");
	}
	refuses("keep: [a, ./a]", 1, "'a' and 'a' overlap");
	refuses("keep: [a/b, a]", 1, "'a/b' and 'a' overlap");
	refuses("keep: [a, a/b/c]", 1, "overlap; list only one");
	c = parse("keep: [a, ab, a-b]\n");
	CHECK_U64(c->keep_count, 3);
	config_free(c);
}

static void test_base_and_copy(void)
{
	struct config *c = parse("base: origin/main\n"
				 "copy:\n"
				 "  - data/*.json\n"
				 "  - ./a..b/...\n"
				 "benchmarks: {}\n");

	CHECK_STR(c->base.text, "origin/main");
	CHECK_U64(c->base.line, 1);
	REQUIRE_U64(c->copy_count, 2);
	CHECK_STR(c->copy[0].text, "data/*.json");
	CHECK_U64(c->copy[0].line, 3);
	CHECK_STR(c->copy[1].text, "./a..b/...");
	CHECK_U64(c->copy[1].line, 4);
	config_free(c);
	c = parse("copy: []\n");
	CHECK(c->base.text == NULL && c->copy_count == 0);
	config_free(c);

	refuses("base: -x", 1, "that does not begin with a dash, found '-x'");
	refuses("base: \"a\\nb\"", 1, "found 'a\\x0ab'");
	refuses("\nbase:", 2, "found nothing");
	refuses("base: [a]", 1, "found a list");
	refuses("copy: x", 1, "a list of paths or patterns");
	refuses("copy:", 1, "found nothing");
	refuses("copy: {a: b}", 1, "found a map");
	refuses("copy:\n  - a\n  - /etc/*", 3,
		"in the project, relative to irdiff.yml, found '/etc/*'");
	for (const char *const *path = (const char *const[]){ "..", "../x", "a/../x", "a/..",
							      "./..", "a//..//b", NULL };
	     *path; path++) {
		char text[64];
		snprintf(text, sizeof text, "copy:\n  - %s", *path);
		refuses(text, 2, "in the project");
	}
	refuses("copy: [\"a\\eb\"]", 1, "found 'a\\x1bb'");
	refuses("copy: ['']", 1, "found ''");
	refuses("copy: [[a]]", 1, "this entry: expected a path");
}

static void test_suggest(void)
{
	static const char *const keys[] = { "command", "cwd", "env", "timeout" };
	static const char *const cases[] = { "dom", "dom/print", "domain" };
	char longest[100];

	CHECK_STR(suggest("comand", keys, 4), "command");
	CHECK_STR(suggest("CWD", keys, 4), "cwd");
	CHECK_STR(suggest("evn", keys, 4), "env");
	CHECK_STR(suggest("time_out", keys, 4), "timeout");
	CHECK_STR(suggest("comm", keys, 4), "command");
	CHECK_STR(suggest("environment", keys, 4), "env");
	CHECK_STR(suggest("x", keys, 4), NULL);
	CHECK_STR(suggest("", keys, 4), NULL);
	CHECK_STR(suggest("zebra", keys, 4), NULL);
	CHECK_STR(suggest("dom/prnt", cases, 3), "dom/print"); /* and not what it begins with */
	CHECK_STR(suggest("dom/other", cases, 3), "dom");
	memset(longest, 'c', sizeof longest);
	longest[99] = '\0';
	CHECK_STR(suggest(longest, keys, 4), NULL);
}

static void has_tolerance(const struct config_benchmark *b, const char *metric, uint64_t amount,
			  uint64_t share)
{
	const struct tolerance *t = tolerance_find(b->tolerances, b->ntolerances, metric);

	REQUIRE(t != NULL);
	CHECK_U64(t->amount, amount);
	CHECK_U64(t->share, share);
}

static void test_tolerance(void)
{
	struct config *c = parse(
		"benchmarks:\n"
		"  p:\n"
		"    command: x\n"
		"    tolerance: {Ir: 400, Dr: \"0.1%\", Dw: 0.1%, D1mr: [1.5k, 2%], DLmr: 0}\n");
	const struct config_benchmark *b = &c->benchmarks[0];

	CHECK_U64(b->ntolerances, 5);
	has_tolerance(b, "Ir", 400, 0);
	has_tolerance(b, "Dr", 0, 1000000);
	has_tolerance(b, "Dw", 0, 1000000);
	has_tolerance(b, "D1mr", 1500, 20000000);
	has_tolerance(b, "DLmr", 0, 0);
	CHECK(!tolerance_find(b->tolerances, b->ntolerances, "ILmr"));
	config_free(c);

	refuses_key("tolerance: 400", "expected a map of metrics and tolerances");
	refuses_key("tolerance: {}", "expected a map of metrics");
	refuses_key("tolerance: {Ir: +400}", "a tolerance has no sign");
	refuses_key("tolerance: {Ir: \"-1%\"}", "a tolerance has no sign");
	refuses_key("tolerance: {Ir: 1.5}", "'Ir'");
	refuses_key("tolerance: {Ir: [1, 2]}", "'Ir': expected 400, \"0.1%\", or a list of both");
	refuses_key("tolerance: {Ir: []}", "found an empty list");
	refuses_key("tolerance: {Ir: {amount: 4}}", "found a map");
	refuses_key("tolerance: {Ir: }", "found nothing");
	refuses_key("tolerance: {incl.Ir: 4}", "remove 'incl.'");
	refuses_key("tolerance: {\"fn:f\": 4}", "cannot be in the name of an event");
	refuses_key("tolerance: {Ir: 99999999999999999999}", "'Ir'");
}

TEST_MAIN("config", { "tolerances", test_tolerance }, { "the design's example", test_example },
	  { "empty files", test_empty }, { "limits as maps", test_limit_map },
	  { "commands", test_commands }, { "environments", test_env }, { "aliases", test_alias },
	  { "timeouts", test_timeout }, { "the file's directory", test_dir },
	  { "base and copy", test_base_and_copy }, { "keep", test_keep },
	  { "suggestions", test_suggest })
