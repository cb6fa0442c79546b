/*
 * The circumstances in which two profiles were measured.
 *
 * The driver writes them into the profile as `desc: irdiff.env.KEY: VALUE`
 * (must be equal for counts to be comparable) and `desc: irdiff.subject.KEY:
 * VALUE` (what was measured).
 */
#ifndef IRDIFF_DIFF_ENVIRONMENT_H
#define IRDIFF_DIFF_ENVIRONMENT_H

#include "callgrind/profile.h"

#define ENVIRONMENT_PREFIX "irdiff.env."
#define SUBJECT_PREFIX "irdiff.subject."

struct environment_difference {
	const char *key;        /* without prefix */
	const char *base, *head; /* NULL: not recorded */
};

struct environment_diff {
	bool base_known, head_known; /* whether a side recorded any fact */
	struct environment_difference *differences; /* of the environment, by key */
	size_t count;
};

/* Texts belong to the profiles. If a side recorded nothing, there is nothing to
 * compare and no difference. CG_OK or CG_ENOMEM. */
int environment_compare(const struct cg_profile *base, const struct cg_profile *head,
			struct environment_diff *out);
/* A number that stands for all facts of the environment of a profile; 0: none was recorded. The same
 * on all machines. CG_OK or CG_ENOMEM. */
int environment_digest(const struct cg_profile *p, uint64_t *out);

void environment_diff_free(struct environment_diff *d);

#endif
