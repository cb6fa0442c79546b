/*
 * Regressions that a team has decided to take: broken limits that do not fail the gate.
 *
 * An acceptance is of one benchmark, metric and, for a limit on functions, function; and of the
 * counts that were measured, base0 and head0, in the environment of a digest. It holds for a broken
 * limit of the same benchmark, metric and function with the counts base and head
 *
 *   1. if head = head0, or within the tolerance of it, in whatever environment: counts are
 *      deterministic, or vary by so much. When the count changes
 *      again, for the better or the worse, somebody has to decide again;
 *   2. else, if both environments are known and differ, where counts differ a little without any
 *      change of the program, and if base0, base, head0 and head are above 0: if the growth is not
 *      larger than the accepted one, head / base <= head0 / base0. For a limit `=`, which also a
 *      decrease breaks, the change must have the accepted direction, and not be larger.
 *
 * Else it has expired. All of this is exact integer arithmetic.
 */
#ifndef IRDIFF_DIFF_ACCEPTED_H
#define IRDIFF_DIFF_ACCEPTED_H

#include "src/diff/judge.h"

struct acceptance {
	const char *benchmark;
	const char *metric;   /* with "incl." in front of inclusive costs */
	const char *function; /* NULL: the whole benchmark; as text_safe shows it */
	const char *limit;    /* as it was written, for people */
	bool has_base;
	int64_t base, head;
	uint64_t environment; /* digest; 0: not known */
	const char *why, *date; /* YYYY-MM-DD */
	const char *who;      /* NULL: not known */
	uint64_t line;        /* in the file */
};

/* The rule above, for counts of the same subject. */
bool acceptance_holds(const struct acceptance *a, const struct limit *limit,
		      const struct limit_counts *counts, uint64_t environment);

/* Whether it is of the metric and function of a verdict; `function` is the safe form of its
 * subject. */
bool acceptance_concerns(const struct acceptance *a, const struct limit_verdict *v,
			 const char *function);

/* What is known of the benchmark that was judged. */
struct accepting {
	const struct acceptance *items;
	size_t count;
	const char *benchmark;
	uint64_t environment; /* of head */
	char *(*shown)(const char *name); /* text_safe */
};

/* Broken limits of which an acceptance holds become LIMIT_ACCEPTED, and no longer count as broken;
 * others name the acceptance that has expired, if there is one. Acceptances are borrowed. CG_OK or
 * CG_ENOMEM. */
int accept_verdicts(const struct accepting *a, struct judgement *j);

#endif
