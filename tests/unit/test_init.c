#include "tests/unit/growth.h"
#include "tests/unit/harness.h"

#include <sys/stat.h>
#include <unistd.h>

#include "src/init/build_file.h"
#include "src/init/survey.h"
#include "src/init/write_config.h"

/* ---- calls ---- */

/* All calls of `name`, as "LINE TARGET: WORD|WORD". */
static void has_calls(const char *text, const char *name, const char *expected)
{
	struct build_file file = { .text = strdup(text) };
	struct cursor at = { 0 };
	struct build_call c;
	char *found = NULL;
	size_t size;
	FILE *to = open_memstream(&found, &size);

	REQUIRE(file.text != NULL && to != NULL);
	while (build_file_call(&file, &at, name, &c)) {
		fprintf(to, "%d %s:", (int)c.line, c.target);
		for (size_t i = 0; i < c.count; i++)
			fprintf(to, "|%s", c.words[i]);
		fputc('\n', to);
	}
	fclose(to);
	CHECK_STR(found, expected);
	free(found);
	build_file_free(&file);
}

static void test_calls(void)
{
	has_calls("add(a b)", "add", "1 :|a|b\n");
	has_calls("\nx = Add ( 'a b', c,\n[d] )\nadd(e)", "add", "2 x:|a b|c|[|d|]\n4 :|e\n");
	has_calls("read(a) readd(b) add_more(c) add (d)", "add", "1 :|d\n");
	has_calls("y=add('n', add('m'))", "add", "1 y:|n|add|(|m|)\n1 :|m\n");
	has_calls("add(", "add", "1 :\n");
	has_calls("add('a", "add", "1 :|a\n");
	has_calls("add()", "add", "1 :\n");
	has_calls("add", "add", "");
	has_calls("", "add", "");
	has_calls("== add(a)", "add", "1 :|a\n");
}

/* What is too long, too deep or too much is left out. */
static void test_bounds(void)
{
	enum { MANY = 100000 };
	struct build_file file = { .text = malloc(8 * MANY + 1) };
	struct cursor at = { 0 };
	struct build_call c;
	size_t calls = 0;

	REQUIRE(file.text != NULL);
	for (size_t i = 0; i < MANY; i++)
		memcpy(file.text + 8 * i, "add(a \n\n", 8);
	file.text[8 * MANY] = '\0';
	while (build_file_call(&file, &at, "add", &c))
		calls++;
	CHECK_U64(calls, MANY);
	CHECK_U64(c.line, 2 * MANY - 1);
	CHECK(c.count == 1);
	memset(file.text + 4, 'x', 1000);
	at = (struct cursor){ 0 };
	REQUIRE(build_file_call(&file, &at, "add", &c));
	CHECK(c.count > 0 && c.count <= CALL_WORDS_MAX && strlen(c.words[0]) < CALL_WORD_MAX);
	build_file_free(&file);
}

/* ---- projects ---- */

struct file {
	const char *name, *text;
};

/* What is found in a project with these files. */
static struct survey survey(const struct file *files, size_t count)
{
	char dir[] = "/tmp/irdiff-test-init.XXXXXX", path[300];
	struct survey s;

	REQUIRE(mkdtemp(dir) != NULL);
	snprintf(path, sizeof path, "%s/sub", dir);
	REQUIRE_INT(mkdir(path, 0700), 0);
	for (size_t i = 0; i < count; i++) {
		snprintf(path, sizeof path, "%s/%s", dir, files[i].name);
		FILE *to = fopen(path, "w");
		REQUIRE(to != NULL);
		fputs(files[i].text, to);
		fclose(to);
	}
	CHECK_INT(survey_project(dir, &s, NULL), CG_OK);
	for (size_t i = 0; i < count; i++) {
		snprintf(path, sizeof path, "%s/%s", dir, files[i].name);
		unlink(path);
	}
	snprintf(path, sizeof path, "%s/sub", dir);
	rmdir(path);
	rmdir(dir);
	return s;
}

#define SURVEY(...) \
	survey((const struct file[]){ __VA_ARGS__ }, \
	       sizeof((const struct file[]){ __VA_ARGS__ }) / sizeof(struct file))

static void has_bench(const struct survey *s, size_t i, const char *name, const char *program,
		      const char *from, uint64_t line)
{
	REQUIRE(i < s->count);
	CHECK_STR(s->benches[i].name, name);
	CHECK_STR(s->benches[i].words[0], program);
	CHECK_STR(s->benches[i].from, from);
	CHECK_U64(s->benches[i].line, line);
}

static void test_cmake(void)
{
	struct survey s = SURVEY({ "CMakeLists.txt",
				   "add_subdirectory(sub)\n"
				   "add_executable(Bench_b x.c) # add_executable(bench_c)\n" },
				 { "sub/CMakeLists.txt",
				   "add_executable(run x.c)\nadd_executable(bench_a)\n"
				   "add_test(NAME my-bench COMMAND run 1 $<X>)\n"
				   "add_test(NAME a-bench COMMAND run 1 CONFIGURATIONS Release)\n"
				   "add_test(NAME b-bench COMMAND nobody)\n" },
				 { "Makefile", "bench: x\n" });

	CHECK_INT(s.kind, PROJECT_CMAKE);
	CHECK_STR(s.marker, "CMakeLists.txt");
	REQUIRE_U64(s.count, 3);
	has_bench(&s, 0, "a-bench", "./build/sub/run", "sub/CMakeLists.txt", 4);
	CHECK_U64(s.benches[0].count, 2);
	CHECK_STR(s.benches[0].words[1], "1");
	has_bench(&s, 1, "Bench_b", "./build/Bench_b", "CMakeLists.txt", 2);
	has_bench(&s, 2, "bench_a", "./build/sub/bench_a", "sub/CMakeLists.txt", 2);
}

static void test_cargo(void)
{
	struct survey s = SURVEY(
		{ "Cargo.toml", "[package]\nname = \"p\"\n[[bench]]\n  name='a'\n"
				"name = \"b c\"\n[[bin]]\nname = \"d\"\n[[bench]]\nname = \"a\"\n"
				"names = \"e\"\nname \"f\"\nname = \"g\n" });

	CHECK_INT(s.kind, PROJECT_CARGO);
	REQUIRE_U64(s.count, 1);
	has_bench(&s, 0, "a", "./target/irdiff/a", "Cargo.toml", 4);
}

static void test_make(void)
{
	char command[BUILD_COMMAND_SIZE];
	struct survey s = SURVEY(
		{ "Makefile",
		  "X = bench:\nsub/a-bench b.bench: \\\n  x\n\tbench: y\n.PHONY: bench\n"
		  "bench:: sub/a-bench\nbench_x := 1\n$(D)/bench_y: x\n" },
		{ "GNUmakefile.not", "" });

	CHECK_INT(s.kind, PROJECT_MAKE);
	REQUIRE_U64(s.count, 2);
	has_bench(&s, 0, "a-bench", "./sub/a-bench", "Makefile", 2);
	has_bench(&s, 1, "bench", "make", "Makefile", 6);
	CHECK_STR(s.benches[1].words[2], "bench");
	CHECK_STR(build_command(&s, command), "CFLAGS='-g -O2' CXXFLAGS='-g -O2' make sub/a-bench");
}

static void test_none(void)
{
	char command[BUILD_COMMAND_SIZE];
	struct survey s = SURVEY({ "README", "bench" });

	CHECK_INT(s.kind, PROJECT_UNKNOWN);
	CHECK(s.marker == NULL && s.count == 0);
	CHECK_STR(build_command(&s, command), "");
}

/* More than there is room for. */
static void test_many(void)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	REQUIRE(to != NULL);
	for (int i = 0; i < 1000; i++)
		fprintf(to, "executable('bench%d')\nsubdir('sub%d')\n", i, i);
	fclose(to);
	struct survey s = SURVEY({ "meson.build", text });
	CHECK_U64(s.count, SURVEY_BENCHES_MAX);
	has_bench(&s, 15, "bench15", "./build/bench15", "meson.build", 31);
	free(text);
}

/* A Makefile that generators wrote has many rules. */
static void survey_rules(size_t count)
{
	static const char rule[] = "bench:\n";
	enum { LENGTH = sizeof rule - 1 };
	char *text = malloc(LENGTH * count + 1);

	REQUIRE(text != NULL);
	for (size_t i = 0; i < count; i++)
		memcpy(text + LENGTH * i, rule, LENGTH);
	text[LENGTH * count] = '\0';
	CHECK_U64(SURVEY({ "Makefile", text }).count, 1);
	free(text);
}

static void test_growth(void)
{
	CHECK(grows_in_proportion(survey_rules, 64000));
}

TEST_MAIN("init", { "calls in build files", test_calls }, { "calls without end", test_bounds },
	  { "a project with CMake", test_cmake }, { "a project with Cargo", test_cargo },
	  { "a project with make", test_make }, { "no project", test_none },
	  { "too many benchmarks", test_many }, { "many rules", test_growth })
