/* Private to report/: the parts of a profile in JSON. */
#ifndef IRDIFF_REPORT_JSON_PARTS_H
#define IRDIFF_REPORT_JSON_PARTS_H

#include "cgprofile/profile.h"
#include "src/json/json.h"

/* The member "threads": how many the program had, "several", or null where that is not known. */
void json_threads(struct json *j, const struct cg_profile *p);

/* The members "parts" and "parts_left_out" of the current object. */
void json_parts(struct json *j, const struct cg_profile *p);

#endif
