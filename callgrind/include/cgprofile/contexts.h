/*
 * Calling contexts: lists of callers, the nearest first. Equal lists get equal numbers, so
 * contexts compare as integers. 0 is the empty list and means "none". A zeroed table is empty.
 */
#ifndef CGPROFILE_CONTEXTS_H
#define CGPROFILE_CONTEXTS_H

#include "cgprofile/strings.h"

CG_BEGIN_DECLS

struct cg_contexts {
	cg_str *callers; /* of all lists, one after the other */
	size_t ncallers, callers_cap;
	size_t *end; /* of each list in `callers`, where the next one begins */
	size_t count, end_cap;
	uint64_t secret; /* seed of the hashes */
	struct cg_index index;
};

/* Finds or adds a list of `size` names of functions; *context is its number. Returns CG_OK,
 * CG_ENOMEM, or CG_ERANGE after 2^32 - 1 lists. */
int cg_contexts_add(struct cg_contexts *c, const cg_str *callers, size_t size, uint32_t *context);
void cg_contexts_free(struct cg_contexts *c);

/* How many callers a context names. */
static inline size_t cg_contexts_size(const struct cg_contexts *c, uint32_t context)
{
	return context ? c->end[context] - c->end[context - 1] : 0;
}

/* These callers. Owned by the table, valid until the next add. */
static inline const cg_str *cg_contexts_get(const struct cg_contexts *c, uint32_t context)
{
	return context ? c->callers + c->end[context - 1] : c->callers;
}

CG_END_DECLS

#endif
