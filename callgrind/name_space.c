#include "callgrind/name_space.h"

#include <stdlib.h>

#include "callgrind/support/error.h"
#include "callgrind/support/grow.h"

struct wanted {
	const struct name_space *space;
	uint64_t id;
};

static bool same_id(const void *context, uint32_t row)
{
	const struct wanted *w = context;
	return w->space->ids[row] == w->id;
}

uint32_t cg_name_space_find(const struct name_space *s, uint64_t id)
{
	struct wanted w = { s, id };
	return cg_index_find(&s->index, (uint32_t)cg_hash_mix(1, id), same_id, &w);
}

static int add_row(struct name_space *s, uint64_t id, uint32_t *row)
{
	size_t next = s->count ? s->count : 1;
	if (next >= UINT32_MAX || cg_grow(&s->ids, &s->ids_cap, next + 1, sizeof *s->ids) ||
	    cg_grow(&s->names, &s->names_cap, next + 1, sizeof *s->names) ||
	    cg_grow(&s->resolved, &s->resolved_cap, next + 1, sizeof *s->resolved) ||
	    cg_index_reserve(&s->index))
		return CG_ENOMEM;
	*row = (uint32_t)next;
	s->ids[next] = id;
	s->count = next + 1;
	cg_index_insert(&s->index, (uint32_t)cg_hash_mix(1, id), *row);
	return CG_OK;
}

int cg_name_space_define(struct name_space *s, uint64_t id, const struct packed *name,
			 uint32_t *row)
{
	*row = cg_name_space_find(s, id);
	if (!*row) {
		int status = add_row(s, id, row);
		if (status)
			return status;
	}
	s->names[*row] = *name;
	s->resolved[*row].record = 0;
	return CG_OK;
}

void cg_name_space_free(struct name_space *s)
{
	free(s->ids);
	free(s->names);
	free(s->resolved);
	cg_index_free(&s->index);
}
