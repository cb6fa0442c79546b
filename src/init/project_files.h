/*
 * The files of a project, by name: where benchmarks may be that no build file of the top directory
 * names. Directories of build results and of the code of others are left out, and so is all that is
 * hidden, a symbolic link, or has a name that would need quotes. How much is read is bounded, as a
 * repository may hold anything.
 */
#ifndef IRDIFF_INIT_PROJECT_FILES_H
#define IRDIFF_INIT_PROJECT_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "cgprofile/error.h"

/* What names consist of; none of them means something to a shell or in YAML. */
#define NAME_SIGNS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._+-"

#define PROJECT_FILES_MAX 20000
#define PROJECT_DIRECTORIES_MAX 1000
#define PROJECT_DEPTH_MAX 6 /* of directories */

struct project_files {
	char **paths; /* "src/main.c": those of a directory in order, before those below it */
	size_t count, cap;
	bool cut; /* there are more than may be listed */
};

/* *out is the caller's to free, empty on failure. Directories that cannot be read are left out. */
int project_files_list(const char *dir, struct project_files *out, struct cg_error *err);
void project_files_free(struct project_files *files);

/* "main.c" of "src/main.c". */
const char *project_file_name(const char *path);
/* Whether the name ends so, after at least one more character. */
bool project_file_ends(const char *path, const char *end);
/* The directory of a file: "src/", or "" for one at the top. False if it does not fit. */
bool project_file_directory(const char *path, char *directory, size_t size);

#endif
