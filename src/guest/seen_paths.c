#include "src/guest/seen_paths.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"

const char *path_below(const char *path, const char *dir)
{
	size_t len = strlen(dir);

	if (len == 1) /* "/" */
		return *path == '/' ? path : NULL;
	if (strncmp(path, dir, len) || (path[len] && path[len] != '/'))
		return NULL;
	return path + len;
}

int seen_paths_add(struct seen_paths *places, const char *seen, const char *real, bool alias,
		   struct cg_error *err)
{
	if (cg_grow(&places->items, &places->cap, places->count + 1, sizeof *places->items))
		return cg_fail_nomem(err);
	struct seen_path place = { strdup(seen), strdup(real), alias };
	if (!place.seen || !place.real) {
		free(place.seen);
		free(place.real);
		return cg_fail_nomem(err);
	}
	places->items[places->count++] = place;
	return CG_OK;
}

void seen_paths_free(struct seen_paths *places)
{
	for (size_t i = 0; i < places->count; i++) {
		free(places->items[i].seen);
		free(places->items[i].real);
	}
	free(places->items);
	*places = (struct seen_paths){ 0 };
}

static bool join_seen_path(const char *dir, const char *rest, char *path)
{
	bool top = !strcmp(dir, "/");
	int n = snprintf(path, PATH_MAX, "%s%s", top && *rest ? "" : dir, rest);

	return n > 0 && n < PATH_MAX;
}

void path_tidy(const char *path, char *tidied)
{
	char *end = tidied;

	for (const char *at = path; *at;) {
		at += strspn(at, "/");
		size_t len = strcspn(at, "/");
		if (len == 2 && !strncmp(at, "..", 2)) {
			while (end > tidied && *--end != '/')
				;
		} else if (len && !(len == 1 && *at == '.')) {
			*end++ = '/';
			memmove(end, at, len);
			end += len;
		}
		at += len;
	}
	if (end == tidied)
		*end++ = '/';
	*end = '\0';
}

/* path_below() for a path with redundant slashes and dots. */
static const char *below_loosely(const char *path, const char *dir)
{
	for (;;) {
		size_t slashes = strspn(dir, "/"), len = strcspn(dir + slashes, "/");
		if (!len)
			return path;
		const char *at = path + strspn(path, "/");
		while (at != path && at[0] == '.' && (at[1] == '/' || !at[1]))
			at += 1 + strspn(at + 1, "/");
		if (at == path || strncmp(at, dir + slashes, len) || (at[len] && at[len] != '/'))
			return NULL;
		path = at + len;
		dir += slashes + len;
	}
}

/* Whether ".." leads above the path's beginning. */
static bool climbs_out(const char *rest)
{
	long depth = 0;

	while (*rest && depth >= 0) {
		rest += strspn(rest, "/");
		size_t len = strcspn(rest, "/");
		if (len == 2 && !strncmp(rest, "..", 2))
			depth--;
		else if (len && !(len == 1 && *rest == '.'))
			depth++;
		rest += len;
	}
	return depth < 0;
}

bool seen_paths_real(const struct seen_paths *places, const char *seen, char *real)
{
	char tidied[PATH_MAX];
	const struct seen_path *nearest = NULL;
	const char *rest = NULL;

	for (size_t i = 0; i < places->count; i++) {
		const struct seen_path *place = &places->items[i];
		const char *below = below_loosely(seen, place->seen);
		if (below && (!nearest || strlen(place->seen) > strlen(nearest->seen))) {
			nearest = place;
			rest = below;
		}
	}
	if (!nearest || strlen(seen) >= PATH_MAX)
		return false;
	if (!climbs_out(rest))
		return join_seen_path(nearest->real, rest, real);
	path_tidy(seen, tidied);
	if (!seen_paths_real(places, tidied,
			     real)) /* this recurses once at most: the path has no ".." now */
		memcpy(real, tidied, strlen(tidied) + 1);
	return true;
}

bool seen_paths_told(const struct seen_paths *places, const char *real, char *seen)
{
	const struct seen_path *nearest = NULL;
	const char *rest = NULL;

	for (size_t i = 0; i < places->count; i++) {
		const struct seen_path *place = &places->items[i];
		const char *below = place->alias ? NULL : path_below(real, place->real);
		if (below && (!nearest || strlen(place->real) > strlen(nearest->real))) {
			nearest = place;
			rest = below;
		}
	}
	return nearest && join_seen_path(nearest->seen, rest, seen);
}
