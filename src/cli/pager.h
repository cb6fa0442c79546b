/*
 * What is longer than the screen goes through a pager, as with git: $IRDIFF_PAGER, or else $PAGER,
 * or else less, which ends by itself where all of it can be seen at once ($LESS is FRX if it is not
 * set).
 *
 * One process does the work, another one is the pager, which begins with the first byte that there
 * is to be read, and a third one, which was there before, waits for both: so a terminal is never
 * given back while somebody reads. What is not read when the pager ends is thrown away, so that the
 * work goes on to its end, and to its exit code; if the pager cannot be started, it is written as
 * it is.
 */
#ifndef IRDIFF_CLI_PAGER_H
#define IRDIFF_CLI_PAGER_H

#include <stdbool.h>

/* Where standard output is a terminal and somebody wants a pager: returns true in the process that
 * is to do the work, false in the one that has waited for its end; *exit_code is then the work's.
 * Where not, it returns true and does nothing. Called before there are threads. */
bool pager_begin(int *exit_code);

/* Whether a person sees standard output: it is a terminal, or there is a pager before one. */
bool stdout_is_seen(void);

#endif
