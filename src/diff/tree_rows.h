/* Private to diff/: makes the rows of tree.h of the pairs of tree_match.h. */
#ifndef IRDIFF_DIFF_TREE_ROWS_H
#define IRDIFF_DIFF_TREE_ROWS_H

#include "src/diff/groups.h"
#include "src/diff/match.h"
#include "src/diff/tree.h"
#include "src/diff/tree_pairs.h"

/* Two trees, and what is known of their functions and paths. */
struct pairing {
	struct tree_diff *t; /* has the trees, and gets the rows */
	const struct cg_tree *tree[SIDES];
	const struct groups *groups[SIDES]; /* of the diff */
	struct match names;
	struct tree_functions functions;
	struct tree_match match;
	uint32_t *number; /* per pair that is not gone: its number among these */
	uint32_t *pair;   /* per such number */
	uint32_t *order;  /* such numbers, in the order of the rows */
	uint32_t *row;    /* per pair that is not gone */
	/* Per such number and event, in t->costs. */
	int64_t *self[SIDES], *inclusive[SIDES];
};

/* Fills t->rows and t->absorbed. CG_OK, CG_ENOMEM or CG_ERANGE. */
int tree_rows_make(struct pairing *p);
void tree_rows_free(struct pairing *p);

#endif
