/* Insights in reports. */
#ifndef IRDIFF_REPORT_INSIGHTS_H
#define IRDIFF_REPORT_INSIGHTS_H

#include "src/insight/insight.h"
#include "src/json/json.h"
#include "src/text/text.h"

/* The insight about another compiler or other flags, or NULL. */
const struct insight *insight_of_build(const struct insights *i);

/* One as a section of its own: title, evidence, advice. CG_OK or CG_ENOMEM. */
int insight_text(const struct insight *i, const struct text_style *style, FILE *to);

/* A section with the first of them, but not `said`, which was printed before (or NULL). Prints
 * nothing if `i` is NULL or has no others. CG_OK or CG_ENOMEM. */
int insights_text(const struct insights *i, const struct insight *said,
		  const struct text_style *style, FILE *to);

/* A member "insights": all of them; null if they were not asked for. */
void insights_json(struct json *j, const struct insights *i);

#endif
