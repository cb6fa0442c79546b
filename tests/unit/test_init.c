#include "tests/unit/growth.h"
#include "tests/unit/harness.h"

#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/init/build_command.h"
#include "src/init/build_file.h"
#include "src/init/cargo_manifest.h"
#include "src/init/project_files.h"
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

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)st;
	(void)kind;
	(void)at;
	return remove(path);
}

static void make_parents(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
}

/* Makes a project of these files; leave() removes it. */
static char *project(const struct file *files, size_t count)
{
	char *dir = strdup("/tmp/irdiff-test-init.XXXXXX"), path[300];

	REQUIRE(dir != NULL && mkdtemp(dir) != NULL);
	for (size_t i = 0; i < count; i++) {
		snprintf(path, sizeof path, "%s/%s", dir, files[i].name);
		make_parents(path);
		FILE *to = fopen(path, "w");
		REQUIRE(to != NULL);
		fputs(files[i].text, to);
		fclose(to);
	}
	return dir;
}

static void leave(char *dir)
{
	REQUIRE_INT(nftw(dir, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
	free(dir);
}

/* What is found in a project with these files. */
static struct survey survey(const struct file *files, size_t count)
{
	char *dir = project(files, count);
	struct survey s;

	CHECK_INT(survey_project(dir, &s, NULL), CG_OK);
	leave(dir);
	return s;
}

#define SURVEY(...) \
	survey((const struct file[]){ __VA_ARGS__ }, \
	       sizeof((const struct file[]){ __VA_ARGS__ }) / sizeof(struct file))

/* The words of a benchmark, with blanks between them. */
static void has_words(const struct survey *s, size_t i, const char *expected)
{
	char words[2000];
	size_t used = 0;

	REQUIRE(i < s->count);
	words[0] = '\0';
	for (size_t k = 0; k < s->benches[i].count; k++)
		used += (size_t)snprintf(words + used, sizeof words - used, "%s%s", k ? " " : "",
					 s->benches[i].words[k]);
	CHECK_STR(words, expected);
}

static void is_built_by(const struct survey *s, const char *expected)
{
	char command[BUILD_COMMAND_SIZE];
	CHECK_STR(build_command(s, command), expected);
}

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
	has_bench(&s, 0, "a-bench", "./run", "sub/CMakeLists.txt", 4);
	CHECK_STR(s.benches[0].cwd, "build/sub");
	CHECK_U64(s.benches[0].count, 2);
	CHECK_STR(s.benches[0].words[1], "1");
	has_bench(&s, 1, "bench_a", "./build/sub/bench_a", "sub/CMakeLists.txt", 2);
	has_bench(&s, 2, "Bench_b", "./build/Bench_b", "CMakeLists.txt", 2);
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

/* Members of a workspace, harnesses by sources, features, and programs that are benchmarks. */
static void test_workspace(void)
{
	struct survey s = SURVEY(
		{ "Cargo.toml",
		  "[workspace]\nmembers = [\n  \"crates/*\",\n]\nexclude = ['crates/no']\n"
		  "[profile.release]\nstrip = true\n" },
		{ "crates/a/Cargo.toml", "[package]\nname = \"pa\"\n[[bench]]\nname = \"x-y\"\n"
					 "harness = false\nrequired-features = [\"f\", 'g']\n" },
		{ "crates/a/benches/x-y.rs", "criterion_main!(b);\n" },
		{ "crates/b/Cargo.toml",
		  "[package]\nname = \"pb\"\n[dev-dependencies]\n"
		  "criterion = { package = \"codspeed-criterion-compat\" }\n" },
		{ "crates/b/benches/z.rs", "#![feature(test)]\n" },
		{ "crates/b/examples/bench_it.rs", "" }, { "crates/b/examples/demo.rs", "" },
		{ "crates/no/Cargo.toml", "[package]\nname = 'no'\n" },
		{ "crates/no/benches/n.rs", "" });

	REQUIRE_U64(s.count, 3);
	has_words(&s, 0, "./target/irdiff/crates/a/x_y");
	CHECK_INT(s.benches[0].harness, HARNESS_CRITERION);
	has_words(&s, 1, "target/codspeed/analysis/pb/z");
	has_words(&s, 2, "./target/release/examples/bench_it");
	char command[BUILD_COMMAND_SIZE];
	build_command(&s, command);
	CHECK(strstr(command,
		     "CARGO_PROFILE_BENCH_STRIP=none cargo bench --no-run -p pa --bench x-y "
		     "--features f,g --message"));
	CHECK(strstr(command,
		     "exit; done && CARGO_PROFILE_BENCH_DEBUG=true cargo codspeed build && "
		     "CARGO_PROFILE_RELEASE_DEBUG=true cargo build --release -p pb "
		     "--example bench_it"));
}

/* irdiff measures the cases of newer versions only. */
static void test_old_criterion(void)
{
	static const char *const named[] = { "criterion = \"0.3\"\n",
					     "criterion = { version = \"0.3.5\" }\n",
					     "[dev-dependencies.criterion]\nversion = \"=0.3.5\"\n",
					     "criterion = \"0.5\"\nother = \"0.3\"\n" };

	for (size_t i = 0; i < 4; i++) {
		char manifest[300];
		snprintf(manifest, sizeof manifest,
			 "[package]\nname = \"p\"\n[[bench]]\nname = \"b\"\nharness = false\n"
			 "[dev-dependencies]\n%s",
			 named[i]);
		struct survey s = SURVEY({ "Cargo.toml", manifest },
					 { "benches/b.rs", "criterion_main!(b);\n" });
		CHECK_INT(s.benches[0].harness, i < 3 ? HARNESS_OLD_CRITERION : HARNESS_CRITERION);
		has_words(&s, 0, i < 3 ? "./target/irdiff/b --bench --test" : "./target/irdiff/b");
	}
}

static void test_cargo_tests(void)
{
	struct survey s = SURVEY({ "Cargo.toml", "[package]\nname = \"p\"\n[[bin]]\nname = \"d\"\n"
						 "[[test]]\nname = \"own\"\nharness = false\n" },
				 { "src/lib.rs", "mod a;\n" },
				 { "src/a.rs", "#[test]\nfn t() {}\n" }, { "tests/it.rs", "" },
				 { "tests/common/mod.rs", "" });

	CHECK(s.tests);
	REQUIRE_U64(s.count, 3);
	has_words(&s, 0, "./target/irdiff/own");
	CHECK_INT(s.benches[0].harness, HARNESS_NONE);
	has_words(&s, 1, "./target/irdiff/it --test-threads=1");
	CHECK_INT(s.benches[1].harness, HARNESS_LIBTEST_TESTS);
	has_words(&s, 2, "./target/irdiff/p --test-threads=1");
	CHECK_INT(s.benches[2].harness, HARNESS_LIBTEST_TESTS);
	char command[BUILD_COMMAND_SIZE];
	CHECK(strstr(
		build_command(&s, command),
		"CARGO_PROFILE_RELEASE_DEBUG=true cargo test --release --no-run --test own --test it --lib "));

	/* A library without tests: its program would do nothing. */
	s = SURVEY({ "Cargo.toml", "[package]\nname = \"p\"\n" }, { "src/lib.rs", "fn f() {}\n" },
		   { "tests/it.rs", "" });
	REQUIRE_U64(s.count, 1);
	has_words(&s, 0, "./target/irdiff/it --test-threads=1");
}

static void test_make(void)
{
	struct survey s = SURVEY(
		{ "Makefile",
		  "X = bench:\nsub/a-bench b.bench: \\\n  x\n\t-o $@: y\n.PHONY: bench\n"
		  "bench:: sub/a-bench\nbench_x := 1\n$(D)/bench_y: x\nbench32: x.c\n" },
		{ "GNUmakefile.not", "" });

	CHECK_INT(s.kind, PROJECT_MAKE);
	REQUIRE_U64(s.count, 1);
	has_bench(&s, 0, "a-bench", "./sub/a-bench", "Makefile", 2);
	is_built_by(&s, "CFLAGS='-g -O2' CXXFLAGS='-g -O2' make sub/a-bench");

	/* A target that runs one, for lack of a program. */
	s = SURVEY({ "Makefile",
		     ".PHONY: bench\nbench:: x\n\t./x\nbench2: x\n\t./x\nbench3: bench\n" },
		   { "tests/GNUmakefile", "bench:\n\t./y\n" });
	REQUIRE_U64(s.count, 3);
	has_words(&s, 0, "make -s bench");
	has_words(&s, 1, "make -s bench2");
	has_words(&s, 2, "make -s -C tests/ bench");
	CHECK_STR(s.benches[2].processes, "project");
	is_built_by(&s, "CFLAGS='-g -O2' CXXFLAGS='-g -O2' make && "
			"CFLAGS='-g -O2' CXXFLAGS='-g -O2' make x");

	/* What cannot run here, and what needs nothing that can be named. */
	s = SURVEY({ "Makefile",
		     ".PHONY: run\na-bench:\n\t@node x.js\nb-bench: x\n\tmake -C none\n\t./x\n"
		     "IN=../none-such\nd-bench: x\n\t./x $(IN)/y\n"
		     "c-bench: x$(EXE) $(Y) run sub/y\n\tmake -C sub\n\t./x\n" },
		   { "sub/x.c", "" });
	REQUIRE_U64(s.count, 1);
	has_words(&s, 0, "make -s c-bench");
	is_built_by(&s, "CFLAGS='-g -O2' CXXFLAGS='-g -O2' make && "
			"CFLAGS='-g -O2' CXXFLAGS='-g -O2' make x sub/y");
}

/* By the sources that a rule needs, directly, as an object or in a variable, or that its recipe
 * names. */
static void test_make_harness(void)
{
	static const char catch2[] = "#define CATCH_CONFIG_ENABLE_BENCHMARKING\n"
				     "#include <catch2/catch.hpp>\n";
	struct survey s = SURVEY(
		{ "Makefile",
		  "OBJECTS = sum.o c.o\na-bench: sum.cc a.cc\n\t$(CXX) -o $@ a.cc sum.cc\n"
		  "b-bench: sum.o b.o\n\t$(CXX) -o $@ $^\n"
		  "c-bench: $(OBJECTS)\n\t$(CXX) -o $@ $(OBJECTS)\n"
		  "d-bench:\n\t$(CXX) -o $@ sum.cc \\\n\t  d.cpp\n"
		  "e-bench: sum.cc\n\t$(CXX) -o $@ sum.cc\nother: a.cc\n\t$(CXX) -o $@ a.cc\n" },
		{ "a.cc", catch2 },
		{ "b.cpp", "#include <catch2/benchmark/catch_benchmark.hpp>\n" },
		{ "c.cc", "#include <nanobench.h>\n" },
		{ "d.cpp", "#include <benchmark/benchmark.h>\n" }, { "sum.cc", "int sum;\n" });

	REQUIRE_U64(s.count, 5);
	CHECK_INT(s.benches[0].harness, HARNESS_CATCH2);
	CHECK_INT(s.benches[1].harness, HARNESS_CATCH2);
	CHECK_INT(s.benches[2].harness, HARNESS_NANOBENCH);
	CHECK_INT(s.benches[3].harness, HARNESS_GOOGLE_BENCHMARK);
	CHECK_INT(s.benches[4].harness, HARNESS_NONE);
}

/* Makefiles below the top, targets in variables, and flags that have no -g. */
static void test_make_below(void)
{
	struct survey s = SURVEY(
		{ "Makefile", "CC ?= gcc -std=c99\nCFLAGS+=-Wall\nCFLAGS ?= -O3\nall: x.o\n" },
		{ "tests/Makefile",
		  "PROGS = fullbench other\n$(PROGS): x.o\n\t$(CC) -o $@ $<\n"
		  "fullbench: CFLAGS += -O1\nbench2$(EXE): x.o\nfull-bench.dll: x\n" },
		{ "node_modules/Makefile", "bench: x.o\n" },
		{ ".hidden/Makefile", "bench: x.o\n" });

	REQUIRE_U64(s.count, 2);
	has_bench(&s, 0, "fullbench", "./tests/fullbench", "tests/Makefile", 2);
	has_bench(&s, 1, "bench2", "./tests/bench2", "tests/Makefile", 5);
	is_built_by(&s, "make CC='gcc -std=c99 -g' CXX='c++ -g' && "
			"make CC='gcc -std=c99 -g' CXX='c++ -g' -C tests fullbench bench2");
	/* Also if no target is a benchmark. */
	s = SURVEY({ "makefile", "CC= gcc\nCFLAGS= -Wall -O2 $(MYCFLAGS)\nlua: lua.o\n" });
	is_built_by(&s, "make CC='gcc -g' CXX='c++ -g'");
	s = SURVEY({ "Makefile", "CFLAGS = -O3 -ggdb\nbench: x.o\n" });
	is_built_by(&s, "make bench");
	s = SURVEY({ "Makefile", "bench: x.o\n" },
		   { "tests/Makefile", "CFLAGS = -g\nbench2: x.o\n" });
	is_built_by(&s, "CFLAGS='-g -O2' CXXFLAGS='-g -O2' make bench && "
			"CFLAGS='-g -O2' CXXFLAGS='-g -O2' make -C tests bench2");
}

static void test_automake(void)
{
	struct survey s = SURVEY(
		{ "configure.ac", "AC_INIT\nLT_INIT\n" },
		{ "Makefile.am", "EXTRA_PROGRAMS = bench1 x\nbin_PROGRAMS = tool\n" },
		{ "t/Makefile.am", "BENCHES = b-bench c\ncheck_PROGRAMS = $(BENCHES)\n" });

	REQUIRE_U64(s.count, 2);
	has_bench(&s, 0, "bench1", "./bench1", "Makefile.am", 1);
	has_bench(&s, 1, "b-bench", "./t/b-bench", "t/Makefile.am", 2);
	is_built_by(&s, "{ test -x configure || autoreconf --install; } && { test -f Makefile || "
			"./configure --disable-shared CFLAGS='-g -O2' CXXFLAGS='-g -O2'; } && "
			"make all bench1 && "
			"make -C t b-bench");

	/* Tests that are programs, where they run. */
	s = SURVEY({ "configure", "" },
		   { "t/Makefile.am", "check_PROGRAMS = a b\nTESTS = $(check_PROGRAMS) c.sh\n" });
	CHECK(s.tests);
	REQUIRE_U64(s.count, 2);
	has_words(&s, 1, "./b");
	CHECK_STR(s.benches[1].cwd, "t");
	is_built_by(&s, "{ test -f Makefile || ./configure CFLAGS='-g -O2' CXXFLAGS='-g -O2'; } && "
			"make && make check TESTS=");
}

/* Loops, functions, options that are off, and where programs go. */
static void test_cmake_script(void)
{
	struct survey s = SURVEY(
		{ "CMakeLists.txt",
		  "option(BUILD_BENCH \"\" OFF)\noption(SHARED \"\" OFF)\n"
		  "set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)\n"
		  "function(add_bench name)\n  add_executable(bench_${name} ${ARGN})\nendfunction()\n"
		  "set(names one two)\nlist(APPEND names three)\n"
		  "if(BUILD_BENCH AND NOT SHARED)\nforeach(n IN LISTS names)\n"
		  "  add_bench(${n} ${n}.cc)\nendforeach()\nendif()\n"
		  "foreach(n)\nadd_executable(bench_never x.c)\nendforeach()\n"
		  "add_executable(speed x.cc)\ntarget_link_libraries(speed benchmark::benchmark)\n" });

	REQUIRE_U64(s.count, 4);
	has_bench(&s, 0, "bench_one", "./build/bin/bench_one", "CMakeLists.txt", 5);
	has_words(&s, 2, "./build/bin/bench_three");
	has_words(&s, 3, "./build/bin/speed");
	CHECK_INT(s.benches[3].harness, HARNESS_GOOGLE_BENCHMARK);
	is_built_by(&s, "cmake -S . -B build -DCMAKE_BUILD_TYPE=RelWithDebInfo -DBUILD_BENCH=ON && "
			"cmake --build build");
}

/* Loops that do not end, calls of itself, and blocks without an end. */
static void test_cmake_endless(void)
{
	CHECK_U64(SURVEY({ "CMakeLists.txt", "macro(a)\na()\na()\nendmacro()\na()\n" }).count, 0);
	CHECK_U64(SURVEY({ "CMakeLists.txt", "set(a x)\nforeach(i 1 2 3)\nset(a ${a}${a}${a})\n" })
			  .count,
		  0);
	CHECK_U64(SURVEY({ "CMakeLists.txt", "function(f)\nadd_executable(bench x)\n" }).count, 0);
	CHECK_U64(SURVEY({ "CMakeLists.txt", "endif()\nendforeach()\nendfunction()\nf(\n" }).count,
		  0);
}

static void test_ctest(void)
{
	struct survey s = SURVEY(
		{ "CMakeLists.txt",
		  "enable_testing()\nadd_executable(t t.c)\nadd_executable(u u.c)\n"
		  "add_test(NAME one COMMAND $<TARGET_FILE:t> ${CMAKE_SOURCE_DIR}/in.txt)\n"
		  "add_test(NAME two COMMAND t x WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/data)\n"
		  "add_test(NAME script COMMAND python3 x.py)\n"
		  "add_test(NAME out COMMAND t WORKING_DIRECTORY /etc)\ngtest_discover_tests(u)\n" });

	CHECK(s.tests);
	REQUIRE_U64(s.count, 3);
	has_words(&s, 0, "./u");
	has_words(&s, 1, "./t ../in.txt");
	CHECK_STR(s.benches[1].cwd, "build");
	has_words(&s, 2, "../build/t x");
	CHECK_STR(s.benches[2].cwd, "data");
}

static void test_meson(void)
{
	struct survey s = SURVEY(
		{ "meson.build", "t = executable('t', 't.c')\ntest('basic', t, args: ['-q'])\n" },
		{ "meson_options.txt", "option('tests', type: 'boolean', value: false)\n"
				       "option('docs', type: 'boolean', value: false)\n" });

	CHECK(s.tests);
	REQUIRE_U64(s.count, 1);
	has_words(&s, 0, "./build/t -q");
	is_built_by(&s, "{ test -f build/build.ninja || meson setup build "
			"--buildtype=debugoptimized -Dtests=true; } && meson compile -C build");

	/* What is not a text is not known, and what should fail cannot be measured. */
	s = SURVEY({ "meson.build",
		     "t = executable('t', 't.c')\ntest('a', t, args: [x])\ntest(n, t)\n"
		     "test('b', t, args: ['no'], should_fail: true)\ntest('c', t, args: ['x@0@'])\n"
		     "test('d', executable('test_@0@'.format(u), 'u.c'))\ntest('e', t, args: 'y', "
		     "should_fail: false)\ntest('f', executable(n, 'n.c'))\n" });
	REQUIRE_U64(s.count, 1);
	has_words(&s, 0, "./build/t y");
}

static void test_go(void)
{
	struct survey s = SURVEY(
		{ "go.mod", "// a module\nmodule example.com/o/words/v2\n" },
		{ "words_test.go", "package words\n\nfunc BenchmarkCount(b *testing.B) {}\n" },
		{ "in/side/x_test.go", "func BenchmarkX(b *testing.B) {}\n" },
		{ "in/y_test.go", "func TestY(t *testing.T) {} // func BenchmarkY\n" },
		{ "other/go.mod", "module other\n" },
		{ "other/z_test.go", "\nfunc BenchmarkZ(b\n" });

	CHECK_INT(s.kind, PROJECT_GO);
	REQUIRE_U64(s.count, 2);
	has_bench(&s, 0, "words", "./words.test", "words_test.go", 3);
	has_words(&s, 1, "./in-side.test");
	CHECK_STR(s.benches[1].cwd, "in/side");
	is_built_by(&s,
		    "go test -c -o words.test ./ && go test -c -o in/side/in-side.test ./in/side/");
}

static void test_python(void)
{
	struct survey s = SURVEY(
		{ "pyproject.toml", "[build-system]\n[project]\nname = 'x'\n"
				    "[project.optional-dependencies]\ndev = ['y']\ntest = [\n]\n" },
		{ "bench/test_parse.py", "def test_parse(data, benchmark):\n  pass\n" },
		{ "bench/speed_bench.py", "if __name__ == '__main__':\n  main()\n" },
		{ "tests/test_benchmarks_of.py", "def test_x(benchmarks): pass\n" });

	CHECK_INT(s.kind, PROJECT_PYTHON);
	REQUIRE_U64(s.count, 2);
	has_words(&s, 0, ".venv/bin/python bench/speed_bench.py");
	has_words(&s, 1,
		  ".venv/bin/python -m pytest -q -p no:cacheprovider --codspeed "
		  "bench/test_parse.py");
	is_built_by(&s, "{ test -x .venv/bin/python || python3 -m venv .venv; } && "
			".venv/bin/python -m pip install --quiet -e '.[test]' pytest "
			"pytest-benchmark pytest-codspeed");

	s = SURVEY({ "setup.py", "" }, { "requirements-dev.txt", "pytest-codspeed==3\n" },
		   { "tests/test_a.py", "@pytest.mark.benchmark\ndef test_a(): pass\n" });
	REQUIRE_U64(s.count, 1);
	CHECK_INT(s.benches[0].harness, HARNESS_PYTEST_CODSPEED);

	s = SURVEY({ "setup.py", "" },
		   { "bench_call.py", "import x\n\ndef f(n):\n  x.g(n)\n\nx.f(3)\n" },
		   { "bench_loop.py", "import x\nfor i in range(3):\n  x.f(i)\n" },
		   { "bench_shared.py",
		     "import x\n\n@x.d(3)\ndef f(n):\n  x.g(n)\nclass C(x.D):\n  pass\n" });
	REQUIRE_U64(s.count, 2);
	has_words(&s, 0, ".venv/bin/python bench_call.py");
	has_words(&s, 1, ".venv/bin/python bench_loop.py");

	s = SURVEY({ "setup.py", "" }, { "tests/test_a.py", "def test_a(): pass\n" });
	CHECK(s.tests);
	has_words(&s, 0, ".venv/bin/python -m pytest -q -p no:cacheprovider tests/test_a.py");
}

static void test_plain_python(void)
{
	static const char script[] = "import words\nprint(words.count('a b'))\n";
	struct survey s = SURVEY({ "bench_words.py", script },
				 { "words.py", "def count(t): pass\n" },
				 { "bench_shared.py", "def f():\n  pass\n" },
				 { "test_words.py", "def test_a(): pass\n" });

	CHECK_INT(s.kind, PROJECT_PYTHON);
	REQUIRE_U64(s.count, 1);
	has_words(&s, 0, "python3 bench_words.py");
	is_built_by(&s, "");

	s = SURVEY({ "bench_words.py", script }, { "requirements.txt", "x\n" });
	REQUIRE_U64(s.count, 1);
	has_words(&s, 0, ".venv/bin/python bench_words.py");
	is_built_by(&s, "{ test -x .venv/bin/python || python3 -m venv .venv; } && "
			".venv/bin/python -m pip install --quiet -r requirements.txt");

	s = SURVEY({ "tests/test_a.py", "def test_a(benchmark): pass\n" });
	REQUIRE_U64(s.count, 1);
	CHECK_INT(s.benches[0].harness, HARNESS_PYTEST_BENCHMARK);
}

/* Scripts of projects in other languages, or with another build, are no benchmarks. */
static void test_other_python(void)
{
	static const char script[] = "import words\nprint(words.count('a b'))\n";
	struct survey s = SURVEY({ "bench/plot.py", script }, { "words.zig", "" },
				 { "main.zig", "" });

	CHECK_INT(s.kind, PROJECT_UNKNOWN);
	CHECK_U64(s.count, 0);
	s = SURVEY({ "bench_words.py", script }, { "Makefile", "all:\n" });
	CHECK_INT(s.kind, PROJECT_MAKE);
	CHECK_U64(s.count, 0);
	s = SURVEY({ "bench_words.py", script }, { "lib/CMakeLists.txt", "" });
	CHECK_U64(s.count, 0);
	CHECK_STR(s.below, "lib/");
	s = SURVEY({ "test_words.py", "def test_a(): pass\n" });
	CHECK_INT(s.kind, PROJECT_UNKNOWN);
	CHECK_U64(s.count, 0);
}

static void test_jmh(void)
{
	struct survey s = SURVEY(
		{ "pom.xml", "<project/>" },
		{ "src/main/java/o/Sums.java",
		  "import org.openjdk.jmh.annotations.*;\nclass Sums { @Benchmark void a() {} }\n" },
		{ "src/main/java/o/Other.java", "class Other {}\n" });

	CHECK_INT(s.kind, PROJECT_JAVA);
	REQUIRE_U64(s.count, 1);
	CHECK_INT(s.benches[0].harness, HARNESS_JMH);
	CHECK(harness_kind(HARNESS_JMH)->cannot_run != NULL);
	has_words(
		&s, 0,
		"java -Djmh.blackhole.autoDetect=false -jar target/benchmarks.jar -f 0 -wi 0 -i 1 "
		"-bm ss -bs 2000 Sums");
	is_built_by(&s, "mvn -q -DskipTests package");

	s = SURVEY({ "build.gradle.kts", "" });
	CHECK_INT(s.kind, PROJECT_JAVA);
	CHECK_U64(s.count, 0);
	is_built_by(&s, "gradle -q assemble");
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

/* A build system that has no benchmarks leaves it to the next one. */
static void test_next_kind(void)
{
	struct survey s = SURVEY({ "CMakeLists.txt", "add_executable(test_x x.c)\n" },
				 { "Makefile", "bench: x.o\n" });

	CHECK_INT(s.kind, PROJECT_MAKE);
	CHECK(!s.tests && s.count == 1);
	s = SURVEY({ "CMakeLists.txt", "add_executable(test_x x.c)\n" },
		   { "Makefile", "x: x.o\n" });
	CHECK_INT(s.kind, PROJECT_CMAKE);
	CHECK(s.tests && s.count == 1);
	s = SURVEY({ "meson.build", "" }, { "Makefile", "x: x.o\n" });
	CHECK_INT(s.kind, PROJECT_MESON);
	CHECK_STR(s.marker, "meson.build");
	CHECK(!s.tests && s.count == 0);
}

static void test_none(void)
{
	struct survey s = SURVEY({ "README", "bench" });

	CHECK_INT(s.kind, PROJECT_UNKNOWN);
	CHECK(s.marker == NULL && s.count == 0);
	is_built_by(&s, "");
}

/* More than there is room for. */
static void test_many(void)
{
	enum { PROGRAMS = 256 };
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
	CHECK_U64(s.left_out, PROGRAMS - SURVEY_BENCHES_MAX);
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
	  { "harnesses of makefiles", test_make_harness },
	  { "makefiles below the top", test_make_below },
	  { "a project with automake", test_automake }, { "CMake's language", test_cmake_script },
	  { "CMake without end", test_cmake_endless }, { "tests of CTest", test_ctest },
	  { "tests of Meson", test_meson }, { "a workspace of Cargo", test_workspace },
	  { "an old criterion", test_old_criterion }, { "tests of Cargo", test_cargo_tests },
	  { "a project with Go", test_go }, { "a project with Python", test_python },
	  { "Python without a build system", test_plain_python },
	  { "Python of other projects", test_other_python },
	  { "a project with Node.js", test_node }, { "a project with tinybench", test_tinybench },
	  { "a project with JMH", test_jmh }, { "the next build system", test_next_kind },
	  { "too many benchmarks", test_many }, { "many rules", test_growth })
