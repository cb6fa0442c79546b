/*
 * How much of a path's costs the path itself decided, and not its callers.
 *
 * If a path is called more often in head than in base, its head cost counts only for
 * as many calls as base has: the others were its caller's decision. Called less
 * often, its base cost counts only for as many as head has. So both weights are at
 * most 1, and their quotient is that of the calls:
 *
 *     base / head = calls in head / calls in base
 *
 * Weights are fixed-point numbers: what they scale is rounded, so whoever partitions
 * a cost by them takes differences of rounded numbers.
 */
#ifndef IRDIFF_DIFF_WEIGHT_H
#define IRDIFF_DIFF_WEIGHT_H

#include <stdint.h>

#define WEIGHT_ONE (UINT64_C(1) << 62)

struct weights {
	uint64_t base, head;
};

#define WEIGHTS_ALL ((struct weights){ WEIGHT_ONE, WEIGHT_ONE })

/* Of a path below one with `above`, which is called so often; both numbers above 0. */
static inline struct weights weights_below(struct weights above, uint64_t base_calls,
					   uint64_t head_calls)
{
	unsigned __int128 base = (unsigned __int128)base_calls * above.base;
	unsigned __int128 head = (unsigned __int128)head_calls * above.head;

	if (head > base)
		above.head = (uint64_t)((base + head_calls / 2) / head_calls);
	else
		above.base = (uint64_t)((head + base_calls / 2) / base_calls);
	return above;
}

/* cost * weight, rounded to the nearest number, halves away from 0; a size of at most
 * that of the cost. */
static inline __int128 weight_scale(uint64_t weight, int64_t cost)
{
	__int128 product = (__int128)cost * weight, half = WEIGHT_ONE / 2;
	return (product + (cost < 0 ? -half : half)) / (__int128)WEIGHT_ONE;
}

#endif
