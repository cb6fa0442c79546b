#include "src/init/bench_harness.h"

#include <stddef.h>
#include <string.h>

#define ONCE "It runs each benchmark once, so that counts repeat."
#define TIMED \
	"It repeats its code until enough time has passed, so counts vary: use a fixed number of " \
	"rounds."

/* All cases share one heap, whose state others change. */
#define FREEZE_HEAP \
	.freeze = "[malloc]", \
	.why_freeze = "What malloc costs in a case does not depend on what ran before it."
#define FREEZE_SEEDS \
	.freeze = "[random]", \
	.why_freeze = "The seed of Python's module random is the same in every run."

static const struct harness_kind kinds[HARNESSES] = {
	[HARNESS_NONE] = { .name = "", .of = HARNESS_OTHER },
	/* CodSpeed's variants have the same names in sources: Cargo.toml and CMakeLists.txt
	 * tell. */
	[HARNESS_CRITERION] = { .name = "criterion",
				.of = HARNESS_RUST,
				.signs = { "criterion_group!", "criterion_main!", "criterion::" },
				.cases = "criterion" },
	/* irdiff cannot select its cases. */
	[HARNESS_OLD_CRITERION] = { .name = "criterion 0.3",
				    .of = HARNESS_RUST,
				    .arguments = { "--bench", "--test" },
				    .why = ONCE },
	[HARNESS_DIVAN] = { .name = "divan",
			    .of = HARNESS_RUST,
			    .signs = { "divan::" },
			    .cases = "divan" },
	[HARNESS_LIBTEST] = { .name = "#[bench]",
			      .of = HARNESS_RUST,
			      .signs = { "#[bench]", "#![feature(test)]" },
			      .cases = "libtest" },
	[HARNESS_LIBTEST_TESTS] = { .name = "libtest",
				    .of = HARNESS_OTHER,
				    .arguments = { "--test-threads=1" },
				    .root = "test::__rust_begin_short_backtrace*",
				    .why = "Only the tests are counted: the harness starts a "
					   "thread for each, so its own counts vary." },
	[HARNESS_GUNGRAUN_PROGRAMS] = { .name = "gungraun",
					.of = HARNESS_RUST,
					.signs = { "binary_benchmark_group!" },
					.cannot_run = "It starts other programs: make each of them "
						      "a benchmark, by its command." },
	[HARNESS_GUNGRAUN] = { .name = "gungraun",
			       .of = HARNESS_RUST,
			       .signs = { "library_benchmark_group!",
					  "gungraun::", "iai_callgrind::" },
			       .cases = "gungraun" },
	[HARNESS_CODSPEED_RUST] = { .name = "CodSpeed",
				    .of = HARNESS_RUST,
				    .signs = { "codspeed_" },
				    FREEZE_HEAP,
				    .cases = "codspeed" },
	[HARNESS_GOOGLE_BENCHMARK] = { .name = "Google Benchmark",
				       .of = HARNESS_C,
				       .signs = { "<benchmark/benchmark.h>",
						  "\"benchmark/benchmark.h\"", "benchmark_main" },
				       .cases = "google-benchmark" },
	[HARNESS_CODSPEED_CPP] = { .name = "CodSpeed",
				   .of = HARNESS_C,
				   .signs = { "codspeed.h" },
				   FREEZE_HEAP,
				   .cases = "codspeed" },
	[HARNESS_NANOBENCH] = { .name = "nanobench",
				.of = HARNESS_C,
				.signs = { "nanobench.h" },
				.cases = "nanobench" },
	[HARNESS_CATCH2] = { .name = "Catch2",
			     .of = HARNESS_C,
			     .signs = { "BENCHMARK_ADVANCED(", "CATCH_CONFIG_ENABLE_BENCHMARKING",
					"catch_benchmark.hpp", "catch_all.hpp",
					"catch_amalgamated.hpp" },
			     .cases = "catch2" },
	[HARNESS_GO] = { .name = "testing.B", .of = HARNESS_OTHER, .cases = "go" },
	[HARNESS_PYTEST_BENCHMARK] = { .name = "pytest-benchmark",
				       .of = HARNESS_OTHER,
				       .cases = "codspeed",
				       FREEZE_SEEDS,
				       .arguments = { "--codspeed" },
				       .why = "pytest-codspeed replaces the fixture benchmark, and "
					      "counts each case alone." },
	[HARNESS_PYTEST_CODSPEED] = { .name = "pytest-codspeed",
				      .of = HARNESS_OTHER,
				      .cases = "codspeed",
				      FREEZE_SEEDS,
				      .arguments = { "--codspeed" } },
	[HARNESS_VITEST] = { .name = "vitest", .of = HARNESS_OTHER, .why = TIMED },
	[HARNESS_TINYBENCH] = { .name = "tinybench",
				.of = HARNESS_OTHER,
				.cannot_run =
					"It repeats its code until enough time has passed: "
					"measure withCodSpeed(bench) of @codspeed/tinybench-plugin "
					"with these settings.",
				.cases = "codspeed" },
	[HARNESS_MITATA] = { .name = "mitata", .of = HARNESS_OTHER, .why = TIMED },
	[HARNESS_BENCHMARK_JS] = { .name = "benchmark.js", .of = HARNESS_OTHER, .why = TIMED },
	[HARNESS_CODSPEED_JS] = { .name = "CodSpeed", .of = HARNESS_OTHER, .cases = "codspeed" },
	[HARNESS_JMH] = { .name = "JMH",
			  .of = HARNESS_OTHER,
			  .cannot_run =
				  "JMH itself takes 550 million instructions: set -bs, how often "
				  "each method runs, so that the methods take more than that." },
};

const struct harness_kind *harness_kind(enum bench_harness harness)
{
	return &kinds[harness];
}

bool harness_fixes_rounds(enum bench_harness harness)
{
	return kinds[harness].cases || harness == HARNESS_OLD_CRITERION;
}

enum bench_harness harness_of_source(const char *text, enum harness_language language)
{
	for (size_t i = 1; text && i < HARNESSES; i++)
		for (size_t k = 0; kinds[i].of == language && k < 6 && kinds[i].signs[k]; k++)
			if (strstr(text, kinds[i].signs[k]))
				return (enum bench_harness)i;
	return HARNESS_NONE;
}
