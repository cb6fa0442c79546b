/*
 * Private to the library: calls of interpreted functions by way of C functions.
 *
 * If f calls sorted(), which calls the key function g, Valgrind records f → sorted → list_sort
 * → g. Where the callers of C functions are not recorded, list_sort is the same for all of
 * Python, and which of its callers g works for is lost. But the call of g has its callers. So it
 * becomes a call that f makes, and what it cost is taken back from the calls on its way: what is
 * left of them is the work of C functions, whose calls have exact costs again.
 *
 * If not all of these calls are there, or one costs less than is to be taken back, the call stays
 * what Valgrind recorded, one by list_sort. So no cost is lost, and none becomes negative.
 */
#ifndef CG_DETOURS_H
#define CG_DETOURS_H

#include "callgrind/build.h"

struct cg_detour {
	uint32_t caller; /* the record of C code that makes the call */
	uint32_t host;   /* the interpreted function for which it does */
	uint32_t inner;  /* the interpreter's record in it that is called; 0: the host itself */
	uint32_t way;    /* a context, its callers: the C function first, host last */
	struct cg_position at;
	uint64_t count;
	size_t number; /* set by cg_detours_add */
};

struct cg_detours {
	struct cg_detour *items;
	int64_t *costs; /* `nevents` for each, by its number */
	size_t count, items_cap, costs_cap;
};

/* Notes a call that was left out. CG_OK or CG_ENOMEM. */
int cg_detours_add(struct cg_detours *d, const struct cg_detour *detour, const int64_t *costs,
		   uint32_t nevents);

/* Takes the costs back from the calls that were read, or adds the call that was left out. Changes
 * the order of the items. CG_OK, CG_ENOMEM or CG_ERANGE. */
int cg_detours_take_back(struct cg_detours *d, struct cg_builder *b);

void cg_detours_free(struct cg_detours *d);

#endif
