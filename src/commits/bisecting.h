/*
 * The search for the first commit whose count is beyond a mark between those of a good and a bad
 * commit, by bisection, over any branches between them. Commits that cannot be built or measured
 * are skipped. git chooses the commit that halves the rest; the user's own `git bisect` is not
 * involved, and only measurements are kept as state.
 */
#ifndef IRDIFF_COMMITS_BISECTING_H
#define IRDIFF_COMMITS_BISECTING_H

#include "src/commits/build_area.h"

enum bisect_verdict {
	BISECT_GOOD,
	BISECT_BAD,
	BISECT_SKIPPED, /* it could not be built or measured */
};

/* One commit that was tried. */
struct bisect_step {
	struct git_commit commit;
	enum bisect_verdict verdict;
	int64_t count; /* 0 if skipped */
};

/* A case that both good and bad have. */
struct bisect_case {
	char *name; /* "BENCH/CASE" */
	int64_t good, bad;
	/* Set by bisect_compare_cases: */
	int64_t before, after;
	bool crosses; /* its own mark lies between both */
};

struct bisection {
	struct build_area *area;
	const struct config_benchmark *benchmark;
	const char *name;   /* its, or that of one of its cases, "BENCH/CASE"; of a benchmark
	                          that has cases becomes `chosen` */
	const char *metric; /* NULL: Ir, or the first event */
	bool first_parent;
	/* Percent of good's count from which a change is bad; negative: half of the change from
	 * good to bad; more than the tolerance of the benchmark in any case. */
	double threshold;
	/* Called after each; `left` is how many commits may still be the first. */
	void (*said)(const struct bisect_step *step, size_t left, void *arg);
	void *said_arg;
	char *first; /* the entry whose environment all must have; owned. NULL: none is measured */
	bool here;   /* it was measured by this search */
	bool moved;  /* another entry cannot be compared with it */
	/* The result; owned. */
	char *chosen; /* of a benchmark's cases that which changed most between good and
	                          bad, in percent of good; NULL: `name` was that of one profile */
	struct bisect_case *cases; /* of which it was chosen */
	size_t ncases, cases_cap;
	int64_t good_count, bad_count, mark; /* a count at the mark, or beyond it, is bad */
	struct strings good;                 /* ids; the first is the one that the user named */
	char *bad;                           /* the first bad one so far */
	struct strings skipped;
	struct bisect_step *steps;
	size_t nsteps, cap;
	struct strings suspects; /* where skipped ones leave a doubt: all that may be the first */
};

/*
 * Searches. `good` and `bad` are ids of commits; sets `bad` to the first bad commit. Returns the
 * exit code: ENDED_UNUSABLE, with a message, if good is not an ancestor of bad, if their counts do
 * not differ, or if one lacks the case; ENDED_BENCHMARK_FAILED if one of these two cannot be
 * measured; 128 + N after a signal.
 */
enum ending bisect(struct bisection *b, const char *good, const char *bad);
void bisection_free(struct bisection *b);

/* Counts the cases that it chose from in `parent` and in its child, the commit that was found.
 * Returns the exit code. */
enum ending bisect_compare_cases(struct bisection *b, const char *parent);

/* Reads the count of the search's metric from a profile. */
int bisect_count(const struct bisection *b, const char *operand, int64_t *count,
		 struct cg_error *err);

/* "good", "bad", "skipped": for machines, as the counts of an improvement are not bad. */
const char *bisect_verdict_name(enum bisect_verdict verdict);

#endif
