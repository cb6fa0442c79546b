/* Signals: their names in irdiff.yml, and what they do in a child. */
#ifndef IRDIFF_RUN_SIGNALS_H
#define IRDIFF_RUN_SIGNALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of "TERM" or "SIGTERM"; 0: there is no signal of that name that ends a process. */
int signal_number(const char *name);

#define SIGNAL_TEXT 16 /* for any such name, and its end */

/* "TERM"; NULL if it has no such name. */
const char *signal_name(int number);

/* In a child: whoever started irdiff may ignore signals that are to end it. */
void signals_reset(void);

static inline bool signal_is_in(uint64_t set, int number)
{
	return number > 0 && number < 64 && (set >> number & 1);
}

#endif
