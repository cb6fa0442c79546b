/*
 * Private to the library, a part of inlines_dwarf.c: which functions of other objects the stubs of
 * an object lead to, in its sections .plt, .plt.sec and .plt.got. A stub jumps to an address that
 * the dynamic linker stored, and a relocation says of which symbol. On x86-64 and ARM64.
 */
#ifndef CG_INLINES_DWARF_STUBS_H
#define CG_INLINES_DWARF_STUBS_H

#include "cgprofile/strings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cg_stub {
	uint64_t address; /* of the stub, or of an instruction that calls it */
	bool is_call;
	cg_str name; /* "memcpy@plt"; 0: it is no stub, or not known */
};

/* Finds the names of stubs of one object. CG_OK, also if it cannot be read, CG_ENOMEM or
 * CG_ERANGE. */
int cg_dwarf_name_stubs(const char *path, struct cg_stub *stubs, size_t count,
			struct cg_strings *strings);

#endif
