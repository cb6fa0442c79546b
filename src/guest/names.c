#include "src/guest/names.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

void names_begin(struct names *names, const char *path)
{
	*names = (struct names){ 0 };
	if (!path || cg_strings_init(&names->told))
		return;
	names->to = fopen(path, "ae");
	names_tell(names, NAMES_BEGIN, "");
}

/* Without an end, what was told is not taken for all. */
static void names_give_up(struct names *names)
{
	fclose(names->to);
	names->to = NULL;
}

void names_end(struct names *names)
{
	if (names->to && !ferror(names->to))
		names_tell(names, NAMES_END, "");
	if (names->to)
		names_give_up(names);
	cg_strings_free(&names->told);
}

void names_tell(struct names *names, char kind, const char *path)
{
	char line[PATH_MAX + 1] = { kind };
	const size_t len = strlen(path), known = names->told.count;
	cg_str id;

	if (!names->to)
		return;
	if (len >= PATH_MAX || strchr(path, '\n')) {
		names_tell(names, NAMES_MORE, "");
		return;
	}
	memcpy(line + 1, path, len + 1);
	if (cg_strings_add(&names->told, line, len + 1, &id))
		names_give_up(names);
	else if (names->told.count > known)
		fprintf(names->to, "%s\n", line);
}

/* Both kinds are for the first time that a path is named, whatever becomes of it. */
static void tell_once(struct names *names, const char *path)
{
	char line[PATH_MAX + 1] = { NAMES_ABSENT };
	const size_t len = strlen(path);
	struct stat st;

	if (len >= PATH_MAX) {
		names_tell(names, NAMES_MORE, "");
		return;
	}
	memcpy(line + 1, path, len + 1);
	if (cg_strings_find(&names->told, line, len + 1))
		return;
	line[0] = NAMES_THERE;
	if (cg_strings_find(&names->told, line, len + 1))
		return;
	const bool absent = lstat(path, &st) && (errno == ENOENT || errno == ENOTDIR);
	names_tell(names, absent ? NAMES_ABSENT : NAMES_THERE, path);
}

void names_tell_named(struct names *names, const char *path)
{
	char before[PATH_MAX];

	if (!names->to)
		return;
	for (const char *up = path; (up = strstr(up, "/..")); up++) {
		const size_t len = (size_t)(up - path);
		if ((up[3] && up[3] != '/') || !len || len >= sizeof before)
			continue;
		memcpy(before, path, len);
		before[len] = '\0';
		tell_once(names, before);
	}
	tell_once(names, path);
}
