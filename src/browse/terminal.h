/* The terminal in which a browser is: reads its keys, shows its screen, and leaves all in order. */
#ifndef IRDIFF_BROWSE_TERMINAL_H
#define IRDIFF_BROWSE_TERMINAL_H

#include <stdio.h>

#include "src/browse/browse.h"

/*
 * Runs until the person quits, or SIGINT, SIGTERM or SIGHUP arrives; *signal is that one, or 0: the
 * caller is to act on it. `in` and `out` are a terminal. Errors: CG_EINVAL (it cannot do what is
 * needed), CG_EIO, CG_ENOMEM.
 */
int browse_run(struct browse *b, FILE *in, FILE *out, bool color, int *signal,
	       struct cg_error *err);

#endif
