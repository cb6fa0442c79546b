/*
 * By how much counts of a benchmark vary from run to run, as irdiff.yml states it (`tolerance:`)
 * and irdiff verify measures it.
 *
 * A tolerance on a metric is one number of its events: the larger of an amount and of a share of
 * the total of base. A difference of at most so many events, of a total, a function, a path or a
 * module, is no change: it could as well be one of two runs of the same program. What differs by
 * more has changed, by all of the difference.
 */
#ifndef IRDIFF_DIFF_TOLERANCE_H
#define IRDIFF_DIFF_TOLERANCE_H

#include <stddef.h>
#include <stdint.h>

/* Texts belong to whoever stated it. */
struct tolerance {
	const char *metric;
	uint64_t amount; /* events; 0: not given */
	uint64_t share;  /* 10^-9 parts of the total of base (LIMIT_WHOLE); 0: not given */
};

/* Of this metric, by whichever name; NULL: none. */
const struct tolerance *tolerance_find(const struct tolerance *all, size_t count,
				       const char *metric);

/* The events, where so many are the total of base. A share is rounded down. */
uint64_t tolerance_events(const struct tolerance *t, int64_t total);

#endif
