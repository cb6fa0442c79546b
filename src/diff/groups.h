/* Private to diff/: the functions of two profiles under normalised names. */
#ifndef IRDIFF_DIFF_GROUPS_H
#define IRDIFF_DIFF_GROUPS_H

#include "callgrind/profile.h"

/* Ids are of a string table that both sides share, so they compare as numbers. */
struct group_key {
	cg_str name, object, file;
	cg_str bare; /* the name without parameters */
};

struct groups {
	struct group_key *keys; /* row 0 unused */
	uint32_t count;         /* with row 0 */
	uint32_t *of;           /* group of each function */
	bool *inlined;          /* per group: some of its code is inlined */
	uint32_t *unnamed;      /* per group: functions without symbol that are one in it */
};

/* Errors: CG_ENOMEM, CG_ERANGE. Free both with groups_free. */
int groups_make(const struct cg_profile *base, const struct cg_profile *head,
		struct cg_strings *strings, struct groups *base_out, struct groups *head_out);
void groups_free(struct groups *g);

#endif
