/*
 * Whether the database of the history is as an irdiff left it that had checked all of its pages:
 * the file .irdiff/history.checked says what it was like then. Whoever else writes to it makes the
 * next irdiff check it again.
 */
#ifndef IRDIFF_STORE_HISTORY_CHECKED_H
#define IRDIFF_STORE_HISTORY_CHECKED_H

#include <stdbool.h>

/* Before it is opened. */
bool history_was_checked(const char *root, const char *path);

/* After it is closed. Without the file, the next irdiff checks all pages. */
void history_set_checked(const char *root, const char *path);

#endif
