/*
 * Regressions that a team has decided to take: broken limits that do not fail the gate.
 *
 * An acceptance is of one transition: of one benchmark, metric and, for a limit on functions,
 * function, from the count that base had to that of head. It holds for a broken limit of the same
 * benchmark, metric and function if both counts are those, or within the tolerance that was stated
 * when it was accepted, and is stated now. A ceiling asks for no base, so only head is compared
 * then, unless that is 0. Anything else has expired, and somebody has to decide again: also where
 * counts differ only because another machine measured them.
 *
 * What is missing in head is accepted with a count of 0, and without base where that could not
 * count it.
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
	uint64_t tolerance;     /* events by which these vary; 0: by none */
	const char *why, *date; /* YYYY-MM-DD */
	const char *who;        /* NULL: not known */
	uint64_t line;          /* in the file */
};

/* The rule above, for counts of the same subject. */
bool acceptance_holds(const struct acceptance *a, const struct limit *limit,
		      const struct limit_counts *counts);

/* Whether it is of the metric and function of a verdict; `function` is the safe form of its
 * subject. */
bool acceptance_concerns(const struct acceptance *a, const struct limit_verdict *v,
			 const char *function);

/* What is known of the benchmark that was judged. */
struct accepting {
	const struct acceptance *items;
	size_t count;
	const char *benchmark;
	char *(*shown)(const char *name); /* text_safe */
};

/* Broken limits, and what is missing, of which an acceptance holds become LIMIT_ACCEPTED, and no
 * longer count as broken; others name the acceptance that has expired, if there is one. Acceptances
 * are borrowed. CG_OK or CG_ENOMEM. */
int accept_verdicts(const struct accepting *a, struct judgement *j);

#endif
