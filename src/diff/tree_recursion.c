/* A function that calls itself through one that the other side has inlined into it, or lacks. */
#include <stdlib.h>

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

/* The callees of a node and of what is inlined into it: the first is the node after it. */
static uint32_t next_callee(const struct cg_tree_node *nodes, uint32_t callee)
{
	return nodes[callee].inlined ? callee + 1 : nodes[callee].end;
}

static bool calls_back(const struct matching *x, uint32_t side, uint32_t node, uint32_t function)
{
	const struct cg_tree_node *nodes = x->trees[side]->nodes;

	for (uint32_t c = node + 1; c < nodes[node].end; c = next_callee(nodes, c))
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

static bool lacks(const struct matching *x, uint32_t side, uint32_t function)
{
	const struct tree_function *f = &x->functions->list[function];

	return side == BASE ? !f->base_name : !f->in_head;
}

/* All of them, or only those that the other side lacks. */
static struct between find_between(const struct matching *x, const struct tree_pair *pair,
				   uint32_t side, bool all)
{
	const struct cg_tree_node *nodes = x->trees[side]->nodes;
	uint32_t itself = function_of_pair(x, pair, side);
	struct between b = { .count = 0 };

	for (uint32_t n = pair->first[side]; n; n = x->m.next[side][n])
		for (uint32_t c = n + 1; c < nodes[n].end; c = next_callee(nodes, c)) {
			uint32_t function = matching_function(x, side, c);
			if (b.count < MOST_BETWEEN && !nodes[c].inlined && function != itself &&
			    (all || lacks(x, !side, function)) && !is_between(&b, function) &&
			    calls_back(x, side, c, itself))
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
		for (uint32_t c = n + 1; c < nodes[n].end; c = next_callee(nodes, c))
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

/* Which functions of one side call themselves, with what is inlined into them. */
static int find_recursive(struct matching *x, uint32_t side)
{
	const struct cg_profile *p = x->trees[side]->profile;

	x->recursive[side] = calloc(x->functions->count, sizeof *x->recursive[side]);
	if (!x->recursive[side])
		return CG_ENOMEM;
	for (uint32_t c = 1; c < p->ncalls; c++) {
		uint32_t callee = p->calls[c].callee;
		uint32_t caller = cg_machine_record(p, p->calls[c].caller);
		uint32_t function = x->functions->of[side][p->records[callee].function];
		if (!p->records[callee].inlined_into &&
		    x->functions->of[side][p->records[caller].function] == function)
			x->recursive[side][function] = true;
	}
	return CG_OK;
}

/* Those that the other side inlines, and does not call itself by, or lacks, and calls itself. */
static int keep_folded(struct matching *x, const struct tree_pair *pair, uint32_t other,
		       const struct between *by, const struct between *of_other,
		       struct between *kept)
{
	*kept = (struct between){ .count = 0 };
	if (by->count == 0 || has_level_nodes(x, pair, other))
		return CG_OK;
	if (!x->recursive[other] && find_recursive(x, other))
		return CG_ENOMEM;
	bool recursive = x->recursive[other][function_of_pair(x, pair, other)];
	for (uint32_t i = 0; i < by->count; i++)
		if (lacks(x, other, by->of[i]) ? recursive
					       : !is_between(of_other, by->of[i]) &&
							 is_inlined_into(x, pair, other, by->of[i]))
			kept->of[kept->count++] = by->of[i];
	return CG_OK;
}

/* Takes what `between` calls of the pair's function for more of the pair. */
static void fold_calls(struct matching *x, uint32_t id, uint32_t side, uint32_t between)
{
	const struct cg_tree_node *nodes = x->trees[side]->nodes;
	uint32_t itself = function_of_pair(x, &x->m.pairs[id], side);

	for (uint32_t c = between + 1; c < nodes[between].end; c = next_callee(nodes, c)) {
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
		for (uint32_t c = n + 1; c < nodes[n].end; c = next_callee(nodes, c))
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

int matching_fold_recursion(struct matching *x, uint32_t id)
{
	const struct tree_pair *pair = &x->m.pairs[id];
	bool all = inlines_any(x, pair, BASE) || inlines_any(x, pair, HEAD);
	struct between base = find_between(x, pair, BASE, all);
	struct between head = find_between(x, pair, HEAD, all);
	struct between in_base, in_head;

	int status = keep_folded(x, pair, HEAD, &base, &head, &in_base);
	if (!status)
		status = keep_folded(x, pair, BASE, &head, &base, &in_head);
	if (status)
		return status;
	fold_levels(x, id, BASE, &in_base);
	fold_levels(x, id, HEAD, &in_head);
	return CG_OK;
}
