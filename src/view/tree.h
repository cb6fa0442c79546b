/* The paths of one profile, chosen for a person to read. */
#ifndef IRDIFF_VIEW_TREE_H
#define IRDIFF_VIEW_TREE_H

#include "cgprofile/tree.h"
#include "src/view/pattern.h"

struct tree_view_row {
	uint32_t node;   /* of the tree */
	uint32_t parent; /* the row above it: its number and 1; 0: none */
	uint32_t depth;  /* 1: where the tree begins */
};

struct tree_view {
	struct cg_tree *tree;
	struct cg_tree_doubt doubt;
	const char *root; /* the function at which paths begin; NULL: where threads begin */
	struct tree_view_row *rows; /* depth first */
	size_t count;
	size_t total; /* paths with a cost, before filter, threshold and limits */
};

struct tree_view_options {
	uint32_t event; /* that orders paths and chooses them */
	/* The name of the function, perhaps without its parameters and what compilers
	 * append. NULL: main if there is one; "": where threads begin. */
	const char *root;
	double threshold;             /* in percent of the total: paths of at least this; 0: all */
	uint64_t depth;               /* at most so many functions on a path; 0: all */
	uint64_t top;                 /* the costliest paths, at most so many; 0: all */
	const struct pattern *filter; /* paths that end in what matches, and those above them */
	const struct pattern *ignore; /* no paths through what matches */
};

/* Costs decide with all below them. What is outside of the root is one row, unless
 * a filter looks for something there. The profile, best read with contexts, must
 * outlive the result. Errors: CG_EINVAL (there is no such root), those of patterns
 * and trees. */
int tree_view_make(const struct cg_profile *p, const struct tree_view_options *options,
		   struct tree_view **out, struct cg_error *err);
void tree_view_free(struct tree_view *v);

#endif
