/*
 * Private to the library, a part of inlines_dwarf.c: an object file of x86-64 or ARM64, opened to
 * look at its sections and at the bytes that it loads.
 */
#ifndef CG_INLINES_DWARF_ELF_H
#define CG_INLINES_DWARF_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct Elf;

enum cg_elf_state {
	CG_ELF_OPEN,
	CG_ELF_MISSING, /* it cannot be opened, or is no regular file */
	CG_ELF_STRANGE, /* it is no object of one of these machines */
};

struct cg_elf {
	struct Elf *elf;
	const unsigned char *file;
	size_t size;
	bool is_amd64; /* otherwise it is of ARM64 */
	int fd;
};

/* Close it in all cases. */
enum cg_elf_state cg_elf_open(const char *path, struct cg_elf *out);
void cg_elf_close(struct cg_elf *o);

/* The bytes that are loaded at an address, and how many follow; NULL: none. */
const unsigned char *cg_elf_loaded(const struct cg_elf *o, uint64_t address, size_t *left);

#endif
