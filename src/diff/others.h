/*
 * Many functions that cost little are one in a baseline (report/baseline.h). To compare with it,
 * those of the other side that it does not name are one as well: otherwise what is only written
 * in another way would look new and removed.
 */
#ifndef IRDIFF_DIFF_OTHERS_H
#define IRDIFF_DIFF_OTHERS_H

#include "src/diff/groups.h"

/* Whether self costs are below 0.01 % of the total in every event. */
bool others_is_small(const struct cg_profile *p, const int64_t *self);

/* If `other` has groups called DIFF_OTHERS: puts small groups of `g`, whose names it does not
 * have, into one of that name per object. They stay, empty. CG_OK or CG_ENOMEM. */
int others_join(const struct cg_profile *p, struct cg_strings *strings, const struct groups *other,
		struct groups *g);

#endif
