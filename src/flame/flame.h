/* Flame graphs (frames.h) of one profile or of a difference, and of parts of one. */
#ifndef IRDIFF_FLAME_FLAME_H
#define IRDIFF_FLAME_FLAME_H

#include "src/flame/frames.h"
#include "src/view/pattern.h"

/* All paths of one profile. `metric` is an event or a derived metric that it has. The
 * profile, best read with contexts, must outlive the result; free that with flame_free.
 * Errors: CG_EINVAL (no such metric), CG_ENOMEM, CG_ERANGE as of trees. */
int flame_of_profile(const struct cg_profile *p, const char *metric, struct flame **out,
		     struct cg_error *err);

/* The same of a tree that is there, of that profile. */
int flame_of_tree(const struct cg_tree *t, const char *metric, struct flame **out,
		  struct cg_error *err);

/* All paths of a difference, in its metric. The tree diff must outlive the result. */
int flame_of_diff(const struct tree_diff *t, struct flame **out, struct cg_error *err);

/* What the functions below make of a graph. */
struct flame_options {
	/* Paths begin where these functions are called first; what leads there, and what else is
	 * below that, is below one frame [outside]. Stacks that never get there stay as they are.
	 * Per function of the graph; NULL: as they are. */
	const bool *is_root;
	/* Keep only stacks in which a function matches; drop those in which one is ignored.
	 * NULL: all. Costs are then those of the stacks that are left. */
	const struct pattern *filter, *ignore;
	/* From the functions that spend the cost to who calls them, at most FLAME_MOST_CALLERS;
	 * what spends less than a hundred-thousandth of the total is one frame [smaller]. */
	bool reversed;
	uint32_t
		/* at most so many frames on a path, what is beyond is the last one's; 0: all */
		depth;
};

#define FLAME_MOST_CALLERS 256

/* Another graph of the same functions, with everything the options ask for. Frames of one
 * function with one parent, inlined alike, become one. Errors: CG_ENOMEM, CG_ERANGE, and
 * those of the patterns. */
int flame_make(const struct flame *from, const struct flame_options *options, struct flame **out,
	       struct cg_error *err);

/* The graph with its `most` widest frames. The other frames below a frame that is left become
 * one frame [smaller], with their number and the sum of their costs. Errors: CG_ENOMEM,
 * CG_ERANGE. */
int flame_limit(const struct flame *from, size_t most, struct flame **out, struct cg_error *err);

/* The functions at which paths are to begin: those named `root`, perhaps without their
 * parameters and what compilers append; NULL: main, if there is one; "": none. *is_root is
 * allocated, NULL if paths are to stay as they are. CG_EINVAL: no function has that name. */
int flame_find_root(const struct flame *f, const char *root, bool **is_root, struct cg_error *err);

#endif
