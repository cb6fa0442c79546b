#include "src/run/harness.h"

#include <stdlib.h>

#include "tests/unit/harness.h"

/* The names in a list, each with a line break. */
static void check_list(enum run_cases kind, const char *text, const char *expected)
{
	struct strings names = { 0 };
	struct cg_error err = { 0 };
	char all[1000] = "";

	REQUIRE_INT(harness_read_list(harness_of(kind), text, &names, &err), CG_OK);
	for (size_t i = 0; i < names.count; i++) {
		strcat(all, names.items[i]);
		strcat(all, "\n");
	}
	CHECK_STR(all, expected);
	strings_free(&names);
}

static void test_lists(void)
{
	check_list(RUN_CASES_CRITERION,
		   "Gnuplot not found\nfib 20: benchmark\ngroup/x: y/10: benchmark\n\n"
		   "fib 20: benchmark\n: benchmark\na\tb: benchmark\nlast: bench",
		   "fib 20\ngroup/x: y/10\nlast\n");
	check_list(RUN_CASES_GOOGLE_BENCHMARK, "BM_a/1\nBM_b<int>/2\n\n", "BM_a/1\nBM_b<int>/2\n");
	check_list(RUN_CASES_GO,
		   "goos: linux\nBenchmarkA/n=10 \t 1\t 714 ns/op\nBenchmarkB\nBenchmarkC is slow\n"
		   "Benchmark   1 5 ns/op\nPASS\n",
		   "BenchmarkA/n=10\nBenchmark\n");
	check_list(RUN_CASES_DIVAN, "", "");
	check_list(
		RUN_CASES_CATCH2,
		"<Catch name=\"b\">\n  <TestCase name=\"a, &quot;b&quot;\" tags=\"[x]\">\n"
		"    <BenchmarkResults name=\"&lt;5> &amp;lt; 6\" samples=\"1\" iterations=\"1\">\n"
		"    <BenchmarkResults name=\"x\" iterations=\"1\">\n  </TestCase>\n"
		"  <TestCase filename=\"x name=\" name=\"c\">\n<BenchmarkResultsOf name=\"no\">\n"
		"    <BenchmarkResults name=\"\" iterations=\"1\">\n"
		"    <BenchmarkResults name=\"\" iterations=\"1\"",
		"a, \"b\"/<5> &lt; 6\na, \"b\"/x\nc/\nc/ #2\n");
	check_list(
		RUN_CASES_NANOBENCH,
		"\n| ns/op | total | strings\n|------:|------:|:----\n|  1.00 | 11.00 | `a | b`\n"
		"`c`\n| 0.09 | :wavy_dash: `a ``d``` (Unstable with ~10.9 iters. Increase `x`)\n"
		"| 1.00 | `a | b`\n| 1.00 | `a | b`\n| 1.00 | `e",
		"a | b\na `d`\na | b #2\na | b #3\ne\n");
	CHECK(harness_of(RUN_CASES_IRDIFF) == NULL);
}

/* Names that are listed again take time, too. */
static void test_too_many(void)
{
	struct strings names = { 0 };
	struct cg_error err = { 0 };
	enum { LINES = HARNESS_CASES_MAX + 1, WIDTH = 7 };
	char *text = malloc(LINES * WIDTH + 1), *p = text;

	REQUIRE(text != NULL);
	for (int i = 0; i < LINES; i++)
		p += sprintf(p, "%06d\n", i);
	CHECK_INT(harness_read_list(harness_of(RUN_CASES_GOOGLE_BENCHMARK), text, &names, &err),
		  CG_EINVAL);
	CHECK(strstr(err.message, "more than 10000 cases") != NULL);
	strings_free(&names);
	for (p = text; *p; p++)
		if (*p != '\n')
			*p = '0';
	CHECK_INT(harness_read_list(harness_of(RUN_CASES_GOOGLE_BENCHMARK), text, &names, &err),
		  CG_EINVAL);
	CHECK_U64(names.count, 1);
	strings_free(&names);
	free(text);
}

/* Thousands of results with one name do not take minutes. */
static void test_many_of_one_name(void)
{
	static const char row[] = "| `a`\n";
	enum { ROWS = 3000, WIDTH = sizeof row - 1 };
	struct strings names = { 0 };
	struct cg_error err = { 0 };
	char *text = malloc(ROWS * WIDTH + 1);

	REQUIRE(text != NULL);
	for (int i = 0; i < ROWS; i++)
		memcpy(text + i * WIDTH, row, sizeof row);
	REQUIRE_INT(harness_read_list(harness_of(RUN_CASES_NANOBENCH), text, &names, &err), CG_OK);
	CHECK_U64(names.count, ROWS);
	CHECK_STR(names.items[0], "a");
	CHECK_STR(names.items[1], "a #2");
	CHECK_STR(names.items[ROWS - 1], "a #3000");
	strings_free(&names);
	free(text);
}

/* What results say that cannot be used. */
static void check_refused(enum run_cases kind, const char *text, const char *why)
{
	struct strings names = { 0 };
	struct cg_error err = { 0 };

	CHECK_INT(harness_read_list(harness_of(kind), text, &names, &err), CG_EINVAL);
	CHECK(strstr(err.message, why) != NULL);
	strings_free(&names);
}

static void test_refused_results(void)
{
	check_refused(RUN_CASES_CATCH2, "<BenchmarkResults name=\"x\" iterations=\"20\">",
		      "\"x\" runs 20 iterations");
	check_refused(RUN_CASES_CATCH2, "<BenchmarkResults name=\"x\">",
		      "no name or no iterations");
	check_refused(RUN_CASES_CATCH2, "<BenchmarkResults iterations=\"1\">",
		      "no name or no iterations");
	check_refused(RUN_CASES_NANOBENCH, "| 1.0 | `a\tb`", "control character");
}

static void check_run(enum run_cases kind, const char *name, const char *expected)
{
	struct strings arguments = { 0 };
	struct cg_error err = { 0 };

	REQUIRE_INT(harness_add_run(harness_of(kind), name, &arguments, &err), CG_OK);
	char *all = strings_join(&arguments);
	CHECK_STR(all, expected);
	free(all);
	strings_free(&arguments);
}

/* A name is matched as it is, whatever it has in it. */
static void test_runs(void)
{
	check_run(RUN_CASES_CRITERION, "a.b (c)", "--bench --test --exact a.b (c)");
	check_run(
		RUN_CASES_GOOGLE_BENCHMARK, "BM_a<int>/1*(2)|^[x]{2}$",
		"--benchmark_filter=^BM_a<int>/1\\*\\(2\\)\\|\\^\\[x]\\{2}\\$$ --benchmark_min_time=0");
	check_run(RUN_CASES_GO, "BenchmarkA/n=1.5/x",
		  "-test.run=^$ -test.benchtime=1x -test.bench=^BenchmarkA$/^n=1\\.5$/^x$");
}

struct part {
	const char *trigger;
	uint64_t collected;
};

/* The chosen parts, as '1' and '0'. */
static void check_choice(enum run_cases kind, const struct part *parts, size_t count,
			 const char *expected)
{
	struct run_profile profiles[20];
	bool chosen[20];
	char text[21] = "";
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		profiles[i] = (struct run_profile){ .trigger = (char *)parts[i].trigger,
						    .collected = parts[i].collected };
	size_t said = harness_choose(harness_of(kind), profiles, count, chosen);
	for (size_t i = 0; i < count; i++) {
		text[i] = chosen[i] ? '1' : '0';
		n += chosen[i];
	}
	CHECK_STR(text, expected);
	CHECK_U64(said, n);
}
#define CHOOSE(kind, parts, expected) \
	check_choice(kind, parts, sizeof(parts) / sizeof *(parts), expected)

#define BEFORE(function, cost) \
	{ \
		"--dump-before=" function, cost \
	}
#define AFTER(function, cost) \
	{ \
		"--dump-after=" function, cost \
	}
#define END(cost) \
	{ \
		"Program termination", cost \
	}

/* What is paused does not count, nor the harness before, between and after. */
static void test_marks(void)
{
	static const struct part paused[] = {
		AFTER("benchmark::State::ResumeTiming()", 2651519),
		AFTER("benchmark::State::StartKeepRunning()", 0),
		BEFORE("benchmark::State::PauseTiming()", 843),
		AFTER("benchmark::State::ResumeTiming()", 8356),
		BEFORE("benchmark::State::FinishKeepRunning()", 5274),
		BEFORE("benchmark::State::PauseTiming()", 20),
		END(35581),
	};
	static const struct part reset[] = {
		AFTER("testing.(*B).StartTimer", 13860),
		AFTER("testing.(*B).ResetTimer", 1185),
		BEFORE("testing.(*B).StopTimer", 1475),
		BEFORE("testing.(*B).StopTimer", 17219),
		END(12106),
	};

	static const struct part dumped[] = {
		AFTER("testing.(*B).StartTimer", 13860),
		{ "Client Request", 100 },
		BEFORE("testing.(*B).StopTimer", 1475),
		AFTER("testing.(*B).StartTimer", 50),
		{ "Client Request", 100 },
		END(12106),
	};

	CHOOSE(RUN_CASES_GOOGLE_BENCHMARK, paused, "0010100");
	CHOOSE(RUN_CASES_GO, dumped, "011000");
	CHOOSE(RUN_CASES_GO, reset, "00100");
}

/* Of threads that run at the same time, all counts until the last one ends; of such that run one
 * after another, only what is between their marks. */
static void test_threads(void)
{
#define BEGIN(cost) AFTER("benchmark::State::StartKeepRunning()", cost)
#define FINISH(cost) BEFORE("benchmark::State::FinishKeepRunning()", cost)
	static const struct part together[] = { BEGIN(900), BEGIN(40), FINISH(300), FINISH(260),
						END(50) };
	static const struct part alone[] = { BEGIN(900), FINISH(300), BEGIN(40), FINISH(300),
					     END(50) };

	CHOOSE(RUN_CASES_GOOGLE_BENCHMARK, together, "01110");
	CHOOSE(RUN_CASES_GOOGLE_BENCHMARK, alone, "01010");
}

#define SYNC "divan::benchmark::BenchContext::sample_recorder::{{closure}}::{{closure}}::sync_impl"

/* One function begins and ends a case in turns. */
static void test_turns(void)
{
	static const struct part parts[] = { BEFORE(SYNC, 9), BEFORE(SYNC, 5), BEFORE(SYNC, 9),
					     BEFORE(SYNC, 6), END(9) };

	CHOOSE(RUN_CASES_DIVAN, parts, "01010");
}

#define READ(cost) BEFORE("clock_gettime@@GLIBC_2.17", cost)

/* Only reads below the root count; if there are others than the harness's own, all of it does. */
static void test_reads(void)
{
	static const struct part usual[] = { READ(0),  READ(19), READ(34), READ(2377),
					     READ(95), READ(0),  END(86) };
	static const struct part more[] = { READ(0),  READ(19), READ(34), READ(7),
					    READ(50), READ(95), END(86) };

	CHOOSE(RUN_CASES_CRITERION, usual, "0001000");
	CHOOSE(RUN_CASES_CRITERION, more, "0111111");
	CHOOSE(RUN_CASES_LIBTEST, more, "0111111");
}

/* Cases of one process: the last round of each, from the first read of the clock in it to the last.
 */
static void check_division(enum run_cases kind, const struct part *parts, size_t count,
			   const char *expected, size_t cases)
{
	struct run_profile profiles[20];
	size_t case_of[20];
	char text[21] = "";

	REQUIRE(count <= 20);
	CHECK(harness_runs_together(harness_of(kind)));
	for (size_t i = 0; i < count; i++)
		profiles[i] = (struct run_profile){ .trigger = (char *)parts[i].trigger };
	CHECK_U64(harness_divide(harness_of(kind), profiles, count, case_of), cases);
	for (size_t i = 0; i < count; i++)
		text[i] = (char)('0' + case_of[i]);
	CHECK_STR(text, expected);
}
#define DIVIDE(kind, parts, expected, cases) \
	check_division(kind, parts, sizeof(parts) / sizeof *(parts), expected, cases)

static void test_together(void)
{
#define IS_READ BEFORE("irdiff_steady_clock_is_read", 1)
#define WAS_READ AFTER("irdiff_steady_clock_was_read", 1)
#define CALL BEFORE("Catch::Benchmark::Detail::BenchmarkFunction::model<x>::call(y) const", 1)
#define ENDED BEFORE("Catch::XmlReporter::benchmarkEnded(z)", 1)
	static const struct part catch2[] = { IS_READ,  WAS_READ, CALL,     IS_READ,  WAS_READ,
					      IS_READ,  WAS_READ, CALL,     IS_READ,  WAS_READ,
					      IS_READ,  WAS_READ, IS_READ,  WAS_READ, ENDED,
					      WAS_READ, ENDED,    WAS_READ, END(1) };
#define ADD BEFORE("ankerl::nanobench::detail::IterationLogic::Impl::add(x)", 1)
#define COUNTERS BEFORE("ankerl::nanobench::detail::performanceCounters()", 1)
#define GONE BEFORE("ankerl::nanobench::detail::IterationLogic::~IterationLogic()", 1)
	static const struct part nanobench[] = { IS_READ, WAS_READ, IS_READ, WAS_READ, COUNTERS,
						 IS_READ, WAS_READ, IS_READ, WAS_READ, ADD,
						 ADD,     GONE,     IS_READ, WAS_READ, IS_READ,
						 ADD,     GONE,     END(1) };

	DIVIDE(RUN_CASES_CATCH2, catch2, "0000000000111000000", 2);
	DIVIDE(RUN_CASES_NANOBENCH, nanobench, "000000010000002000", 2);
	CHECK(!harness_runs_together(harness_of(RUN_CASES_GO)));
}

TEST_MAIN("harness", { "results that are refused", test_refused_results },
	  { "together", test_together }, { "lists", test_lists },
	  { "too many cases", test_too_many }, { "many of one name", test_many_of_one_name },
	  { "runs", test_runs }, { "begin and end", test_marks }, { "threads", test_threads },
	  { "in turns", test_turns }, { "reads of the clock", test_reads })
