#include "src/site/site_steps.h"

#include <stdlib.h>

#include "callgrind/support/number.h"

/* Points are in one array, the oldest first. */
static int compare_step_sizes(const void *left, const void *right)
{
	const struct series_point *a = *(const struct series_point *const *)left;
	const struct series_point *b = *(const struct series_point *const *)right;
	const uint64_t size_a = cg_distance(a->previous->count, a->count);
	const uint64_t size_b = cg_distance(b->previous->count, b->count);
	/* Shares, where that of 0 is without bound. */
	unsigned __int128 share_a = (unsigned __int128)size_a * cg_magnitude(b->previous->count);
	unsigned __int128 share_b = (unsigned __int128)size_b * cg_magnitude(a->previous->count);

	if (share_a != share_b)
		return share_a > share_b ? -1 : 1;
	if (size_a != size_b)
		return size_a > size_b ? -1 : 1;
	return (a < b) - (a > b);
}

/* The first of `steps` from *at on that is not chosen. */
static bool choose_next(const struct series *s, const struct series_point *const *steps,
			size_t count, size_t *at, bool *chosen)
{
	while (*at < count && chosen[steps[*at] - s->points])
		++*at;
	if (*at == count)
		return false;
	return chosen[steps[(*at)++] - s->points] = true;
}

int site_choose_steps(const struct series *s, uint64_t most, bool *chosen, struct cg_error *err)
{
	const struct series_point **newest = calloc(s->count + 1, sizeof *newest);
	const struct series_point **largest = calloc(s->count + 1, sizeof *largest);
	size_t count = 0, at_newest = 0, at_largest = 0;

	if (!newest || !largest) {
		free(newest);
		free(largest);
		return cg_fail_nomem(err);
	}
	for (size_t i = s->count; i-- > 0;) {
		chosen[i] = false;
		if (s->points[i].step != STEP_NONE)
			newest[count] = largest[count] = &s->points[i], count++;
	}
	qsort(largest, count, sizeof *largest, compare_step_sizes);
	for (bool by_age = true; most && choose_next(s, by_age ? newest : largest, count,
						     by_age ? &at_newest : &at_largest, chosen);
	     by_age = !by_age)
		most--;
	free(newest);
	free(largest);
	return CG_OK;
}
