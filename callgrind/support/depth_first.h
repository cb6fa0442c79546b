/* The order in which a tree is read: a node, then its children with all below them. */
#ifndef CG_SUPPORT_DEPTH_FIRST_H
#define CG_SUPPORT_DEPTH_FIRST_H

#include <stdint.h>

/* Fills order[count] with the nodes of a tree. Node 0 is its root, and parents
 * have lower numbers than their children. `compare` orders siblings as qsort_r
 * does, given two node numbers. CG_OK or CG_ENOMEM. */
int cg_depth_first(const uint32_t *parent, uint32_t count,
		   int (*compare)(const void *, const void *, void *), void *context,
		   uint32_t *order);

/* end[i]: the place after the last descendant of the node at place i, where
 * parent[i] is a place, too. */
void cg_depth_first_ends(const uint32_t *parent, uint32_t count, uint32_t *end);

#endif
