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
 * Sources: criterion 0.4 to 0.5 (bencher.rs), divan 0.1 (benchmark/mod.rs), Google Benchmark 1.7
 * (benchmark.cc), the packages test of Rust and testing of Go 1.21 to 1.26.
 */
#ifndef IRDIFF_RUN_HARNESS_H
#define IRDIFF_RUN_HARNESS_H

#include <stdbool.h>
#include <stddef.h>

#include "src/run/request.h"
#include "src/run/result.h"
#include "src/run/strings.h"

enum { HARNESS_WORDS = 6, HARNESS_CASES_MAX = 10000 };

/* How the program lists its cases. */
enum harness_list {
	HARNESS_TERSE,   /* "NAME: benchmark", among other lines */
	HARNESS_NAMES,   /* a name on each line */
	HARNESS_RESULTS, /* it runs them: "BenchmarkNAME  1  714 ns/op", among other lines */
	HARNESS_RUNNER,  /* it tells another program, and how each is run (gungraun.h) */
};

/* Lists end with NULL. */
struct harness {
	enum run_cases kind;
	const char *title;
	const char *variables[HARNESS_WORDS]; /* "NAME=VALUE", for both */
	const char *list[HARNESS_WORDS];      /* arguments to list the cases */
	enum harness_list lines;
	/* Arguments to run one. "%" is its name, "^%$" a regular expression for it alone. */
	const char *run[HARNESS_WORDS];
	/* the command's own arguments are given as well, not only to list the cases */
	bool keeps_arguments;
	unsigned freeze; /* enum freeze: what is made constant if nothing is asked for */
	const char *begins[HARNESS_WORDS], *ends[HARNESS_WORDS];
	bool threads; /* several may run a case at the same time, between the first of each list */
	const char *roots[HARNESS_WORDS]; /* count only below them; NULL first: everywhere */
	/* With roots: how often the clock is read below them, and which read ends the case. */
	unsigned reads, last_read;
	bool else_all; /* if it is read more or less often, all of the root counts; else nothing */
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

/* Adds the arguments that run one case. */
int harness_add_run(const struct harness *h, const char *name, struct strings *arguments,
		    struct cg_error *err);

/* Adds Valgrind's options that mark a case. */
int harness_add_marks(const struct harness *h, struct strings *arguments, struct cg_error *err);

/* Whether each of the parts that one process wrote belongs to the case. Returns how many do. */
size_t harness_choose(const struct harness *h, const struct run_profile *parts, size_t count,
		      bool *chosen);

#endif
