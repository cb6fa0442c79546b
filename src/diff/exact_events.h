/* Private to diff/: the events of both sides that the same code counts the same of, wherever it was
 * loaded: instructions, reads, writes and branches, but no misses. */
#ifndef IRDIFF_DIFF_EXACT_EVENTS_H
#define IRDIFF_DIFF_EXACT_EVENTS_H

#include "src/diff/diff.h"

enum { MOST_EXACT_EVENTS = 5 };

struct exact_events {
	int of[2][MOST_EXACT_EVENTS]; /* in base, in head */
	size_t count;
};

struct exact_events find_exact_events(const struct diff *d);

#endif
