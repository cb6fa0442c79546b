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
#ifndef IRDIFF_FLAME_FRAMES_H
#define IRDIFF_FLAME_FRAMES_H

#include "cgprofile/tree.h"
#include "src/diff/metric.h"
#include "src/diff/tree.h"

struct flame_function {
	const char *name, *object, *file; /* "" where unknown, but for the name */
	const char *base_name;            /* the name in base, if it was there */
};

struct flame_side {
	bool present;
	bool inlined;    /* into the frame below, in all places that are this frame */
	bool estimated;  /* by which paths it, or what it calls, was called is not known */
	uint64_t calls;  /* 0: not known */
	const char *via; /* called by this function, which is elsewhere; NULL: by its parent */
};

struct flame_frame {
	uint32_t function; /* for a frame without a function, one that no profile has */
	uint32_t parent;   /* a lower frame */
	uint32_t depth;    /* 0 for frame 0 */
	uint32_t end;      /* its descendants are the frames after it and before this one */
	uint32_t row;  /* of the tree diff, if functions were absorbed there: of several the first;
	                      0: none were */
	uint32_t rest; /* how many frames it combines (flame_limit); 0: it is one */
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

/* Names of frames without a function. */
#define FLAME_OUTSIDE CG_TREE_OUTSIDE
#define FLAME_SMALLER "[smaller]"

/* How many frames of the graph it was made from are not in it. */
uint64_t flame_left_out(const struct flame *f);

void flame_free(struct flame *f);

static inline int64_t flame_value(const struct flame_events *e, const int64_t *costs,
				  uint32_t frame)
{
	return e->profile ? metric_value(&e->metric, costs + (size_t)frame * e->profile->nevents)
			  : 0;
}

/* The metric of a frame, in base and head. */
struct flame_values {
	int64_t base_self, head_self, base_inclusive, head_inclusive;
};

struct flame_values flame_values(const struct flame *f, uint32_t frame);

#endif
