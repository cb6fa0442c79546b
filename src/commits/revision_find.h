/* Which entries of the cache are those of a benchmark of a revision. */
#ifndef IRDIFF_COMMITS_REVISION_FIND_H
#define IRDIFF_COMMITS_REVISION_FIND_H

#include "src/commits/revision.h"

/* Appends the entries that a benchmark's entry refers to: those of its cases, or of the one that
 * alone is asked for, or itself, and that of its heap if it counts that. *whole becomes false if
 * some are missing, and stays unchanged otherwise. */
int revision_list_entries(const struct build_area *w, const struct config_benchmark *b,
			  const char *name, struct path_list *entries, bool *whole,
			  struct cg_error *err);

/* Appends the cached entries of this key: nothing if they are missing, incomplete, not what they
 * claim to be, or measured by others where that is not wanted. Warns about entries that are not
 * what they claim to be. */
int revision_find_entries(const struct build_area *w, struct revision *side,
			  const struct config_benchmark *b, const char *key, const char *text,
			  struct path_list *entries, struct cg_error *err);

#endif
