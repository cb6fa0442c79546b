/*
 * The source files of a profile as they were when it was measured, also for base, whose tree is no
 * longer checked out when a diff is shown.
 *
 * They are kept in one file next to the profile, compressed with zstd:
 *
 *     irdiff sources 1
 *     SIZE NAME            of each file, then its SIZE bytes and a newline; SIZE+ if it was
 *                          written after the program
 */
#ifndef IRDIFF_STORE_SOURCES_H
#define IRDIFF_STORE_SOURCES_H

#include <stdbool.h>
#include <stddef.h>

#include "cgprofile/error.h"

struct stored_source {
	const char *name; /* as the profile names the file */
	const char *bytes;
	size_t size;
	bool newer; /* than the program, so it may not be what that was built from */
};

/* Names with a newline are left out. Errors: CG_ENOMEM, CG_EIO. */
int sources_save(const char *path, const struct stored_source *items, size_t count,
		 struct cg_error *err);

struct stored_sources {
	struct stored_source *items;
	size_t count;
	char *bytes; /* owns all of them */
};

/* Errors: CG_ESYNTAX (another kind of file, or an incomplete one), CG_EIO, CG_ENOMEM. Free with
 * sources_free. */
int sources_load(const char *path, struct stored_sources *out, struct cg_error *err);
void sources_free(struct stored_sources *s);

/* NULL: no file has this name. */
const struct stored_source *sources_find(const struct stored_sources *s, const char *name);

#endif
