/* Private to report/ and compare/: where functions that a limit is on may be inlined unseen. */
#ifndef IRDIFF_REPORT_UNSEEN_INLINED_H
#define IRDIFF_REPORT_UNSEEN_INLINED_H

#include "src/diff/diff.h"

struct unseen_inlined {
	const char *object; /* not installed; it has no debug information, and costs
	                       enough to matter */
	const char *where;  /* "base", "head" or "base and head" */
};

/* Whether there is such an object; that of head is named first. */
bool unseen_inlined_find(const struct diff *d, struct unseen_inlined *out);

#endif
