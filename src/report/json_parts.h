/* Private to report/: the parts of a profile in JSON. */
#ifndef IRDIFF_REPORT_JSON_PARTS_H
#define IRDIFF_REPORT_JSON_PARTS_H

#include "callgrind/profile.h"
#include "src/report/json.h"

/* The members "parts" and "parts_left_out" of the current object. */
void json_parts(struct json *j, const struct cg_profile *p);

#endif
