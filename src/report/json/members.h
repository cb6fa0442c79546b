/* Private to report/: members that several JSON reports have. */
#ifndef IRDIFF_REPORT_JSON_MEMBERS_H
#define IRDIFF_REPORT_JSON_MEMBERS_H

#include "src/json/json.h"
#include "src/report/diff_report.h"

/* Which profile it is, without what is not known: the members "name", "path", "command", "commit",
 * "written", "creator", "threads", "units", "samples", "parts" and "parts_left_out". */
void json_origin(struct json *j, const struct report_origin *o, const struct cg_profile *p);
/* The member "profile": the same of the only one, and how it was read. */
void json_add_profile(struct json *j, const struct cg_profile *p,
		      const struct report_origin *origin);

/* Which profile a side of a comparison is; null for one that is missing. */
void json_add_origin(struct json *j, const char *key, const struct report_origin *o,
		     const struct cg_profile *p, bool missing);
/* "verdict": null if it was not judged. */
void json_add_judgement(struct json *j, const struct diff_report *r);
/* "causes": null if they are not known. */
void json_add_causes(struct json *j, const struct diff_report *r);
/* "match": how a path was found on the other side; left out if by its name. */
void json_add_matched(struct json *j, enum diff_match match);
/* "absorbed": the functions whose cost counts as a path's; left out if there are none. */
void json_add_absorbed(struct json *j, const struct tree_diff *t, const struct tree_row *row);
/* How many of `count` rows a document has: unless --top says otherwise, at most `most`. */
size_t json_rows_in_brief(const struct diff_report *r, size_t count, size_t most);
/* "sources": null in another view. */
void json_add_sources(struct json *j, const struct diff_report *r);
/* "instructions": the same. */
void json_add_instructions(struct json *j, const struct diff_report *r);

#endif
