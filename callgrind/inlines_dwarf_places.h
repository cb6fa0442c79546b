/*
 * Private to callgrind/inlines_dwarf.c, of which it is a part: where in the source something is, as
 * entries say it. A `void *` is a Dwarf_Die, which no header has, and an attribute is DW_AT_….
 */
#ifndef CG_INLINES_DWARF_PLACES_H
#define CG_INLINES_DWARF_PLACES_H

#include <stdint.h>

/* The path of a source file of a unit as readers make it of that which Valgrind has: what is
 * relative begins at the directory of the compiler, even if it begins there already. Allocated;
 * NULL: out of memory. */
char *cg_dwarf_whole_path(void *unit, const char *file);

/* The file that an attribute of an entry, or of the one that it is an instance of, names. *path is
 * allocated; NULL: there is no such attribute, or it makes no sense. CG_OK or CG_ENOMEM. */
int cg_dwarf_find_file(void *of, unsigned attribute, char **path);

/* The line that it names; 0: none. */
uint32_t cg_dwarf_find_line(void *of, unsigned attribute);

#endif
