/*
 * Private to callgrind/inlines_dwarf.c, of which it is a part: the machine code of an object.
 */
#ifndef CG_INLINES_DWARF_CODE_H
#define CG_INLINES_DWARF_CODE_H

#include "callgrind/branches.h"

/* Decodes the instructions at ascending addresses of a module (a Dwfl_Module), if they are of
 * x86-64; otherwise leaves the rows of `branches` as they are. */
void cg_dwarf_read_branches(void *module, const uint64_t *addresses, uint32_t count,
			    struct cg_branch *branches);

#endif
