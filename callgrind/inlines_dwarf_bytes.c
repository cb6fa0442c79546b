/* Reads the machine code of objects (machine_code.h). */
#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <stdlib.h>

#include "callgrind/inlines_dwarf_elf.h"
#include "callgrind/machine_code.h"
#include "callgrind/support/grow.h"
#include "cgprofile/error.h"

/* Without symbols: how far code is read after an address, which is the longest instruction of
 * x86-64, and how far the next address may be away so that what lies between is read, too. */
enum { LONGEST_INSTRUCTION = 15, CLOSE = 256 };
#define LARGEST_FUNCTION ((uint64_t)1 << 20) /* symbols that claim more are not believed */

/* Code from `low` up to `high`. */
struct code_extent {
	uint64_t low, high;
};

struct code_extents {
	struct code_extent *rows;
	size_t count, cap;
};

static int compare_extents(const void *left, const void *right)
{
	const struct code_extent *a = left, *b = right;
	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	return (a->high > b->high) - (a->high < b->high);
}

static int add_symbols_of(Elf_Scn *section, const GElf_Shdr *header, struct code_extents *out)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t count = data && header->sh_entsize ? data->d_size / header->sh_entsize : 0;

	for (size_t i = 0; i < count && i < INT32_MAX; i++) {
		GElf_Sym sym;
		if (!gelf_getsym(data, (int)i, &sym) || GELF_ST_TYPE(sym.st_info) != STT_FUNC ||
		    sym.st_shndx == SHN_UNDEF || !sym.st_size || sym.st_size > LARGEST_FUNCTION ||
		    sym.st_value > UINT64_MAX - sym.st_size)
			continue;
		if (cg_grow(&out->rows, &out->cap, out->count + 1, sizeof *out->rows))
			return CG_ENOMEM;
		out->rows[out->count++] = (struct code_extent){ sym.st_value,
								sym.st_value + sym.st_size };
	}
	return CG_OK;
}

/* Where the functions of an object are, sorted. */
static int find_functions_of_symbols(const struct cg_elf *o, struct code_extents *out)
{
	int status = CG_OK;

	for (Elf_Scn *s = NULL; !status && (s = elf_nextscn(o->elf, s));) {
		GElf_Shdr header;
		if (gelf_getshdr(s, &header) &&
		    (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM))
			status = add_symbols_of(s, &header, out);
	}
	if (out->count)
		qsort(out->rows, out->count, sizeof *out->rows, compare_extents);
	return status;
}

/* The function at an address; *next is where the search for a higher address begins. Aliases have
 * the same extent. */
static struct code_extent symbol_around(const struct code_extents *functions, uint64_t address,
					size_t *next)
{
	while (*next < functions->count && functions->rows[*next].high <= address)
		++*next;
	for (size_t i = *next; i < functions->count && functions->rows[i].low <= address; i++)
		if (address < functions->rows[i].high)
			return functions->rows[i];
	return (struct code_extent){ address, address + LONGEST_INSTRUCTION > address
						      ? address + LONGEST_INSTRUCTION
						      : UINT64_MAX };
}

/* What is to be read for all addresses, ascending and apart. */
static int find_extents(const struct code_extents *functions, const uint64_t *addresses,
			size_t count, struct code_extents *out)
{
	size_t next = 0;

	for (size_t i = 0; i < count; i++) {
		struct code_extent *last = out->count ? &out->rows[out->count - 1] : NULL;
		if (last && addresses[i] < last->high &&
		    last->high - addresses[i] >= LONGEST_INSTRUCTION)
			continue;
		struct code_extent e = symbol_around(functions, addresses[i], &next);
		bool alone = e.low == addresses[i];
		if (last && (e.low < last->high || (alone && e.low - last->high <= CLOSE))) {
			last->high = e.high > last->high ? e.high : last->high;
			continue;
		}
		if (cg_grow(&out->rows, &out->cap, out->count + 1, sizeof *out->rows))
			return CG_ENOMEM;
		out->rows[out->count++] = e;
	}
	return CG_OK;
}

/* What the object loads of an extent. A segment may end in it. */
static int read_extent(struct cg_code *code, const struct cg_elf *o, const struct code_extent *e)
{
	size_t left;
	const unsigned char *bytes = cg_elf_loaded(o, e->low, &left);

	if (!bytes)
		return CG_OK;
	uint64_t wanted = e->high - e->low;
	return cg_code_add_range(code, e->low, bytes, wanted < left ? (size_t)wanted : left);
}

static void forget_code(struct cg_code *code, struct cg_code_object *object, size_t nbytes)
{
	code->nbytes = nbytes;
	object->nranges = 0;
	object->state = CG_CODE_LARGE;
}

static int read_extents(struct cg_code *code, const struct cg_elf *o,
			const struct code_extents *extents, size_t most)
{
	struct cg_code_object *object = &code->objects[code->nobjects - 1];
	const size_t before = code->nbytes;
	int status = CG_OK;

	for (size_t i = 0; !status && i < extents->count; i++) {
		const struct code_extent *e = &extents->rows[i];
		if (code->nbytes > most || e->high - e->low > most - code->nbytes) {
			forget_code(code, object, before);
			return CG_OK;
		}
		status = read_extent(code, o, e);
	}
	if (!status && !object->nranges)
		object->state = CG_CODE_OUTSIDE;
	return status;
}

static int read_code_of(struct cg_code *code, const struct cg_elf *o, const uint64_t *addresses,
			size_t count, size_t most)
{
	struct code_extents functions = { 0 }, extents = { 0 };
	int status = find_functions_of_symbols(o, &functions);

	if (!status)
		status = find_extents(&functions, addresses, count, &extents);
	if (!status)
		status = read_extents(code, o, &extents, most);
	free(functions.rows);
	free(extents.rows);
	return status;
}

/* *text is NULL without one. */
static int build_id_of(const struct cg_elf *o, char **text)
{
	static const char digits[] = "0123456789abcdef";
	enum { MOST = 64 };
	const void *bits;
	ssize_t len = dwelf_elf_gnu_build_id(o->elf, &bits);

	*text = NULL;
	if (len <= 0 || len > MOST)
		return CG_OK;
	char *id = malloc(2 * (size_t)len + 1);
	if (!id)
		return CG_ENOMEM;
	for (ssize_t i = 0; i < len; i++) {
		unsigned char byte = ((const unsigned char *)bits)[i];
		id[2 * i] = digits[byte >> 4];
		id[2 * i + 1] = digits[byte & 15];
	}
	id[2 * len] = '\0';
	*text = id;
	return CG_OK;
}

int cg_code_read(struct cg_code *code, const char *path, const uint64_t *addresses, size_t count,
		 size_t most)
{
	struct cg_elf o;
	char *build_id = NULL;
	enum cg_elf_state opened = cg_elf_open(path, &o);
	int status = opened == CG_ELF_OPEN ? build_id_of(&o, &build_id) : CG_OK;

	if (!status)
		status = cg_code_add_object(code, path, build_id,
					    opened != CG_ELF_OPEN ? CG_MACHINE_UNKNOWN
					    : o.is_amd64          ? CG_MACHINE_X86_64
								  : CG_MACHINE_ARM64,
					    opened == CG_ELF_OPEN      ? CG_CODE_FOUND
					    : opened == CG_ELF_MISSING ? CG_CODE_MISSING
								       : CG_CODE_STRANGE);
	if (!status && opened == CG_ELF_OPEN)
		status = read_code_of(code, &o, addresses, count, most);
	free(build_id);
	cg_elf_close(&o);
	return status;
}
