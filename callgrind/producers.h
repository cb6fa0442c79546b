/*
 * What built an object, as its debug information says (DW_AT_producer): compilers, and, of gcc, the
 * flags that they were called with.
 */
#ifndef CG_PRODUCERS_H
#define CG_PRODUCERS_H

#include <stddef.h>

#include "callgrind/support/error.h"

/* What is kept of one object, at most. */
#define CG_PRODUCERS_MOST 1000

/* "GNU C17 12.2.0 -O2 -g; GNU AS 2.40": each once, that of the most compilation units first. NULL if
 * there is no debug information or none says. *text is the caller's; CG_OK or CG_ENOMEM. Hostile text:
 * control characters are in it as they were. */
int cg_producers(const char *path, char **text);

#endif
