/*
 * A baseline adds up the many functions that cost little (report/baseline.h). A profile that is
 * compared with it adds up those that the baseline does not name in the same way: otherwise they
 * would look new, and the sum removed.
 */
#ifndef IRDIFF_DIFF_SMALL_FUNCTIONS_H
#define IRDIFF_DIFF_SMALL_FUNCTIONS_H

#include "src/diff/groups.h"

/* The name under which a baseline adds up the functions of an object that each cost little. */
#define SMALL_FUNCTIONS_NAME "(other functions)"

/* Whether self costs are below 0.01 % of the total in every event. */
bool function_is_small(const struct cg_profile *p, const int64_t *self);

/* If `other` has groups called SMALL_FUNCTIONS_NAME: puts each small group of `g` whose name
 * `other` does not have into one group of that name per object. The small groups stay, but are
 * empty. CG_OK or CG_ENOMEM. */
int small_functions_join(const struct cg_profile *p, struct cg_strings *strings,
			 const struct groups *other, struct groups *g);

#endif
