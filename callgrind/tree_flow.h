/*
 * Private to the library: how the costs of a profile flow from records to
 * those that they call, without going in circles.
 *
 *     through[r] = self cost of r + what flows to its callees
 *                = what flows to r from its callers + outside[r]
 *
 * which holds exactly, for every event: where the calls of the file do not
 * account for that sum, it is shared out in proportion to them.
 */
#ifndef CG_TREE_FLOW_H
#define CG_TREE_FLOW_H

#include "cgprofile/profile.h"

#define CG_SHARE_ALL (UINT64_C(1) << 61)

/* All calls from one record to another. */
struct cg_flow_edge {
	uint32_t caller, callee;
	uint64_t count;
	uint64_t share : 62;    /* of the callee's costs, in parts of CG_SHARE_ALL */
	uint64_t back : 1;      /* closes a cycle: nothing flows */
	uint64_t uncounted : 1; /* some are of inlined code, their number unknown: count is 0 */
};

/* All that growing a tree asks of a record, so that it is in one place in memory. */
struct cg_flow_record {
	uint32_t function; /* of the profile */
	uint32_t first;    /* its edges are this one … the first of the next record - 1 */
	bool inlined;      /* into another one */
	bool is_root;      /* something comes from outside, or it has no caller */
	bool sure;         /* below an exact node it is exact itself */
	bool returns;      /* deeper levels of recursion count for it */
	bool known;        /* what flows to its callees is exact */
};

struct cg_flow {
	struct cg_flow_edge *edges; /* by caller, the costliest first */
	uint32_t nedges;
	struct cg_flow_record *records; /* nrecords, and one for the end */
	int64_t *cost;                  /* nedges * nevents: what flows */
	int64_t *through;               /* nrecords * nevents */
	int64_t *outside;               /* nrecords * nevents */
	uint64_t *outside_share;        /* of the record's costs */
	bool *negative;                 /* per event: some costs are below 0 */
	bool balanced;                  /* all calls cost what the called record has */
};

/* Cuts cycles and shares out by `event`; `frames` is as in a tree's options. CG_OK,
 * CG_ENOMEM or CG_ERANGE; free with cg_flow_free. */
int cg_flow_make(const struct cg_profile *p, uint32_t event, uint32_t frames, struct cg_flow *out);
void cg_flow_free(struct cg_flow *f);

#endif
