#include "callgrind/name_table.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "callgrind/support/index.h"
#include "cgprofile/error.h"

struct name_table_wanted {
	const struct name_table *space;
	uint64_t id;
};

static bool same_id(const void *context, uint32_t row)
{
	const struct name_table_wanted *w = context;
	return w->space->ids[row] == w->id;
}

static uint32_t name_table_hash_of(const struct name_table *s, uint64_t id)
{
	return (uint32_t)cg_hash_keyed(s->secret, id);
}

enum { PAGE_IDS = 256, MAX_PAGES = 16 * 1024 };

/* Where the row of a small id is kept; NULL if its page was never needed. */
static uint32_t *slot_of(const struct name_table *s, uint64_t id)
{
	uint64_t page = id / PAGE_IDS;
	return page < s->npages && s->pages[page] ? &s->pages[page][id % PAGE_IDS] : NULL;
}

uint32_t cg_name_table_find(const struct name_table *s, uint64_t id)
{
	struct name_table_wanted w = { s, id };
	const uint32_t *slot = slot_of(s, id);
	if (slot || id / PAGE_IDS < MAX_PAGES)
		return slot ? *slot : 0;
	return cg_index_find(&s->others, name_table_hash_of(s, id), same_id, &w);
}

void cg_name_table_prefetch_id(const struct name_table *s, uint64_t id)
{
	const uint32_t *slot = slot_of(s, id);
	if (slot)
		__builtin_prefetch(slot);
}

void cg_name_table_prefetch_row(const struct name_table *s, uint64_t id)
{
	const uint32_t *slot = slot_of(s, id);
	if (!slot || !*slot)
		return;
	__builtin_prefetch(&s->names[*slot]);
	__builtin_prefetch(&s->resolved[*slot]);
}

static int reserve_page(struct name_table *s, uint64_t id)
{
	size_t page = (size_t)(id / PAGE_IDS), first = s->npages;
	if (page >= first) {
		if (cg_grow(&s->pages, &s->pages_cap, page + 1, sizeof *s->pages))
			return CG_ENOMEM;
		memset(s->pages + first, 0, (page + 1 - first) * sizeof *s->pages);
		s->npages = page + 1;
	}
	if (!s->pages[page])
		s->pages[page] = calloc(PAGE_IDS, sizeof **s->pages);
	return s->pages[page] ? CG_OK : CG_ENOMEM;
}

static int reserve(struct name_table *s, uint64_t id)
{
	if (id / PAGE_IDS < MAX_PAGES)
		return reserve_page(s, id);
	if (!s->others.count)
		s->secret = cg_hash_secret();
	return cg_index_reserve(&s->others);
}

static int name_table_add_row(struct name_table *s, uint64_t id, uint32_t *row)
{
	size_t next = s->count ? s->count : 1;
	if (next >= UINT32_MAX || cg_grow(&s->ids, &s->ids_cap, next + 1, sizeof *s->ids) ||
	    cg_grow(&s->names, &s->names_cap, next + 1, sizeof *s->names) ||
	    cg_grow(&s->resolved, &s->resolved_cap, next + 1, sizeof *s->resolved) ||
	    reserve(s, id))
		return CG_ENOMEM;
	*row = (uint32_t)next;
	s->ids[next] = id;
	s->count = next + 1;
	if (id / PAGE_IDS < MAX_PAGES)
		*slot_of(s, id) = *row;
	else
		cg_index_insert(&s->others, name_table_hash_of(s, id), *row);
	return CG_OK;
}

int cg_name_table_define(struct name_table *s, uint64_t id, const struct packed *name,
			 uint32_t *row)
{
	*row = cg_name_table_find(s, id);
	if (!*row) {
		int status = name_table_add_row(s, id, row);
		if (status)
			return status;
	}
	s->names[*row] = *name;
	s->resolved[*row].record = 0;
	return CG_OK;
}

void cg_name_table_free(struct name_table *s)
{
	free(s->ids);
	free(s->names);
	free(s->resolved);
	for (size_t i = 0; i < s->npages; i++)
		free(s->pages[i]);
	free(s->pages);
	cg_index_free(&s->others);
}
