/* What the compiler made otherwise of the same source, or of an edited one without vectors. */
#ifndef IRDIFF_DIFF_RECOMPILED_H
#define IRDIFF_DIFF_RECOMPILED_H

#include <stdbool.h>
#include <stdint.h>

/* A function with as many calls in head as in base whose source is the same, and whose machine code
 * is not; or, if it was edited, that costs more and has lost most of its vector instructions. */
struct recompiled {
	char *function, *object, *file; /* as in struct diff_row */
	int64_t base, head; /* the metric, of its code and all that is inlined into it */
	bool edited;
	char *what; /* kinds of instructions that differ; "": none. Safe to print */
};

#endif
