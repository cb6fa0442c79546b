/* Why a revision is measured although it was before: what it depends on was another. */
#ifndef IRDIFF_COMMITS_OTHER_KEY_H
#define IRDIFF_COMMITS_OTHER_KEY_H

#include "cgprofile/error.h"
#include "src/commits/revision.h"

/* Writes what two keys (revision_key.h) of the same revision differ in, as a list to follow
 * "another": "cc, $CFLAGS, build:". *out is the caller's. NULL: they are of different revisions, or
 * not of the same missing files, or do not differ. *count is the number of facts. CG_OK or
 * CG_ENOMEM. */
int other_key_facts(const char *of, const char *key, char **out, size_t *count,
		    struct cg_error *err);

/* The cache has no entry of a benchmark of the revision, whose key is the digest of `text`. If it
 * has others of them, says what is different in the nearest one; once of each difference. */
void other_key_tell(struct build_area *w, const struct revision *side,
		    const struct config_benchmark *b, const char *text);

#endif
