#include "src/view/source.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "callgrind/support/beneath.h"
#include "callgrind/support/grow.h"

/* Reads at most `size` bytes, even if the file grows meanwhile. */
static int read_source_bytes(int fd, size_t size, char **bytes, size_t *len)
{
	char *buffer = malloc(size + 1);
	size_t used = 0;

	if (!buffer)
		return CG_ENOMEM;
	for (ssize_t got = 1; got > 0 && used<size; used += got> 0 ? (size_t)got : 0)
		got = read(fd, buffer + used, size - used);
	buffer[used] = '\0';
	*bytes = buffer;
	*len = used;
	return CG_OK;
}

static int split_lines(struct source_text *t)
{
	size_t cap = 0;
	t->text = malloc(t->size + 1);
	if (!t->text)
		return CG_ENOMEM;
	memcpy(t->text, t->bytes, t->size + 1);
	char *at = t->text, *end = t->text + t->size;

	while (at < end) {
		if (cg_grow(&t->lines, &cap, t->count + 1, sizeof *t->lines))
			return CG_ENOMEM;
		t->lines[t->count++] = at;
		char *newline = memchr(at, '\n', (size_t)(end - at));
		if (!newline)
			break;
		if (newline > at && newline[-1] == '\r')
			newline[-1] = '\0';
		*newline = '\0';
		at = newline + 1;
	}
	return CG_OK;
}

/* ---- which files may be shown ---- */

/* What of a path is below a directory; NULL: it is not below it. */
static const char *rest_below(const char *top, const char *path)
{
	size_t len = strlen(top);

	while (len && top[len - 1] == '/')
		len--;
	return strncmp(path, top, len) == 0 && path[len] == '/' ? path + len + 1 : NULL;
}

/* Settings and credentials lie there (.git, .ssh, .env), and no source. */
bool source_is_hidden(const char *path)
{
	return *path == '.' || strstr(path, "/.");
}

bool source_is_code(const char *path)
{
	static const char *const ends[] = { ".c",   ".h",   ".cc",  ".hh",  ".cpp", ".hpp", ".cxx",
					    ".hxx", ".inc", ".inl", ".ipp", ".tcc", ".def", ".rs",
					    ".go",  ".d",   ".zig", ".m",   ".mm" };
	const char *end = strrchr(path, '.');

	for (size_t i = 0; end && end > path && i < sizeof ends / sizeof *ends; i++)
		if (strcmp(end, ends[i]) == 0)
			return true;
	return false;
}

/* `top` and `path` are real. -1: it is no file below it that may be shown. */
static int open_below(const char *top, const char *path, bool for_all, struct stat *st)
{
	const char *rest = rest_below(top, path);
	int fd = -1, directory = rest && !source_is_hidden(rest)
					 ? open(top, O_PATH | O_DIRECTORY | O_CLOEXEC)
					 : -1;

	if (directory < 0)
		return -1;
	fd = cg_beneath_open_regular(directory, rest, st);
	close(directory);
	if (fd >= 0 && (st->st_size > SOURCE_BYTES_MAX || (for_all && !(st->st_mode & S_IROTH)))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Loads the file, which is called `name`, if it is there and below `top` with all links
 * followed. */
static int try_path(const char *top, const char *path, const char *name, bool for_all,
		    struct source_text *out)
{
	struct stat st;
	char *real_top = realpath(top, NULL), *real = real_top ? realpath(path, NULL) : NULL;
	int fd = real ? open_below(real_top, real, for_all, &st) : -1;

	free(real_top);
	free(real);
	if (fd < 0)
		return CG_OK;
	struct source_text t = { .origin = SOURCE_TEXT_NOW, .path = strdup(name) };
	int status = t.path ? read_source_bytes(fd, (size_t)st.st_size, &t.bytes, &t.size)
			    : CG_ENOMEM;
	close(fd);
	if (!status)
		status = split_lines(&t);
	if (status)
		source_text_free(&t);
	else
		*out = t;
	return status;
}

/* Below `dir`: the whole path, then without its first component, and so on. */
static int try_dir(const char *dir, const char *file, struct source_text *out)
{
	for (const char *rest = file; rest && !out->path;) {
		rest += strspn(rest, "/");
		if (!*rest)
			return CG_OK;
		char *path;
		if (asprintf(&path, "%s/%s", dir, rest) < 0)
			return CG_ENOMEM;
		int status = try_path(dir, path, path, false, out);
		free(path);
		if (status)
			return status;
		rest = strchr(rest, '/');
	}
	return CG_OK;
}

/* By its own name: from the current directory, or else from the work tree. */
static int try_tree(const char *tree, const char *file, struct source_text *out)
{
	char *path;
	int status = try_path(tree, file, file, false, out);

	if (status || out->path || *file == '/')
		return status;
	if (asprintf(&path, "%s/%s", tree, file) < 0)
		return CG_ENOMEM;
	status = try_path(tree, path, path, false, out);
	free(path);
	return status;
}

int source_text_find(const char *file, const struct source_places *places, struct source_text *out,
		     struct cg_error *err)
{
	struct source_text found = { 0 };
	int status = places->tree ? try_tree(places->tree, file, &found) : CG_OK;

	for (size_t i = 0; !status && !found.path && places->public && places->public[i]; i++)
		status = try_path(places->public[i], file, file, true, &found);
	for (size_t i = 0; !status && !found.path && places->dirs && places->dirs[i]; i++)
		status = try_dir(places->dirs[i], file, &found);
	if (status)
		return cg_fail_nomem(err);
	*out = found;
	return CG_OK;
}

int source_text_of(const char *path, const char *bytes, size_t size, struct source_text *out,
		   struct cg_error *err)
{
	struct source_text t = { .origin = SOURCE_TEXT_KEPT,
				 .path = strdup(path),
				 .bytes = malloc(size + 1),
				 .size = size };
	int status = t.path && t.bytes ? CG_OK : CG_ENOMEM;

	if (!status) {
		memcpy(t.bytes, bytes, size);
		t.bytes[size] = '\0';
		status = split_lines(&t);
	}
	if (status) {
		source_text_free(&t);
		return cg_fail_nomem(err);
	}
	*out = t;
	return CG_OK;
}

void source_text_free(struct source_text *t)
{
	free(t->text);
	free(t->path);
	free(t->bytes);
	free(t->lines);
	*t = (struct source_text){ 0 };
}
