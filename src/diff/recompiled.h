/* What the compiler made otherwise of the same source. */
#ifndef IRDIFF_DIFF_RECOMPILED_H
#define IRDIFF_DIFF_RECOMPILED_H

#include <stdint.h>

/* A function whose source is the same in base and head, with as many calls, and whose machine code
 * is not. */
struct recompiled {
	char *function, *object, *file; /* as in struct diff_row */
	int64_t base, head; /* the metric, of its code and all that is inlined into it */
	char *what;         /* kinds of instructions that differ; "": none. Safe to print */
};

#endif
