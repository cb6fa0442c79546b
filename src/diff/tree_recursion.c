/* A function that calls itself through one that only the other side has inlined into it. */
#include "src/diff/matching_steps.h"

enum { MOST_BETWEEN = 16 };

/* The functions by which one side calls itself. */
struct between {
	uint32_t of[MOST_BETWEEN];
	uint32_t count;
};

static bool is_node_of(const struct matching *x, uint32_t side, uint32_t node, uint32_t function,
		       bool inlined)
{
	return x->trees[side]->nodes[node].inlined == inlined &&
	       matching_function(x, side, node) == function;
}

static bool calls_back(const struct matching *x, uint32_t side, uint32_t node, uint32_t function)
{
	const struct cg_tree_node *nodes = x->trees[side]->nodes;

	for (uint32_t c = node + 1; c < nodes[node].end; c = nodes[c].end)
		if (is_node_of(x, side, c, function, false))
			return true;
	return false;
}

/* Its number on this side: that of a pair is of one side, if it was renamed. */
static uint32_t function_of_pair(const struct matching *x, const struct tree_pair *pair,
				 uint32_t side)
{
	return matching_function(x, side, pair->first[side]);
}

static bool is_between(const struct between *b, uint32_t function)
{
	for (uint32_t i = 0; i < b->count; i++)
		if (b->of[i] == function)
			return true;
	return false;
}

static struct between find_between(const struct matching *x, const struct tree_pair *pair,
				   uint32_t side)
{
	const struct cg_tree_node *nodes = x->trees[side]->nodes;
	uint32_t itself = function_of_pair(x, pair, side);
	struct between b = { .count = 0 };

	for (uint32_t n = pair->first[side]; n; n = x->m.next[side][n])
		for (uint32_t c = n + 1; c < nodes[n].end; c = nodes[c].end) {
			uint32_t function = matching_function(x, side, c);
			if (b.count < MOST_BETWEEN && !nodes[c].inlined && function != itself &&
			    !is_between(&b, function) && calls_back(x, side, c, itself))
				b.of[b.count++] = function;
		}
	return b;
}

/* Whether a function is inlined into a pair on one side. */
static bool is_inlined_into(const struct matching *x, const struct tree_pair *pair, uint32_t side,
			    uint32_t function)
{
	const struct cg_tree_node *nodes = x->trees[side]->nodes;

	for (uint32_t n = pair->first[side]; n; n = x->m.next[side][n])
		for (uint32_t c = n + 1; c < nodes[n].end; c = nodes[c].end)
			if (is_node_of(x, side, c, function, true))
				return true;
	return false;
}

/* Without contexts, each level that calls itself is a node. */
static bool has_level_nodes(const struct matching *x, const struct tree_pair *pair, uint32_t side)
{
	uint32_t itself = function_of_pair(x, pair, side);

	for (uint32_t n = pair->first[side]; n; n = x->m.next[side][n])
		if (calls_back(x, side, n, itself))
			return true;
	return false;
}

/* Those that the other side inlines, and does not call itself by. */
static struct between keep_inlined(const struct matching *x, const struct tree_pair *pair,
				   uint32_t other, const struct between *by,
				   const struct between *of_other)
{
	struct between kept = { .count = 0 };

	if (by->count == 0 || has_level_nodes(x, pair, other))
		return kept;
	for (uint32_t i = 0; i < by->count; i++)
		if (!is_between(of_other, by->of[i]) && is_inlined_into(x, pair, other, by->of[i]))
			kept.of[kept.count++] = by->of[i];
	return kept;
}

/* Takes what `between` calls of the pair's function for more of the pair. */
static void fold_calls(struct matching *x, uint32_t id, uint32_t side, uint32_t between)
{
	const struct cg_tree_node *nodes = x->trees[side]->nodes;
	uint32_t itself = function_of_pair(x, &x->m.pairs[id], side);

	for (uint32_t c = between + 1; c < nodes[between].end; c = nodes[c].end) {
		if (!is_node_of(x, side, c, itself, false) || x->m.folded[side][c])
			continue;
		x->m.folded[side][c] = true;
		matching_append_level(x, id, side, c);
	}
}

/* The list of the pair's nodes grows meanwhile: levels have deeper ones. */
static void fold_levels(struct matching *x, uint32_t id, uint32_t side, const struct between *by)
{
	const struct cg_tree_node *nodes = x->trees[side]->nodes;

	for (uint32_t n = x->m.pairs[id].first[side]; n && by->count; n = x->m.next[side][n])
		for (uint32_t c = n + 1; c < nodes[n].end; c = nodes[c].end)
			if (!nodes[c].inlined && is_between(by, matching_function(x, side, c)))
				fold_calls(x, id, side, c);
}

static bool inlines_any(const struct matching *x, const struct tree_pair *pair, uint32_t side)
{
	const struct cg_tree_node *nodes = x->trees[side]->nodes;

	for (uint32_t n = pair->first[side]; n; n = x->m.next[side][n])
		for (uint32_t c = n + 1; c < nodes[n].end; c = nodes[c].end)
			if (nodes[c].inlined)
				return true;
	return false;
}

void matching_fold_recursion(struct matching *x, uint32_t id)
{
	const struct tree_pair *pair = &x->m.pairs[id];
	if (!inlines_any(x, pair, BASE) && !inlines_any(x, pair, HEAD))
		return;

	struct between base = find_between(x, pair, BASE), head = find_between(x, pair, HEAD);
	struct between in_base = keep_inlined(x, pair, HEAD, &base, &head);
	struct between in_head = keep_inlined(x, pair, BASE, &head, &base);

	fold_levels(x, id, BASE, &in_base);
	fold_levels(x, id, HEAD, &in_head);
}
