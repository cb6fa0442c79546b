#include "src/report/inlined_here.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/report/plain_name.h"

enum { MOST_NAMES = 3 };

/* The first ones, each once. */
struct some_names {
	char *names[MOST_NAMES];
	size_t count;
	bool more;
};

static int add_some_name(struct some_names *n, const struct cg_profile *p, uint32_t function)
{
	char *name = plain_name(cg_string(p, p->functions[function].name));

	if (!name)
		return CG_ENOMEM;
	for (size_t i = 0; i < n->count; i++)
		if (strcmp(n->names[i], name) == 0) {
			free(name);
			return CG_OK;
		}
	if (n->count < MOST_NAMES) {
		n->names[n->count++] = name;
		return CG_OK;
	}
	n->more = true;
	free(name);
	return CG_OK;
}

static void write_some_names(const struct some_names *n, FILE *to)
{
	for (size_t i = 0; i < n->count; i++)
		fprintf(to, "%s%s",
			!i                              ? ""
			: i + 1 == n->count && !n->more ? " and "
							: ", ",
			n->names[i]);
	fputs(n->more ? " and others" : "", to);
}

static void free_some_names(struct some_names *n)
{
	for (size_t i = 0; i < n->count; i++)
		free(n->names[i]);
}

/* The innermost chosen function that a record is of; 0: none. */
static uint32_t chosen_frame(const struct cg_profile *p, uint32_t record, const bool *chosen)
{
	for (; record; record = p->records[record].inlined_into)
		if (chosen[p->records[record].function])
			return p->records[record].function;
	return 0;
}

bool inlined_here_is_marked(const struct asm_listing *listing, const struct asm_row *row,
			    const bool *chosen)
{
	return chosen && chosen_frame(listing->profile, row->record, chosen);
}

static int collect_inlined(const struct asm_listing *l, const bool *chosen,
			   struct some_names *inlined, struct some_names *around)
{
	const struct cg_profile *p = l->profile;
	uint32_t last = 0;
	int status = CG_OK;

	for (size_t i = 0; !status && i < l->nrows; i++) {
		const uint32_t record = l->rows[i].record;
		const uint32_t machine = record ? asm_machine_function(p, record) : 0;
		const uint32_t frame = record == last ? 0 : chosen_frame(p, record, chosen);
		last = record;
		if (!frame || chosen[machine])
			continue;
		status = add_some_name(inlined, p, frame);
		if (!status)
			status = add_some_name(around, p, machine);
	}
	return status;
}

char *inlined_here_text(const struct asm_listing *const listing[ASM_SIDES],
			const bool *const chosen[ASM_SIDES])
{
	struct some_names inlined = { .count = 0 }, around = { .count = 0 };
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	int status = to ? CG_OK : CG_ENOMEM;

	for (int side = ASM_SIDES; side-- > 0;)
		if (!status && listing[side] && chosen[side])
			status = collect_inlined(listing[side], chosen[side], &inlined, &around);
	if (!status && inlined.count) {
		write_some_names(&inlined, to);
		fprintf(to, " %s inlined here (*); this is all of ",
			inlined.count > 1 || inlined.more ? "are" : "is");
		write_some_names(&around, to);
	}
	if (to && fclose(to) != 0)
		status = CG_ENOMEM;
	free_some_names(&inlined);
	free_some_names(&around);
	if (!status)
		return text;
	free(text);
	return NULL;
}
