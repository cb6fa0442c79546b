/*
 * Calling contexts: lists of callers, the nearest first. Equal lists get equal numbers, so
 * contexts compare as integers. 0 is the empty list and means "none".
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

/* How many callers a context names. */
static inline size_t cg_contexts_size(const struct cg_contexts *c, uint32_t context)
{
	return context ? c->end[context] - c->end[context - 1] : 0;
}

/* These callers, names of functions. Owned by the table. */
static inline const cg_str *cg_contexts_get(const struct cg_contexts *c, uint32_t context)
{
	return context ? c->callers + c->end[context - 1] : c->callers;
}

CG_END_DECLS

#endif
