#include "callgrind/inlines_dwarf_elf.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <unistd.h>

#include "callgrind/support/beneath.h"

enum cg_elf_state cg_elf_open(const char *path, struct cg_elf *out)
{
	struct cg_elf o = { .fd = -1 };
	GElf_Ehdr header;

	*out = o;
	if (elf_version(EV_CURRENT) == EV_NONE)
		return CG_ELF_MISSING;
	/* A pipe would wait for whoever writes it. */
	o.fd = cg_beneath_open_regular(AT_FDCWD, path, NULL);
	if (o.fd < 0)
		return CG_ELF_MISSING;
	o.elf = elf_begin(o.fd, ELF_C_READ_MMAP, NULL);
	o.file = o.elf ? (const unsigned char *)elf_rawfile(o.elf, &o.size) : NULL;
	*out = o;
	if (!o.file || elf_kind(o.elf) != ELF_K_ELF || !gelf_getehdr(o.elf, &header) ||
	    (header.e_machine != EM_X86_64 && header.e_machine != EM_AARCH64) ||
	    header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB)
		return CG_ELF_STRANGE;
	out->is_amd64 = header.e_machine == EM_X86_64;
	return CG_ELF_OPEN;
}

void cg_elf_close(struct cg_elf *o)
{
	if (o->elf)
		elf_end(o->elf);
	if (o->fd >= 0)
		close(o->fd);
}

const unsigned char *cg_elf_loaded(const struct cg_elf *o, uint64_t address, size_t *left)
{
	size_t count;

	if (elf_getphdrnum(o->elf, &count) != 0)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr load;
		if (!gelf_getphdr(o->elf, (int)i, &load) || load.p_type != PT_LOAD ||
		    address < load.p_vaddr || address - load.p_vaddr >= load.p_filesz ||
		    load.p_offset > o->size)
			continue;
		uint64_t at = address - load.p_vaddr, rest = load.p_filesz - at;
		if (at >= o->size - load.p_offset)
			return NULL;
		uint64_t in_file = o->size - load.p_offset - at;
		*left = rest < in_file ? rest : in_file;
		return o->file + load.p_offset + at;
	}
	return NULL;
}
