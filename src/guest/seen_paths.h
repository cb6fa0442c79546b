/*
 * Pairs of paths: one that a program is told, and the one on the host. Everything below a pair has
 * a path of either kind.
 */
#ifndef IRDIFF_GUEST_SEEN_PATHS_H
#define IRDIFF_GUEST_SEEN_PATHS_H

#include <stdbool.h>
#include <stddef.h>

#include "cgprofile/error.h"

struct seen_path {
	char *seen; /* absolute, without a slash at its end */
	char *real; /* canonical path of the host */
	bool alias; /* a second name, by which no path of the host is told */
};

struct seen_paths {
	struct seen_path *items;
	size_t count, cap;
};

/* Both strings are copied. */
int seen_paths_add(struct seen_paths *places, const char *seen, const char *real, bool alias,
		   struct cg_error *err);
void seen_paths_free(struct seen_paths *places);

/* Translates an absolute path, in any spelling, into that of the host; ".." is resolved textually
 * if it leads out of a place. False: the path is in no place, or too long. `real` has PATH_MAX
 * bytes. */
bool seen_paths_real(const struct seen_paths *places, const char *seen, char *real);

/* Translates a canonical path of the host into the one to tell, by the nearest place. */
bool seen_paths_told(const struct seen_paths *places, const char *real, char *seen);

/* The same absolute path without empty and "." components, and with ".." resolved textually.
 * `tidied` has room for `path`, and for "/". */
void path_tidy(const char *path, char *tidied);

/* The part of `path` below `dir`: "" if they are equal, "/x/y"; NULL if it is not below. */
const char *path_below(const char *path, const char *dir);

#endif
