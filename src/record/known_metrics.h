/* Which metrics a history has, for messages about one that it does not have. */
#ifndef IRDIFF_RECORD_KNOWN_METRICS_H
#define IRDIFF_RECORD_KNOWN_METRICS_H

#include "src/record/load_series.h"

/* The end of a message about `unknown`: `before` and the names of all recorded and derived metrics
 * of the rows of these series, as in "; it has: Ir Dr"; with count 0, of all rows. "" if there are
 * none but `unknown`, which rows of other commits may have. NULL: out of memory; free() it. */
char *known_metrics(const struct history_book *book, const struct loaded_series *of, size_t count,
		    const char *unknown, const char *before);

#endif
