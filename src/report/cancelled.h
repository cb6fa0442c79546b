/* That a small change is what is left of larger ones, which no cause names. */
#ifndef IRDIFF_REPORT_CANCELLED_H
#define IRDIFF_REPORT_CANCELLED_H

#include "src/report/diff_report.h"

/* A call path with all that is below it. */
struct cancelled_change {
	const struct tree_row *row;
	int64_t delta; /* of the metric, inclusive */
};

/* The one that fell most, and the one that grew most. */
enum { CANCELLED_CHANGES = 2 };

/* Whether the causes are small beside changes that cancel each other out; and the largest of these
 * in both directions. */
bool cancelled_find(const struct diff_report *r, struct cancelled_change out[CANCELLED_CHANGES]);

/* "removed", "new", "regressed" or "improved". */
const char *cancelled_how(const struct diff_report *r, const struct cancelled_change *c);

#endif
