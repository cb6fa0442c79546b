/* Judging a diff against limits. */
#ifndef IRDIFF_DIFF_JUDGE_H
#define IRDIFF_DIFF_JUDGE_H

#include "src/diff/diff.h"
#include "src/diff/limit.h"

/* All verdicts on one diff: one for each limit on the whole benchmark, one for
 * each function that a limit on functions matches. */
struct judgement {
	struct limit_verdict *verdicts; /* in the order of the rules, then of the rows */
	size_t count;
	size_t failing; /* how many fail the gate */
	/* Limits on the heap that match functions of this profile, which is not the heap: if none
	 * of these allocates, they have no verdict. */
	const struct limit **elsewhere;
	size_t nelsewhere;
	struct limit
		*present; /* what a benchmark that is missing in head breaks; NULL: it is there */
};

struct judge_options {
	bool require_base;  /* a limit that has no base, or no function, fails */
	bool allow_removed; /* what is missing in head does not */
	bool alone;         /* a limit of the command line is on this diff, or a mistake */
};

/*
 * Judges `nrules` rules. Names in the verdicts belong to the diff, limits to their sets. A limit on
 * functions applies to the self cost of every row whose name its regex matches, or to the inclusive
 * cost if it says so. What differs by no more than the tolerance of the diff on that metric breaks
 * no limit on differences. A limit on the heap is for the profile of the heap, all others are for
 * the other one of the benchmark. A function that is not in a heap passes as one that allocates
 * nothing; judge_missing_in_heap tells whether it is gone. Without base, only ceilings are judged.
 *
 * What is missing in head has not become faster, it is not measured any more: LIMIT_MISSING fails
 * for a benchmark without head, for a function that a limit is on, and for a module of which no
 * function is left, if they cost enough in base to count as a change. A function that a
 * limit on system calls is on and that made none is missing if its work counts as a change, and the
 * limit matches no other function in head.
 *
 * Errors: CG_EINVAL for a bad regex (with file and line of the limit), CG_ERANGE for one
 * that is too costly, CG_ENOMEM.
 */
int judge(const struct diff *d, const struct limit_rule *rules, size_t nrules,
	  const struct judge_options *options, struct judgement *out, struct cg_error *err);

/*
 * Completes the judgement of a heap by the other profile of the benchmark, `code`, which tells
 * which functions are gone, and which only stopped to allocate: a limit on the former is
 * LIMIT_MISSING, by the rules of judge(). Both diffs must outlive the judgement, and both have base
 * and head. Errors as of judge(); then the judgement is still to be freed.
 */
int judge_missing_in_heap(const struct diff *heap, const struct diff *code,
			  const struct limit_rule *rules, size_t nrules,
			  const struct judge_options *options, struct judgement *judgement,
			  struct cg_error *err);

/* A benchmark of a run, or one of its cases. */
struct judged_bench {
	struct judgement *judgement;
	bool whole; /* all cases of its benchmark were judged */
	bool heap;  /* it is one */
	const char *name;
	const struct diff *diff; /* that was judged */
};

/* Whether one of them has a verdict on a limit; with `matching`, whether it matches a function of
 * one of them, which may be one that does not allocate and so has no verdict. */
bool judge_has_limit(const struct judged_bench *benches, size_t count, const struct limit *limit,
		     bool matching);

/*
 * A limit on functions that matches none guards nothing: it was misspelt, or the function is long
 * gone. So it fails, unless it matches in another benchmark that it is on, or there are others,
 * which were not judged now: a general limit fails only if all benchmarks were (`complete`).
 */
void judge_unmatched(const struct judged_bench *benches, size_t count, bool complete);

/* A limit of the command line that applies to none of the benchmarks: one on the heap if only
 * instructions are compared, or the other way round. One on functions that do not allocate applies
 * if both are compared, as then it is known that it matches. NULL if all apply. */
const struct limit *judge_find_unused(const struct limit_set *own,
				      const struct judged_bench *benches, size_t count);

void judgement_free(struct judgement *j);

#endif
