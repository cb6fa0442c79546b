/*
 * Libraries that few commands need: they are loaded when they are first needed. All libraries that
 * irdiff is linked with are loaded whenever it starts, which takes longer than most of its work.
 */
#ifndef IRDIFF_LIBRARY_LIBRARY_H
#define IRDIFF_LIBRARY_LIBRARY_H

#include <stddef.h>

#include "cgprofile/error.h"

struct library_symbol {
	const char *name;
	size_t place; /* of the pointer to it in a table of the caller's */
};

/* Loads a library by its name in ELF files, and fills the table with the addresses of its symbols.
 * It stays loaded. CG_EIO: it cannot be loaded or lacks a symbol; the message names the package
 * that Debian has it in. */
int library_load(const char *name, const char *package, const struct library_symbol *symbols,
		 size_t count, void *table, struct cg_error *err);

#endif
