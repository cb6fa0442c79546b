/* Private to the library: debug information → frames. Only inlines_dwarf.c and its parts,
 * inlines_dwarf_*.c, use libdw. */
#ifndef CG_INLINES_DWARF_H
#define CG_INLINES_DWARF_H

#include "callgrind/branches.h"
#include "cgprofile/inlines.h"

/* Fills the frames of an object's addresses, its build-id and its state. What it finds is
 * kept in the directory `cache`, and taken from there, if that is not NULL. Decodes the
 * instructions at the addresses if `branches`, one for each address of `in`, is not NULL. CG_OK,
 * CG_ENOMEM or CG_ERANGE. */
int cg_inlines_read_dwarf(struct cg_inlines *in, struct cg_inlines_object *object,
			  const char *cache, struct cg_branch *branches);

/* Which lines are looked for. */
typedef bool cg_wants_line(const void *context, const char *file, uint32_t line);

/* Calls `add` for the code of all wanted lines of an object; CG_OK, or what it returned.
 * An object that cannot be read has none. */
int cg_inlines_read_lines(const char *path, cg_wants_line *wants, const void *context,
			  int (*add)(void *to, const char *file, uint32_t line, uint64_t address,
				     uint64_t size),
			  void *to);

#endif
