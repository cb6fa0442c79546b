/* Private to diff/: the steps of tree_match.h, on what is called below one pair. */
#ifndef IRDIFF_DIFF_TREE_STEPS_H
#define IRDIFF_DIFF_TREE_STEPS_H

#include "src/diff/tree_match.h"

struct matching {
	const struct diff *d;
	enum tree_step last;
	const struct cg_tree *const *trees;
	const struct tree_functions *functions;
	const uint32_t *const *group_of;
	struct tree_match m;
	struct cg_index index; /* of pairs by parent, function, inlined */
	uint32_t parent;       /* whose callees are being matched: */
	uint32_t start;        /* pairs from here on */
	uint32_t *order;       /* room for them */
	size_t order_cap;
};

/* Adds the callees of a pair's nodes on one side to those below `parent`. */
int matching_add_callees(struct matching *x, uint32_t from, uint32_t side);

/* The pair of a function below `parent`, 0 if there is none. */
uint32_t matching_find(const struct matching *x, uint32_t function, bool inlined);

/* Makes two pairs one; `from` is gone then. */
void matching_join(struct matching *x, uint32_t into, uint32_t from);

/* The calls of all nodes of a pair on one side; 0 if those of one are not known. */
uint64_t matching_count_calls(const struct matching *x, const struct tree_pair *pair,
			      uint32_t side);

/* Fills x->order with the pairs that only one side has, the costliest first. */
int matching_list_one_sided(struct matching *x, bool dissolved, size_t *count);

static inline uint32_t matching_function(const struct matching *x, uint32_t side, uint32_t node)
{
	uint32_t function = x->trees[side]->nodes[node].function;
	return x->functions->of[side][x->group_of[side][function]];
}

/* A cost of one side in the metric. */
static inline int64_t matching_value(const struct matching *x, uint32_t side, const int64_t *costs)
{
	return side == BASE ? diff_base_value(x->d, costs) : diff_head_value(x->d, costs);
}

static inline int64_t matching_self(const struct matching *x, uint32_t side, uint32_t node)
{
	const struct cg_tree *t = x->trees[side];
	return matching_value(x, side, t->self + (size_t)node * t->profile->nevents);
}

static inline int64_t matching_inclusive(const struct matching *x, uint32_t side, uint32_t node)
{
	const struct cg_tree *t = x->trees[side];
	return matching_value(x, side, t->inclusive + (size_t)node * t->profile->nevents);
}

int matching_absorb_parts(struct matching *x);
int matching_splice(struct matching *x);
int matching_rename(struct matching *x);
int matching_absorb(struct matching *x);

#endif
