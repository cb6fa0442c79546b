/* Private to diff/: the functions of two profiles under normalised names, or roll-ups of them. */
#ifndef IRDIFF_DIFF_GROUPS_H
#define IRDIFF_DIFF_GROUPS_H

#include "callgrind/support/index.h"
#include "cgprofile/profile.h"

/* Ids are of a string table that both sides share, so they compare as numbers. */
struct group_key {
	cg_str name, object, file;
	cg_str other;    /* the name that it has, or would have, on the other side, where namespaces
			    have other versions in their names (renamed_namespaces.h) */
	cg_str matched;  /* in base `other`, in head `name`; the parts of it: */
	cg_str bare;     /* the name without parameters and the type of what is returned */
	cg_str last;     /* of that the last part, without template arguments */
	cg_str source;   /* the name that all instances of a template have, otherwise `matched` */
	cg_str lambda;   /* the name whatever compilers call lambdas; 0: none in it */
	uint32_t number; /* of the lambda */
};

struct groups {
	struct group_key *keys; /* row 0 unused */
	uint32_t count;         /* with row 0 */
	uint32_t *of;           /* group of each function */
	bool *inlined;          /* per group: some of its code is inlined; not said of a roll-up */
	uint32_t *unnamed;   /* per group: functions without symbol that are one in it; the same */
	uint32_t *functions; /* per group of a roll-up: how many cost something themselves;
	                           otherwise NULL */
};

void groups_free(struct groups *g);

/* Groups of one side as they are found: groups_abandon frees what it still has of them. */
struct growing_groups {
	struct groups g;
	struct cg_index index;
	size_t cap;
};

int groups_begin(const struct cg_profile *p, struct growing_groups *w);
/* The group of this key; a new one if there is none. CG_OK or CG_ENOMEM. */
int groups_find_or_add(struct growing_groups *w, const struct group_key *key, uint32_t *id);
void groups_abandon(struct growing_groups *w);

#endif
