/* What a profile of the heap lacks because DHAT cannot see it. */
#ifndef IRDIFF_MEASURE_UNSEEN_ALLOCATIONS_H
#define IRDIFF_MEASURE_UNSEEN_ALLOCATIONS_H

#include "src/measure/measurement.h"

/* Says so if functions that allocate under other names than malloc were called more often than
 * blocks were counted, or else if none were counted. The heap is the last profile; those before it,
 * if any, are of the instructions of the same benchmark. `name` is the label of the heap. */
void tell_unseen_allocations(const struct notices *n, const char *name,
			     const struct measured *measured);

#endif
