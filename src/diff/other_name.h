/* Under which other name a function may be on the other side of a diff. */
#ifndef IRDIFF_DIFF_OTHER_NAME_H
#define IRDIFF_DIFF_OTHER_NAME_H

#include "src/diff/diff.h"
#include "src/diff/metric.h"

/* What is looked for: a function that only one side has, and that is alike there. */
struct wanted_name {
	const struct metric *metric; /* of that side; NULL: by calls */
	bool in_head;                /* that side; otherwise base */
	bool inclusive;
	int64_t cost;               /* of the function on its own side, or its calls */
	const struct diff_row *row; /* the function; only used for calls */
};

/* The name of the function whose cost is the nearest, if it is between half and twice as much;
 * *cost becomes its cost. NULL: no function is like that, or *looked_at, which counts rows of all
 * searches, is too large; *cost does not change then. */
const char *find_other_name(const struct diff *d, const struct wanted_name *wanted,
			    uint64_t *looked_at, int64_t *cost);

/* How often a function was called on a side; 0 if it is not there. The side has calls. */
int64_t diff_calls(const struct diff *d, const struct diff_row *row, bool head);

#endif
