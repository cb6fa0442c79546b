/* What the directories depend on that survive between builds (kept_files.h). */
#ifndef IRDIFF_COMMITS_KEPT_KEY_H
#define IRDIFF_COMMITS_KEPT_KEY_H

#include "src/commits/revision.h"

/* The key of the set for this side, whose files are in the build area, and the text that it is the
 * digest of. Both are the caller's. */
int kept_key(const struct build_area *w, const struct revision *side, char **key, char **text,
	     struct cg_error *err);

/* Where the build is expected to see its files: what it makes may have this path in it. */
const char *kept_place(const struct build_area *w);

#endif
