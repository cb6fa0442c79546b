/* Private to diff/: the functions of one profile under normalised names. */
#ifndef IRDIFF_DIFF_GROUPS_H
#define IRDIFF_DIFF_GROUPS_H

#include "callgrind/profile.h"

/* Ids are of a string table that both sides share, so they compare as numbers. */
struct group_key {
	cg_str name, object, file;
};

struct groups {
	struct group_key *keys; /* row 0 unused */
	uint32_t count;         /* with row 0 */
	uint32_t *of;           /* group of each function */
};

/* Errors: CG_ENOMEM, CG_ERANGE. Free with groups_free. */
int groups_make(const struct cg_profile *p, struct cg_strings *strings, struct groups *out);
void groups_free(struct groups *g);

#endif
