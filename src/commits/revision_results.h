/* What this command has measured of a revision, and what it has failed to measure. */
#ifndef IRDIFF_COMMITS_REVISION_RESULTS_H
#define IRDIFF_COMMITS_REVISION_RESULTS_H

#include "src/commits/revision.h"

/* The entry of this name was measured by this command. */
int revision_remember(struct revision *side, const char *name);
/* The entry of this name was found to be what it claims, which is not looked at again. */
void revision_trust_entry(struct revision *side, const char *name);
/* Whether it was, or was measured by this command. */
bool revision_trusts_entry(const struct revision *side, const char *name);
/* Whether this command has measured all of these entries of the side: they were not in the
 * cache. */
bool revision_has_measured(const struct revision *side, const struct path_list *entries);

/* The benchmark cannot be measured and this is why. The loss takes the names of its lost cases from
 * `measured`, and copies those of the others. Out of memory nothing is noted, and it is tried
 * again. */
void revision_lose(struct revision *side, const struct config_benchmark *b, enum ending ending,
		   struct measured *measured);
/* NULL: it was not tried, or could be measured. */
const struct revision_loss *revision_find_loss(const struct revision *side,
					       const struct config_benchmark *b);
/* The cases that this side has lost of a benchmark, as "BENCH/CASE"; NULL: none, or all. */
const struct path_list *revision_lost_cases(const struct revision *side,
					    const struct config_benchmark *benchmark);

#endif
