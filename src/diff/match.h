/* Private to diff/: which function of base is which function of head. */
#ifndef IRDIFF_DIFF_MATCH_H
#define IRDIFF_DIFF_MATCH_H

#include "src/diff/groups.h"
#include "src/diff/match_kind.h"

struct match {
	uint32_t *head_of;    /* per base group: its partner in head, 0: none */
	enum diff_match *how; /* per base group */
};

/* Functions of both sides, or roll-ups of them, and which are pairs. */
struct renamed_namespaces;
struct matched_groups {
	struct groups base, head;
	struct match match;
	struct renamed_namespaces *renamed; /* of functions; NULL: none */
};

/* Pairs the groups of two sides that share a string table. CG_OK or CG_ENOMEM. */
int match_groups(const struct cg_strings *strings, const struct groups *base,
		 const struct groups *head, struct match *out);
/* CG_OK or CG_ENOMEM; `count` groups of base. */
int match_copy(const struct match *m, uint32_t count, struct match *out);
void match_free(struct match *m);
void matched_groups_free(struct matched_groups *m);

#endif
