#include "tests/unit/growth.h"
#include "tests/unit/surveys.h"

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

TEST_MAIN("init, make", { "a project with make", test_make },
	  { "harnesses of makefiles", test_make_harness },
	  { "makefiles below the top", test_make_below },
	  { "a project with automake", test_automake }, { "many rules", test_growth })
