/*
 * A table of interned strings: equal texts get equal ids, so names compare as
 * integers. Id 0 is the empty string and means "none". Texts are NUL-terminated
 * and hold no other NUL byte.
 */
#ifndef CGPROFILE_STRINGS_H
#define CGPROFILE_STRINGS_H

#include <stddef.h>
#include <stdint.h>

#include "cgprofile/api.h"

CG_BEGIN_DECLS

typedef uint32_t cg_str;

/* Finds texts by their hashes; for the library alone. */
struct cg_index_slot;
struct cg_index {
	struct cg_index_slot *slots; /* open addressing, size mask + 1 */
	size_t mask, count;
};

struct cg_strings {
	char *bytes; /* all texts, one after the other */
	size_t nbytes, bytes_cap;
	size_t *offset; /* of each text in `bytes` */
	size_t count, offset_cap;
	uint64_t secret; /* seed of the hashes */
	struct cg_index index;
};

/* An empty table holding only id 0. Returns CG_OK or CG_ENOMEM. */
int cg_strings_init(struct cg_strings *s);
void cg_strings_free(struct cg_strings *s);

/* Finds or adds the text; *id is its id. Returns CG_OK, CG_ENOMEM, or
 * CG_ERANGE after 2^32 - 1 texts. Pointers from cg_strings_get become invalid. */
int cg_strings_add(struct cg_strings *s, const char *text, size_t len, cg_str *id);

/* Finds a text without adding it; 0 if not found. */
cg_str cg_strings_find(const struct cg_strings *s, const char *text, size_t len);

/* The text of an id. Owned by the table, valid until the next add. */
static inline const char *cg_strings_get(const struct cg_strings *s, cg_str id)
{
	return s->bytes + s->offset[id];
}

CG_END_DECLS

#endif
