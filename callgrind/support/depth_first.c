#include "callgrind/support/depth_first.h"

#include <stdlib.h>
#include <string.h>

#include "cgprofile/error.h"

/* Puts all nodes but 0 below their parents, those of one parent in their order. Most have few, so
 * sorting them takes hardly more than a pass. `end` has room for a number per node. */
static void sort_siblings(const uint32_t *parent, uint32_t count, const uint32_t *first,
			  int (*compare)(const void *, const void *, void *), void *context,
			  uint32_t *end, uint32_t *children)
{
	memcpy(end, first, (size_t)count * sizeof *end);
	for (uint32_t i = 1; i < count; i++)
		children[end[parent[i]]++] = i;
	for (uint32_t i = 0; i < count; i++)
		if (end[i] - first[i] > 1)
			qsort_r(children + first[i], end[i] - first[i], sizeof *children, compare,
				context);
}

/* Children are put on the stack from the last to the first, so they leave it in
 * order. Those of node n are children[first[n]] … children[first[n + 1] - 1]. */
static void depth_first_walk(const uint32_t *first, const uint32_t *children, uint32_t *stack,
			     uint32_t *order)
{
	uint32_t depth = 0, done = 0;

	stack[depth++] = 0;
	while (depth) {
		uint32_t node = stack[--depth];
		order[done++] = node;
		for (uint32_t i = first[node + 1]; i-- > first[node];)
			stack[depth++] = children[i];
	}
}

int cg_depth_first(const uint32_t *parent, uint32_t count,
		   int (*compare)(const void *, const void *, void *), void *context,
		   uint32_t *order)
{
	uint32_t *first = calloc((size_t)count + 1, sizeof *first);
	uint32_t *children = malloc(((size_t)count + 1) * sizeof *children);
	uint32_t *stack = malloc(((size_t)count + 1) * sizeof *stack);
	int status = first && children && stack ? CG_OK : CG_ENOMEM;

	if (!status && count) {
		for (uint32_t i = 1; i < count; i++)
			first[parent[i] + 1]++;
		for (uint32_t i = 0; i < count; i++)
			first[i + 1] += first[i];
		sort_siblings(parent, count, first, compare, context, stack, children);
		depth_first_walk(first, children, stack, order);
	}
	free(first);
	free(children);
	free(stack);
	return status;
}

void cg_depth_first_ends(const uint32_t *parent, uint32_t count, uint32_t *end)
{
	for (uint32_t i = 0; i < count; i++)
		end[i] = i + 1;
	for (uint32_t i = count; i-- > 1;)
		if (end[parent[i]] < end[i])
			end[parent[i]] = end[i];
}
