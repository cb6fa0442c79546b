/*
 * Private to diff/: how often one function calls another in a whole profile. Of a path that is an
 * estimate the number of calls is one, too; over all paths it is known.
 */
#ifndef IRDIFF_DIFF_CALL_TOTALS_H
#define IRDIFF_DIFF_CALL_TOTALS_H

#include "callgrind/support/index.h"
#include "cgprofile/profile.h"

struct call_total {
	uint32_t caller, callee; /* by common numbers; caller 0: all that call it */
	uint64_t calls;          /* saturates */
	bool uncounted;          /* some of inlined code are not known */
};

/* Zero-initialise. */
struct call_totals {
	struct call_total *items; /* 0 is the one that is searched for */
	size_t count, cap;
	struct cg_index index;
};

/* `number` has one for each function of the profile; `secret` keys the hashes. CG_OK or CG_ENOMEM;
 * free with call_totals_free, also on failure. */
int call_totals_make(struct call_totals *t, const struct cg_profile *p, const uint32_t *number,
		     uint64_t secret);

/* False if not all calls are known. Those that there are not are 0. */
bool call_totals_find(struct call_totals *t, uint64_t secret, uint32_t caller, uint32_t callee,
		      uint64_t *calls);

void call_totals_free(struct call_totals *t);

#endif
