/* Insights in reports. */
#ifndef IRDIFF_REPORT_INSIGHTS_H
#define IRDIFF_REPORT_INSIGHTS_H

#include "src/insight/insight.h"
#include "src/json/json.h"
#include "src/text/text.h"

/* A section with the first of them: title, evidence, advice. Nothing if there are none (NULL: not
 * asked for). CG_OK or CG_ENOMEM. */
int insights_text(const struct insights *i, const struct text_style *style, FILE *to);

/* A member "insights": all of them; null if they were not asked for. */
void insights_json(struct json *j, const struct insights *i);

#endif
