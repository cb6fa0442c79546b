/* Building one state of a project: its files are written out at the area's place, and its
 * `build:` is run there. */
#ifndef IRDIFF_COMMITS_REVISION_BUILD_H
#define IRDIFF_COMMITS_REVISION_BUILD_H

#include "src/commits/revision.h"

/* Builds it, unless this command has, and returns the exit code; prints errors. What has failed is
 * not tried again, nor what is known to fail where that is trusted. */
enum ending revision_make(struct build_area *w, struct revision *side);

/* Whether it is built at the area's place now. */
bool revision_is_made(const struct build_area *w, const struct revision *side);

/* Learns which of its files are missing, if this command does not know it yet: writes them out,
 * and what was built at the area's place is lost. Prints errors. */
enum ending revision_look_for_gaps(struct build_area *w, struct revision *side);

/* The directory of the project in what was written out; the caller's. NULL: out of memory. */
char *revision_project_directory(const struct build_area *w);

#endif
