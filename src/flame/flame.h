/*
 * What a flame graph shows: the paths of one profile, or of the difference of two, as
 * frames with a width.
 *
 *     width = max(|inclusive of base|, |inclusive of head|, sum of the callees' widths)
 *
 * in the metric of the graph, so that no frame is narrower than what it calls: what
 * base calls and what head calls instead stand side by side. In a graph of one profile
 * the width is the inclusive cost, wherever costs have one sign.
 */
#ifndef IRDIFF_FLAME_FLAME_H
#define IRDIFF_FLAME_FLAME_H

#include "cgprofile/tree.h"
#include "src/diff/metric.h"
#include "src/diff/tree.h"
#include "src/view/pattern.h"

struct flame_function {
	const char *name, *object, *file; /* "" where unknown, but for the name */
	const char *base_name;            /* the name in base, if it was there */
};

struct flame_side {
	bool present;
	bool inlined;    /* into the frame below, in all places that are this frame */
	bool estimated;  /* by which paths it, or what it calls, was called is not known */
	uint64_t calls;  /* 0: not known, or inlined */
	const char *via; /* called by this function, which is elsewhere; NULL: by its parent */
};

struct flame_frame {
	uint32_t function; /* one of these that no profile has for what stands for none */
	uint32_t parent;   /* a lower frame */
	uint32_t depth;    /* 0 for frame 0 */
	uint32_t end;      /* its descendants are the frames behind it, up to this one */
	uint32_t row;  /* of the tree diff, if functions were absorbed there: of several the first;
	                      0: none were */
	uint32_t rest; /* how many frames it stands for (flame_limit); 0: it is one */
	enum diff_match match;
	uint64_t x, width;            /* in the metric; frame 0 begins at 0 */
	struct flame_side base, head; /* of one profile: head */
};

/* The events of a side are those of its profile. */
struct flame_events {
	const struct cg_profile *profile; /* NULL: no base */
	struct metric metric;
	int64_t *self, *inclusive; /* per frame, profile->nevents each */
};

struct flame {
	struct flame_function *functions; /* names belong to the profiles, or the tree diff */
	uint32_t nfunctions;              /* with function 0, which has no name */
	struct flame_frame *frames; /* depth first, of siblings the widest first, then by name */
	uint32_t count;
	struct flame_events base, head;
	uint32_t main_function; /* of the program that was started; 0: none */
	bool exact;             /* no path is in doubt */
};

/* How frames are called that stand for no function. */
#define FLAME_OUTSIDE CG_TREE_OUTSIDE
#define FLAME_SMALLER "[smaller]"

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
		depth; /* at most so many frames on a path, what is beyond is the last one's; 0: all */
};

#define FLAME_MOST_CALLERS 256

/* Another graph of the same functions, with everything the options ask for. Frames of one
 * function with one parent, inlined alike, become one. Errors: CG_ENOMEM, CG_ERANGE, and
 * those of the patterns. */
int flame_make(const struct flame *from, const struct flame_options *options, struct flame **out,
	       struct cg_error *err);

/* The graph with its `most` widest frames. Of the others, those below one frame that is left
 * are one frame [smaller], which says how many it stands for and costs what they do together.
 * Errors: CG_ENOMEM, CG_ERANGE. */
int flame_limit(const struct flame *from, size_t most, struct flame **out, struct cg_error *err);

/* How many frames of the graph it was made from are not in it. */
uint64_t flame_left_out(const struct flame *f);

void flame_free(struct flame *f);

static inline int64_t flame_value(const struct flame_events *e, const int64_t *costs,
				  uint32_t frame)
{
	return e->profile ? metric_value(&e->metric, costs + (size_t)frame * e->profile->nevents)
			  : 0;
}

/* The metric of a frame, of both sides. */
struct flame_values {
	int64_t base_self, head_self, base_inclusive, head_inclusive;
};

struct flame_values flame_values(const struct flame *f, uint32_t frame);

/* The functions at which paths are to begin: those named `root`, perhaps without their
 * parameters and what compilers append; NULL: main, if there is one; "": none. *is_root is
 * allocated, NULL if paths are to stay as they are. CG_EINVAL: no function has that name. */
int flame_find_root(const struct flame *f, const char *root, bool **is_root, struct cg_error *err);

#endif
