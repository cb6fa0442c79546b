/* Signals by their names in irdiff.yml. */
#ifndef IRDIFF_RUN_SIGNALS_H
#define IRDIFF_RUN_SIGNALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of "TERM" or "SIGTERM"; 0: there is no signal of that name that ends a process. */
int signal_number(const char *name);

/* "TERM"; "34" if it has no name. */
#define SIGNAL_TEXT 16
const char *signal_name(int number, char text[SIGNAL_TEXT]);

static inline bool signal_is_in(uint64_t set, int number)
{
	return number > 0 && number < 64 && (set >> number & 1);
}

#endif
