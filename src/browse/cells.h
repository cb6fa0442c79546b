/* Text in columns of a terminal, as wide as the C library says that characters are. */
#ifndef IRDIFF_BROWSE_CELLS_H
#define IRDIFF_BROWSE_CELLS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Exactly `columns` columns of a text: what does not fit is cut off at the end, where "…" says so,
 * and blanks are in front of it (right) or after it. What could harm a terminal is escaped, tabs
 * are blanks, and what the locale cannot show is "?", or for our own signs something like them.
 * NULL: out of memory; free() it.
 */
char *cells_fit(const char *text, size_t columns, bool right);

/* Columns that a text takes, as it would be shown. */
size_t cells_width(const char *text);

#endif
