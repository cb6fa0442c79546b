/*
 * Private to callgrind/inlines_dwarf.c, of which it is a part: entries of debug information, and
 * where they are. A `void *` is a Dwarf_Die, which no header has.
 */
#ifndef CG_INLINES_DWARF_ENTRIES_H
#define CG_INLINES_DWARF_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>

/* Entries that refer to one another in a circle are damaged; others are few. */
#define CG_DWARF_MAX_REFERENCES 16

/* What an entry of this tag is. */
bool cg_dwarf_is_type(int tag);
bool cg_dwarf_is_block(int tag);
/* Whether names of what is below an entry of this tag begin with that of the entry. */
bool cg_dwarf_is_scope(int tag);

/* Makes an entry its next sibling; false: it has none. */
bool cg_dwarf_go_on(void *entry);

/* The linkage name of an entry; NULL: it has none. */
const char *cg_dwarf_symbol(void *entry);

/* The entries around one, the outermost first, and that one. */
struct cg_dwarf_path {
	void *entries;
	size_t count, cap;
};

/* Free path->entries, even on failure. CG_OK or CG_ENOMEM. */
int cg_dwarf_find_path(void *of, struct cg_dwarf_path *path);
void *cg_dwarf_entry(const struct cg_dwarf_path *path, size_t at);

/* The number of the innermost entry around number `of` that is not a block. */
size_t cg_dwarf_scope_of(const struct cg_dwarf_path *path, size_t of);

#endif
