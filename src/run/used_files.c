#include "src/run/used_files.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "callgrind/paths.h"
#include "cgprofile/strings.h"
#include "src/guest/names.h"

#define OPENED_BY_RUN '<'
#define LOOKED_AT '?'
#define LISTED '*'
#define MOVED '~'
#define CHANGED '='

enum { LINKS_MAX = 40 }; /* as many as the kernel follows */

/* ---- finding them ---- */

struct using
{
	struct cg_strings lines;
	struct cg_strings plain; /* directories that are no links */
	char *top;
	const char *changes;
	char opened; /* the mark of what is opened */
	bool no_memory;
};

/* `mark` 0: none. The top itself is only of interest with all that is in it. */
static void add_used_line(struct using *u, char mark, const char *path)
{
	const char marked[] = { mark, '\0' }, *rest = cg_path_below(path, u->top);
	char line[PATH_MAX + 1];
	cg_str id;

	if (!rest || (!*rest && mark != LISTED && mark != MOVED))
		return;
	const int len = snprintf(line, sizeof line, "%s%s", marked, *rest ? rest + 1 : ".");
	if ((size_t)len < sizeof line && cg_strings_add(&u->lines, line, (size_t)len, &id))
		u->no_memory = true;
}

/* A path, from where it is known to have no links. */
struct walked_path {
	char done[PATH_MAX], rest[2 * PATH_MAX];
	int links;
};

/* Reads where a link leads, and returns the length of that text; 0: it is no link. Many paths are
 * in the same directories. */
static size_t read_link_once(struct using *u, const struct walked_path *w, char *target)
{
	const size_t size = strlen(w->done);
	cg_str id;

	if (cg_strings_find(&u->plain, w->done, size))
		return 0;
	const ssize_t len = readlink(w->done, target, PATH_MAX - 1);
	if (len > 0)
		return (size_t)len;
	if (*w->rest && cg_strings_add(&u->plain, w->done, size, &id))
		u->no_memory = true;
	return 0;
}

/* If `name`, the last one so far, is of a link, goes on to where that leads. */
static void follow_link(struct using *u, struct walked_path *w, char *name)
{
	char target[PATH_MAX], rest[PATH_MAX];
	const size_t len = read_link_once(u, w, target);

	if (!len || w->links++ == LINKS_MAX || strlen(w->rest) >= sizeof rest)
		return;
	add_used_line(u, LOOKED_AT, w->done);
	target[len] = '\0';
	memcpy(rest, w->rest, strlen(w->rest) + 1);
	snprintf(w->rest, sizeof w->rest, "%s/%s", target, rest);
	*(*target == '/' ? w->done : name) = '\0';
}

/* Takes the first name of the rest. False: nothing was left. */
static bool walk_name(struct using *u, struct walked_path *w)
{
	const char *from = w->rest + strspn(w->rest, "/");
	const size_t len = strcspn(from, "/"), before = strlen(w->done);
	char *name = w->done + before;

	if (!len || before + len + 1 >= sizeof w->done)
		return false;
	const bool up = len == 2 && strncmp(from, "..", 2) == 0;
	if (up)
		*(before ? strrchr(w->done, '/') : w->done) = '\0';
	else if (len != 1 || *from != '.')
		snprintf(name, sizeof w->done - before, "/%.*s", (int)len, from);
	memmove(w->rest, from + len, strlen(from + len) + 1);
	if (*name && !up)
		follow_link(u, w, name);
	return true;
}

/* Adds where a path leads, and the links on the way. What is gone has led nowhere else. */
static void add_used_path(struct using *u, char mark, const char *path)
{
	const char *below = cg_path_below(path, u->top);
	struct walked_path w = { .links = 0 };

	snprintf(w.done, sizeof w.done, "%s", below ? u->top : "");
	snprintf(w.rest, sizeof w.rest, "%s", below ? below : path);
	while (walk_name(u, &w))
		;
	add_used_line(u, mark, w.done);
}

static bool take_used(void *context, char kind, const char *path)
{
	struct using *u = context;

	switch (kind) {
	case NAMES_OPENED:
		add_used_path(u, u->opened, path);
		break;
	case NAMES_MOVED:
		add_used_path(u, MOVED, path);
		break;
	case NAMES_LISTED:
		add_used_path(u, LISTED, path);
		break;
	default:
		add_used_path(u, LOOKED_AT, path);
	}
	return !u->no_memory;
}

static int compare_lines(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static bool is_opened(const struct using *u, const char *path, size_t len)
{
	char line[PATH_MAX + 2] = { OPENED_BY_RUN };

	memcpy(line + 1, path, len);
	return cg_strings_find(&u->lines, path, len) || cg_strings_find(&u->lines, line, len + 1);
}

/* Whether another line says the same and more: who opened a file has looked at it, too. */
static bool is_said_by_another(const struct using *u, const char *line)
{
	const size_t len = strlen(line + 1);

	return line[0] == LOOKED_AT       ? is_opened(u, line + 1, len)
	       : line[0] == OPENED_BY_RUN ? cg_strings_find(&u->lines, line + 1, len)
					  : false;
}

static void print_used_lines(const struct using *u, const char **lines, FILE *to)
{
	size_t count = 0, len;

	for (cg_str i = 1; i < u->lines.count; i++) {
		const char *line = cg_strings_get(&u->lines, i);
		if (!is_said_by_another(u, line))
			lines[count++] = line;
	}
	qsort(lines, count, sizeof *lines, compare_lines);
	for (size_t i = 0; i < count; i++)
		fprintf(to, "%s\n", lines[i]);
	for (const char *at = u->changes; at && (len = strcspn(at, "\n")); at += len + 1)
		fprintf(to, "%c%.*s\n", CHANGED, (int)len, at);
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

static int using_begin(struct using *u, const char *top, const char *changes, struct cg_error *err)
{
	*u = (struct using){ .top = realpath(top, NULL), .changes = changes };
	return u->top && !cg_strings_init(&u->lines) && !cg_strings_init(&u->plain)
		       ? CG_OK
		       : cg_fail_nomem(err);
}

/* Writes the text unless they used more than the lines have. */
static int using_end(struct using *u, int status, bool whole, char **text, struct cg_error *err)
{
	*text = NULL;
	if (!status && whole)
		status = write_used_lines(u, text, err);
	cg_strings_free(&u->lines);
	cg_strings_free(&u->plain);
	free(u->top);
	return status;
}

int used_files_find(const char *const *names, const char *top, const char *changes, char **text,
		    struct cg_error *err)
{
	struct using u;
	bool whole = true;
	int status = using_begin(&u, top, changes, err);

	u.opened = OPENED_BY_RUN;
	for (; !status && whole && *names; names++, u.opened = '\0')
		status = names_read(*names, take_used, &u, &whole, err);
	return using_end(&u, status, whole, text, err);
}

int used_files_find_again(const struct used_files *earlier, const char *names, const char *top,
			  const char *changes, char **text, struct cg_error *err)
{
	struct using u;
	bool whole = earlier->known;
	cg_str id;
	int status = using_begin(&u, *names ? top : "/", changes, err);

	for (size_t i = 0; !status && i < earlier->count; i++)
		if (cg_strings_add(&u.lines, earlier->lines[i], strlen(earlier->lines[i]), &id))
			status = cg_fail_nomem(err);
	if (!status && whole && *names)
		status = names_read(names, take_used, &u, &whole, err);
	return using_end(&u, status, whole, text, err);
}

/* ---- asking for them ---- */

static bool is_mark(char c)
{
	return c == OPENED_BY_RUN || c == LOOKED_AT || c == LISTED || c == MOVED || c == CHANGED;
}

/* Adds a line that must come after the one before it. */
static bool add_in_order(const char **lines, size_t *count, const char *line)
{
	if (*count && strcmp(lines[*count - 1], line) >= 0)
		return false;
	lines[(*count)++] = line;
	return true;
}

static bool take_used_line(struct used_files *used, const char *line)
{
	return *line == CHANGED ? add_in_order(used->changes, &used->nchanges, line + 1)
				: add_in_order(used->lines, &used->count, line);
}

/* False: they are not as they were written. */
static bool split_used_lines(struct used_files *used, size_t size)
{
	const char *end_of_text = used->text + size;

	for (char *line = used->text, *end; line < end_of_text; line = end + 1) {
		end = memchr(line, '\n', (size_t)(end_of_text - line));
		if (!end)
			return false;
		*end = '\0';
		if (strlen(line) != (size_t)(end - line) || !take_used_line(used, line))
			return false;
	}
	return true;
}

int used_files_take(struct used_files *used, char *text, size_t size, struct cg_error *err)
{
	size_t most = 1;

	*used = (struct used_files){ .text = text };
	if (!text)
		return CG_OK;
	for (size_t i = 0; i < size; i++)
		most += text[i] == '\n';
	used->lines = calloc(most, sizeof *used->lines);
	used->changes = calloc(most, sizeof *used->changes);
	if (!used->lines || !used->changes)
		return cg_fail_nomem(err);
	used->known = split_used_lines(used, size);
	return CG_OK;
}

void used_files_free(struct used_files *used)
{
	free(used->lines);
	free(used->changes);
	free(used->text);
	*used = (struct used_files){ 0 };
}

/* The first line that is not before this one. */
static const char *used_line_from(const struct used_files *used, const char *line)
{
	size_t from = 0, to = used->count;

	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (strcmp(used->lines[middle], line) < 0)
			from = middle + 1;
		else
			to = middle;
	}
	return from < used->count ? used->lines[from] : "";
}

/* `mark` 0: none. */
static bool has_used_line(const struct used_files *used, char mark, const char *path, size_t len)
{
	char line[PATH_MAX + 1];
	const char marked[] = { mark, '\0' };

	if (len >= PATH_MAX)
		return true;
	snprintf(line, sizeof line, "%s%.*s", marked, (int)len, path);
	return strcmp(used_line_from(used, line), line) == 0;
}

/* Whether a line is about something in the directory. */
static bool has_used_line_below(const struct used_files *used, char mark, const char *path,
				size_t len)
{
	char line[PATH_MAX + 2];
	const char marked[] = { mark, '\0' };

	if (len >= PATH_MAX)
		return true;
	snprintf(line, sizeof line, "%s%.*s/", marked, (int)len, path);
	return strncmp(used_line_from(used, line), line, strlen(line)) == 0;
}

static bool was_entered(const struct used_files *used, const char *path, size_t len)
{
	return has_used_line_below(used, '\0', path, len) ||
	       has_used_line_below(used, OPENED_BY_RUN, path, len) ||
	       has_used_line_below(used, LOOKED_AT, path, len) ||
	       has_used_line_below(used, LISTED, path, len) ||
	       has_used_line_below(used, MOVED, path, len);
}

/* Whether a path, or a directory that it is in, has got another name or lost one. */
static bool was_moved(const struct used_files *used, const char *path, size_t len)
{
	for (size_t end = 0; end <= len; end++)
		if ((end == len || path[end] == '/') && has_used_line(used, MOVED, path, end))
			return true;
	return has_used_line(used, MOVED, ".", 1);
}

static bool was_listed(const struct used_files *used, const char *path, size_t len)
{
	while (len && path[len - 1] != '/')
		len--;
	return len ? has_used_line(used, LISTED, path, len - 1)
		   : has_used_line(used, LISTED, ".", 1);
}

static bool was_opened(const struct used_files *used, const char *path, size_t len)
{
	return has_used_line(used, '\0', path, len) ||
	       has_used_line(used, OPENED_BY_RUN, path, len);
}

bool used_files_have_read(const struct used_files *used, const char *path)
{
	const size_t len = strlen(path);

	return !used->known || is_mark(*path) || was_opened(used, path, len) ||
	       was_moved(used, path, len);
}

bool used_files_have_named(const struct used_files *used, const char *path)
{
	return used_files_have_read(used, path) ||
	       has_used_line(used, LOOKED_AT, path, strlen(path));
}

static bool is_in_git_directory(const char *path)
{
	static const char name[] = ".git";

	for (size_t len; *path; path += len + (path[len] == '/')) {
		len = strcspn(path, "/");
		if (len == sizeof name - 1 && strncmp(path, name, len) == 0)
			return true;
	}
	return false;
}

bool used_files_have_asked_git(const struct used_files *used)
{
	bool asked = !used->known;

	for (size_t i = 0; !asked && i < used->count; i++)
		asked = is_in_git_directory(used->lines[i] + is_mark(*used->lines[i]));
	return asked;
}

bool used_files_have_input(const struct used_files *used, const char *path)
{
	return used->known && has_used_line(used, OPENED_BY_RUN, path, strlen(path));
}

bool used_files_have_sought(const struct used_files *used, const char *path, size_t len)
{
	return !used->known || is_mark(*path) || was_opened(used, path, len) ||
	       has_used_line(used, LOOKED_AT, path, len) || was_listed(used, path, len) ||
	       was_entered(used, path, len) || was_moved(used, path, len);
}
