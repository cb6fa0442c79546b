#include "tests/unit/surveys.h"

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

TEST_MAIN("init, cmake", { "a project with CMake", test_cmake },
	  { "CMake's language", test_cmake_script }, { "CMake without end", test_cmake_endless },
	  { "tests of CTest", test_ctest })
