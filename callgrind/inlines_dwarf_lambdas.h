/*
 * Private to callgrind/inlines_dwarf.c, of which it is a part: how lambdas and types of parameters
 * are called in debug information. A `void *` is a Dwarf_Die, which no header has.
 */
#ifndef CG_INLINES_DWARF_LAMBDAS_H
#define CG_INLINES_DWARF_LAMBDAS_H

#include <stdbool.h>
#include <stdio.h>

/* Writes the name of a type, also one that has others as its template arguments, as symbols have
 * it. */
void cg_dwarf_write_type_name(FILE *to, const char *name);

/* What an entry of this tag adds to the type that it refers to, "" for a typedef; NULL for the
 * tag of anything else. */
const char *cg_dwarf_modifier(int tag);

/* Makes *type the type that an entry refers to, which may be the same; false: none. */
bool cg_dwarf_find_type(void *of, void *type);

/* Makes *call the function that a lambda is called by; false: the type is that of no lambda. */
bool cg_dwarf_find_call(void *type, void *call);

/* The types of the parameters of a function. Allocated; NULL: out of memory. */
char *cg_dwarf_parameters(void *function);

/* Writes "{lambda(TYPES)#NUMBER}::" of a lambda in `scope`. CG_OK or CG_ENOMEM. */
int cg_dwarf_write_lambda(FILE *to, void *scope, void *type, void *call);

#endif
