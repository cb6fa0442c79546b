/* Which Valgrind to use. */
#ifndef IRDIFF_RUN_VALGRIND_H
#define IRDIFF_RUN_VALGRIND_H

#include <stdbool.h>

#include "cgprofile/error.h"
#include "src/run/interrupt.h"

struct valgrind {
	char *path;    /* absolute; the program itself, not the shell script that
			   * Debian puts in front of it (which costs 5k Ir) */
	char *version; /* "3.19.0" */
	bool codspeed; /* CodSpeed's fork: its version ends in .codspeed */
};

/* Takes `wanted` (may be NULL), else $IRDIFF_VALGRIND, else searches $PATH; the first two may be
 * paths or names. *valgrind is untouched on failure: CG_EIO, with the remedy, if Valgrind is
 * missing or does not run. */
int valgrind_find(const char *wanted, struct interrupts *interrupts, struct valgrind *valgrind,
		  struct cg_error *err);
void valgrind_free(struct valgrind *valgrind);

#endif
