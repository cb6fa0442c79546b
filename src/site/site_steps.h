/* Which steps of a series the site has reports on. */
#ifndef IRDIFF_SITE_SITE_STEPS_H
#define IRDIFF_SITE_SITE_STEPS_H

#include "cgprofile/error.h"
#include "src/history/series.h"

/* Chooses at most `most` steps: in turn the newest and the largest of those that are left. Sizes
 * are shares of the count before; of equal ones, the larger change, and then the newer one. This
 * depends on the series alone, so that a step stays chosen until others are newer or larger.
 * chosen[i] is of s->points[i]; there is room for all. CG_OK or CG_ENOMEM. */
int site_choose_steps(const struct series *s, uint64_t most, bool *chosen, struct cg_error *err);

#endif
