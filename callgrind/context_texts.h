/* Private to the library: contexts as files write them, such as "g'main". */
#ifndef CG_CONTEXT_TEXTS_H
#define CG_CONTEXT_TEXTS_H

#include <stdbool.h>

#include "callgrind/build.h"

/* What is known of texts while a profile is built; a zeroed one knows nothing. */
struct cg_context_texts {
	struct cg_index index; /* contexts by the hashes of their texts */
	cg_str *callers;       /* room for those of one text */
	size_t callers_cap;
	bool *ends; /* per string: an apostrophe after it ends a name, whatever follows */
	size_t ends_cap;
};

/* The context of a text, whose cg_hash_text with the secret of the profile's strings is `hash`.
 * Adds it, and names of callers, to the profile. CG_OK, CG_ENOMEM or CG_ERANGE. */
int cg_context_texts_find(struct cg_context_texts *t, struct cg_profile *p, const char *text,
			  size_t len, uint32_t hash, uint32_t *context);
/* As cg_build_prefetch_context. */
void cg_context_texts_prefetch(const struct cg_context_texts *t, const struct cg_profile *p,
			       uint32_t hash, enum cg_text_stage stage);
void cg_context_texts_free(struct cg_context_texts *t);

/* How long the first name of a text is. */
size_t cg_context_first_name(const char *text, size_t len);

#endif
