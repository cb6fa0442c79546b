/* How far several measurements are, in a line. */
#ifndef IRDIFF_STATUS_COUNTDOWN_H
#define IRDIFF_STATUS_COUNTDOWN_H

#include <stddef.h>
#include <stdio.h>

struct countdown_step {
	const char *name;
	double seconds; /* it is expected to take; < 0: not known */
	double since;   /* it runs, or has taken */
	enum { STEP_WAITS, STEP_RUNS, STEP_IS_OVER } state;
};

/* Seconds that all will still take with `at_once` at a time, going by how those that are over
 * did; < 0: not known, as nothing is known of one of them. */
double countdown_left(const struct countdown_step *steps, size_t count, unsigned at_once);

/* "1:04, about 2:30 left"; of the rest nothing if it is less than a second, or not known (< 0). */
void countdown_times(FILE *to, double elapsed, double left);

/* "2 of 8 measured; json and lua, 1:04, about 2:30 left": the caller's. NULL: out of memory. */
char *countdown_line(const struct countdown_step *steps, size_t count, unsigned at_once,
		     double elapsed);

#endif
