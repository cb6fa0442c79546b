/* Private to report/: members that several JSON reports have. */
#ifndef IRDIFF_REPORT_JSON_MEMBERS_H
#define IRDIFF_REPORT_JSON_MEMBERS_H

#include "src/json/json.h"
#include "src/report/diff_report.h"

/* The member "profile": which one it is. */
void json_add_profile(struct json *j, const struct cg_profile *p,
		      const struct report_origin *origin);
/* "threads": how many the program had, "several", or null where that is not known. */
void json_threads(struct json *j, const struct cg_profile *p);
/* "parts" and "parts_left_out". */
void json_parts(struct json *j, const struct cg_profile *p);

/* Which profile a side of a comparison is; null for one that is missing. */
void json_add_origin(struct json *j, const char *key, const struct report_origin *o,
		     const struct cg_profile *p, bool missing);
/* "verdict": null if it was not judged. */
void json_add_judgement(struct json *j, const struct diff_report *r);
/* "sources": null in another view. */
void json_add_sources(struct json *j, const struct diff_report *r);

#endif
