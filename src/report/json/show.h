/* Private to report/: what the JSON reports on one profile share. */
#ifndef IRDIFF_REPORT_JSON_SHOW_H
#define IRDIFF_REPORT_JSON_SHOW_H

#include "src/json/json.h"
#include "src/report/show.h"

/* The member "profile": which one it is. */
void json_add_profile(struct json *j, const struct cg_profile *p,
		      const struct report_origin *origin);

/* The costs of the events that are shown, by their names. */
void json_add_costs(struct json *j, const char *key, const struct show_report *r,
		    const int64_t *costs);

#endif
