/*
 * Private to diff/: how often one function calls another in a whole profile, and at what cost. Of a
 * path that is an estimate these are estimates, too; over all paths they are known.
 */
#ifndef IRDIFF_DIFF_CALL_TOTALS_H
#define IRDIFF_DIFF_CALL_TOTALS_H

#include <stdbool.h>

#include "callgrind/support/index.h"

struct matching;

struct call_total {
	uint32_t caller, callee; /* by common numbers; caller 0: all that call it */
	uint32_t next;           /* the next one of the same caller; 0: none */
	bool uncounted;          /* some of inlined code are not known */
	uint64_t calls;          /* saturates */
	int64_t cost;            /* inclusive, of the metric; saturates */
};

/* Costs of a function in the metric, which saturate. Calls by itself do not count. */
struct function_total {
	int64_t self;
	int64_t called, calls; /* inclusive: of all calls to it, of all calls that it makes */
	uint32_t first;        /* of what it calls; 0: nothing */
	uint32_t function;     /* of the profile, one of those with this number */
};

/* Zero-initialise. */
struct call_totals {
	struct call_total *items; /* 0 is the one that is searched for */
	size_t count, cap;
	struct cg_index index;
	struct function_total *functions; /* by common numbers; NULL: not made yet */
};

/* Fills x->totals unless that was done before. CG_OK or CG_ENOMEM. */
int call_totals_make(struct matching *x);

/* NULL if the one never calls the other. */
const struct call_total *call_totals_find(struct matching *x, uint32_t side, uint32_t caller,
					  uint32_t callee);

void call_totals_free(struct call_totals *t);

#endif
