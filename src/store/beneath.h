/*
 * Access to the files that irdiff keeps in a project: .irdiff/, profiles/, baselines/ and so on. A
 * repository may have symbolic links instead, so only these functions create, rename, remove or
 * read anything there: they follow a link only while it stays below the project's root, and never
 * follow the last component of a path that is created, replaced or removed.
 *
 * All take the root and a path that begins with it. Those without `err` return -1 and errno, ELOOP
 * for a path that leads out.
 */
#ifndef IRDIFF_STORE_BENEATH_H
#define IRDIFF_STORE_BENEATH_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "src/store/files.h"

/* Fills the error from errno: "cannot WHAT: …". */
int beneath_fail(const char *path, const char *what, struct cg_error *err);

int beneath_open(const char *root, const char *path, int flags, mode_t mode);
/* NULL and errno. */
DIR *beneath_list(const char *root, const char *path);
int beneath_stat(const char *root, const char *path, struct stat *st);
/* Whether a file exists, or a link that leads out is in its place. */
bool beneath_is_there(const char *root, const char *path);
/* Checks a file that will be read by its path: CG_EINVAL if the path leads out, or the file exists
 * and is not regular. */
int beneath_check(const char *root, const char *path, struct cg_error *err);
/* Opens a regular file for reading; NULL and errno, EINVAL if it is not regular. */
FILE *beneath_open_regular(const char *root, const char *path);
/* All of a file of at most `max` bytes, as file_read. */
int beneath_read(const char *root, const char *path, size_t max, char **text, size_t *size,
		 struct cg_error *err);

/* As new_file_begin, for a file that may be replaced whatever it is. */
int beneath_new_file(const char *root, const char *path, struct new_file **out, FILE **stream,
		     struct cg_error *err);
/* Removes the temporary files that killed irdiffs left for this file. Every writer of the file
 * does so. */
void beneath_sweep(const char *root, const char *path);
/* As store_copy. */
int beneath_copy(const char *root, const char *from, const char *to, struct cg_error *err);

int beneath_mkdir(const char *root, const char *path);
int beneath_mkdir_private(const char *root, const char *path); /* mode 0700 */
/* As make_directories; the root exists. */
int beneath_make_directories(const char *root, const char *path, struct cg_error *err);

int beneath_rename(const char *root, const char *from, const char *to);
int beneath_link(const char *root, const char *from, const char *to);
int beneath_unlink(const char *root, const char *path);
int beneath_rmdir(const char *root, const char *path);
/* As remove_directory. */
int beneath_remove(const char *root, const char *path, struct cg_error *err);
/* As replace_directory_in. */
int beneath_replace(const char *root, const char *from, const char *to);

#endif
