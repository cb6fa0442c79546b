/*
 * The libraries that benchmarks are written with. They repeat the code until enough time has
 * passed, so a benchmark is measured case by case, or by a command that does a fixed amount of
 * work.
 */
#ifndef IRDIFF_INIT_BENCH_HARNESS_H
#define IRDIFF_INIT_BENCH_HARNESS_H

#include <stdbool.h>

enum bench_harness {
	HARNESS_NONE, /* or not known */
	HARNESS_CRITERION,
	HARNESS_OLD_CRITERION, /* before 0.4 */
	HARNESS_DIVAN,
	HARNESS_LIBTEST,
	HARNESS_LIBTEST_TESTS,     /* tests, of which it repeats none */
	HARNESS_GUNGRAUN_PROGRAMS, /* a binary_benchmark_group! */
	HARNESS_GUNGRAUN,
	HARNESS_CODSPEED_RUST,
	HARNESS_GOOGLE_BENCHMARK,
	HARNESS_CODSPEED_CPP,
	HARNESS_NANOBENCH,
	HARNESS_CATCH2,
	HARNESS_GO,
	HARNESS_PYTEST_BENCHMARK,
	HARNESS_PYTEST_CODSPEED,
	HARNESS_VITEST,
	HARNESS_TINYBENCH,
	HARNESS_MITATA,
	HARNESS_BENCHMARK_JS,
	HARNESS_CODSPEED_JS,
	HARNESS_JMH,
	HARNESSES,
};

enum harness_language { HARNESS_RUST, HARNESS_C, HARNESS_OTHER };

/* All strings are static. */
struct harness_kind {
	const char *name;         /* "Google Benchmark" */
	enum harness_language of; /* where `signs` are looked for */
	const char *signs[6];     /* texts in a source that uses it; NULL: no more */
	const char *root;         /* the value of `root:`; NULL: it has none */
	const char *cases;        /* the value of `cases:` in irdiff.yml; NULL: it has none */
	const char *freeze;       /* the value of `freeze:`; NULL: it has none */
	const char *why_freeze;   /* the reason for that, for a comment */
	const char *arguments[5]; /* that fix the amount of work; NULL: no more */
	const char *why;          /* the reason for these, for a comment; NULL: no comment */
	const char *cannot_run;   /* why a benchmark is a comment; NULL: it can be run */
};

const struct harness_kind *harness_kind(enum bench_harness harness);

/* Whether irdiff or the harness's arguments say how often code runs, and not the clock. */
bool harness_fixes_rounds(enum bench_harness harness);

/* Which one a source uses, of those of a language. */
enum bench_harness harness_of_source(const char *text, enum harness_language language);

#endif
