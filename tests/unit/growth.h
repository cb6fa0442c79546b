/*
 * Whether work grows with its size and no faster. Neither the machine nor what else it does says
 * how long that may take: two sizes are compared, by the time of the processor that this program
 * had.
 */
#ifndef TESTS_UNIT_GROWTH_H
#define TESTS_UNIT_GROWTH_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

static uint64_t growth_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* In nanoseconds. Small work is repeated: the clock of the processor may tick in steps of 10 ms. */
static uint64_t growth_time(void (*work)(size_t size), size_t size)
{
	enum { TRIES = 3, LEAST_NS = 50000000 };
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < TRIES; i++) {
		uint64_t begun = growth_now(), runs = 0, took = 0;
		for (; took < LEAST_NS; runs++) {
			work(size);
			took = growth_now() - begun;
		}
		least = took / runs < least ? took / runs : least;
	}
	return least;
}

/* 16 times the work takes 16 times as long, or 256 times if it grows with the square. */
static bool grows_in_proportion(void (*work)(size_t size), size_t size)
{
	enum { TIMES = 16, MOST = 80 };

	return growth_time(work, size) < MOST * growth_time(work, size / TIMES);
}

#endif
