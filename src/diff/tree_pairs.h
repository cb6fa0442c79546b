/* Private to diff/: the pairs of paths that tree_match.h makes, and how its steps change them. */
#ifndef IRDIFF_DIFF_TREE_PAIRS_H
#define IRDIFF_DIFF_TREE_PAIRS_H

#include "cgprofile/tree.h"
#include "src/diff/call_totals.h"
#include "src/diff/taken_over.h"
#include "src/diff/tree.h"
#include "src/diff/tree_step.h"
#include "src/diff/weight.h"

enum { BASE, HEAD, SIDES };

/* Nodes of both trees that are one path. */
struct tree_pair {
	uint32_t parent;   /* a lower pair */
	uint32_t function; /* as in struct tree_functions, of the first that was added */
	bool inlined;
	bool dissolved;        /* has no callees: they are its parent's */
	bool gone;             /* counts as another one */
	bool unchanged_below;  /* tree_same.h: what it calls has no pairs */
	bool calls_moved;      /* as in struct tree_row */
	uint32_t into;         /* that one, if it is gone; 0: absorbed by its parent */
	enum diff_match how;   /* of the steps here; DIFF_SAME: by name */
	uint32_t first[SIDES]; /* a list through tree_match.next; 0: not on this side */
	uint32_t last[SIDES];
	uint32_t via[SIDES];    /* the dissolved pair that called it, 0: its parent did */
	int64_t cost[SIDES];    /* inclusive, of the metric */
	uint64_t calls[SIDES];  /* from the parent; 0: not known */
	struct weights weights; /* its parent's where its calls are not known, or explain nothing */
};

/* Functions of both sides by common numbers, which are in order of their names. */
struct tree_functions {
	uint32_t *of[SIDES];              /* per function of the profile: its number; 0: none */
	const struct tree_function *list; /* per number */
	size_t count;                     /* with 0 */
};

/* A pair whose cost counts as its caller's. */
struct tree_absorbed {
	uint32_t pair; /* of the caller */
	uint32_t side;
	uint32_t node;
};

struct tree_match {
	struct tree_pair *pairs; /* pair 0 is the whole program */
	size_t count, cap;
	uint32_t *pair_of[SIDES];       /* per node that has one: the pair that its cost is of */
	uint32_t *next[SIDES];          /* per node: the next node of the same pair */
	bool *folded[SIDES];            /* per node: a deeper level of its pair */
	struct tree_absorbed *absorbed; /* those of one pair together */
	size_t nabsorbed, absorbed_cap;
};

/* Pairs as they are made. */
struct matching {
	const struct diff *d;
	enum tree_step last;
	const struct cg_tree *const *trees;
	const struct tree_functions *functions;
	struct tree_match m;
	uint32_t *latest; /* per function, called or inlined: the last of its pairs */
	uint32_t parent;  /* whose callees are being matched: */
	uint32_t start;   /* pairs from here on */
	uint32_t *order;  /* room for them */
	size_t order_cap;
	uint32_t *same_hash[SIDES];       /* of tree_same.h */
	bool *recursive[SIDES];           /* per function: calls itself; NULL: not looked for yet */
	struct call_totals totals[SIDES]; /* made when they are first asked for */
	struct taken_over taken_over;
	uint8_t *builds[SIDES]; /* per string: what is known of an object of that name (0: nothing
	                           yet), as facts are searched one by one */
};

/* Adds the callees of a pair's nodes on one side to those below `parent`. */
int matching_add_callees(struct matching *x, uint32_t from, uint32_t side);

/* The pair of a function below `parent`, 0 if there is none. */
uint32_t matching_find(const struct matching *x, uint32_t function, bool inlined);

/* Joins `from` to `into`; `from` is gone afterwards. */
void matching_join(struct matching *x, uint32_t into, uint32_t from);

/* Adds a deeper level of a function to its pair, whose cost has it already. */
void matching_append_level(struct matching *x, uint32_t id, uint32_t side, uint32_t node);

/* Whether a pair below `parent` and that one are machine code that both sides have: it takes other
 * ways, but nothing in it was inlined, renamed or put in between. */
bool matching_is_same_code(const struct matching *x, const struct tree_pair *pair);

/* The calls of all nodes of a pair on one side, but those by itself; 0 if those of one are not
 * known. Those of what is inlined cannot be compared with those of what is called: compilers omit
 * some of the former. */
uint64_t matching_count_calls(const struct matching *x, const struct tree_pair *pair,
			      uint32_t side);

/* What a pair costs itself, in all events of this side; no sum is above that of all costs. */
void matching_sum_self(const struct matching *x, const struct tree_pair *pair, uint32_t side,
		       int64_t *sum);

/* Fills x->order with the pairs that only one side has, the costliest first. */
int matching_list_one_sided(struct matching *x, bool dissolved, size_t *count);

static inline uint32_t matching_function(const struct matching *x, uint32_t side, uint32_t node)
{
	return x->functions->of[side][x->trees[side]->nodes[node].function];
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

#endif
