/*
 * Progress on standard error: one line, that comes after half a second, tells how far the work is,
 * for how long, and how long it may still take, and is gone when it ends. Another thread writes it,
 * so that the work need not know the time.
 */
#ifndef IRDIFF_CLI_PROGRESS_H
#define IRDIFF_CLI_PROGRESS_H

#include "src/status/progress.h"

extern const struct progress_display progress_on_terminal;

#endif
