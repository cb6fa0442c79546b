#include "callgrind/paths.h"

#include <stdbool.h>
#include <string.h>

static bool is_dots(const char *part, size_t len)
{
	return (len == 1 || len == 2) && part[0] == '.' && part[len - 1] == '.';
}

static size_t part_len(const char *path, size_t at, size_t len)
{
	const char *slash = memchr(path + at, '/', len - at);
	return slash ? (size_t)(slash - path) - at : len - at;
}

/* Where the last part of path[0 … len) begins, which a slash may end; slashes in a row are one. */
static size_t path_last_part(const char *path, size_t len)
{
	while (len > 0 && path[len - 1] == '/')
		len--;
	while (len > 0 && path[len - 1] != '/')
		len--;
	return len;
}

int cg_path_is_normal(const char *path, size_t len)
{
	/* ".." may only occur before all other parts, as in "../../x". */
	bool leading = len > 0 && path[0] != '/';
	for (size_t at = 0, n; at < len; at += n + 1) {
		n = part_len(path, at, len);
		bool dots = is_dots(path + at, n);
		if (dots && (n == 1 ? len > 1 : !leading))
			return false;
		leading &= dots;
	}
	return true;
}

/* "malloc/./malloc/arena.c": Valgrind puts the directory of a unit before the name of a file, and
 * where both were written relative to the root of the sources, the directory is there twice. */
static bool is_said_again(const char *path, size_t used, size_t at, size_t len)
{
	return used > 0 && len - at > used && memcmp(path, path + at, used) == 0;
}

size_t cg_path_normalise(char *path, size_t len)
{
	bool absolute = len > 0 && path[0] == '/';
	size_t used = 0, fixed = absolute; /* what ".." cannot take away */

	if (cg_path_is_normal(path, len))
		return len;
	for (size_t at = 0, n; at < len; at += n + 1) {
		n = part_len(path, at, len);
		bool dots = is_dots(path + at, n), slash = at + n < len;
		if (dots && n == 1) {
			if (slash && !absolute && !fixed && is_said_again(path, used, at + 2, len))
				used = 0;
			continue;
		}
		if (dots && used > fixed) {
			used = path_last_part(path, used);
			used = used < fixed ? fixed : used;
			continue;
		}
		if (dots && absolute)
			continue;
		memmove(path + used, path + at, n + slash);
		used += n + slash;
		if (dots)
			fixed = used;
	}
	if (used == 0)
		path[used++] = '.';
	else if (used > 1 && path[used - 1] == '/' && path[len - 1] != '/')
		used--;
	return used;
}

const char *cg_path_below(const char *path, const char *seen)
{
	size_t len = strlen(seen);
	bool inside = strncmp(path, seen, len) == 0 && (path[len] == '/' || path[len] == '\0');
	return inside ? path + len : NULL;
}
