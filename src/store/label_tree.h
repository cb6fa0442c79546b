/*
 * Directories whose files are named by labels (label_path in label.h): profiles/, baselines/NAME/,
 * and their counterparts in .irdiff/, where a label has a directory in place of a file.
 *
 * All paths begin with the root of the project, and `top` is such a directory.
 */
#ifndef IRDIFF_STORE_LABEL_TREE_H
#define IRDIFF_STORE_LABEL_TREE_H

#include <stdbool.h>

#include "src/store/profiles.h"

/* Appends the labels that have a file below `top`, or with `directories` a directory, unsorted.
 * Symbolic links to directories are not followed. */
int label_tree_list(const char *root, const char *top, bool directories, struct path_list *out,
		    struct cg_error *err);

/* Checks that a file can be put at `path`: what exists of the directories above it are directories.
 * CG_EINVAL. */
int label_tree_check(const char *root, const char *path, struct cg_error *err);

/* Creates the directories above `path`. */
int label_tree_make(const char *root, const char *path, struct cg_error *err);

/* Removes the directories above `path` that are empty, up to `top`, which stays. */
void label_tree_prune(const char *root, const char *top, const char *path);

#endif
