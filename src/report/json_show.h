/* Private to report/: what the JSON reports on one profile share. */
#ifndef IRDIFF_REPORT_JSON_SHOW_H
#define IRDIFF_REPORT_JSON_SHOW_H

#include "src/report/json.h"
#include "src/report/show.h"

/* The member "profile": which one it is. */
void json_add_profile(struct json *j, const struct cg_profile *p,
		      const struct report_origin *origin);

#endif
