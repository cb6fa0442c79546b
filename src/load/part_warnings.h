/* Warns about the parts of a profile: sums that differ from those that the file states, what may be
 * truncated, and what is counted twice. */
#ifndef IRDIFF_LOAD_PART_WARNINGS_H
#define IRDIFF_LOAD_PART_WARNINGS_H

#include "cgprofile/profile.h"
#include "src/status/notice.h"

void warn_about_parts(const struct notices *n, struct cg_profile *p);

#endif
