#include "src/guest/names.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
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

static bool leads_to_pipe(const char *path, const struct stat *st)
{
	struct stat target;

	if (S_ISLNK(st->st_mode) && !stat(path, &target))
		st = &target;
	return S_ISFIFO(st->st_mode);
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
	const int failed = lstat(path, &st);
	const bool absent = failed && (errno == ENOENT || errno == ENOTDIR);
	if (!failed && leads_to_pipe(path, &st))
		names_tell(names, NAMES_MORE, "");
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

bool names_had(const struct names *names, const char *path)
{
	char line[PATH_MAX + 1] = { NAMES_ABSENT };
	const size_t len = strlen(path);

	if (len >= PATH_MAX)
		return true;
	memcpy(line + 1, path, len + 1);
	return !cg_strings_find(&names->told, line, len + 1);
}

/* ---- reading them ---- */

struct names_reading {
	names_taker *take;
	void *context;
	size_t begun, open; /* programs */
	bool whole;
};

/* False: memory ran out. */
static bool read_name(struct names_reading *r, const char *line)
{
	switch (line[0]) {
	case NAMES_BEGIN:
		r->begun++;
		r->open++;
		return true;
	case NAMES_END:
		r->whole = r->whole && r->open-- > 0;
		return true;
	case NAMES_THERE:
	case NAMES_ABSENT:
	case NAMES_OPENED:
	case NAMES_MOVED:
	case NAMES_LISTED:
	case NAMES_CHANGED:
		return r->take(r->context, line[0], line + 1);
	default:
		r->whole = false;
		return true;
	}
}

int names_read(const char *file, names_taker *take, void *context, bool *whole,
	       struct cg_error *err)
{
	struct names_reading r = { .take = take, .context = context };
	FILE *from = fopen(file, "re");
	char *line = NULL;
	size_t size = 0;
	ssize_t len;
	int status = CG_OK;

	r.whole = from != NULL;
	while (!status && r.whole && (len = getline(&line, &size, from)) > 0) {
		r.whole = line[len - 1] == '\n';
		line[len - 1] = '\0';
		if (r.whole && !read_name(&r, line))
			status = cg_fail_nomem(err);
	}
	*whole = r.whole && !r.open && r.begun && !ferror(from);
	free(line);
	if (from)
		fclose(from);
	return status;
}
