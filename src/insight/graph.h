/*
 * Private to insight/: the cost of entering some functions.
 *
 * Functions of a group call each other - operator new calls malloc, printf write - and only calls
 * from outside count: the costs of these calls add up to the inclusive cost of the group, whatever
 * is on the stack. A record is outside if it is reached from a root without passing through the
 * group. If it is also called from within the group, it is unknown which of its calls are nested:
 * there are two bounds, which are usually equal.
 */
#ifndef IRDIFF_INSIGHT_GRAPH_H
#define IRDIFF_INSIGHT_GRAPH_H

#include "cgprofile/profile.h"
#include "src/diff/metric.h"

/* The calls of a profile by caller and by callee. */
struct graph {
	const struct cg_profile *profile;
	struct metric metric;
	uint32_t *first_out,
		*out;            /* calls from a record: out[first_out[r]] up to first_out[r + 1] */
	uint32_t *first_in, *in; /* calls to it */
	int64_t *uncalled;       /* per record: what no call to it accounts for */
};

/* CG_OK or CG_ENOMEM; free with graph_free also then. */
int graph_make(const struct cg_profile *p, const struct metric *m, struct graph *out);
void graph_free(struct graph *g);

/* A function that calls into the group. */
struct entry_caller {
	uint32_t function;
	int64_t cost;
	uint64_t calls;
};

struct entries {
	bool any;                         /* something of the group was called */
	int64_t least, most;              /* inclusive cost of the group */
	uint64_t calls_least, calls_most; /* from outside, if `counted`; or of the event */
	bool counted;                 /* their number is known: nothing of the group is inlined, or
	                            begins without a call */
	struct entry_caller *callers; /* those that are sure, the costliest first */
	size_t ncallers;
};

/* Finds what calls of the functions `member` cost. A caller that is `through` and has only one
 * caller itself counts as that caller. With an `event`, members are all functions that have it as
 * self cost, and it is counted instead of calls: all of it, whoever called, and however often a
 * call has it. -1: calls. CG_OK or CG_ENOMEM; free with entries_free. */
int entries_find(const struct graph *g, const bool *member, const bool *through, int event,
		 struct entries *out);
void entries_free(struct entries *e);

#endif
