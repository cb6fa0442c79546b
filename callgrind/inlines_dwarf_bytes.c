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
	bool whole; /* of a symbol */
};

struct code_extents {
	struct code_extent *rows;
	size_t count, cap;
};

static int add_extent(struct code_extents *to, uint64_t low, uint64_t high, bool whole)
{
	if (cg_grow(&to->rows, &to->cap, to->count + 1, sizeof *to->rows))
		return CG_ENOMEM;
	to->rows[to->count++] = (struct code_extent){ low, high, whole };
	return CG_OK;
}

/* ---- symbols ---- */

/* Where a symbol begins or ends. */
struct symbol_edge {
	uint64_t address;
	int step; /* 1 or -1 */
};

struct symbol_edges {
	struct symbol_edge *rows;
	size_t count, cap;
};

static int compare_symbol_edges(const void *left, const void *right)
{
	const struct symbol_edge *a = left, *b = right;
	return (a->address > b->address) - (a->address < b->address);
}

static bool is_function_symbol(const GElf_Sym *sym)
{
	int type = GELF_ST_TYPE(sym->st_info);

	return (type == STT_FUNC || type == STT_GNU_IFUNC) && sym->st_shndx != SHN_UNDEF &&
	       sym->st_size && sym->st_size <= LARGEST_FUNCTION &&
	       sym->st_value <= UINT64_MAX - sym->st_size;
}

static int add_symbols_of(Elf_Scn *section, const GElf_Shdr *header, struct symbol_edges *out)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t count = data && header->sh_entsize ? data->d_size / header->sh_entsize : 0;

	for (size_t i = 0; i < count && i < INT32_MAX; i++) {
		GElf_Sym sym;
		if (!gelf_getsym(data, (int)i, &sym) || !is_function_symbol(&sym))
			continue;
		if (cg_grow(&out->rows, &out->cap, out->count + 2, sizeof *out->rows))
			return CG_ENOMEM;
		out->rows[out->count++] = (struct symbol_edge){ sym.st_value, 1 };
		out->rows[out->count++] = (struct symbol_edge){ sym.st_value + sym.st_size, -1 };
	}
	return CG_OK;
}

/* Symbols may lie within others: code between two edges belongs to one function. */
static int part_symbols(const struct symbol_edges *edges, struct code_extents *out)
{
	int status = CG_OK;
	int64_t depth = 0;

	for (size_t i = 0; !status && i + 1 < edges->count; i++) {
		const struct symbol_edge *e = &edges->rows[i];
		depth += e->step;
		if (depth > 0 && e[0].address < e[1].address)
			status = add_extent(out, e[0].address, e[1].address, true);
	}
	return status;
}

/* Where the functions of an object are, ascending and apart. */
static int find_functions_of_symbols(const struct cg_elf *o, struct code_extents *out)
{
	struct symbol_edges edges = { 0 };
	int status = CG_OK;

	for (Elf_Scn *s = NULL; !status && (s = elf_nextscn(o->elf, s));) {
		GElf_Shdr header;
		if (gelf_getshdr(s, &header) &&
		    (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM))
			status = add_symbols_of(s, &header, &edges);
	}
	if (edges.count)
		qsort(edges.rows, edges.count, sizeof *edges.rows, compare_symbol_edges);
	if (!status)
		status = part_symbols(&edges, out);
	free(edges.rows);
	return status;
}

/* ---- what is read ---- */

/* An address without a symbol, between the functions before and from functions->rows[next]. */
static int add_lone_address(const struct code_extents *functions, size_t next, uint64_t address,
			    struct code_extents *out)
{
	struct code_extent *last = out->count ? &out->rows[out->count - 1] : NULL;
	uint64_t low = next ? functions->rows[next - 1].high : 0;
	uint64_t most = next < functions->count ? functions->rows[next].low : UINT64_MAX;
	uint64_t high = most - address > LONGEST_INSTRUCTION ? address + LONGEST_INSTRUCTION : most;

	if (last && !last->whole && last->low >= low &&
	    (address < last->high || address - last->high <= CLOSE)) {
		last->high = high;
		return CG_OK;
	}
	return add_extent(out, address, high, false);
}

/* What is to be read for all addresses, ascending and apart. */
static int find_extents(const struct code_extents *functions, const uint64_t *addresses,
			size_t count, struct code_extents *out)
{
	size_t next = 0;
	int status = CG_OK;

	for (size_t i = 0; !status && i < count; i++) {
		const struct code_extent *last = out->count ? &out->rows[out->count - 1] : NULL;
		if (last && last->whole && addresses[i] < last->high)
			continue;
		while (next < functions->count && functions->rows[next].high <= addresses[i])
			next++;
		const struct code_extent *f = &functions->rows[next];
		status = next < functions->count && f->low <= addresses[i]
				 ? add_extent(out, f->low, f->high, true)
				 : add_lone_address(functions, next, addresses[i], out);
	}
	return status;
}

/* What the object loads of an extent. A segment may end in it. */
static int read_extent(struct cg_code *code, const struct cg_elf *o, const struct code_extent *e)
{
	size_t left;
	const unsigned char *bytes = cg_elf_loaded(o, e->low, &left);

	if (!bytes)
		return CG_OK;
	uint64_t wanted = e->high - e->low;
	return cg_code_add_range(code, e->low, bytes, wanted < left ? (size_t)wanted : left,
				 e->whole);
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

/* Thread-local sections have addresses of their own, which others have, too. */
static int read_code_sections(struct cg_code *code, const struct cg_elf *o)
{
	GElf_Ehdr object;
	int status = CG_OK;

	if (!gelf_getehdr(o->elf, &object) || object.e_type != ET_EXEC)
		return CG_OK;
	for (Elf_Scn *s = NULL; !status && (s = elf_nextscn(o->elf, s));) {
		GElf_Shdr header;
		if (gelf_getshdr(s, &header) && (header.sh_flags & SHF_ALLOC) &&
		    !(header.sh_flags & SHF_TLS) && header.sh_addr && header.sh_size &&
		    header.sh_size <= UINT64_MAX - header.sh_addr)
			status = cg_code_add_section(code, header.sh_addr, header.sh_size);
	}
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
		status = read_code_sections(code, &o);
	if (!status && opened == CG_ELF_OPEN)
		status = read_code_of(code, &o, addresses, count, most);
	free(build_id);
	cg_elf_close(&o);
	return status;
}
