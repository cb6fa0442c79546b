/* Private to insight/: one function for each kind of rule, which adds what it finds. */
#ifndef IRDIFF_INSIGHT_FINDERS_H
#define IRDIFF_INSIGHT_FINDERS_H

#include "src/insight/evidence.h"

/* All of them: CG_OK, also if the evidence does not hold, or an error. */
int find_calls(struct evidence_search *f, const struct insight_rule *rule);
int find_little(struct evidence_search *f, const struct insight_rule *rule);
int find_growth(struct evidence_search *f, const struct insight_rule *rule);
int find_depth(struct evidence_search *f, const struct insight_rule *rule);
int find_other_build(struct evidence_search *f, const struct insight_rule *rule);
int find_same_code(struct evidence_search *f, const struct insight_rule *rule);
int find_recompiled(struct evidence_search *f, const struct insight_rule *rule);
int find_variants(struct evidence_search *f, const struct insight_rule *rule);

#endif
