/*
 * What a benchmark must see around it. It runs in its project's root under a
 * fixed path; there, "../data" would lead out of what it sees. So the directory
 * that is shown is large enough for the relative paths of its arguments, and for
 * the whole repository where there is one.
 */
#ifndef IRDIFF_MEASURE_SANDBOX_ROOT_H
#define IRDIFF_MEASURE_SANDBOX_ROOT_H

#include "cgprofile/error.h"

/*
 * The directory to show: `root`, or the closest one above it that holds the git
 * repository of `cwd` and whatever the "../" in the arguments reach from there.
 * `cwd` is absolute. A cwd outside of root is seen
 * under its own path, where nothing is missing; and "/" is never shown as a
 * project. *out is canonical and the caller's.
 */
int sandbox_root_directory(const char *root, const char *cwd, const char *const *argv, char **out,
			   struct cg_error *err);

/* Where a benchmark runs, what it sees there, and what of that is irdiff's own. */
struct sandbox_root {
	char *cwd;   /* below root, or absolute */
	char *shown; /* as sandbox_root_directory() finds it */
	char *own;   /* our directory, relative to `shown` */
};

/* The directory that `cwd` of irdiff.yml means below `root`: absolute, relative to root, or
 * NULL, which is root. *out is the caller's. CG_EIO, with a message that names the key: it does
 * not exist. */
int sandbox_root_cwd(const char *root, const char *cwd, char **out, struct cg_error *err);

/* Of a project at `root` and a benchmark in `cwd`. Free it in any case. */
int sandbox_root_find(const char *root, const char *cwd, const char *const *argv,
		      struct sandbox_root *out, struct cg_error *err);
void sandbox_root_free(struct sandbox_root *r);

/* How many directories upwards the relative paths in a text lead at most:
 * 2 for "--data=../../x". */
unsigned sandbox_root_levels(const char *text);

#endif
