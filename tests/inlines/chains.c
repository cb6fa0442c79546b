/*
 * Usage: chains OBJECT <ADDRESSES
 *
 * Prints what cg_inlines_find knows of the addresses (one per line, hexadecimal) of an object:
 * first the state of the object, then a line for each address that has a frame, with tabs between
 * the address and its frames, the innermost first; a frame is its name, a tab, and its file.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/build.h"
#include "callgrind/inlines.h"

/* Of one function in the object, which costs 1 at each address of the input. */
static int build(struct cg_builder *b, const char *object)
{
	struct cg_event event = { 0 };
	struct cg_function f = { 0 };
	struct cg_record r = { .level = 1 };
	const int64_t one = 1;
	uint32_t record;
	char line[64];

	int status = cg_build_string(b, "Ir", 2, &event.name);
	if (!status)
		status = cg_build_event(b, &event);
	if (!status)
		status = cg_build_part(b);
	if (!status)
		status = cg_build_string(b, object, strlen(object), &f.object);
	if (!status)
		status = cg_build_string(b, "all", 3, &f.name);
	if (!status)
		status = cg_build_function(b, &f, &r.function);
	if (!status)
		status = cg_build_record(b, &r, &record);
	while (!status && fgets(line, sizeof line, stdin)) {
		struct cg_position at = { .address = strtoull(line, NULL, 16) };
		status = cg_build_self(b, record, &at, &one);
	}
	return status;
}

static void print_chain(const struct cg_inlines *in, uint32_t i)
{
	printf("0x%" PRIx64, in->addresses[i]);
	for (uint32_t f = in->frame[i]; f; f = in->frames[f].parent)
		printf("\t%s\t%s", cg_strings_get(&in->strings, in->frames[f].name),
		       cg_strings_get(&in->strings, in->frames[f].file));
	putchar('\n');
}

int main(int argc, char **argv)
{
	const struct cg_detail detail = { .addresses = true };
	struct cg_builder *b = NULL;
	struct cg_profile *p = NULL;
	struct cg_inlines *in = NULL;

	if (argc != 2) {
		fprintf(stderr, "Usage: chains OBJECT <ADDRESSES\n");
		return 2;
	}
	int status = cg_builder_new(&b, &detail);
	if (!status && (status = build(b, argv[1])))
		cg_builder_free(b);
	else if (!status)
		status = cg_builder_finish(b, &p);
	if (!status)
		status = cg_inlines_find(p, &in);
	if (!status && in->nobjects)
		puts(cg_inlines_state_name(in->objects[0].state));
	for (uint32_t i = 0; !status && i < in->naddresses; i++)
		if (in->frame[i])
			print_chain(in, i);
	cg_inlines_free(in);
	cg_profile_free(p);
	return status ? 1 : 0;
}
