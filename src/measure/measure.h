/* Measuring one command or benchmark and keeping its profile under a label. */
#ifndef IRDIFF_MEASURE_MEASURE_H
#define IRDIFF_MEASURE_MEASURE_H

#include "src/measure/measurement.h"

/*
 * Runs it, writes profiles/LABEL.callgrind and its companions (or the cache entry), for each case
 * its own, and hands over what was written. Errors, the end of a failed benchmark's output
 * included, go to stderr. Returns the exit code: 0, 2, 3, 4, or 128 + N after a signal; *out is the
 * caller's, empty unless it is 0, or 4 as some cases are lost: then it has the others, and these
 * are found in the cache only by the names of their entries.
 */
enum ending measure(const struct measurement *m, struct measured *out);

#endif
