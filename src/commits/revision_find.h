/* Which entries of the cache are those of a benchmark of a revision. */
#ifndef IRDIFF_COMMITS_REVISION_FIND_H
#define IRDIFF_COMMITS_REVISION_FIND_H

#include "src/commits/revision.h"

/* Appends the entries that the one of a benchmark stands for: those of its cases, or itself. *whole
 * is false if some are missing, and else stays as it is. */
int revision_list_entries(const struct build_area *w, const char *name, struct path_list *entries,
			  bool *whole, struct cg_error *err);

/* Appends what is in the cache for this key: nothing if it is not there, not whole, not what it is
 * called, or measured by others where that is not wanted. Warns of entries that are not what they
 * are called. */
int revision_find_entries(const struct build_area *w, const struct revision *side,
			  const struct config_benchmark *b, const char *key, const char *text,
			  struct path_list *entries, struct cg_error *err);

#endif
