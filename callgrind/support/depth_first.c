#include "callgrind/support/depth_first.h"

#include <stdlib.h>

#include "cgprofile/error.h"

struct siblings {
	const uint32_t *parent;
	int (*compare)(const void *, const void *, void *);
	void *context;
};

static int compare_nodes(const void *left, const void *right, void *context)
{
	const struct siblings *s = context;
	uint32_t a = s->parent[*(const uint32_t *)left], b = s->parent[*(const uint32_t *)right];
	return a == b ? s->compare(left, right, s->context) : (a > b) - (a < b);
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
	struct siblings s = { parent, compare, context };
	uint32_t *first = calloc((size_t)count + 1, sizeof *first);
	uint32_t *children = malloc(((size_t)count + 1) * sizeof *children);
	uint32_t *stack = malloc(((size_t)count + 1) * sizeof *stack);
	int status = first && children && stack ? CG_OK : CG_ENOMEM;

	if (!status && count) {
		for (uint32_t i = 1; i < count; i++) {
			children[i - 1] = i;
			first[parent[i] + 1]++;
		}
		for (uint32_t i = 0; i < count; i++)
			first[i + 1] += first[i];
		qsort_r(children, count - 1, sizeof *children, compare_nodes, &s);
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
