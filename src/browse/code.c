#include "src/browse/code.h"

#include "callgrind/support/number.h"

static uint64_t change_of(const struct browse_metric *m, const int64_t *const *costs)
{
	return cg_distance(browse_value(m, BROWSE_BASE, costs[BROWSE_BASE]),
			   browse_value(m, BROWSE_HEAD, costs[BROWSE_HEAD]));
}

/* How much speaks for a line in this step: the change of its self cost, of its inclusive cost, and
 * its inclusive cost in head. */
static uint64_t weight_of_line(const struct browse_metric *m, const struct code_line *l, int step)
{
	switch (step) {
	case 0:
		return change_of(m, l->self);
	case 1:
		return change_of(m, l->inclusive);
	default:
		return cg_magnitude(browse_value(m, BROWSE_HEAD, l->inclusive[BROWSE_HEAD]));
	}
}

size_t code_costliest(const struct code *c, const struct browse_metric *m)
{
	enum { STEPS = 3 };
	size_t best = 0;
	uint64_t most = 0;

	for (int step = 0; step < STEPS && !most; step++)
		for (size_t i = 0; i < c->count; i++) {
			uint64_t weight = weight_of_line(m, &c->lines[i], step);
			if (weight > most) {
				most = weight;
				best = i;
			}
		}
	return best;
}
