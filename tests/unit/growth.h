/*
 * Whether work grows with its size and no faster. Neither the machine nor what else it does says how long
 * that may take: two sizes are compared, by the time of the processor that this program had.
 */
#ifndef TESTS_UNIT_GROWTH_H
#define TESTS_UNIT_GROWTH_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

static uint64_t growth_time(void (*work)(size_t size), size_t size)
{
	enum { TRIES = 3, NS_OF_S = 1000000000 };
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < TRIES; i++) {
		struct timespec begun, ended;
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begun);
		work(size);
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ended);
		uint64_t time = (uint64_t)(ended.tv_sec - begun.tv_sec) * NS_OF_S +
				(uint64_t)ended.tv_nsec - (uint64_t)begun.tv_nsec;
		least = time < least ? time : least;
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
