/* Checked arithmetic on event counts. */
#ifndef CG_SUPPORT_NUMBER_H
#define CG_SUPPORT_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Adds `count` counters to `sum`, column by column. False if one would
 * overflow; the sums are then undefined. */
static inline bool cg_add_costs(uint64_t *sum, const uint64_t *costs, size_t count)
{
	bool overflow = false;
	for (size_t i = 0; i < count; i++)
		overflow |= __builtin_add_overflow(sum[i], costs[i], &sum[i]);
	return !overflow;
}

/* The one place where counts are subtracted: head - base as a signed number.
 * Saturates at the ends of int64_t, which only counts above 2^63 can reach. */
static inline int64_t cg_delta(uint64_t base, uint64_t head)
{
	uint64_t size = head >= base ? head - base : base - head;
	if (size > INT64_MAX)
		return head >= base ? INT64_MAX : INT64_MIN;
	return head >= base ? (int64_t)size : -(int64_t)size;
}

#endif
