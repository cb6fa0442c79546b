/*
 * Objects with debug information: whatever their bytes, looking addresses up ends, and what is
 * found is the same with a cache and without one.
 */
#include <elf.h>

#include "callgrind/demangle.h"
#include "callgrind/inlines_files.h"
#include "callgrind/producers.h"
#include "cgprofile/inlines.h"
#include "tests/fuzz/reading.h"
#include "tests/fuzz/sections.h"

enum { MOST_ADDRESSES = 96, LINES = 110 };

/* ---- a profile of the object ---- */

/* Places all over what is loaded to be executed; of what is no ELF file some numbers. */
static size_t find_addresses(const uint8_t *data, size_t size, uint64_t addresses[MOST_ADDRESSES])
{
	Elf64_Ehdr head;
	Elf64_Phdr part;
	uint64_t low = 1, len = MOST_ADDRESSES;

	if (size >= sizeof head) {
		memcpy(&head, data, sizeof head);
		for (size_t i = 0; i < head.e_phnum && i < 16; i++) {
			uint64_t at = head.e_phoff + i * sizeof part;
			if (at > size || size - at < sizeof part)
				break;
			memcpy(&part, data + at, sizeof part);
			if (part.p_type != PT_LOAD || !(part.p_flags & PF_X))
				continue;
			low = part.p_vaddr;
			len = part.p_memsz;
		}
	}
	for (size_t i = 0; i < MOST_ADDRESSES; i++)
		addresses[i] = low + (len / MOST_ADDRESSES + 1) * i;
	return MOST_ADDRESSES;
}

/* A part of the input, aligned as it is; false: it is not in it. */
static bool take(const uint8_t *data, size_t size, uint64_t at, void *out, size_t len)
{
	if (at > size || size - at < len)
		return false;
	memcpy(out, data + at, len);
	return true;
}

/* The symbols of an object and their names: Valgrind names functions by them. */
static bool find_symbols(const uint8_t *data, size_t size, Elf64_Shdr *symbols, Elf64_Shdr *names)
{
	Elf64_Ehdr head;

	if (!take(data, size, 0, &head, sizeof head))
		return false;
	for (size_t i = 0; i < head.e_shnum && i < 64; i++)
		if (take(data, size, head.e_shoff + i * sizeof *symbols, symbols,
			 sizeof *symbols) &&
		    symbols->sh_type == SHT_SYMTAB)
			return take(data, size, head.e_shoff + symbols->sh_link * sizeof *names,
				    names, sizeof *names);
	return false;
}

/* Allocated. */
static char *function_at(const uint8_t *data, size_t size, uint64_t address)
{
	Elf64_Shdr symbols, names;
	Elf64_Sym symbol;
	bool any = find_symbols(data, size, &symbols, &names);

	for (uint64_t i = 0; any && i < symbols.sh_size / sizeof symbol && i < 100; i++) {
		if (!take(data, size, symbols.sh_offset + i * sizeof symbol, &symbol,
			  sizeof symbol) ||
		    address - symbol.st_value >= symbol.st_size)
			continue;
		uint64_t at = names.sh_offset + symbol.st_name;
		if (at >= size || !memchr(data + at, '\0', size - at) ||
		    memchr(data + at, '\n', size - at))
			return strdup("???");
		const char *name = (const char *)data + at;
		char *demangled = cg_demangle(name);
		return demangled ? demangled : strdup(name);
	}
	return strdup("???");
}

/* In files that seeds were made of. */
static struct cg_profile *profile_at(const char *object, const uint8_t *data, size_t data_size,
				     const uint64_t *addresses, size_t count, bool by_line)
{
	static const char *const files[] = { "tiny.c", "tiny.cc", "lambdas.cc" };
	struct cg_read_options options = { .detail = { .lines = by_line, .addresses = !by_line } };
	struct cg_profile *p = NULL;
	struct cg_error err = { 0 };
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	LAW(to, "out of memory");
	fprintf(to, "positions: instr line\nevents: Ir\nob=%s\n", object);
	for (size_t i = 0; i < count; i++) {
		char *name = function_at(data, data_size, addresses[i]);
		fprintf(to, "fl=/s/%s\nfn=%s\n", files[i % 3], *name ? name : "???");
		fprintf(to, "0x%" PRIx64 " %zu 1\n", addresses[i], i / 3 * LINES * 3 / count);
		free(name);
	}
	fclose(to);
	/* A name may be no text of a profile. */
	if (cg_read_memory(text, size, "profile", &options, &p, &err))
		p = NULL;
	free(text);
	return p;
}

/* ---- laws ---- */

static void check_found(const struct cg_inlines *in, const struct cg_profile *p)
{
	for (uint32_t i = 1; i < in->nframes; i++) {
		const struct cg_frame *f = &in->frames[i];
		LAW(f->parent < i && f->name < in->strings.count && f->file < in->strings.count,
		    "frame %" PRIu32 " of %" PRIu32, i, in->nframes);
	}
	for (uint32_t i = 0; i < in->nobjects; i++) {
		const struct cg_inlines_object *o = &in->objects[i];
		const char *path = cg_strings_get(&in->strings, o->path);
		LAW(o->first + o->count <= in->naddresses && o->state <= CG_INLINES_COUNTED,
		    "an object has addresses, and a state");
		LAW(cg_inlines_find_object(in, path) == o && *cg_inlines_state_name(o->state),
		    "%s is found", path);
		for (uint32_t a = o->first; a < o->first + o->count; a++)
			LAW(in->frame[a] < in->nframes &&
				    (a == o->first || in->addresses[a - 1] < in->addresses[a]) &&
				    cg_inlines_frame(in, o, in->addresses[a]) == in->frame[a],
			    "address %" PRIx64 " is in a frame", in->addresses[a]);
	}
	for (uint32_t f = 1; f < p->nfunctions; f++) {
		const char *object = cg_string(p, p->functions[f].object);
		const struct cg_inlines_file *real = cg_inlines_real(
			in, object, cg_string(p, p->functions[f].file),
			cg_string(p, p->functions[f].name));
		LAW(!real || (real->real < in->strings.count && real->name < in->strings.count),
		    "a function has another place");
	}
}

static void check_same(const struct cg_inlines *a, const struct cg_inlines *b)
{
	LAW(a->naddresses == b->naddresses && a->nobjects == b->nobjects && a->nfiles == b->nfiles,
	    "with a cache there is something else");
	for (uint32_t i = 0; i < a->nobjects; i++)
		LAW(a->objects[i].state == b->objects[i].state, "state %d is %d with a cache",
		    (int)a->objects[i].state, (int)b->objects[i].state);
	for (uint32_t i = 0; i < a->naddresses; i++) {
		uint32_t one = a->frame[i], other = b->frame[i];
		for (; one && other; one = a->frames[one].parent, other = b->frames[other].parent)
			LAW(a->frames[one].line == b->frames[other].line &&
				    strcmp(cg_strings_get(&a->strings, a->frames[one].name),
					   cg_strings_get(&b->strings, b->frames[other].name)) ==
					    0 &&
				    strcmp(cg_strings_get(&a->strings, a->frames[one].file),
					   cg_strings_get(&b->strings, b->frames[other].file)) == 0,
			    "address %" PRIx64 " is in another frame with a cache",
			    a->addresses[i]);
		LAW(one == other, "address %" PRIx64 " is deeper with a cache", a->addresses[i]);
	}
}

/* What a line of any function mostly is. */
static void check_by_line(const struct cg_profile *p, const char *object)
{
	struct cg_inlines *in = NULL;

	LAW(!cg_inlines_find_by_line(p, &in), "out of memory");
	for (size_t i = 0; i < in->nlines; i++)
		LAW(in->lines[i].frame < in->nframes, "a line is in a frame");
	for (uint32_t i = 1; i < p->nlines; i++) {
		const struct cg_line *l = &p->lines[i];
		const struct cg_function *f = &p->functions[p->records[l->record].function];
		LAW(cg_inlines_frame_of_line(in, object, cg_string(p, f->name),
					     cg_string(p, l->file), l->line) < in->nframes,
		    "line %" PRIu32 " is in a frame", l->line);
	}
	cg_inlines_free(in);
}

static void check_producers(const char *object)
{
	char *text = NULL;
	int status = cg_producers(object, &text);

	LAW(!status && (!text || (*text && strlen(text) <= CG_PRODUCERS_MOST)),
	    "producers are '%s'", text);
	free(text);
}

static void check_addresses(const struct cg_profile *p)
{
	struct cg_inlines *alone = NULL, *cached = NULL;

	LAW(!cg_inlines_find(p, NULL, &alone), "out of memory");
	check_found(alone, p);
	for (int i = 0; i < 2; i++) {
		LAW(!cg_inlines_find(p, scratch_path("cache"), &cached), "out of memory");
		check_found(cached, p);
		check_same(alone, cached);
		cg_inlines_free(cached);
	}
	cg_inlines_free(alone);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t addresses[MOST_ADDRESSES];
	size_t count = find_addresses(data, size, addresses);

	unsetenv("DEBUGINFOD_URLS");
	scratch_clear();
	scratch_write("object", data, size);
	char *object = strdup(scratch_path("object"));
	struct cg_profile *p = profile_at(object, data, size, addresses, count, false);
	struct cg_profile *lines = profile_at(object, data, size, addresses, count, true);
	if (p)
		check_addresses(p);
	if (lines)
		check_by_line(lines, object);
	check_producers(object);
	LAW(!cg_has_new_llvm_dwarf(object) || cg_inlines_available(object),
	    "it has debug information");
	cg_profile_free(p);
	cg_profile_free(lines);
	free(object);
	return 0;
}
