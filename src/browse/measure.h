/* By which numbers rows are shown and ordered. */
#ifndef IRDIFF_BROWSE_MEASURE_H
#define IRDIFF_BROWSE_MEASURE_H

#include "src/browse/rows.h"

/* What is shown of two sides; a single profile is head. */
enum browse_show { BROWSE_DELTA, BROWSE_CHANGE, BROWSE_ONLY_BASE, BROWSE_ONLY_HEAD };

enum browse_sort {
	BROWSE_BY_INCLUSIVE,
	BROWSE_BY_SELF,
	BROWSE_BY_CALLS,
	BROWSE_BY_NAME,
	BROWSE_SORTS,
	BROWSE_AS_LISTED = BROWSE_SORTS, /* not a choice: causes have an order */
};

struct browse_measure {
	const struct browse_metric *metric;
	enum browse_show show;
	enum browse_sort sort;
};

/* Rows are ordered by rank, the largest first, then by size, then by name. */
struct browse_rank {
	double ratio; /* of a change; 0 where sizes alone are compared */
	uint64_t size;
};

struct browse_rank browse_rank(const struct browse_measure *m, const struct browse_row *row);

/* Whether nothing of the metric is in a row, on the sides that are shown. Of causes, none is. */
bool browse_is_blank(const struct browse_measure *m, const struct browse_row *row);

bool browse_costs_differ(const struct browse_data *d, const int64_t *base, const int64_t *head);
/* Whether base and head differ, in any metric or in the number of calls. */
bool browse_has_changed(const struct browse_data *d, const struct browse_row *row);
/* The same of one metric. */
bool browse_has_changed_in(const struct browse_metric *metric, const struct browse_row *row);
/* Whether a row costs anything, in any metric. */
bool browse_has_cost(const struct browse_data *d, const struct browse_row *row);

#endif
