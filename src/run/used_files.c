#include "src/run/used_files.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/paths.h"
#include "src/guest/names.h"

#define LOOKED_AT '?'

/* ---- finding them ---- */

struct using
{
	struct cg_strings lines;
	const char *top;
	bool no_memory;
};

static void add_used_line(struct using *u, const char *mark, const char *path)
{
	const char *rest = cg_path_below(path, u->top);
	char line[PATH_MAX + 1];
	cg_str id;

	if (!rest || *rest != '/')
		return;
	const int len = snprintf(line, sizeof line, "%s%s", mark, rest + 1);
	if ((size_t)len < sizeof line && cg_strings_add(&u->lines, line, (size_t)len, &id))
		u->no_memory = true;
}

static bool take_used(void *context, char kind, const char *path)
{
	static const char looked_at[] = { LOOKED_AT, '\0' };
	struct using *u = context;

	if (kind != NAMES_OPENED) {
		add_used_line(u, looked_at, path);
		return !u->no_memory;
	}
	char *target = realpath(path, NULL);
	add_used_line(u, "", path);
	if (target)
		add_used_line(u, "", target);
	free(target);
	return !u->no_memory;
}

static int compare_lines(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Who opened a file has looked at it, too: one line is enough. */
static void print_used_lines(const struct using *u, const char **lines, FILE *to)
{
	size_t count = 0;

	for (cg_str i = 1; i < u->lines.count; i++) {
		const char *line = cg_strings_get(&u->lines, i);
		if (line[0] != LOOKED_AT || !cg_strings_find(&u->lines, line + 1, strlen(line + 1)))
			lines[count++] = line;
	}
	qsort(lines, count, sizeof *lines, compare_lines);
	for (size_t i = 0; i < count; i++)
		fprintf(to, "%s\n", lines[i]);
}

static int write_used_lines(const struct using *u, char **text, struct cg_error *err)
{
	const char **lines = calloc(u->lines.count + 1, sizeof *lines);
	size_t size;
	FILE *to = lines ? open_memstream(text, &size) : NULL;

	if (to)
		print_used_lines(u, lines, to);
	free(lines);
	if (to && fclose(to) == 0)
		return CG_OK;
	free(*text);
	*text = NULL;
	return cg_fail_nomem(err);
}

int used_files_find(const char *const *names, const char *top, char **text, struct cg_error *err)
{
	char *real = realpath(top, NULL);
	struct using u = { .top = real };
	bool whole = true;
	int status = real && !cg_strings_init(&u.lines) ? CG_OK : cg_fail_nomem(err);

	*text = NULL;
	for (; !status && whole && *names; names++)
		status = names_read(*names, take_used, &u, &whole, err);
	if (!status && whole)
		status = write_used_lines(&u, text, err);
	cg_strings_free(&u.lines);
	free(real);
	return status;
}

/* ---- asking for them ---- */

int used_files_take(struct used_files *used, char *text, struct cg_error *err)
{
	cg_str id;

	*used = (struct used_files){ .known = text != NULL };
	if (!text)
		return CG_OK;
	if (cg_strings_init(&used->lines))
		return cg_fail_nomem(err);
	for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1)
		if (cg_strings_add(&used->lines, line, (size_t)(end - line), &id))
			return cg_fail_nomem(err);
	return CG_OK;
}

void used_files_free(struct used_files *used)
{
	cg_strings_free(&used->lines);
	*used = (struct used_files){ 0 };
}

static bool has_any_below(const struct used_files *used, const char *directory)
{
	const size_t len = strlen(directory);

	for (cg_str i = 1; i < used->lines.count; i++) {
		const char *line = cg_strings_get(&used->lines, i);
		line += line[0] == LOOKED_AT;
		if (strncmp(line, directory, len) == 0 && line[len] == '/')
			return true;
	}
	return false;
}

bool used_files_has(const struct used_files *used, const char *path, bool alone)
{
	char line[PATH_MAX + 1];
	const int len = snprintf(line, sizeof line, "%c%s", LOOKED_AT, path);

	if (!used->known || (size_t)len >= sizeof line)
		return true;
	return cg_strings_find(&used->lines, line + 1, (size_t)len - 1) ||
	       (alone &&
		(cg_strings_find(&used->lines, line, (size_t)len) || has_any_below(used, path)));
}
