#include "callgrind/contexts.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "callgrind/support/index.h"
#include "cgprofile/error.h"

struct contexts_wanted {
	const struct cg_contexts *contexts;
	const cg_str *callers;
	size_t size;
};

static bool contexts_is_wanted(const void *context, uint32_t id)
{
	const struct contexts_wanted *w = context;

	return cg_contexts_size(w->contexts, id) == w->size &&
	       memcmp(cg_contexts_get(w->contexts, id), w->callers, w->size * sizeof *w->callers) ==
		       0;
}

/* Room first: a list without an entry in the index would be added twice. */
static int contexts_reserve(struct cg_contexts *c, size_t size)
{
	const size_t first = c->count;

	if (cg_grow(&c->callers, &c->callers_cap, c->ncallers + size, sizeof *c->callers) ||
	    cg_grow(&c->end, &c->end_cap, first + 2, sizeof *c->end) || cg_index_reserve(&c->index))
		return CG_ENOMEM;
	if (first == 0) {
		c->end[0] = 0;
		c->count = 1;
	}
	return CG_OK;
}

static uint32_t hash_callers(const struct cg_contexts *c, const cg_str *callers, size_t size)
{
	uint64_t hash = c->secret;

	for (size_t i = 0; i < size; i++)
		hash = cg_hash_keyed(hash, callers[i]);
	return (uint32_t)hash;
}

static uint32_t find_hashed(const struct cg_contexts *c, const cg_str *callers, size_t size,
			    uint32_t hash)
{
	const struct contexts_wanted w = { c, callers, size };
	return size ? cg_index_find(&c->index, hash, contexts_is_wanted, &w) : 0;
}

uint32_t cg_contexts_find(const struct cg_contexts *c, const cg_str *callers, size_t size)
{
	return find_hashed(c, callers, size, hash_callers(c, callers, size));
}

int cg_contexts_add(struct cg_contexts *c, const cg_str *callers, size_t size, uint32_t *context)
{
	if (!c->count)
		c->secret = cg_hash_secret();
	const uint32_t hash = hash_callers(c, callers, size);
	*context = find_hashed(c, callers, size, hash);
	if (*context || !size)
		return CG_OK;
	if (c->count >= UINT32_MAX)
		return CG_ERANGE;
	if (contexts_reserve(c, size))
		return CG_ENOMEM;
	memcpy(c->callers + c->ncallers, callers, size * sizeof *callers);
	c->ncallers += size;
	c->end[c->count] = c->ncallers;
	*context = (uint32_t)c->count++;
	cg_index_insert(&c->index, hash, *context);
	return CG_OK;
}

void cg_contexts_free(struct cg_contexts *c)
{
	free(c->callers);
	free(c->end);
	cg_index_free(&c->index);
	*c = (struct cg_contexts){ 0 };
}
