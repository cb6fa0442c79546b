/*
 * The difference of two calling-context trees: one row per path of calls.
 *
 *     delta of a row's inclusive cost = delta of its self cost
 *                                       + the deltas of its children
 *     delta of the totals             = the self deltas of all rows
 *
 * Both are checked for every event and side when the rows are made. Paths are
 * the same if their functions are, one by one, as in the flat difference
 * (diff.h), and inlined in both or in neither. Clones of one function below one
 * caller are one row.
 *
 * `match` says how a row's function was found on the other side. More ways to
 * match rows belong between pairing and ordering (tree.c): whatever pairs a row of
 * base with one of head without touching self costs keeps the laws.
 */
#ifndef IRDIFF_DIFF_TREE_H
#define IRDIFF_DIFF_TREE_H

#include "callgrind/tree.h"
#include "src/diff/diff.h"

struct tree_side {
	bool present;
	bool estimated; /* the profile does not say by which paths it, or one below, was called */
	uint64_t calls; /* from the parent; 0: not known */
	const int64_t *self, *inclusive; /* events of this side's profile, zeros if absent */
};

struct tree_row {
	const char *name, *object, *file; /* as in a flat row; "" in row 0 */
	uint32_t parent;                  /* a lower row; 0: a root */
	uint32_t depth;                   /* 1: a root */
	uint32_t end;                     /* behind its last descendant */
	bool inlined;
	enum diff_match match;
	struct tree_side base, head;
};

struct tree_diff {
	const struct diff *diff; /* profiles, options and metrics */
	/* Depth first, of siblings the largest |delta| of inclusive cost first; a
	 * total order. Row 0 is the whole program. */
	struct tree_row *rows;
	uint32_t count;
	bool exact; /* both trees are */
	struct cg_strings strings;
	struct cg_tree *base, *head;
};

/* The profiles of `d` are best read with contexts; `d` must outlive the result.
 * Errors: CG_ENOMEM, CG_ERANGE (costs of both signs exceed 2^63 on a path),
 * CG_ELAW (a bug: the rows do not add up). */
int tree_diff_make(const struct diff *d, struct tree_diff **out, struct cg_error *err);
void tree_diff_free(struct tree_diff *t);

/* By the inclusive cost. */
enum diff_class tree_diff_classify(const struct tree_diff *t, const struct tree_row *row);

#endif
