#include "callgrind/inlines_dwarf_code.h"

#include <elfutils/libdwfl.h>
#include <gelf.h>

#include "callgrind/inlines_frames.h"

/* A part of the file that is loaded to be executed. */
struct dwarf_code {
	const unsigned char *bytes;
	uint64_t address, size;
};

static bool find_loaded(Elf *elf, const unsigned char *file, size_t size, int number,
			struct dwarf_code *out)
{
	GElf_Phdr load;

	if (!gelf_getphdr(elf, number, &load) || load.p_type != PT_LOAD || !(load.p_flags & PF_X) ||
	    load.p_offset > size)
		return false;
	uint64_t most = size - load.p_offset;
	out->bytes = file + load.p_offset;
	out->address = load.p_vaddr;
	out->size = load.p_filesz < most ? load.p_filesz : most;
	return true;
}

void cg_dwarf_read_branches(void *module, const uint64_t *addresses, uint32_t count,
			    struct cg_branch *branches)
{
	GElf_Addr bias;
	GElf_Ehdr header;
	size_t nloads = 0, size = 0;
	struct dwarf_code code;
	Elf *elf = dwfl_module_getelf(module, &bias);
	const unsigned char *file = elf ? (const unsigned char *)elf_rawfile(elf, &size) : NULL;

	if (!file || !gelf_getehdr(elf, &header) || header.e_machine != EM_X86_64 ||
	    elf_getphdrnum(elf, &nloads) != 0)
		return;
	for (size_t i = 0; i < nloads; i++) {
		if (!find_loaded(elf, file, size, (int)i, &code))
			continue;
		for (uint32_t a = cg_inlines_first_from(addresses, count, code.address);
		     a < count && addresses[a] - code.address < code.size; a++) {
			uint64_t at = addresses[a] - code.address;
			cg_branch_decode(code.bytes + at, code.size - at, addresses[a],
					 &branches[a]);
		}
	}
}
