/* Who calls a function and whom it calls, for all functions of a profile. */
#ifndef IRDIFF_VIEW_CALLS_H
#define IRDIFF_VIEW_CALLS_H

#include "cgprofile/profile.h"

/* All calls from one function to another, over records and positions. A call
 * to a function that is on the stack already is recursive: it is counted, but
 * costs nothing, because what it costs is in the call that came first. So the
 * costs of all edges to a function add up to its inclusive cost (or less, if it
 * is a root). Where the profile has no recursion levels, edges inside a cycle are
 * upper bounds, never above the total; so are those of inlined code in recursion. */
struct calls_edge {
	uint32_t caller, callee; /* functions */
	uint64_t count;
	uint64_t recursive; /* how many of them are recursive */
	uint64_t inlined;   /* how many of them are of inlined code, and how many of those */
	uint64_t inlined_recursive; /* are recursive */
	bool uncounted;      /* of some inlined code it is not known, so that none is counted */
	const int64_t *cost; /* nevents, inclusive */
};

struct calls {
	struct calls_edge *by_callee; /* sorted by callee, then by cost of `event` downwards */
	struct calls_edge *by_caller; /* sorted by caller, then the same */
	size_t count;
	int64_t *cost; /* the costs that the edges point to */
};

/* Whether a call enters a function that is on the stack already, as far as the
 * profile shows: in recursion costs count where it was entered first. */
bool calls_recursive(const struct cg_profile *p, const struct cg_call *c);

int calls_make(const struct cg_profile *p, uint32_t event, struct calls **out,
	       struct cg_error *err);
void calls_free(struct calls *c);

/* The edges to (from) one function: first edge and how many. */
const struct calls_edge *calls_to(const struct calls *c, uint32_t function, size_t *count);
const struct calls_edge *calls_from(const struct calls *c, uint32_t function, size_t *count);

#endif
