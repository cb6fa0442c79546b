/* What of the world outside can be made constant for a benchmark (see freeze/frozen.h), by name. */
#ifndef IRDIFF_RUN_FREEZE_H
#define IRDIFF_RUN_FREEZE_H

#include "src/run/kinds.h"

enum freeze {
	FREEZE_PID = 1 << 0,
	FREEZE_RANDOM = 1 << 1,
	FREEZE_TIME = 1 << 2,
	FREEZE_MALLOC = 1 << 3,
};

#define FREEZE_KINDS "malloc, random, time and pid" /* for messages */
#define FREEZE_TEXT 48                              /* room for all names */

extern const struct kind kinds_to_freeze[];

/* The names of a set of them (kind_names). */
const char *freeze_names(unsigned kinds, const char *between, char text[FREEZE_TEXT]);

/* The library that freezes these kinds, the caller's: $IRDIFF_FREEZE_LIBRARY, or the one next to
 * our own program, or the one installed. The one for malloc is beside the other. CG_EIO, with the
 * remedy, if it is missing. */
int freeze_library(unsigned kinds, char **path, struct cg_error *err);

#endif
