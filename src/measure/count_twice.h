/* Whether the counts of a benchmark repeat, of those whose runs end soon under Valgrind. */
#ifndef IRDIFF_MEASURE_COUNT_TWICE_H
#define IRDIFF_MEASURE_COUNT_TWICE_H

#include "src/config/config.h"
#include "src/diff/variation.h"
#include "src/status/ending.h"
#include "src/status/notice.h"

/*
 * Counts the instructions of two runs, which may take `limit` seconds in all; `root` is the
 * project's, absolute. A program that repeats its work until a time is over ends as soon as without
 * Valgrind, and its counts differ; any other one takes many times as long.
 *
 * False: a run failed or did not end in time, so nothing is known. *ending is that of a signal
 * then, if one ended it. Prints nothing.
 */
bool count_twice(const struct config_benchmark *b, const char *root, const struct notices *notices,
		 double limit, struct spread *totals, enum ending *ending);

#endif
