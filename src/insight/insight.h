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

#include "src/insight/list.h"

/* Rules and data must outlive the result; free that with insights_free. Errors: CG_ENOMEM, and
 * those of the regexes of rules. */
int insights_of_diff(const struct insight_rules *rules, const struct insight_diff *data,
		     struct insights **out, struct cg_error *err);
/* `metric` is an event, or a derived metric. */
int insights_of_profile(const struct insight_rules *rules, const struct cg_profile *p,
			const char *metric, struct insights **out, struct cg_error *err);

#endif
