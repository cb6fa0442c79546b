/*
 * Harnesses that irdiff drives case by case: it asks the program for the names of its cases, and
 * runs it once for each, with one iteration. Only the case is counted, neither the harness nor the
 * other cases, of which each would leave memory and caches in another state.
 *
 * A case lasts from the return of a function in `begins` to the call of one in `ends`, at which
 * callgrind writes its counts (--dump-after, --dump-before). Where the harness only reads a clock,
 * and everything around that is inlined, the reads within its functions `roots` are the marks. A
 * case without `begins` and `ends` is all that is counted.
 *
 * A harness that cannot run a case alone runs all in one process. It repeats each in rounds, of
 * which the last one counts; the clock goes on so fast (freeze/steady_clock.c) that a round has one
 * iteration. Their names are those in the results, which come in the same order.
 *
 * Sources: criterion 0.4 to 0.5 (bencher.rs), divan 0.1 (benchmark/mod.rs), Google Benchmark 1.7
 * (benchmark.cc), the packages test of Rust and testing of Go 1.21 to 1.26, Catch2 2.13 to 3.7
 * (catch_benchmark.hpp, catch_estimate_clock.hpp), nanobench 4.1 to 4.6.
 */
#ifndef IRDIFF_RUN_HARNESS_H
#define IRDIFF_RUN_HARNESS_H

#include <stdbool.h>
#include <stddef.h>

#include "src/run/request.h"
#include "src/run/result.h"
#include "src/run/strings.h"

enum { HARNESS_WORDS = 8, HARNESS_CASES_MAX = 10000 };

/* How the program lists its cases. */
enum harness_list {
	HARNESS_TERSE,   /* "NAME: benchmark", among other lines */
	HARNESS_NAMES,   /* a name on each line */
	HARNESS_RESULTS, /* it runs them: "BenchmarkNAME  1  714 ns/op", among other lines */
	HARNESS_RUNNER,  /* it tells another program, and how each is run (gungraun.h) */
	HARNESS_XML,     /* it runs them, and reports in XML (harness_results.h) */
	HARNESS_TABLE,   /* it runs them, and prints a table (harness_results.h) */
};

/* Lists end with NULL. */
struct harness {
	enum run_cases kind;
	const char *title;
	const char *variables[HARNESS_WORDS]; /* "NAME=VALUE", for both */
	const char *defaults[HARNESS_WORDS];  /* arguments that those of the command override */
	const char *list[HARNESS_WORDS];      /* arguments to list the cases */
	enum harness_list lines;
	/* Arguments to run one. "%" is its name, "^%$" a regular expression for it alone. */
	const char *run[HARNESS_WORDS];
	/* the command's own arguments are given as well, not only to list the cases */
	bool keeps_arguments;
	unsigned freeze; /* enum freeze: what is made constant if nothing is asked for */
	const char *begins[HARNESS_WORDS], *ends[HARNESS_WORDS];
	/* If cases are run together: functions at whose call a round is over, and those at whose
	 * call a case is, of which the last round counts. */
	const char *rounds[HARNESS_WORDS], *done[HARNESS_WORDS];
	bool threads; /* several may run a case at the same time, between the first of each list */
	/* How many it starts for one case, in the last of which that runs alone; 0: not known. */
	unsigned own_threads;
	const char *roots[HARNESS_WORDS]; /* count only below them; NULL first: everywhere */
	/* With roots: how often the clock is read below them, and which read ends the case. If it
	 * is read more or less often, all of the root counts. */
	unsigned reads, last_read;
};

/* Whether a case can have this name: it has no control characters. */
bool harness_is_name(const char *name, size_t len);

/* Fails because of more than HARNESS_CASES_MAX cases. */
int harness_fail_too_many(struct cg_error *err);

/* NULL: the program itself tells where its cases are. */
const struct harness *harness_of(enum run_cases kind);

/* The names of all cases, in the order of the program's output. A name with control characters, and
 * one that was listed before, is left out. */
int harness_read_list(const struct harness *h, const char *text, struct strings *names,
		      struct cg_error *err);

/* Whether one run has all cases. */
bool harness_runs_together(const struct harness *h);

/* Adds the arguments that run one case, or all. */
int harness_add_run(const struct harness *h, const char *name, struct strings *arguments,
		    struct cg_error *err);

/* Adds Valgrind's options that mark a case. */
int harness_add_marks(const struct harness *h, struct strings *arguments, struct cg_error *err);

/* Whether each of the parts that one process wrote belongs to the case. Returns how many do. */
size_t harness_choose(const struct harness *h, const struct run_profile *parts, size_t count,
		      bool *chosen);

/* Where one process ran all cases: sets the number of the case that a part belongs to, 1 the first,
 * 0: none. Returns how many cases ended. One without a part had no marks. */
size_t harness_divide(const struct harness *h, const struct run_profile *parts, size_t count,
		      size_t *case_of);

#endif
