/* Which causes of a difference are shown. */
#ifndef IRDIFF_COMPARE_CHOOSE_CAUSES_H
#define IRDIFF_COMPARE_CHOOSE_CAUSES_H

#include "src/diff/causes.h"
#include "src/view/pattern.h"

struct chosen_causes {
	uint32_t *items; /* in the order of the causes */
	size_t count;
	/* Causes that change the total by more than the threshold and are 0.05 % of the change,
	 * unless the threshold is 0; before filter and top. */
	size_t large;
	size_t hidden;         /* of those that match, those that `top` leaves out */
	size_t smaller;        /* that match and are not in `items`: hidden, or not large */
	int64_t smaller_delta; /* their sum; saturates */
};

/* Takes the first `top` (0: all) of the causes that are large, whose caller or function
 * matches and whose function is not ignored. Patterns may be NULL. Errors: CG_ENOMEM,
 * and those of the patterns. Free with chosen_causes_free. */
int choose_causes(const struct causes *causes, const struct pattern *filter,
		  const struct pattern *ignore, size_t top, struct chosen_causes *out,
		  struct cg_error *err);
void chosen_causes_free(struct chosen_causes *c);

#endif
