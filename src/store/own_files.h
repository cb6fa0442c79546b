/*
 * A directory that users have named and irdiff fills again and again, such as a site.
 *
 * What irdiff wrote there is in a list, irdiff-files.txt: other files are never replaced or
 * removed. Files whose bytes are the same are left alone, and each new one is complete or not
 * there. If irdiff is killed, the list has at least the files that it wrote, and the next one
 * finishes. Others wait meanwhile.
 *
 * Paths are relative to the directory: names of letters, digits, dots, dashes and underscores that
 * begin with no dot. Symbolic links below the directory are not followed out of it.
 */
#ifndef IRDIFF_STORE_OWN_FILES_H
#define IRDIFF_STORE_OWN_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "cgprofile/error.h"

#define OWN_FILES_LIST "irdiff-files.txt"

struct own_files;

/* The directory exists. CG_EINVAL if the list is damaged. */
int own_files_open(const char *directory, struct own_files **out, struct cg_error *err);

/* CG_EINVAL if a file of that name is there, and not irdiff's. */
int own_files_check(struct own_files *f, const char *path, struct cg_error *err);

/* Writes a file, unless it has these bytes. CG_EINVAL as of own_files_check. */
int own_files_put(struct own_files *f, const char *path, const char *bytes, size_t size,
		  struct cg_error *err);

/* Keeps a file as it is. False: irdiff has not written it, or it is gone. */
bool own_files_keep(struct own_files *f, const char *path);

/* All of a file that irdiff has written; *text is the caller's, NULL if there is none. */
int own_files_read(struct own_files *f, const char *path, size_t max, char **text, size_t *size,
		   struct cg_error *err);

struct own_files_counts {
	size_t total, written, removed;
};

/* Removes the files that irdiff wrote before, and that were neither put nor kept now. */
int own_files_finish(struct own_files *f, struct own_files_counts *counts, struct cg_error *err);

/* Without own_files_finish, nothing is removed. NULL is allowed. */
void own_files_close(struct own_files *f);

#endif
