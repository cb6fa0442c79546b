#include "tests/unit/harness.h"

#include "src/config/config.h"
#include "src/config/document.h"
#include "src/run/count.h"
#include "src/run/freeze.h"
#include "src/text/suggest.h"

static struct config *parse(const char *text)
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
static void refuses_bytes(const char *text, size_t len, uint64_t line, const char *why)
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

static void refuses(const char *text, uint64_t line, const char *why)
{
	refuses_bytes(text, strlen(text), line, why);
}

/* One benchmark with one more key, in line 4. */
static void refuses_key(const char *key, const char *why)
{
	char text[512];

	snprintf(text, sizeof text, "benchmarks:\n  p:\n    command: x\n    %s\n", key);
	refuses(text, 4, why);
}

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
				 "    freeze: [time, random]\n"
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
	CHECK(!b->no_presets);
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
	CHECK(b->no_presets);
	CHECK_U64(b->freeze, FREEZE_RANDOM | FREEZE_TIME);
	CHECK_U64(b->count, COUNT_SYSCALLS | COUNT_BUS);
	CHECK(config_benchmark(c, "nothing") == NULL);

	CHECK_U64(c->limits.count, 2);
	has_limit(&c->limits, 1, NULL, "Dw", LIMIT_GROWTH, 20000000, "+2%", 19);
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

/* ---- what is refused ---- */

static void test_keys(void)
{
	refuses("bench: 1", 1, "did you mean 'benchmarks'?");
	refuses("\n\nBuild: x", 3, "did you mean 'build'?");
	refuses("zzz: 1", 1, "known keys: build, base, copy, keep, benchmarks, limits");
	refuses_key("comand: y", "did you mean 'command'?");
	refuses_key("time-out: y", "did you mean 'timeout'?");
	refuses_key("xyzzy: y", "known keys: command, shell, root");
	refuses_key("command: y", "duplicate key 'command', first used in line 3");
	refuses("limits: {Ir: {max-growth: 1%}}", 1, "did you mean 'max_growth'?");
	refuses("limits:\n  Ir: =\nlimits: {}\n", 3, "duplicate key 'limits'");
	refuses("limits:\n  Ir: =\n  \"Ir\": =\n", 3, "duplicate key 'Ir'");
	refuses("build: {comand: x}", 1, "did you mean 'command'?");
}

static void test_benchmarks(void)
{
	refuses("benchmarks: [a]", 1, "'benchmarks': expected a map of names");
	refuses("benchmarks: x", 1, "found 'x'");
	refuses("benchmarks:\n  p:\n", 2, "'p': expected a benchmark: a map with a `command`");
	refuses("benchmarks:\n  p: {}\n", 2, "found an empty map");
	refuses("benchmarks:\n  p: {cwd: x}\n", 2, "'p' has no `command`");
	refuses("benchmarks:\n  a/b: {command: x}\n", 2, "'/'");
	refuses("benchmarks:\n  .a: {command: x}\n", 2, "dot");
	refuses("benchmarks:\n  '': {command: x}\n", 2, "empty");
	refuses("benchmarks:\n  a.old: {command: x}\n", 2, ".old");
	refuses("benchmarks:\n  \"a\\nb\": {command: x}\n", 2, "U+000A");
}

static void test_values(void)
{
	refuses_key("root: [a]", "'root': expected the name of a function, found a list");
	refuses_key("root: ''", "expected the name of a function");
	refuses_key("root: \"a\\x1bb\"", "found 'a\\x1bb'");
	refuses_key("root: \"a\\u0085b\"", "expected the name of a function");
	refuses_key("filter:", "'filter': expected a regex, found nothing");
	refuses_key("shell: yes", "'shell': expected true or false, found 'yes'");
	refuses_key("shell: \"true\"", "expected true or false");
	refuses_key("cwd: ..", "inside the project");
	refuses_key("cwd: a/../../b", "inside the project");
	refuses_key("cwd: ./../x", "inside the project");
	refuses_key("timeout: 0", "'timeout': expected a time");
	refuses_key("timeout: 5 min", "expected a time");
	refuses_key("timeout: -1", "expected a time");
	refuses_key("timeout: 1.5s", "expected a time");
	refuses_key("timeout: 169h", "expected a time");
	refuses_key("timeout: 604801", "expected a time");
	refuses_key("timeout: 99999999999999999999s", "expected a time");
	refuses_key("timeout: s", "expected a time");
	refuses_key("depth: 1001", "'depth': expected a number of callers from 0 to 1000");
	refuses_key("depth: -1", "expected a number");
	refuses_key("depth: 1x", "expected a number");
	refuses_key("depth: {}", "found an empty map");
	refuses_key("presets: none", "'presets': expected true or false, found 'none'");
	refuses_key("warm_up: yes", "'warm_up': expected true or false, found 'yes'");
	refuses_key("warm-up: true", "did you mean 'warm_up'?");
	refuses_key("freeze: random",
		    "'freeze': expected a list of what to freeze: malloc, random, time and pid");
	refuses_key("freeze: [clock]", "found 'clock'");
	refuses_key(
		"count: syscalls",
		"'count': expected a list of what else to count: branches, bus, heap and syscalls");
	refuses_key("count: [Ir]", "found 'Ir'");
	refuses_key("env: A", "'env': expected a list");
	refuses_key("env: [1A]", "'1A' is not the name");
	refuses_key("env: [=x]", "'' is not the name");
	refuses_key("env: [A-B]", "'A-B' is not the name");
	refuses_key("env: [A, A=b]", "duplicate variable 'A'");
	refuses_key("env: {A: [b]}", "'A': expected the value");
	refuses_key("env: {A b: c}", "'A b' is not the name");
	refuses_key("env: [[A]]", "this entry: expected NAME");
}

static void test_commands_refused(void)
{
	static const char top[] = "benchmarks:\n  p:\n    command: ";
	static const char *const cases[][2] = {
		{ "", "'command': expected a command" },
		{ "[]", "found an empty list" },
		{ "{a: b}", "found a map" },
		{ "[a, ~]", "a word of the command" },
		{ "[a, [b]]", "a word of the command" },
		{ "['', a]", "the program, is empty" },
		{ "\"'' a\"", "the program, is empty" },
		{ "' '", "'command': the command is empty" },
		{ "a 'b", "'command': column 3: this ' is never closed" },
		{ "a | b", "column 3: '|' is shell syntax" },
		{ "A=b x", "use `env:`" },
		{ "\"a \\0 b\"", "NUL" },
		{ "[x]\n    shell: true", "must be text, not a list" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[256];
		snprintf(text, sizeof text, "%s%s\n", top, cases[i][0]);
		refuses(text, 3, cases[i][1]);
	}
	refuses("build:\n", 1, "'build': expected a command");
	refuses("build: {shell: true}", 1, "'build' has no `command`");
	refuses("build: a && b", 1, "`shell: true`");
}

/* Of several patterns that match, the last one that says something holds. */
static void in_force(const struct config_benchmark *b, const char *name,
		     const char *const *expected)
{
	const struct limit_set *sets[] = { &b->limits };
	struct limit_rule *rules;
	size_t count, found = 0;

	REQUIRE_INT(limit_resolve(sets, 1, name, &rules, &count, NULL), CG_OK);
	for (size_t i = 0; i < count; i++) {
		if (rules[i].overridden_by)
			continue;
		REQUIRE(expected[found] != NULL);
		CHECK_STR(rules[i].limit->text, expected[found++]);
	}
	CHECK(expected[found] == NULL);
	free(rules);
}

static void test_case_limits(void)
{
	struct config *c = parse("benchmarks:\n"
				 "  a:\n"
				 "    command: x\n"
				 "    limits:\n"
				 "      \"case:big*\": {Ir: \"+5%\", \"fn:^f\": {Ir: \"+6%\"}}\n"
				 "      Ir: \"+1%\"\n"
				 "      Dr: \"+2%\"\n"
				 "      \"case:big/b\": {Ir: \"+7%\",\n"
				 "                      Dr: {max_growth: 8%, ceiling: 9M}}\n"
				 "      'case:sum\\[10]': {Ir: \"+3%\"}\n");
	const struct config_benchmark *b = &c->benchmarks[0];

	in_force(b, NULL, (const char *const[]){ "+1%", "+2%", NULL });
	in_force(b, "small", (const char *const[]){ "+1%", "+2%", NULL });
	in_force(b, "big/a", (const char *const[]){ "+5%", "+6%", "+2%", NULL });
	in_force(b, "sum[10]", (const char *const[]){ "+2%", "+3%", NULL });
	in_force(b, "sum1", (const char *const[]){ "+1%", "+2%", NULL });
	in_force(b, "big/b", (const char *const[]){ "+6%", "+7%", "+8%", "9M", NULL });
	config_free(c);

#define LIMITS "benchmarks:\n  a:\n    command: x\n    limits:\n      "
	refuses(LIMITS "\"case:\": {Ir: =}\n", 5, "the name of a case");
	refuses(LIMITS "small: {Ir: =}\n", 5, "name a case as \"case:small\"");
	refuses(LIMITS "\"case:b\": {\"case:c\": {Ir: =}}\n", 5, "cannot be nested");
	refuses(LIMITS "\"case:b\": 1\n", 5, "a map of metrics");
#undef LIMITS
	refuses("limits:\n  \"case:b\": {Ir: =}\n", 2, "in the `limits` of their benchmark");
}

static void test_limits_refused(void)
{
	refuses("limits:\n  Ir: +500\n", 2, "put '+500' in quotes, as in \"+500\"");
	refuses("limits: {Ir: 500}", 1, "without quotes YAML reads");
	refuses("limits: {Ir: 1_000}", 1, "without quotes");
	refuses("limits: {Ir: -1}", 1, "without quotes");
	refuses("limits: {Ir: 1.5}", 1, "without quotes");
	refuses("limits: {Ir: 1e9}", 1, "'Ir': '1e9', column 2: there are no exponents");
	refuses("limits: {Ir: \"-1\"}", 1, "negative");
	refuses("limits: {Ir: \"18446744073709551616\"}", 1, "too large");
	refuses("limits: {Ir: }", 1, "'Ir': expected a limit");
	refuses("limits: {Ir: ''}", 1, "'Ir': the limit is empty");
	refuses("limits: {Ir: []}", 1, "'Ir': expected a limit");
	refuses("limits: {Ir: {}}", 1, "found an empty map");
	refuses("limits: [Ir]", 1, "'limits': expected a map of metrics");
	refuses("limits: {max_growth: 1%}", 1, "'max_growth' belongs to a metric");
	refuses("limits: {incl.Ir: \"+1%\"}", 1, "no inclusive cost");
	refuses("limits: {1r: \"+1%\"}", 1, "the name of an event");
	refuses("limits: {\"fn:\": {Ir: =}}", 1, "'fn:' needs a regex");
	refuses("limits:\n  \"fn:a\": \"+1%\"\n", 2, "'fn:a': expected a map of metrics");
	refuses("limits: {\"fn:a\": {}}", 1, "found an empty map");
	refuses("limits: {\"fn:a\": {\"fn:b\": {Ir: =}}}", 1, "'fn:b', column 3");
	refuses("limits: {Ir: {max_growth: 1}}", 1, "a percentage is expected");
	refuses("limits: {Ir: {max_growth: }}", 1, "'max_growth': expected a percentage");
	refuses("limits: {Ir: {max_increase: 1%}}", 1, "a count is expected");
	refuses("limits: {Ir: {ceiling: +5}}", 1, "a ceiling has no '+'");
	refuses("limits: {Ir: {equal: false}}", 1, "remove the line");
	refuses("limits: {Ir: {equal: yes}}", 1, "expected true or false");
	refuses("limits: {Ir: {max_growth: {a: b}}}", 1, "found a map");
}

static void test_yaml(void)
{
	refuses("just text", 1, "expected a map with `benchmarks`, found 'just text'");
	refuses("- a", 1, "found a list");
	refuses("limits: {}\n---\nlimits: {}\n", 2, "a second document");
	refuses("a: b: c", 1, "not valid YAML");
	refuses("limits:\n\tIr: =\n", 2, "indents with spaces");
	refuses("build: @x", 1, "put the text in quotes");
	refuses("build: \"x", 1, "not valid YAML");
	refuses("limits: !!python/object {}", 1, "tags");
	refuses("build: !foo x", 1, "'!foo'");
	refuses("limits: {? [a] : b}", 1, "a key must be text, not a list");
	refuses("limits:\n  <<: {Ir: =}", 2, "merge keys");
	refuses("limits: {*a : =}", 1, "a key cannot be an alias");
	refuses("limits: {&a Ir: =}", 1, "a key cannot have an anchor");
	refuses("build: *a", 1, "unknown anchor 'a'; define it before");
}

static void test_bytes(void)
{
	refuses_bytes("\n\nbuild: \0x", 11, 3, "control characters");
	refuses_bytes("build: x\0", 9, 1, "control characters");
	refuses("a: 1\nbuild: \xff\n", 2, "UTF-8");
	refuses("a: 1\nbuild: \xc0\xaf\n", 2, "UTF-8");
	refuses("build: \x1b[2J", 1, "control characters");
	refuses_bytes("\xff\xfe"
		      "b\0:\0",
		      6, 1, "UTF-8"); /* UTF-16 */
}

/* ---- hostile files ---- */

/* `unit` again and again, to the largest file that is read. */
static void refuses_repeated(const char *head, const char *unit, uint64_t line, const char *why)
{
	size_t len = CONFIG_BYTES_MAX, at = strlen(head), n = strlen(unit);
	char *text = malloc(len + 1);

	memcpy(text, head, at);
	for (; at < len; at++)
		text[at] = unit[(at - strlen(head)) % n];
	text[len] = '\0';
	refuses(text, line, why);
	free(text);
}

static void test_nesting(void)
{
	refuses_repeated("", "[", 1, "nested more than 16 deep");
	refuses_repeated("", "{a: ", 1, "nested more than 16 deep");
	refuses_repeated("", "- ", 1, "nested more than 16 deep");
	refuses_repeated("", "? ", 1, "a key must be text");
	refuses_repeated("", "[a: ", 1, "nested more than 16 deep");
}

static void test_many(void)
{
	refuses_repeated("a: [", "x,", 1, "more than 4096 entries in one list");
	refuses_repeated("a: [", "&a x,", 1, "more than 256 anchors");
	refuses_repeated("", "a: 1\n", 2, "duplicate key");
	refuses_repeated("[", "[x,x,x,x,x,x,x,x,x,x,x,x,x,x,x],", 1, "more than");
}

/* Nine levels of nine aliases each would be 9^9 values. */
static void test_laughs(void)
{
	char text[2048];
	size_t at = (size_t)snprintf(text, sizeof text, "a: &a [x,x,x,x,x,x,x,x,x]\n");

	for (char c = 'b'; c <= 'i'; c++) {
		char p = (char)(c - 1);
		at += (size_t)snprintf(text + at, sizeof text - at,
				       "%c: &%c [*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c]\n", c, c, p,
				       p, p, p, p, p, p, p, p);
	}
	/* 10, 91, 820, 7381, then 9 × 7381 in line 5. */
	refuses(text, 5, "more than 50000 values after aliases are expanded");
	refuses("a: &a [*a]", 1, "is inside the value that it refers to");
	refuses("a: &a {b: {c: *a}}", 1, "is inside the value that it refers to");
	refuses("&a [*a]", 1, "is inside the value that it refers to");
}

static void test_size(void)
{
	size_t len = CONFIG_BYTES_MAX;
	char *text = malloc(len + 2);
	struct config *config;

	memset(text, '#', len + 1);
	text[len + 1] = '\0';
	CHECK_INT(config_parse(text, len, "x", &config, NULL), CG_OK);
	config_free(config);
	refuses(text, 0, "larger than 1048576 bytes");
	free(text);
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
	char longest[100];

	CHECK_STR(suggest("comand", keys, 4), "command");
	CHECK_STR(suggest("CWD", keys, 4), "cwd");
	CHECK_STR(suggest("evn", keys, 4), "env");
	CHECK_STR(suggest("time_out", keys, 4), "timeout");
	CHECK_STR(suggest("comm", keys, 4), "command");
	CHECK_STR(suggest("x", keys, 4), NULL);
	CHECK_STR(suggest("", keys, 4), NULL);
	CHECK_STR(suggest("zebra", keys, 4), NULL);
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
	  { "keys refused", test_keys }, { "benchmarks refused", test_benchmarks },
	  { "values refused", test_values }, { "commands refused", test_commands_refused },
	  { "limits of cases", test_case_limits }, { "limits refused", test_limits_refused },
	  { "YAML refused", test_yaml }, { "bytes refused", test_bytes },
	  { "a megabyte of nesting", test_nesting }, { "too many of everything", test_many },
	  { "a billion laughs", test_laughs }, { "size", test_size },
	  { "base and copy", test_base_and_copy }, { "keep", test_keep },
	  { "suggestions", test_suggest })
