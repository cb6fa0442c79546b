#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "cgprofile/error.h"
#include "cgprofile/names.h"
#include "src/report/html/page_data.h"

/* Ids of the indexes are numbers and 1. */

struct wanted_page_name {
	const struct page_names *n;
	const char *text;
	struct page_function function;
};

static bool is_name_text(const void *context, uint32_t id)
{
	const struct wanted_page_name *w = context;
	return strcmp(w->n->texts[id - 1], w->text) == 0;
}

uint32_t page_text(struct page_names *n, const char *text)
{
	struct wanted_page_name wanted = { .n = n, .text = text ? text : "" };
	uint32_t hash = cg_hash_bytes(wanted.text, strlen(wanted.text));
	uint32_t id = cg_index_find(&n->text_index, hash, is_name_text, &wanted);

	if (id)
		return id - 1;
	if (cg_index_reserve(&n->text_index) ||
	    cg_grow(&n->texts, &n->texts_cap, n->ntexts + 1, sizeof *n->texts)) {
		n->failed = true;
		return 0;
	}
	n->texts[n->ntexts++] = wanted.text;
	cg_index_insert(&n->text_index, hash, (uint32_t)n->ntexts);
	return (uint32_t)n->ntexts - 1;
}

static bool is_page_function(const void *context, uint32_t id)
{
	const struct wanted_page_name *w = context;
	const struct page_function *f = &w->n->functions[id - 1];
	return strcmp(f->name, w->function.name) == 0 &&
	       strcmp(f->object, w->function.object) == 0 && strcmp(f->file, w->function.file) == 0;
}

static uint32_t hash_page_function(const struct page_function *f)
{
	uint64_t hash = cg_hash_bytes(f->name, strlen(f->name));
	hash = cg_hash_mix(hash, cg_hash_bytes(f->object, strlen(f->object)));
	return (uint32_t)cg_hash_mix(hash, cg_hash_bytes(f->file, strlen(f->file)));
}

/* Files and objects that are not known have no name. */
static const char *known_or_empty(const char *name)
{
	return text_is_known(name) ? name : "";
}

uint32_t page_function(struct page_names *n, const char *name, const char *object, const char *file)
{
	/* Paths of objects differ where base and head were built: they are no other functions. */
	struct wanted_page_name wanted = { .n = n,
					   .function = { name, cg_base_name(known_or_empty(object)),
							 known_or_empty(file) } };
	uint32_t hash = hash_page_function(&wanted.function);
	uint32_t id = cg_index_find(&n->function_index, hash, is_page_function, &wanted);

	if (id)
		return id - 1;
	if (cg_index_reserve(&n->function_index) ||
	    cg_grow(&n->functions, &n->functions_cap, n->nfunctions + 1, sizeof *n->functions)) {
		n->failed = true;
		return 0;
	}
	n->functions[n->nfunctions++] = wanted.function;
	cg_index_insert(&n->function_index, hash, (uint32_t)n->nfunctions);
	return (uint32_t)n->nfunctions - 1;
}

void page_forget_functions(struct page_names *n)
{
	cg_index_free(&n->function_index);
	n->function_index = (struct cg_index){ 0 };
	n->nfunctions = 0;
}

void page_names_free(struct page_names *n)
{
	cg_index_free(&n->text_index);
	cg_index_free(&n->function_index);
	free(n->texts);
	free(n->functions);
}
