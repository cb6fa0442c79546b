/*
 * Paths that a program is told, and what they are on the host: pairs of directories or files, of
 * which everything below them has a path of the one kind and of the other.
 */
#ifndef IRDIFF_GUEST_SEEN_PATHS_H
#define IRDIFF_GUEST_SEEN_PATHS_H

#include <stdbool.h>
#include <stddef.h>

#include "cgprofile/error.h"

struct seen_path {
	char *seen; /* absolute, without a slash at its end */
	char *real; /* canonical path of the host */
	bool alias; /* a second name: paths of the host are never told by it */
};

struct seen_paths {
	struct seen_path *items;
	size_t count, cap;
};

/* Both strings are copied. */
int seen_paths_add(struct seen_paths *places, const char *seen, const char *real, bool alias,
		   struct cg_error *err);
void seen_paths_free(struct seen_paths *places);

/* The path of the host for one that is told, absolute, in whatever spelling; ".." is taken as the text
 * says if it leads out of a place. False: it is in no place, or too long. `real` has PATH_MAX bytes. */
bool seen_paths_real(const struct seen_paths *places, const char *seen, char *real);

/* The path to tell for one of the host, canonical: by the place that is nearest. */
bool seen_paths_told(const struct seen_paths *places, const char *real, char *seen);

/* The same absolute path without empty and "." components, and ".." taken as the text says. `tidied` has
 * room for `path`, and for "/". */
void path_tidy(const char *path, char *tidied);

/* What of `path` lies below `dir`: "" if they are equal, "/x/y"; NULL if it does not. */
const char *path_below(const char *path, const char *dir);

#endif
