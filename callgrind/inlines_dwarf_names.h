/*
 * Private to callgrind/inlines_dwarf.c, of which it is a part: how functions are called in debug
 * information. Entries are of type Dwarf_Die, which no header has.
 */
#ifndef CG_INLINES_DWARF_NAMES_H
#define CG_INLINES_DWARF_NAMES_H

#include <stdbool.h>

/* The name of a function as symbols are shown, as far as debug information has it: what only one
 * source file knows has no parameters. *name is allocated; NULL if it has none. CG_OK or
 * CG_ENOMEM. */
int cg_dwarf_name(void *die, char **name);

/* Makes *place the entry that says where a function is: the function's, or the one of the type
 * around it, as of a lambda. */
void cg_dwarf_place(void *die, void *place);

#endif
