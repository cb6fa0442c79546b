/* Why the costs of call paths are estimated, and what makes them exact. */
#ifndef IRDIFF_REPORT_ESTIMATES_H
#define IRDIFF_REPORT_ESTIMATES_H

#include "src/report/diff_report.h"

/* What follows "~ marks estimates" or "'about' marks estimates", up to the full stop. NULL: out of
 * memory; free() it. */
char *estimates_explain(const struct diff_report *r);

#endif
