/* How far several measurements are, in a line. */
#ifndef IRDIFF_STATUS_COUNTDOWN_H
#define IRDIFF_STATUS_COUNTDOWN_H

#include <stddef.h>
#include <stdio.h>

struct countdown_step {
	const char *name;
	double seconds; /* that it is expected to take; < 0: not known */
	double since;   /* that it has been running, or has taken */
	enum { STEP_WAITS, STEP_RUNS, STEP_IS_OVER } state;
};

/* Seconds until all have ended with `at_once` at a time, judged by those that have ended; < 0: not
 * known, as nothing is known of one of them. */
double countdown_left(const struct countdown_step *steps, size_t count, unsigned at_once);

/* "1:04, about 2:30 left"; the rest is left out if it is less than a second, or not known (< 0). */
void countdown_times(FILE *to, double elapsed, double left);

/* "2 of 8 measured; json and lua, 1:04, about 2:30 left": the caller's. NULL: out of memory. */
char *countdown_line(const struct countdown_step *steps, size_t count, unsigned at_once,
		     double elapsed);

#endif
