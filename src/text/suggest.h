/* "Did you mean …?" */
#ifndef IRDIFF_TEXT_SUGGEST_H
#define IRDIFF_TEXT_SUGGEST_H

#include <stddef.h>

/* The candidate most likely meant by `word`: the one fewest edits away
 * (letters added, left out, changed or swapped; case does not count), the first
 * of equals; three or more letters it begins with count as one edit, but "dom/print" is nearer to
 * "dom/prnt" than "dom" is. NULL if none is near: at most a third of its letters may differ. */
const char *suggest(const char *word, const char *const *candidates, size_t count);

/* The end of a message about an unknown `word`: "; did you mean 'a'? others: b, c", or
 * "; available: b, c" if none is near; "" without candidates. It names a handful, and says how many
 * more there are and `where` all are listed: "irdiff show". NULL: out of memory; free() it. */
char *suggest_known(const char *word, const char *const *candidates, size_t count,
		    const char *where);

#endif
