/*
 * Output that is longer than the screen goes through a pager, as with git: $IRDIFF_PAGER, or else
 * $PAGER, or else less, which exits by itself if the output fits on the screen ($LESS is set to FRX
 * if unset).
 *
 * One process does the work; a second one is the pager, which starts with the first byte of output;
 * the original one waits for both, so that the terminal is not given back while somebody reads.
 * Output that is unread when the pager ends is discarded, so that the work runs to its end and its
 * exit code. If the pager cannot be started, the output is written directly.
 */
#ifndef IRDIFF_CLI_PAGER_H
#define IRDIFF_CLI_PAGER_H

#include <stdbool.h>

/* If standard output is a terminal and a pager is wanted: returns true in the process that does the
 * work, and false in the one that has waited for its end, with the exit code of the work in
 * *exit_code. Otherwise returns true and does nothing. Call it before starting threads. */
bool pager_begin(int *exit_code);

/* Whether a person sees standard output: it is a terminal, or there is a pager before one. */
bool stdout_is_seen(void);

#endif
