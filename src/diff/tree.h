/*
 * The difference of two calling-context trees: one row per path of calls.
 *
 *     delta of a row's inclusive cost = delta of its self cost
 *                                       + the deltas of its children
 *     delta of the totals             = the self deltas of all rows
 *
 * Both are checked for every event and side when the rows are made. Paths are the
 * same if their functions are, one by one, as in the flat difference (diff.h), and
 * beyond that as tree_match.h says, so that a function which is inlined, wrapped or
 * renamed does not make all below it new. `match` says how a row's function was
 * found on the other side. Clones of one function below one caller are one row.
 */
#ifndef IRDIFF_DIFF_TREE_H
#define IRDIFF_DIFF_TREE_H

#include "cgprofile/tree.h"
#include "src/diff/diff.h"
#include "src/diff/tree_step.h"
#include "src/diff/weight.h"

struct tree_side {
	bool present;
	bool inlined;    /* into its parent, in all places that are this row */
	bool estimated;  /* the profile does not say by which paths it, or one below, was called */
	bool cut;        /* its self cost includes everything below it */
	uint32_t node;   /* of the side's tree, the first of several; 0: row 0, or absent */
	uint64_t calls;  /* from the parent; 0: not known */
	const char *via; /* called by this function, which was dissolved; NULL: by its parent */
	const int64_t *self, *inclusive; /* events of this side's profile, zeros if absent */
};

struct tree_row {
	const char *name, *object, *file; /* of head if it is there; "" in row 0 */
	const char *base_name;            /* the name in base, if it is there */
	uint32_t function, base_function; /* one number for one function, in all rows; 0: row 0 */
	uint32_t parent;                  /* a lower row; 0: a root */
	uint32_t depth;                   /* 1: a root */
	uint32_t end;                     /* after its last descendant */
	enum diff_match match;
	struct weights weights; /* of its costs; see causes.h */
	bool unchanged_below;   /* what it calls has no rows: see enum tree_rows */
	bool calls_moved;       /* as many over all paths: what differs here, even if only one side
	                           has the row, differs the other way elsewhere */
	uint32_t absorbed;      /* the first of tree_diff.absorbed */
	uint32_t nabsorbed;
	struct tree_side base, head;
};

/* Of both sides, by the numbers that rows have. */
struct tree_function {
	const char *name, *file; /* of head if it is there */
	const char *base_name;   /* in base; NULL: it is not there */
	const char *matched;     /* the name, in which namespaces have the versions of head */
	bool in_head;
	uint32_t source; /* the lowest number of all instances of one function in the source, in
	                    the same file and object */
};

/* A function that only one side calls and whose cost counts as its caller's. */
struct tree_absorption {
	const char *name, *object, *file;
	bool in_head; /* otherwise in base */
};

struct tree_diff {
	const struct diff *diff; /* profiles, options and metrics */
	/* Depth first, of siblings the largest |delta| of inclusive cost first; a
	 * total order. Row 0 is the whole program. */
	struct tree_row *rows;
	uint32_t count;
	struct tree_absorption *absorbed;
	size_t nabsorbed;
	/* Rows of renamed functions, one of each, in the order of their names in base, and in
	 * head; of those of one name, by their objects. */
	uint32_t *renamed_in_base, *renamed_in_head;
	size_t nrenamed;
	struct tree_function *functions; /* per number; 0 is unused */
	uint32_t nfunctions;             /* with 0 */
	uint32_t *base_function;         /* per function of base's profile: its number */
	uint32_t *head_function;         /* the same of head */
	bool exact;                      /* both trees are */
	struct cg_tree *base, *head;
	int64_t *costs; /* of the rows */
};

static inline bool tree_function_in_both(const struct tree_function *f)
{
	return f->base_name && f->in_head;
}

/* Whether it is inlined on all sides that have it. */
static inline bool tree_row_inlined(const struct tree_row *r)
{
	return (r->base.inlined || !r->base.present) && (r->head.inlined || !r->head.present);
}

/* Which paths have rows. Without TREE_EVERY_ROW, those below a function have none if all of them
 * are the same on both sides, in functions, costs and calls: node n + i of the one tree is node
 * m + i of the other, where n and m are those of the row. The laws hold with what they cost as part
 * of that row's inclusive cost. */
enum tree_rows {
	TREE_CHANGED_ROWS,
	TREE_EVERY_ROW,
};

/* The profiles of `d` are best read with contexts; `d` must outlive the result.
 * Errors: CG_ENOMEM, CG_ERANGE (costs of both signs exceed 2^63 on a path),
 * CG_EINTERNAL (a bug: the rows do not add up). */
int tree_diff_make(const struct diff *d, enum tree_step last, enum tree_rows rows,
		   struct tree_diff **out, struct cg_error *err);
void tree_diff_free(struct tree_diff *t);

/* The first row of a renamed function that is called so in base, or in head; NULL: none. */
const struct tree_row *tree_find_renamed(const struct tree_diff *t, bool in_head, const char *name,
					 const char *object);

/* Whether any path differs, in costs or in calls. */
bool tree_diff_differs(const struct tree_diff *t);

/* By the inclusive cost. */
enum diff_class tree_diff_classify(const struct tree_diff *t, const struct tree_row *row);

#endif
