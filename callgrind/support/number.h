/* Checked arithmetic on event counts. */
#ifndef CG_SUPPORT_NUMBER_H
#define CG_SUPPORT_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Adds `count` counters to `sum`, column by column. False if one would
 * overflow; the sums are then undefined. */
static inline bool cg_add_costs(int64_t *sum, const int64_t *costs, size_t count)
{
	bool overflow = false;
	for (size_t i = 0; i < count; i++)
		overflow |= __builtin_add_overflow(sum[i], costs[i], &sum[i]);
	return !overflow;
}

/* The same with differences. */
static inline bool cg_subtract_costs(int64_t *from, const int64_t *costs, size_t count)
{
	bool overflow = false;
	for (size_t i = 0; i < count; i++)
		overflow |= __builtin_sub_overflow(from[i], costs[i], &from[i]);
	return !overflow;
}

/* Sums that are only weighed or shown: they stay at the ends of what they can be. */
static inline void cg_add_cost_clipped(int64_t *sum, int64_t cost)
{
	if (__builtin_add_overflow(*sum, cost, sum))
		*sum = cost < 0 ? INT64_MIN : INT64_MAX;
}

static inline void cg_add_costs_clipped(int64_t *sum, const int64_t *costs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		cg_add_cost_clipped(&sum[i], costs[i]);
}

static inline void cg_add_count_clipped(uint64_t *sum, uint64_t count)
{
	if (__builtin_add_overflow(*sum, count, sum))
		*sum = UINT64_MAX;
}

/* The size of a cost, whatever its sign. */
static inline uint64_t cg_magnitude(int64_t cost)
{
	return cost < 0 ? -(uint64_t)cost : (uint64_t)cost;
}

/* Larger first, of two of one size the positive one; for sorting. */
static inline int cg_compare_sizes(int64_t a, int64_t b)
{
	uint64_t x = cg_magnitude(a), y = cg_magnitude(b);
	if (x != y)
		return x < y ? 1 : -1;
	return (a < b) - (a > b);
}

/* How far two costs are apart; exact. */
static inline uint64_t cg_distance(int64_t a, int64_t b)
{
	return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

/* The one place where costs are subtracted: head - base. Saturates at the ends
 * of int64_t, which only costs beyond 2^62 can reach. */
static inline int64_t cg_delta(int64_t base, int64_t head)
{
	int64_t delta;
	if (__builtin_sub_overflow(head, base, &delta))
		return head >= base ? INT64_MAX : INT64_MIN;
	return delta;
}

/* The larger first; for qsort of uint64_t. */
static inline int cg_larger_first(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
	return (a < b) - (a > b);
}

#endif
