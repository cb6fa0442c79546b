/* Building one state of a project: its files are written out at the workshop's place, and its `build:`
 * is run there. */
#ifndef IRDIFF_CMD_SIDE_BUILD_H
#define IRDIFF_CMD_SIDE_BUILD_H

#include "src/cmd/workshop.h"

/* Builds it, unless this command has, and returns the exit code; prints errors. What has failed is not
 * tried again, nor what is known to fail where that is trusted. */
int side_make(struct workshop *w, struct side *side);

/* The directory of the project in what was written out; the caller's. NULL: out of memory. */
char *side_project_directory(const struct workshop *w);

#endif
