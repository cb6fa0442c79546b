#include "src/view/source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "callgrind/support/grow.h"

/* Larger files are generated; nobody reads them line by line. */
#define MAX_SOURCE (64 * 1024 * 1024)

static int read_all(FILE *from, char **bytes, size_t *len)
{
	char *buffer = NULL;
	size_t cap = 0, used = 0, got;
	do {
		if (cg_grow(&buffer, &cap, used + 65536, 1)) {
			free(buffer);
			return CG_ENOMEM;
		}
		got = fread(buffer + used, 1, cap - used - 1, from);
		used += got;
	} while (got && used < MAX_SOURCE);
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

/* Loads the file if it is there and a regular file. */
static int try_path(const char *path, struct source_text *out)
{
	struct stat st;
	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return CG_OK;
	FILE *from = fopen(path, "re");
	if (!from)
		return CG_OK;

	struct source_text t = { .origin = SOURCE_TEXT_NOW, .path = strdup(path) };
	int status = t.path ? read_all(from, &t.bytes, &t.size) : CG_ENOMEM;
	fclose(from);
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
		int status = try_path(path, out);
		free(path);
		if (status)
			return status;
		rest = strchr(rest, '/');
	}
	return CG_OK;
}

int source_text_find(const char *file, const char *const *dirs, struct source_text *out,
		     struct cg_error *err)
{
	struct source_text found = { 0 };
	int status = try_path(file, &found);

	for (size_t i = 0; !status && !found.path && dirs && dirs[i]; i++)
		status = try_dir(dirs[i], file, &found);
	if (status)
		return cg_fail_nomem(err);
	*out = found;
	return CG_OK;
}

int source_text_of(const char *path, const char *bytes, size_t size, struct source_text *out,
		   struct cg_error *err)
{
	struct source_text t = { .origin = SOURCE_TEXT_KEPT, .path = strdup(path),
				 .bytes = malloc(size + 1), .size = size };
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
