/*
 * Private to callgrind/build.c: the calls that lead to inlined records, which no file has. What a
 * record costs, and what it calls, flows through the record that it is inlined into. As far as it
 * is known at which lines that record calls it, there is a call for each of them.
 */
#ifndef CG_INLINED_LINKS_H
#define CG_INLINED_LINKS_H

#include "callgrind/build.h"
#include "callgrind/support/index.h"

struct inlined_site;

struct cg_inlined_links {
	uint64_t *entries; /* per record, how often it is called; 0: unknown */
	size_t entries_cap, nentries;
	struct inlined_site *sites; /* 0 is unused */
	int64_t *costs;             /* of each, by event */
	size_t sites_cap, costs_cap;
	uint32_t nsites;
	struct cg_index index;
};

void cg_inlined_links_free(struct cg_inlined_links *l);

/* Bytes of the tables. */
uint64_t cg_inlined_links_size(const struct cg_inlined_links *l, uint32_t nevents);

/* Both return CG_OK or CG_ENOMEM, and the second one CG_ERANGE; see cg_build_entries and
 * cg_build_site. `p` is the profile so far. */
int cg_inlined_links_enter(struct cg_inlined_links *l, uint32_t record, uint64_t count);
int cg_inlined_links_add(struct cg_inlined_links *l, const struct cg_profile *p, uint32_t record,
			 const struct cg_position *at, uint64_t count, const int64_t *costs);

/* Adds the calls; what cg_build_call returns, or CG_ENOMEM. Afterwards `l` can only be freed. */
int cg_inlined_links_make(struct cg_inlined_links *l, struct cg_builder *b);

#endif
