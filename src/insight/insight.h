/*
 * Insights: what stands out in a profile, or in the difference of two, with the figures that prove
 * it. Each is found by a rule (rule.h), and only if its evidence holds: what the data does not
 * tell is not said.
 *
 * In a difference an insight is about what changed, and by enough: what counts as a change there
 * (diff.h), and a share of the difference that the rule states. Functions are matched by names as
 * in the difference.
 */
#ifndef IRDIFF_INSIGHT_INSIGHT_H
#define IRDIFF_INSIGHT_INSIGHT_H

#include "src/diff/diff.h"
#include "src/diff/environment.h"
#include "src/diff/tree.h"
#include "src/insight/rule.h"

struct insight {
	const struct insight_rule *rule; /* its id and advice */
	const char *title;
	char *evidence; /* a sentence; names in it are cut, and safe to print */
	const char *function, *object, *file; /* that decided most of it; NULL: none. As in
	                                         struct diff_row */
	double share; /* of the total or of the size of the difference; below 0: against it */
	bool less;    /* it got less: no advice is needed */
};

struct insights {
	struct insight *items; /* the largest share first, then in the order of the rules */
	size_t count;
};

/* What is known of a difference. */
struct insight_diff {
	const struct diff *diff;
	const struct tree_diff *tree; /* NULL: paths were not compared */
	const struct environment_diff *environment;
};

/* Rules and data must outlive the result; free that with insights_free. Errors: CG_ENOMEM, and
 * those of the regexes of rules. */
int insights_of_diff(const struct insight_rules *rules, const struct insight_diff *data,
		     struct insights **out, struct cg_error *err);
/* `metric` is an event, or a derived metric. */
int insights_of_profile(const struct insight_rules *rules, const struct cg_profile *p,
			const char *metric, struct insights **out, struct cg_error *err);
void insights_free(struct insights *i);

#endif
