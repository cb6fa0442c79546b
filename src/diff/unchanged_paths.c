#include <stdlib.h>

#include "src/diff/cause_search.h"

/* Two nodes that are one path without a row (enum tree_rows). */
struct unchanged_path {
	uint32_t base, head;
};

static struct tree_side side_of_node(const struct cg_tree *t, uint32_t node)
{
	const struct cg_tree_node *n = &t->nodes[node];
	const size_t at = (size_t)node * t->profile->nevents;

	return (struct tree_side){ .present = true,
				   .inlined = n->inlined,
				   .estimated = n->estimated || n->estimated_below,
				   .cut = n->cut,
				   .node = node,
				   .calls = n->calls,
				   .self = t->self + at,
				   .inclusive = t->inclusive + at };
}

static void add_to_item(struct cause_search *f, const struct item_key *wanted,
			const struct tree_row *path)
{
	struct item *item = cause_find_old_item(f, wanted);

	if (item)
		cause_add_path(item, f, path, 0);
}

/* Whatever decided nothing anywhere is no cause, so only items that are there count. */
static void add_unchanged_path(struct cause_search *f, const bool *in_item,
			       struct unchanged_path path)
{
	const struct tree_diff *t = f->t;
	const struct cg_tree_node *nodes = t->head->nodes, *node = &nodes[path.head];
	const uint32_t function = t->head_function[node->function];
	const uint32_t caller = t->head_function[nodes[node->parent].function];

	if (node->estimated || node->estimated_below) {
		f->estimated[t->functions[function].source] = true;
		f->estimated[t->functions[caller].source] = true;
	}
	if (!in_item[function])
		return;
	const struct tree_row row = { .function = function,
				      .base_function = function,
				      .base = side_of_node(t->base, path.base),
				      .head = side_of_node(t->head, path.head) };
	const struct item_key own = { .function = function,
				      .base_function = function,
				      .own = true };
	const struct item_key calls = { .function = function,
					.base_function = function,
					.caller = caller,
					.base_caller = caller };
	add_to_item(f, &own, &row);
	add_to_item(f, &calls, &row);
}

int cause_add_unchanged_paths(struct cause_search *f)
{
	const struct tree_diff *t = f->t;
	bool *in_item = calloc(t->nfunctions, sizeof *in_item);

	if (!in_item)
		return CG_ENOMEM;
	for (size_t i = 1; i < f->count; i++)
		in_item[f->items[i].key.function] = true;
	for (uint32_t i = 1; i < t->count; i++) {
		const struct tree_row *r = &t->rows[i];
		struct unchanged_path path = { r->base.node, r->head.node };
		const uint32_t end = r->unchanged_below ? t->head->nodes[path.head].end : 0;
		for (path.base++, path.head++; path.head < end; path.base++, path.head++)
			add_unchanged_path(f, in_item, path);
	}
	free(in_item);
	return CG_OK;
}
