/* What the count of a revision depends on, as far as it is known before it is measured. */
#ifndef IRDIFF_COMMITS_REVISION_KEY_H
#define IRDIFF_COMMITS_REVISION_KEY_H

#include "src/commits/revision.h"

/* The key of a build (benchmark NULL) or of a profile, and the text that it is the digest of:
 * one fact a line. Both are the caller's. */
int revision_key(const struct build_area *w, const struct revision *side,
		 const struct config_benchmark *benchmark, char **key, char **text,
		 struct cg_error *err);

#endif
