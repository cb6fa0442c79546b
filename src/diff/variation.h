/*
 * What differs between several profiles that ought to be equal: runs of one program on one input.
 * A function that some of them lack costs 0 there.
 */
#ifndef IRDIFF_DIFF_VARIATION_H
#define IRDIFF_DIFF_VARIATION_H

#include "cgprofile/profile.h"

/* The smallest and the largest of several numbers. */
struct spread {
	int64_t min, max;
};

/* Texts belong to the variation; "" is unknown. */
struct variation_function {
	const char *object, *file, *name;
};

/* A function whose self cost varies; with `callee`, calls of that by it whose number does. */
struct variation_row {
	struct variation_function function, callee; /* callee.name NULL: none */
	struct spread spread;
};

struct variation {
	struct spread *totals; /* of each event, as the first profile numbers them */
	uint64_t *widest; /* of each event, how far apart the totals are, or the self costs of the
				* function whose are farthest */
	uint32_t nevents;
	bool equal;     /* no cost or number of calls of any function varies, in any event */
	uint32_t event; /* that the rows are of: the first one in which functions vary */
	struct variation_row *functions; /* those that vary most first */
	size_t nfunctions;
	struct variation_row *calls; /* by number of calls, not by event */
	size_t ncalls;
	struct cg_strings texts;
};

/* At least one profile, all with calls. CG_EINVAL if their events differ, CG_ENOMEM, CG_ERANGE.
 * *out is untouched on failure; free it with variation_free. */
int variation_find(const struct cg_profile *const *profiles, size_t count, struct variation *out);
void variation_free(struct variation *v);

/* What a tolerance on the event is to be: a few runs show a part of what there is (of N that are
 * spread evenly, (N - 1) / (N + 1)), so it is twice what was seen. 0: it does not vary.
 * Saturates. */
uint64_t variation_tolerance(const struct variation *v, uint32_t event);

/* How far apart they are, in millionths of the largest; 0 if that is not positive. */
double spread_ppm(const struct spread *s);

#endif
