/* Reports on whether a profile keeps its laws. The struct is a view: it owns nothing. */
#ifndef IRDIFF_REPORT_AUDIT_REPORT_H
#define IRDIFF_REPORT_AUDIT_REPORT_H

#include "cgprofile/audit.h"
#include "src/report/show.h"

struct audit_report {
	const struct cg_profile *profile;
	struct report_origin origin;
	const struct cg_audit *audit;
	const char *filter; /* regex, NULL: none */
	const bool *chosen; /* per function: whether its records are listed */
	size_t top;         /* at most so many rows of each list; 0: all */
};

/* Both return CG_OK or CG_ENOMEM; whether the stream failed is for the caller
 * to ask. */
int show_audit_text(const struct audit_report *r, const struct text_style *style, FILE *to);
/* data/audit.schema.json */
int show_audit_json(const struct audit_report *r, FILE *to);

#endif
