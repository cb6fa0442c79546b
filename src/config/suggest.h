/* "Did you mean …?" */
#ifndef IRDIFF_CONFIG_SUGGEST_H
#define IRDIFF_CONFIG_SUGGEST_H

#include <stddef.h>

/* The candidate most likely meant by `word`: the one fewest edits away
 * (letters added, left out, changed or swapped; case does not count), the first
 * of equals; three or more letters it begins with count as one edit. NULL if none
 * is near: at most a third of its letters may differ. */
const char *suggest(const char *word, const char *const *candidates, size_t count);

#endif
