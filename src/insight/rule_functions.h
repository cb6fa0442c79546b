/* Private to insight/: which functions a rule is about. */
#ifndef IRDIFF_INSIGHT_RULE_FUNCTIONS_H
#define IRDIFF_INSIGHT_RULE_FUNCTIONS_H

#include "src/insight/evidence.h"

/* The name, or "???" if it is "". */
const char *name_or_unknown(const char *name);

/* Whether a rule is about the functions that have its event, and so counts that. */
bool rule_counts_event(const struct insight_rule *rule);

/* Which functions of each profile (from `first` on) match a rule, and which only pass on a
 * request of their caller: arrays by function. */
struct rule_functions {
	bool *member[SIDES], *through[SIDES];
	bool any[SIDES];
};

int rule_functions_find(struct evidence_search *f, const struct insight_rule *rule, int first,
			struct rule_functions *out);
void rule_functions_free(struct rule_functions *m);

#endif
