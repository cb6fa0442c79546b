/* Private to the library: how contexts are added to a table; a zeroed one is empty. */
#ifndef CG_CONTEXTS_H
#define CG_CONTEXTS_H

#include "cgprofile/contexts.h"

/* Finds or adds a list of `size` names of functions; *context is its number. What was got from the
 * table becomes invalid. Returns CG_OK, CG_ENOMEM, or CG_ERANGE after 2^32 - 1 lists. */
int cg_contexts_add(struct cg_contexts *c, const cg_str *callers, size_t size, uint32_t *context);
/* Finds a list without adding it; 0 if it is not there, or empty. */
uint32_t cg_contexts_find(const struct cg_contexts *c, const cg_str *callers, size_t size);
void cg_contexts_free(struct cg_contexts *c);

#endif
