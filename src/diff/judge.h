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
	size_t broken; /* how many fail the gate */
};

/*
 * Judges `nrules` rules. Names in the verdicts belong to the diff, limits to their sets. A limit on
 * functions applies to the self cost of every row whose name its regex matches, or to the inclusive
 * cost if it says so. What differs by no more than the tolerance of the diff on that metric breaks no
 * limit on differences. Without base there is only what ceilings say, and without head there are no
 * verdicts. Errors: CG_EINVAL for a bad regex (with file and line of the limit), CG_ERANGE for one
 * that is too costly, CG_ENOMEM.
 */
int judge(const struct diff *d, const struct limit_rule *rules, size_t nrules, bool require_base,
	  struct judgement *out, struct cg_error *err);
void judgement_free(struct judgement *j);

#endif
