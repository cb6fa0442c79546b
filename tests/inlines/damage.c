/*
 * Usage: damage OBJECT SCRATCH COUNT [FIRST]
 *
 * Damages the debug information of an object (64 bits, of this machine's byte order) in COUNT
 * ways, and looks all its addresses up each time: whatever is found, it must come to an end. What
 * is damaged depends on the number of the way alone; FIRST is that of the first one. Prints how
 * often each state was found.
 */
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "callgrind/producers.h"
#include "cgprofile/inlines.h"
#include "tests/inlines/profile.h"

enum { MOST_SECTIONS = 64, MOST_ADDRESSES = 4000, MOST_PATCHES = 8, SECONDS = 300 };

struct object {
	unsigned char *bytes;
	size_t size;
	Elf64_Shdr debug[MOST_SECTIONS], text;
	size_t ndebug;
};

static uint64_t next_random(uint64_t *state)
{
	uint64_t x = *state += 0x9e3779b97f4a7c15u;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

static size_t below(uint64_t *state, size_t limit)
{
	return (size_t)(next_random(state) % limit);
}

static bool load(const char *path, struct object *o)
{
	FILE *from = fopen(path, "rb");
	if (!from)
		return false;
	bool ok = fseek(from, 0, SEEK_END) == 0;
	o->size = (size_t)ftell(from);
	rewind(from);
	o->bytes = malloc(o->size);
	ok = ok && o->bytes && fread(o->bytes, 1, o->size, from) == o->size;
	fclose(from);
	return ok && o->size > sizeof(Elf64_Ehdr);
}

/* The object is a good one, made for the test. */
static void find_sections(struct object *o)
{
	Elf64_Ehdr head;
	Elf64_Shdr names, section;
	memcpy(&head, o->bytes, sizeof head);
	memcpy(&names, o->bytes + head.e_shoff + head.e_shstrndx * sizeof names, sizeof names);

	for (size_t i = 0; i < head.e_shnum; i++) {
		memcpy(&section, o->bytes + head.e_shoff + i * sizeof section, sizeof section);
		const char *name = (const char *)o->bytes + names.sh_offset + section.sh_name;
		if (strcmp(name, ".text") == 0)
			o->text = section;
		if (strncmp(name, ".debug_", 7) == 0 && section.sh_size &&
		    o->ndebug < MOST_SECTIONS)
			o->debug[o->ndebug++] = section;
	}
}

static void patch(unsigned char *bytes, const Elf64_Shdr *section, uint64_t *state)
{
	unsigned char *start = bytes + section->sh_offset;
	size_t size = section->sh_size, at = below(state, size), most = size - at;
	size_t len = 1 + below(state, most < 16 ? most : 16);

	switch (below(state, 5)) {
	case 0:
		start[at] = (unsigned char)next_random(state);
		break;
	case 1:
		start[at] ^= (unsigned char)(1u << below(state, 8));
		break;
	case 2:
		memset(start + at, 0, len);
		break;
	case 3:
		memset(start + at, 0xff, len);
		break;
	default:
		memmove(start + at, start + below(state, size - len + 1), len);
	}
}

static bool write_damaged(const struct object *o, const char *path, uint64_t way)
{
	uint64_t state = way;
	unsigned char *bytes = malloc(o->size);
	FILE *to = fopen(path, "wb");
	size_t size = o->size;
	bool ok = bytes && to;

	if (ok) {
		memcpy(bytes, o->bytes, size);
		for (size_t n = 1 + below(&state, MOST_PATCHES); n; n--)
			patch(bytes, &o->debug[below(&state, o->ndebug)], &state);
		if (below(&state, 16) == 0)
			size = below(&state, size);
		ok = fwrite(bytes, 1, size, to) == size;
	}
	free(bytes);
	return (!to || fclose(to) == 0) && ok;
}

/* What built it is text of the file, of any bytes. */
static int read_producers(const char *path)
{
	char *text = NULL;
	int status = cg_producers(path, &text);

	if (!status && text && (!*text || strlen(text) > CG_PRODUCERS_MOST)) {
		fprintf(stderr, "%s: odd producers\n", path);
		status = CG_EINTERNAL;
	}
	free(text);
	return status;
}

static int look_up(const struct object *o, const char *path, enum cg_inlines_state *state)
{
	static const struct cg_inlines_object none = { .state = CG_INLINES_NO_FILE };
	uint64_t addresses[MOST_ADDRESSES];
	struct cg_profile *p;
	struct cg_inlines *in;
	size_t step = o->text.sh_size / MOST_ADDRESSES + 1;

	for (size_t i = 0; i < MOST_ADDRESSES; i++)
		addresses[i] = o->text.sh_addr + i * step;
	int status = profile_at(path, addresses, MOST_ADDRESSES, &p);
	if (status)
		return status;
	status = cg_inlines_find(p, NULL, &in);
	cg_profile_free(p);
	if (status)
		return status;
	*state = (in->nobjects ? in->objects[0] : none).state;
	for (uint32_t f = 1; !status && f < in->nframes; f++)
		status = in->frames[f].parent < f ? CG_OK : CG_EINVAL;
	cg_inlines_free(in);
	if (!status)
		status = read_producers(path);
	return status;
}

int main(int argc, char **argv)
{
	struct object o = { 0 };
	unsigned counts[CG_INLINES_COUNTED + 1] = { 0 };
	int status = CG_OK;

	if (argc < 4 || argc > 5 || !load(argv[1], &o)) {
		fprintf(stderr, "Usage: damage OBJECT SCRATCH COUNT [FIRST]\n");
		return 2;
	}
	find_sections(&o);
	uint64_t first = argc > 4 ? strtoull(argv[4], NULL, 10) : 0;
	uint64_t end = first + strtoull(argv[3], NULL, 10);
	for (uint64_t way = first; !status && o.ndebug && way < end; way++) {
		enum cg_inlines_state state = CG_INLINES_FOUND;
		/* Should it never return, or crash, this is the way. */
		printf("%" PRIu64 "\r", way);
		fflush(stdout);
		alarm(SECONDS);
		status = write_damaged(&o, argv[2], way) ? look_up(&o, argv[2], &state) : CG_EIO;
		counts[state] += !status;
	}
	printf("%s", status ? "failed" : "");
	for (int i = 0; !status && i <= CG_INLINES_DAMAGED; i++)
		printf("%s%u %s", i ? ", " : "", counts[i],
		       cg_inlines_state_name((enum cg_inlines_state)i));
	putchar('\n');
	free(o.bytes);
	return status ? 1 : 0;
}
