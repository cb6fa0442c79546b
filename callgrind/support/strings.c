#include "cgprofile/strings.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "callgrind/support/index.h"
#include "cgprofile/error.h"

struct strings_wanted {
	const struct cg_strings *strings;
	const char *text;
	size_t len;
};

static bool strings_is_wanted(const void *context, uint32_t id)
{
	const struct strings_wanted *w = context;
	const char *have = cg_strings_get(w->strings, id);
	return strncmp(have, w->text, w->len) == 0 && have[w->len] == '\0';
}

static int strings_append(struct cg_strings *s, const char *text, size_t len)
{
	if (len >= SIZE_MAX - s->nbytes ||
	    cg_grow(&s->bytes, &s->bytes_cap, s->nbytes + len + 1, 1) ||
	    cg_grow(&s->offset, &s->offset_cap, s->count + 1, sizeof *s->offset))
		return CG_ENOMEM;

	memcpy(s->bytes + s->nbytes, text, len);
	s->bytes[s->nbytes + len] = '\0';
	s->offset[s->count++] = s->nbytes;
	s->nbytes += len + 1;
	return CG_OK;
}

int cg_strings_init(struct cg_strings *s)
{
	*s = (struct cg_strings){ .secret = cg_hash_secret() };
	return strings_append(s, "", 0);
}

void cg_strings_free(struct cg_strings *s)
{
	free(s->bytes);
	free(s->offset);
	cg_index_free(&s->index);
	*s = (struct cg_strings){ 0 };
}

cg_str cg_strings_find(const struct cg_strings *s, const char *text, size_t len)
{
	struct strings_wanted w = { s, text, len };
	return cg_index_find(&s->index, cg_hash_text(s->secret, text, len), strings_is_wanted, &w);
}

int cg_strings_add_hashed(struct cg_strings *s, const char *text, size_t len, uint32_t hash,
			  cg_str *id)
{
	if (len == 0) {
		*id = 0;
		return CG_OK;
	}

	struct strings_wanted w = { s, text, len };
	uint32_t found = cg_index_find(&s->index, hash, strings_is_wanted, &w);
	if (!found) {
		if (s->count >= UINT32_MAX)
			return CG_ERANGE;
		found = (uint32_t)s->count;
		/* Room in the index first: a text without an entry would be added twice. */
		if (cg_index_reserve(&s->index) || strings_append(s, text, len))
			return CG_ENOMEM;
		cg_index_insert(&s->index, hash, found);
	}
	*id = found;
	return CG_OK;
}

int cg_strings_add(struct cg_strings *s, const char *text, size_t len, cg_str *id)
{
	return cg_strings_add_hashed(s, text, len, cg_hash_text(s->secret, text, len), id);
}
