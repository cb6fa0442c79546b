/* Insights by the rules a user chose. */
#ifndef IRDIFF_LOAD_INSIGHT_RULES_H
#define IRDIFF_LOAD_INSIGHT_RULES_H

#include "src/config/insights.h"
#include "src/insight/insight.h"

/* NULL: no. */
bool insights_wanted(const char *rules);

struct found_insights {
	struct rule_book *book; /* that was read for it; NULL: none, or a shared one */
	struct insights *list;  /* NULL: not asked for */
};

/* `rules` is a file, "none" or "auto": irdiff's own. `shared` keeps the book of those rules, which
 * the first of several differences reads into it: the caller frees it after all that was found;
 * NULL: there is only one. On failure, too, free with found_insights_free. */
int insights_for_diff(const char *rules, struct rule_book **shared, const struct insight_diff *data,
		      struct found_insights *out, struct cg_error *err);
int insights_for_profile(const char *rules, const struct cg_profile *p, const char *metric,
			 bool whole_names, struct found_insights *out, struct cg_error *err);
void found_insights_free(struct found_insights *f);

#endif
