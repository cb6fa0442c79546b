/*
 * Usage: chains OBJECT <ADDRESSES
 *
 * Prints what cg_inlines_find knows of the addresses (one per line, hexadecimal) of an object:
 * first the state of the object, then a line for each address that has a frame, with tabs between
 * the address and its frames, the innermost first; a frame is its name, its file, and the file and
 * the line that it is called at, with tabs between them.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "callgrind/support/grow.h"
#include "cgprofile/inlines.h"
#include "tests/inlines/profile.h"

struct list {
	uint64_t *addresses;
	size_t count, cap;
};

static int read_addresses(struct list *list)
{
	char line[64];

	while (fgets(line, sizeof line, stdin)) {
		if (cg_grow(&list->addresses, &list->cap, list->count + 1, sizeof *list->addresses))
			return CG_ENOMEM;
		list->addresses[list->count++] = strtoull(line, NULL, 16);
	}
	return CG_OK;
}

static void print_chain(const struct cg_inlines *in, uint32_t i)
{
	printf("0x%" PRIx64, in->addresses[i]);
	for (uint32_t f = in->frame[i]; f; f = in->frames[f].parent)
		printf("\t%s\t%s\t%s\t%" PRIu32,
		       cg_strings_get(&in->strings, in->frames[f].name),
		       cg_strings_get(&in->strings, in->frames[f].file),
		       cg_strings_get(&in->strings, in->frames[f].call_file),
		       in->frames[f].call_line);
	putchar('\n');
}

int main(int argc, char **argv)
{
	struct list list = { 0 };
	struct cg_profile *p = NULL;
	struct cg_inlines *in = NULL;

	if (argc != 2) {
		fprintf(stderr, "Usage: chains OBJECT <ADDRESSES\n");
		return 2;
	}
	int status = read_addresses(&list);
	if (!status)
		status = profile_at(argv[1], list.addresses, list.count, &p);
	if (!status)
		status = cg_inlines_find(p, NULL, &in);
	if (!status && in->nobjects)
		puts(cg_inlines_state_name(in->objects[0].state));
	for (uint32_t i = 0; !status && i < in->naddresses; i++)
		if (in->frame[i])
			print_chain(in, i);
	cg_inlines_free(in);
	cg_profile_free(p);
	free(list.addresses);
	return status ? 1 : 0;
}
