#include "callgrind/context_texts.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/contexts.h"
#include "callgrind/support/grow.h"
#include "callgrind/support/index.h"
#include "cgprofile/names.h"

/* Brackets that do not close are looked for as far as names are usually long, lest each name is
 * measured through all those that follow. */
size_t cg_context_first_name(const char *text, size_t len)
{
	enum { USUAL = 4096 };
	size_t near = len < USUAL ? len : USUAL;
	size_t own = cg_name_split(text, near).name_len;

	return own == near && near < len ? cg_name_split(text, len).name_len : own;
}

/* ---- known texts ---- */

struct context_text {
	const struct cg_profile *p;
	const char *text;
	size_t len;
};

static size_t context_name_len(const struct cg_strings *s, cg_str id)
{
	size_t end = (size_t)id + 1 < s->count ? s->offset[id + 1] : s->nbytes;
	return end - s->offset[id] - 1;
}

static bool is_text_of_context(const void *context, uint32_t id)
{
	const struct context_text *w = context;
	const struct cg_strings *s = &w->p->strings;
	const cg_str *callers = cg_contexts_get(&w->p->contexts, id);
	const size_t size = cg_contexts_size(&w->p->contexts, id);
	size_t at = 0;

	for (size_t i = 0; i < size; i++) {
		const size_t len = context_name_len(s, callers[i]);
		const size_t sep = i > 0;
		if (w->len - at < len + sep || (sep && w->text[at] != '\'') ||
		    memcmp(w->text + at + sep, s->bytes + s->offset[callers[i]], len) != 0)
			return false;
		at += len + sep;
	}
	return at == w->len;
}

/* ---- new ones ---- */

/* Whether a name up to its first apostrophe says that it ends there: brackets are as many as they
 * need be, and no name in apostrophes begins ("f()::'lambda'"). */
static bool ends_by_itself(const char *name, size_t len)
{
	int open = 0;

	for (size_t i = 0; i < len; i++) {
		open += name[i] == '(' || name[i] == '[' || name[i] == '{' || name[i] == '<';
		open -= name[i] == ')' || name[i] == ']' || name[i] == '}' || name[i] == '>';
	}
	return open == 0 && len > 0 && name[len - 1] != ':';
}

static int note_end(struct cg_context_texts *t, cg_str name)
{
	const size_t known = t->ends_cap;

	if (cg_grow(&t->ends, &t->ends_cap, (size_t)name + 1, sizeof *t->ends))
		return CG_ENOMEM;
	memset(t->ends + known, 0, (t->ends_cap - known) * sizeof *t->ends);
	t->ends[name] = true;
	return CG_OK;
}

/* The first name of a text. Most are known, and need not be looked through once more. */
static int first_caller(struct cg_context_texts *t, struct cg_strings *s, const char *text,
			size_t len, cg_str *name, size_t *name_len)
{
	const char *quote = memchr(text, '\'', len);
	const size_t near = quote ? (size_t)(quote - text) : len;

	*name_len = near;
	*name = cg_strings_find(s, text, near);
	if (*name && *name < t->ends_cap && t->ends[*name])
		return CG_OK;
	*name_len = cg_context_first_name(text, len);
	int status = cg_strings_add(s, text, *name_len, name);
	if (!status && *name_len == near && ends_by_itself(text, near))
		status = note_end(t, *name);
	return status;
}

static int split_context_text(struct cg_context_texts *t, struct cg_profile *p, const char *text,
			      size_t len, size_t *count)
{
	*count = 0;
	for (size_t at = 0, own; at < len; at += own + 1) { /* and the apostrophe */
		if (cg_grow(&t->callers, &t->callers_cap, *count + 1, sizeof *t->callers))
			return CG_ENOMEM;
		int status = first_caller(t, &p->strings, text + at, len - at, &t->callers[*count],
					  &own);
		if (status)
			return status;
		++*count;
	}
	return CG_OK;
}

int cg_context_texts_find(struct cg_context_texts *t, struct cg_profile *p, const char *text,
			  size_t len, uint32_t hash, uint32_t *context)
{
	const struct context_text w = { p, text, len };
	size_t count;

	*context = len ? cg_index_find(&t->index, hash, is_text_of_context, &w) : 0;
	if (*context || !len)
		return CG_OK;
	int status = split_context_text(t, p, text, len, &count);
	if (!status)
		status = cg_contexts_add(&p->contexts, t->callers, count, context);
	if (!status)
		status = cg_index_reserve(&t->index);
	/* A text that ends in an apostrophe is not that of its names. */
	if (!status && is_text_of_context(&w, *context))
		cg_index_insert(&t->index, hash, *context);
	return status;
}

void cg_context_texts_prefetch(const struct cg_context_texts *t, const struct cg_profile *p,
			       uint32_t hash, enum cg_text_stage stage)
{
	if (stage == CG_TEXT_SLOT) {
		cg_index_prefetch(&t->index, hash);
		return;
	}
	const uint32_t id = cg_index_first(&t->index, hash);
	if (!id)
		return;
	if (stage == CG_TEXT_PLACE)
		__builtin_prefetch(&p->contexts.end[id]);
	else
		__builtin_prefetch(cg_contexts_get(&p->contexts, id));
}

void cg_context_texts_free(struct cg_context_texts *t)
{
	cg_index_free(&t->index);
	free(t->callers);
	free(t->ends);
	*t = (struct cg_context_texts){ 0 };
}
