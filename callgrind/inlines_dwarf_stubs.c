#include "callgrind/inlines_dwarf_stubs.h"

#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/inlines_dwarf_elf.h"
#include "cgprofile/error.h"

static uint32_t little_endian(const unsigned char *at)
{
	return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* Adds a signed number of `bits` bits, in units of `scale`. */
static uint64_t add_signed(uint64_t to, uint32_t n, unsigned bits, unsigned scale)
{
	uint64_t sign = (uint64_t)1 << (bits - 1);
	return to + (((uint64_t)n ^ sign) - sign) * scale;
}

/* ---- instructions ---- */

/* Where a call, or a jump in the place of one, leads to; 0: it is neither. */
static uint64_t target_on_amd64(const unsigned char *code, size_t left, uint64_t at)
{
	size_t prefix = left && code[0] == 0xf2; /* bnd */

	if (left < prefix + 5 || (code[prefix] != 0xe8 && code[prefix] != 0xe9))
		return 0;
	return add_signed(at + prefix + 5, little_endian(code + prefix + 1), 32, 1);
}

static uint64_t target_on_arm64(const unsigned char *code, size_t left, uint64_t at)
{
	uint32_t word = left >= 4 ? little_endian(code) : 0;
	return (word & 0x7c000000) == 0x14000000 ? add_signed(at, word & 0x3ffffff, 26, 4) : 0;
}

/* The address of what a stub jumps to: jmp *n(%rip). 0: it is no stub. */
static uint64_t slot_on_amd64(const unsigned char *code, size_t left, uint64_t at)
{
	static const unsigned char endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	size_t skip = left >= 4 && memcmp(code, endbr64, 4) == 0 ? 4 : 0;

	skip += left > skip && code[skip] == 0xf2;
	if (left < skip + 6 || code[skip] != 0xff || code[skip + 1] != 0x25)
		return 0;
	return add_signed(at + skip + 6, little_endian(code + skip + 2), 32, 1);
}

/* adrp x16, page; ldr x17, [x16, offset], perhaps after bti c. */
static uint64_t slot_on_arm64(const unsigned char *code, size_t left, uint64_t at)
{
	size_t skip = left >= 4 && little_endian(code) == 0xd503245f ? 4 : 0;

	if (left < skip + 8)
		return 0;
	uint32_t page = little_endian(code + skip), load = little_endian(code + skip + 4);
	if ((page & 0x9f00001f) != 0x90000010 || (load & 0xffc003ff) != 0xf9400211)
		return 0;
	uint32_t pages = (page >> 5 & 0x7ffff) << 2 | (page >> 29 & 3);
	return add_signed((at + skip) & ~(uint64_t)0xfff, pages, 21, 4096) +
	       (uint64_t)(load >> 10 & 0xfff) * 8;
}

/* ---- sections ---- */

static bool is_in_stubs(const struct cg_elf *o, uint64_t address)
{
	size_t names;

	if (elf_getshdrstrndx(o->elf, &names) != 0)
		return false;
	for (Elf_Scn *s = NULL; (s = elf_nextscn(o->elf, s));) {
		GElf_Shdr header;
		if (!gelf_getshdr(s, &header) || !(header.sh_flags & SHF_EXECINSTR) ||
		    address < header.sh_addr || address - header.sh_addr >= header.sh_size)
			continue;
		const char *name = elf_strptr(o->elf, names, header.sh_name);
		return name && strncmp(name, ".plt", 4) == 0;
	}
	return false;
}

/* The name of the symbol of a relocation in a table whose symbols are in section `symbols`. */
static const char *name_of_symbol(const struct cg_elf *o, size_t symbols, size_t symbol)
{
	Elf_Scn *s = symbol ? elf_getscn(o->elf, symbols) : NULL;
	Elf_Data *data = s ? elf_getdata(s, NULL) : NULL;
	GElf_Shdr header;
	GElf_Sym sym;

	if (!data || symbol > INT32_MAX || !gelf_getshdr(s, &header) ||
	    !gelf_getsym(data, (int)symbol, &sym))
		return NULL;
	return elf_strptr(o->elf, header.sh_link, sym.st_name);
}

/* The symbol whose address the dynamic linker stores at `slot`; NULL: not known. */
static const char *find_stored_symbol(const struct cg_elf *o, uint64_t slot)
{
	for (Elf_Scn *s = NULL; (s = elf_nextscn(o->elf, s));) {
		GElf_Shdr header;
		if (!gelf_getshdr(s, &header) || header.sh_type != SHT_RELA)
			continue;
		Elf_Data *data = elf_getdata(s, NULL);
		size_t count = data && header.sh_entsize ? data->d_size / header.sh_entsize : 0;
		for (size_t i = 0; i < count && i < INT32_MAX; i++) {
			GElf_Rela rela;
			if (gelf_getrela(data, (int)i, &rela) && rela.r_offset == slot)
				return name_of_symbol(o, header.sh_link, GELF_R_SYM(rela.r_info));
		}
	}
	return NULL;
}

/* ---- stubs ---- */

static const char *find_stub(const struct cg_elf *o, const struct cg_stub *stub)
{
	bool amd64 = o->is_amd64;
	uint64_t at = stub->address, slot;
	size_t left = 0;
	const unsigned char *code = cg_elf_loaded(o, at, &left);

	if (code && stub->is_call) {
		at = amd64 ? target_on_amd64(code, left, at) : target_on_arm64(code, left, at);
		code = at ? cg_elf_loaded(o, at, &left) : NULL;
	}
	if (!code || !is_in_stubs(o, at))
		return NULL;
	slot = amd64 ? slot_on_amd64(code, left, at) : slot_on_arm64(code, left, at);
	return slot ? find_stored_symbol(o, slot) : NULL;
}

static int name_stub(const char *symbol, struct cg_stub *stub, struct cg_strings *strings)
{
	char *name;

	if (asprintf(&name, "%s@plt", symbol) < 0)
		return CG_ENOMEM;
	int status = cg_strings_add(strings, name, strlen(name), &stub->name);
	free(name);
	return status;
}

static int name_stubs_of(const struct cg_elf *o, struct cg_stub *stubs, size_t count,
			 struct cg_strings *strings)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < count; i++) {
		const char *symbol = find_stub(o, &stubs[i]);
		if (symbol && *symbol)
			status = name_stub(symbol, &stubs[i], strings);
	}
	return status;
}

int cg_dwarf_name_stubs(const char *path, struct cg_stub *stubs, size_t count,
			struct cg_strings *strings)
{
	struct cg_elf o;
	int status = CG_OK;

	if (cg_elf_open(path, &o) == CG_ELF_OPEN)
		status = name_stubs_of(&o, stubs, count, strings);
	cg_elf_close(&o);
	return status;
}
