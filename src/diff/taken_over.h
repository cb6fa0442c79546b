/*
 * Private to diff/: which functions a caller took over, as a compiler does that inlines them
 * without a trace. That is decided once, from what all calls of both profiles cost, so that it is
 * the same on all paths: a function f that only one side calls from c, or that one side calls at
 * higher cost, is taken over if
 *
 *     - it is in the same object as c;
 *     - it costs itself at least as much as what it calls, or at least half of what it calls is
 *       called by c itself on the other side;
 *     - the self cost of c moved the other way by at least a quarter of what f costs itself in
 *       calls by c. Of several such functions the costliest comes first, and each uses up that
 *       much of the difference; those that both sides call come after the others.
 *
 * The self cost of f is divided among its callers in proportion to what the calls cost. If it is
 * known how often c is called, its costs count for as many calls as the side with fewer has.
 */
#ifndef IRDIFF_DIFF_TAKEN_OVER_H
#define IRDIFF_DIFF_TAKEN_OVER_H

#include <stdbool.h>

#include "callgrind/support/index.h"

struct matching;

struct taken_over_item {
	uint32_t caller[2]; /* by common numbers, in base and in head */
	uint32_t callee;    /* 0: what these callers took over was decided */
	uint32_t side;      /* that calls it */
	bool if_dissolved;  /* only if its pair is dissolved: what it calls costs more */
};

/* Zero-initialise. */
struct taken_over {
	struct taken_over_item *items; /* 0 is the one that is searched for */
	size_t count, cap;
	struct cg_index index;
};

/* *item is NULL if the callers did not take it over. CG_OK or CG_ENOMEM. */
int taken_over_find(struct matching *x, const uint32_t caller[2], uint32_t callee, uint32_t side,
		    const struct taken_over_item **item);

void taken_over_free(struct taken_over *t);

#endif
