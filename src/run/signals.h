/* Signals: their names in irdiff.yml, and resetting them in a child. */
#ifndef IRDIFF_RUN_SIGNALS_H
#define IRDIFF_RUN_SIGNALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of "TERM" or "SIGTERM"; 0: no signal of that name ends a process. */
int signal_number(const char *name);

#define SIGNAL_TEXT 16 /* room for any name */

/* "TERM"; NULL if it has no such name. */
const char *signal_name(int number);

/* Restores the defaults of all signals, in a child: the starter of irdiff may ignore signals that
 * must end it. */
void signals_reset(void);

static inline bool signal_is_in(uint64_t set, int number)
{
	return number > 0 && number < 64 && (set >> number & 1);
}

#endif
