/* Sorting what is mostly in order already. */
#ifndef CG_SUPPORT_SORT_H
#define CG_SUPPORT_SORT_H

#include <stdlib.h>

/* As qsort_r, if any two neighbours are out of order. */
static inline void cg_sort_unordered(void *items, size_t count, size_t size,
				     int (*compare)(const void *, const void *, void *),
				     void *context)
{
	const char *at = items;

	for (size_t i = 1; i < count; i++, at += size) {
		if (compare(at, at + size, context) <= 0)
			continue;
		qsort_r(items, count, size, compare, context);
		return;
	}
}

#endif
