/* Whether the commits of a bisection were measured in one environment. */
#ifndef IRDIFF_COMMITS_BISECTING_PLACE_H
#define IRDIFF_COMMITS_BISECTING_PLACE_H

#include "src/commits/bisecting.h"
#include "src/commits/revision.h"

/*
 * As revision_measure; `entries` is empty. The first commit sets the environment, and if `here` is
 * set, it is measured, and not taken from the cache. An entry of the cache from another environment
 * is measured again. If it is from another one still, the first entry is from elsewhere: `moved` is
 * set, and ENDED_UNTRUSTED returned, with a message.
 */
enum ending bisect_measure(struct bisection *b, struct revision *side, struct path_list *entries);

/* The same of its one profile, as revision_measure_one. */
enum ending bisect_measure_one(struct bisection *b, struct revision *side, char **entry);

#endif
