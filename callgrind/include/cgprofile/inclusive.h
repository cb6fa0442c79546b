/*
 * Exact inclusive costs: each instruction counts once for a function while the
 * function is on the stack, however often it is there.
 *
 * A profile holds out(r) = self + calls out and in(r) = calls in of each record
 * r. Entering a function that is already on the stack must not count again. This
 * happens through a record of recursion level 2 or more, or directly from a
 * record of the same group. So, with G the records of a function or group:
 *
 *     inclusive(G) = sum over r in G of  out(r) - excluded(r)
 *     excluded(r)  = calls to r that come from G, or all calls to r if its
 *                    level is above 1
 *
 * which is exact for profiles with recursion levels (--separate-recs=2 or more,
 * Valgrind's default is 2). Without levels the file does not determine the
 * inclusive cost of functions that call each other in a cycle; they get an
 * upper bound and are marked; so do groups that call themselves through others,
 * and functions that call others into which they are inlined. No result exceeds the profile's
 * total. An event with negative costs has no bound: its marked numbers are estimates, and
 * any number may exceed the total.
 */
#ifndef CGPROFILE_INCLUSIVE_H
#define CGPROFILE_INCLUSIVE_H

#include "cgprofile/api.h"
#include "cgprofile/profile.h"

CG_BEGIN_DECLS

struct cg_inclusive {
	uint32_t count;  /* rows: functions or groups */
	int64_t *cost;   /* count * nevents */
	uint64_t *calls; /* how often it was called, recursive calls included */
	bool *bound;     /* its cost is an upper bound */
};

/*
 * `group` maps each function of the profile to a row below `count`, so that
 * several functions (a function and its clones, all of a file) can be one;
 * NULL: every function is its own row. The caller frees the result. Errors:
 * CG_ENOMEM, CG_EINVAL (calls were not kept: cg_detail.no_calls). In a file without
 * calls, such as cachegrind's (ncalls <= 1), inclusive costs are the self costs.
 */
int cg_inclusive_compute(const struct cg_profile *p, const uint32_t *group, uint32_t count,
			 struct cg_inclusive **out);

void cg_inclusive_free(struct cg_inclusive *inc);

/* Which events have negative costs: for these, a part may be larger than the whole.
 * nevents, which the caller frees. NULL: out of memory. */
bool *cg_negative_events(const struct cg_profile *p);

/* The sum of self and calls out of every record, nrecords * nevents, which the
 * caller frees; sums that overflow stay at the end of the range. NULL: out of
 * memory. */
int64_t *cg_record_out(const struct cg_profile *p);

CG_END_DECLS

#endif
