/*
 * Private to callgrind/inlines_dwarf.c, of which it is a part: where the code of an inlined
 * function begins. Compilers duplicate code, as of loops, so there may be several such places; the
 * line table has them as statements of the same source line and column as the one at the entry.
 *
 * Only GCC keeps the beginnings of statements apart from the lines of instructions, whatever it
 * moves: of what other compilers wrote no beginning is known (callgrind/inlines_once.h).
 */
#ifndef CG_INLINES_DWARF_STARTS_H
#define CG_INLINES_DWARF_STARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cg_dwarf_starts {
	uint64_t *addresses; /* the entry, then those of duplicates */
	size_t count, cap;
};

/* Finds where an inlined subroutine begins; none if that is not known. CG_OK or CG_ENOMEM; free
 * starts->addresses. */
int cg_dwarf_find_starts(void *die, struct cg_dwarf_starts *starts);

#endif
