/* Private to report/: filters by which a reader finds the source of a function. */
#ifndef IRDIFF_REPORT_SOURCE_PATTERN_H
#define IRDIFF_REPORT_SOURCE_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

#include "cgprofile/profile.h"

/* A regex that chooses this function: of a long name what follows the scopes, if no other function
 * of the profile has it. False if it takes more room. */
bool source_pattern(const struct cg_profile *p, const char *name, char *pattern, size_t size);

/* The same where there is little room: of a long name also what other functions have, which are
 * shown beside it. */
bool source_pattern_short(const struct cg_profile *p, const char *name, char *pattern, size_t size);

/* Whether a function of this name, in this file, has a cost of its own, so that its source can be
 * shown with costs. */
bool source_has_costs(const struct cg_profile *p, const char *name, const char *file);

#endif
