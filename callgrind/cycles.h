/* Cycles in the call graph: sets of records that call each other, directly or
 * through others. */
#ifndef CG_CYCLES_H
#define CG_CYCLES_H

#include "callgrind/profile.h"

struct cg_cycles {
	uint32_t *of;   /* per record: its component, from 0 */
	uint32_t count; /* components */
	uint32_t *size; /* records in each component; 1: not in a cycle (a direct
	                   call to itself does not count) */
};

/* Strongly connected components by Tarjan's algorithm. CG_OK or CG_ENOMEM;
 * free with cg_cycles_free. */
int cg_cycles_find(const struct cg_profile *p, struct cg_cycles *out);
void cg_cycles_free(struct cg_cycles *c);

#endif
