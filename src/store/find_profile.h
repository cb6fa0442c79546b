/* Which stored profile an operand of a command means. */
#ifndef IRDIFF_STORE_FIND_PROFILE_H
#define IRDIFF_STORE_FIND_PROFILE_H

#include "src/store/profiles.h"

/*
 * Finds what an operand of a command means: a profile of a baseline (baselines.h) if it begins with
 * "baseline:"; a file if it has a slash and exists; else the label of an existing profile, else a
 * file. *path is the caller's. CG_EINVAL if nothing is found, CG_EIO for a path that is not there;
 * the message suggests a label or a file, or lists existing labels.
 */
int store_find_profile(const char *root, const char *operand, char **path, struct cg_error *err);

/*
 * The files with inlined functions of a label's profile: *lines and *contexts, which are the
 * caller's; NULL if the operand is not a label, nor the path of its file in profiles/, or the files
 * do not exist.
 */
int store_find_inlined(const char *root, const char *operand, char **lines, char **contexts,
		       struct cg_error *err);

/* The same for its source files: NULL if they were not kept. */
int store_find_sources(const char *root, const char *operand, char **path, struct cg_error *err);

/* The same for what its build and the run used. */
int store_find_used_files(const char *root, const char *operand, char **path, struct cg_error *err);

/* The same for the profile with the addresses of instructions, and their machine code. */
int store_find_instructions(const char *root, const char *operand, char **instructions, char **code,
			    struct cg_error *err);

/* Appends the labels of all existing profiles, sorted. */
int store_list_labels(const char *root, struct path_list *out, struct cg_error *err);

/*
 * The same for an operand that may also be a pattern of files, as in glob(7); what
 * it matches is sorted. A file or a label of that very name wins. Appends to `out`,
 * which is the caller's to free, also on failure.
 */
int store_find_profiles(const char *root, const char *operand, struct path_list *out,
			struct cg_error *err);

#endif
