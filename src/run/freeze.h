/* What of the world outside can be made constant for a benchmark (see freeze/frozen.h), by name. */
#ifndef IRDIFF_RUN_FREEZE_H
#define IRDIFF_RUN_FREEZE_H

#include "src/run/kinds.h"

enum freeze {
	FREEZE_PID = 1 << 0,
	FREEZE_RANDOM = 1 << 1,
	FREEZE_TIME = 1 << 2,
};

#define FREEZE_KINDS "random, time and pid" /* for messages */
#define FREEZE_TEXT 32                      /* room for all names */

extern const struct kind kinds_to_freeze[];

/* The names of a set of them (kind_names). */
const char *freeze_names(unsigned kinds, const char *between, char text[FREEZE_TEXT]);

/* The freeze library, the caller's: $IRDIFF_FREEZE_LIBRARY, or the one next to our own program,
 * or the one installed. CG_EIO, with the remedy, if it is missing. */
int freeze_library(char **path, struct cg_error *err);

#endif
