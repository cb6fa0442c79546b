#include "src/diff/groups.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"

struct wanted_group {
	const struct groups *g;
	struct group_key key;
};

static bool same_key(const void *context, uint32_t id)
{
	const struct wanted_group *w = context;
	return memcmp(&w->g->keys[id], &w->key, sizeof w->key) == 0;
}

int groups_begin(const struct cg_profile *p, struct growing_groups *w)
{
	*w = (struct growing_groups){ .g.count = 1 };
	w->g.of = calloc((size_t)p->nfunctions + 1, sizeof *w->g.of);
	return w->g.of && !cg_grow(&w->g.keys, &w->cap, 1, sizeof *w->g.keys) ? CG_OK : CG_ENOMEM;
}

void groups_abandon(struct growing_groups *w)
{
	cg_index_free(&w->index);
	groups_free(&w->g);
}

int groups_find_or_add(struct growing_groups *w, const struct group_key *key, uint32_t *id)
{
	struct wanted_group wanted = { &w->g, *key };
	uint32_t hash = cg_hash_bytes((const char *)key, sizeof *key);

	*id = cg_index_find(&w->index, hash, same_key, &wanted);
	if (*id)
		return CG_OK;
	if (cg_grow(&w->g.keys, &w->cap, (size_t)w->g.count + 1, sizeof *w->g.keys) ||
	    cg_index_reserve(&w->index))
		return CG_ENOMEM;
	*id = w->g.count++;
	w->g.keys[*id] = *key;
	cg_index_insert(&w->index, hash, *id);
	return CG_OK;
}

void groups_free(struct groups *g)
{
	free(g->keys);
	free(g->of);
	free(g->unnamed);
	free(g->inlined);
	free(g->functions);
	*g = (struct groups){ 0 };
}
