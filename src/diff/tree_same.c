#include "src/diff/tree_same.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/index.h"

static bool have_same_events(const struct diff *d)
{
	if (d->base->nevents != d->head->nevents)
		return false;
	for (uint32_t e = 0; e < d->base->nevents; e++)
		if (strcmp(cg_string(d->base, d->base->events[e].name),
			   cg_string(d->head, d->head->events[e].name)) != 0)
			return false;
	return true;
}

static uint32_t flags_of(const struct cg_tree_node *n)
{
	return (uint32_t)n->inlined | (uint32_t)n->uncounted << 1 | (uint32_t)n->outside << 2 |
	       (uint32_t)n->estimated << 3 | (uint32_t)n->estimated_below << 4 |
	       (uint32_t)n->truncated << 5 | (uint32_t)n->cut << 6;
}

static uint64_t hash_node(const struct matching *x, uint32_t side, uint32_t node)
{
	const struct cg_tree *t = x->trees[side];
	const int64_t *self = t->self + (size_t)node * t->profile->nevents;
	uint64_t hash = cg_hash_mix(matching_function(x, side, node), flags_of(&t->nodes[node]));

	hash = cg_hash_mix(hash, t->nodes[node].calls);
	for (uint32_t e = 0; e < t->profile->nevents; e++)
		hash = cg_hash_mix(hash, (uint64_t)self[e]);
	return hash;
}

/* What is below a node comes after it, so its hash has all of that when its turn comes. */
static int hash_tree(struct matching *x, uint32_t side)
{
	const struct cg_tree *t = x->trees[side];
	uint32_t *hash = calloc((size_t)t->count + 1, sizeof *hash);

	x->same_hash[side] = hash;
	if (!hash)
		return CG_ENOMEM;
	for (uint32_t i = t->count; i-- > 1;) {
		uint32_t *above = &hash[t->nodes[i].parent];
		hash[i] = (uint32_t)cg_hash_mix(hash[i], hash_node(x, side, i));
		*above = (uint32_t)cg_hash_mix(*above, hash[i]);
	}
	return CG_OK;
}

int tree_same_make(struct matching *x)
{
	if (!have_same_events(x->d))
		return CG_OK;
	int status = hash_tree(x, BASE);
	return status ? status : hash_tree(x, HEAD);
}

void tree_same_free(struct matching *x)
{
	free(x->same_hash[BASE]);
	free(x->same_hash[HEAD]);
}

/* Nodes that are i after `base` and `head`. */
static bool are_same_nodes(const struct matching *x, uint32_t base, uint32_t head, uint32_t i)
{
	const struct cg_tree_node *b = &x->trees[BASE]->nodes[base + i];
	const struct cg_tree_node *h = &x->trees[HEAD]->nodes[head + i];

	return b->end - base == h->end - head && b->calls == h->calls &&
	       flags_of(b) == flags_of(h) &&
	       matching_function(x, BASE, base + i) == matching_function(x, HEAD, head + i) &&
	       !x->m.folded[BASE][base + i] && !x->m.folded[HEAD][head + i];
}

bool tree_same_below(const struct matching *x, uint32_t base, uint32_t head)
{
	const struct cg_tree *b = x->trees[BASE], *h = x->trees[HEAD];
	const uint32_t count = b->nodes[base].end - base;
	const size_t n = b->profile->nevents;

	if (!x->same_hash[BASE] || count == 1 ||
	    x->same_hash[BASE][base] != x->same_hash[HEAD][head])
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (!are_same_nodes(x, base, head, i))
			return false;
	return memcmp(b->self + base * n, h->self + head * n, count * n * sizeof *b->self) == 0;
}
