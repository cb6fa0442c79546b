/*
 * Directories that survive between builds, in sets: those that keep: in irdiff.yml lists.
 *
 *     .irdiff/cache/kept/KEY/key.txt     what KEY is the digest of, one fact a line
 *     .irdiff/cache/kept/KEY/0, 1, …     the directories
 *
 * Whoever uses a set moves it to its work directory first (publish.h), so that it has one user, and
 * what a killed irdiff has moved is removed, not used. A set appears as a whole, by rename(2). Its
 * modification time is when it was last put back. The oldest are removed when there are too many.
 */
#ifndef IRDIFF_STORE_KEPT_H
#define IRDIFF_STORE_KEPT_H

#include <stdbool.h>

#include "cgprofile/error.h"

#define KEPT "kept" /* in the cache */
#define KEPT_SETS_MAX 3

/* Moves the set of this key, whose full text is `text`, to `to` in a work directory, if there is
 * one. One that is newer than now is removed: build systems compare times. */
int kept_take(const char *root, const char *key, const char *text, const char *to, bool *taken,
	      struct cg_error *err);

/* Moves the set from a work directory back; it replaces one that has the key. */
int kept_put(const char *root, const char *key, const char *text, const char *from,
	     struct cg_error *err);

/* Whether it is the name of a set. */
bool kept_is_name(const char *name);

#endif
