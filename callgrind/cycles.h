/* Cycles in a graph of calls: sets of nodes that call each other, directly or
 * through others. */
#ifndef CG_CYCLES_H
#define CG_CYCLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Nodes are numbered from 0; calls lead from caller[i] to callee[i]. */
struct cg_graph {
	uint32_t nnodes, ncalls;
	const uint32_t *caller, *callee;
};

struct cg_cycles {
	uint32_t *of;   /* per node: its component, from 0 */
	uint32_t count; /* components */
	uint32_t *size; /* nodes in each component; 1: not in a cycle (a direct call
	                   to itself does not count) */
};

/* Strongly connected components by Tarjan's algorithm. CG_OK or CG_ENOMEM;
 * free with cg_cycles_free. */
int cg_cycles_find(const struct cg_graph *g, struct cg_cycles *out);
void cg_cycles_free(struct cg_cycles *c);

#endif
