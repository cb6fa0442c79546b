/*
 * Insights: notable patterns in a profile, or in the change between two, with the figures that
 * prove them. Each is found by a rule (rule.h), and only if the data supports its evidence.
 *
 * In a diff an insight is about a change that is large enough: beyond the threshold (diff.h), and
 * by the share of the whole change that the rule requires. Functions are matched by names as in
 * the diff.
 */
#ifndef IRDIFF_INSIGHT_INSIGHT_H
#define IRDIFF_INSIGHT_INSIGHT_H

#include "src/insight/list.h"

/* Rules and data must outlive the result; free that with insights_free. Errors: CG_ENOMEM, and
 * those of the regexes of rules. */
int insights_of_diff(const struct insight_rules *rules, const struct insight_diff *data,
		     struct insights **out, struct cg_error *err);
/* `metric` is an event, or a derived metric; names in evidence may be whole, however long. */
int insights_of_profile(const struct insight_rules *rules, const struct cg_profile *p,
			const char *metric, bool whole_names, struct insights **out,
			struct cg_error *err);

#endif
