/* What irdiff.yml cannot say, and hostile files. */
#include "tests/unit/configs.h"

static void test_keys(void)
{
	refuses("bench: 1", 1, "did you mean 'benchmarks'?");
	refuses("\n\nBuild: x", 3, "did you mean 'build'?");
	refuses("zzz: 1", 1, "known keys: build, base, copy, keep, benchmarks, limits");
	refuses_key("comand: y", "did you mean 'command'?");
	refuses_key("time-out: y", "did you mean 'timeout'?");
	refuses_key("heap: yes", "unknown key 'heap' in a benchmark; write count: [heap]");
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
	refuses_key("cache_sim: none", "'cache_sim': expected true or false, found 'none'");
	refuses_key("presets: none", "'presets': expected true or false, found 'none'");
	refuses_key("warm_up: yes", "'warm_up': expected true or false, found 'yes'");
	refuses_key("warm-up: true", "did you mean 'warm_up'?");
	refuses_key("freeze: clock",
		    "'freeze': expected a list of what to freeze: malloc, random, time and pid");
	refuses_key("freeze: random", "'freeze': expected a list: write freeze: [random]");
	refuses_key("tags: slow", "'tags': expected a list of tags");
	refuses_key("tags: [a b]", "expected a list of tags, words of letters, digits, _, . and -");
	refuses_key("tags: ['']", "expected a list of tags");
	refuses_key("freeze: [clock]", "found 'clock'");
	refuses_key(
		"count: all",
		"'count': expected a list of what else to count: branches, bus, heap, jumps and syscalls");
	refuses_key("count: heap", "'count': expected a list: write count: [heap]");
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
	refuses(LIMITS "\"casse:b\": {Ir: =}\n", 5, "did you mean 'case:'?");
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
	refuses("limits:\n  Ir: -500\n", 2, "a limit cannot be negative");
	refuses("limits: {Ir: 500}", 1, "without quotes YAML reads");
	refuses("limits: {Ir: 1_000}", 1, "without quotes");
	refuses("limits: {Ir: -1}", 1, "a limit cannot be negative");
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
	refuses("limits: {\"module:a\": {Ir: =}}", 1,
		"unknown key 'module:' in `limits`; did you mean 'mod:'?");
	refuses("limits: {\"std::f\": {Ir: =}}", 1, "cannot be in the name of an event");
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

TEST_MAIN("config, refused", { "keys refused", test_keys },
	  { "benchmarks refused", test_benchmarks }, { "values refused", test_values },
	  { "commands refused", test_commands_refused }, { "limits of cases", test_case_limits },
	  { "limits refused", test_limits_refused }, { "YAML refused", test_yaml },
	  { "bytes refused", test_bytes }, { "a megabyte of nesting", test_nesting },
	  { "too many of everything", test_many }, { "a billion laughs", test_laughs },
	  { "size", test_size })
