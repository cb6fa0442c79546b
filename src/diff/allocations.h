/*
 * Private to diff/: who allocates what only one side allocates.
 *
 * The stacks of a heap have only the calls that lead to an allocation, and not how often they were
 * made. So a path that only one side has is no new call: its functions may have been called as
 * often, and allocated nothing.
 */
#ifndef IRDIFF_DIFF_ALLOCATIONS_H
#define IRDIFF_DIFF_ALLOCATIONS_H

#include "src/diff/tree.h"

struct allocators {
	const struct tree_diff *tree;
	const char **installed; /* names of objects that are not the project's */
	size_t ninstalled;
	bool absolute_files; /* see src/diff/installed.h */
	bool known;          /* the costs are of a heap */
	/* Per number of a function: whether it is on a side the project's last one on the way to
	 * an allocation. */
	bool *last_in_base, *last_in_head;
};

struct allocation {
	uint32_t row;    /* of the function that allocates */
	uint32_t callee; /* what it calls for that, where this costs most; 0: nothing known */
	bool in_both;    /* the other side has allocations of the function, on other paths */
};

/* `out` is to be freed on failure, too. CG_OK or CG_ENOMEM. */
int allocators_make(const struct tree_diff *t, struct allocators *out);
void allocators_free(struct allocators *a);

/* Whether only one side has the path of a row, and it is one of a heap. */
bool is_allocation(const struct allocators *a, uint32_t row);

/* Of such a row: the deepest function of the project that causes all of its cost; if none below
 * does, the nearest one above; if the project has none above either, the function of the row.
 * What a function above has by way of others of the project does not count as in both. */
struct allocation find_allocation(const struct allocators *a, uint32_t row);

#endif
