/* What insights say of two profiles, which is the same in every view but for call paths. */
#ifndef IRDIFF_COMPARE_FIND_INSIGHTS_H
#define IRDIFF_COMPARE_FIND_INSIGHTS_H

#include "src/compare/comparison.h"

/* Finds those of a comparison that is otherwise made, of the operands `base` and `head`, and what
 * they rest on: c->other_code. None concerns a filter that matches no function, which is found out,
 * too. */
int comparison_find_insights(struct comparison *c, const struct project *project, const char *base,
			     const char *head, struct cg_error *err);

#endif
