/* Why the costs of call paths are estimated, and what makes them exact. */
#ifndef IRDIFF_REPORT_ESTIMATES_H
#define IRDIFF_REPORT_ESTIMATES_H

#include "src/report/diff_report.h"

/* What follows "~ marks estimates", up to the full stop. NULL: out of memory; free() it. */
char *estimates_explain(const struct tree_diff *t);

/* What causes are if estimates of calls would only be guesswork, without a full stop; "": they are
 * of estimates, or of what is known. */
const char *estimates_replaced(const struct diff_report *r);

#endif
