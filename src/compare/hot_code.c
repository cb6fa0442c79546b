#include "src/compare/hot_code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cgprofile/error.h"
#include "src/asm/disassemble.h"
#include "src/compare/machine_rows.h"
#include "src/diff/same_code.h"

static int load_hot_code(const struct project *project, const char *base, const char *head,
			 const struct comparison *c, struct hot_code *h, struct cg_error *err)
{
	const struct cg_detail detail = { .lines = true, .addresses = true };
	const struct load_options load = comparison_reload_options(c, detail);

	if (base && head)
		return load_profiles(project, base, head, &load, &h->base, &h->head, err);
	return load_profile_alone(project, base ? base : head, &load, base ? &h->base : &h->head,
				  base ? &h->head : &h->base, err);
}

static bool is_of_source(const struct diff_row *row, const struct page_source *s)
{
	return strcmp(row->name, s->name) == 0 &&
	       (!*s->object || strcmp(row->object, s->object) == 0);
}

/* The rows of the functions, in order of their size. NULL: out of memory. */
static uint32_t *find_hot_rows(const struct diff *d, const struct hot_sources *sources,
			       size_t *count)
{
	uint32_t *rows = calloc(d->count + 1, sizeof *rows);

	*count = 0;
	for (size_t r = 0; rows && r < d->count; r++)
		for (size_t i = 0; i < sources->count; i++)
			if (is_of_source(&d->rows[r], &sources->items[i])) {
				rows[(*count)++] = (uint32_t)r;
				break;
			}
	return rows;
}

/* Of several functions with one name that of the largest change. */
static void give_code(const struct changed_instructions *c, struct page_source *s)
{
	for (size_t i = 0; !s->code && i < c->count; i++)
		if (is_of_source(c->items[i].row, s))
			s->code = &c->items[i];
}

static int list_hot_code(struct hot_code *h, struct hot_sources *sources, const char *const *dirs,
			 struct cg_error *err)
{
	size_t count;
	uint32_t *rows = find_hot_rows(h->diff, sources, &count);
	uint32_t *around = rows ? machine_rows_around(h->diff, rows, count, &count) : NULL;
	int status = around ? changed_instructions_make(h->diff, around, count, NULL, &h->base,
							&h->head, dirs, &h->instructions, err)
			    : cg_fail_nomem(err);

	free(rows);
	free(around);
	for (size_t i = 0; !status && i < sources->count; i++)
		give_code(&h->instructions, &sources->items[i]);
	return status;
}

static int say_what_is_missing(struct hot_code *h, struct cg_error *err)
{
	if (asprintf(
		    &h->missing,
		    "The machine code of these functions is not shown: the library Capstone could not be "
		    "loaded (on Debian: apt-get install %s).",
		    asm_package()) >= 0)
		return CG_OK;
	h->missing = NULL;
	return cg_fail_nomem(err);
}

int hot_code_find(const struct project *project, const char *base, const char *head,
		  const struct comparison *c, const char *const *dirs, struct hot_sources *sources,
		  struct hot_code *out, struct cg_error *err)
{
	*out = (struct hot_code){ 0 };
	if (!sources->count || !by_irdiff(head ? c->diff->head : c->diff->base) ||
	    !by_irdiff(base ? c->diff->base : c->diff->head))
		return CG_OK;
	if (asm_ready(NULL))
		return say_what_is_missing(out, err);
	int status = load_hot_code(project, base, head, c, out, err);
	if (status || (base && !out->base.code.nobjects) || (head && !out->head.code.nobjects))
		return status;
	status = diff_make(out->base.profile, out->head.profile, &c->diff->options, &out->diff,
			   err);
	return status ? status : list_hot_code(out, sources, dirs, err);
}

void hot_code_free(struct hot_code *h)
{
	free(h->missing);
	changed_instructions_free(&h->instructions);
	diff_free(h->diff);
	loaded_free(&h->base);
	loaded_free(&h->head);
	*h = (struct hot_code){ 0 };
}
