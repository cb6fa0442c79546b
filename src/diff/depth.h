/*
 * How deep the stack is in two profiles, and where that changed.
 *
 * The depth of a path is the number of its functions that take a frame of the stack:
 * all but the inlined ones. So a stack gets shallower when something is inlined, and deeper
 * when something is wrapped. The mean is weighted with what was spent at the end of each
 * path: it is the depth at which an event of the metric was counted on average.
 *
 * Where recursion is folded (cgprofile/tree.h), a function that calls itself is one
 * frame; so these are depths of paths, and at least as deep was the stack.
 */
#ifndef IRDIFF_DIFF_DEPTH_H
#define IRDIFF_DIFF_DEPTH_H

#include "src/diff/tree.h"

struct depth_side {
	uint32_t max;        /* frames; 0: nothing was measured */
	double mean;         /* weighted with the sizes of the self costs; 0 if there are none */
	const char *deepest; /* the function at the end of the deepest path, of those the
	                        costliest; NULL if there is none. Of the profile */
};

/* A path of both sides whose depth changed by another amount than the depth of its caller. */
struct depth_row {
	uint32_t row;        /* of the tree difference */
	uint32_t base, head; /* frames */
};

struct depth_change {
	struct depth_side base, head;
	struct depth_row *rows; /* the largest inclusive cost (of the side that has more) first,
	                           then in the order of the tree: a total order */
	size_t count;
	bool exact; /* all paths are recorded, none is estimated or stands for longer ones */
};

/* `t` must outlive the result; free that with depth_change_free. CG_OK or CG_ENOMEM; *out is
 * untouched on failure. */
int depth_change_make(const struct tree_diff *t, struct depth_change *out);
void depth_change_free(struct depth_change *c);

#endif
