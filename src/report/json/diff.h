/* Private to report/: what the JSON reports on comparisons share. */
#ifndef IRDIFF_REPORT_JSON_DIFF_H
#define IRDIFF_REPORT_JSON_DIFF_H

#include "src/json/json.h"
#include "src/report/diff_report.h"

/* Which profile it is; null for a side that is missing. */
void json_add_origin(struct json *j, const char *key, const struct report_origin *o,
		     const struct cg_profile *p, bool missing);

/* The member "verdict": null if it was not judged. */
void json_add_judgement(struct json *j, const struct diff_report *r);

/* The member "sources": null in another view. */
void json_add_sources(struct json *j, const struct diff_report *r);

#endif
