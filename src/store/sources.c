#include "src/store/sources.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/paths.h"
#include "callgrind/support/grow.h"
#include "cgprofile/names.h"
#include "src/store/packed.h"

#define MAGIC "irdiff sources 1\n"
#define MOST_BYTES ((size_t)1 << 30) /* more than irdiff writes */

/* What sources_save was called with. */
struct saved_sources {
	const struct stored_source *items;
	size_t count;
};

static void write_sources(const void *what, FILE *to)
{
	const struct saved_sources *s = what;

	fputs(MAGIC, to);
	for (size_t i = 0; i < s->count; i++) {
		if (strchr(s->items[i].name, '\n'))
			continue;
		fprintf(to, "%zu%s %s\n", s->items[i].size, s->items[i].newer ? "+" : "",
			s->items[i].name);
		fwrite(s->items[i].bytes, 1, s->items[i].size, to);
		fputc('\n', to);
	}
}

int sources_save(const char *path, const struct stored_source *items, size_t count,
		 struct cg_error *err)
{
	const struct saved_sources s = { items, count };
	return packed_write(path, write_sources, &s, err);
}

static int fail_damaged_sources(const char *path, struct cg_error *err)
{
	return cg_fail(err, CG_ESYNTAX, path, 0,
		       "the stored source files are damaged; measure again");
}

/* Takes the next file from *at; false if none is left, or it is not complete. */
static bool take_source(char **at, const char *end, struct stored_source *out)
{
	char *newline = memchr(*at, '\n', (size_t)(end - *at)), *name;
	if (!newline)
		return false;
	*newline = '\0';
	uint64_t size = strtoull(*at, &name, 10);
	const bool newer = name > *at && *name == '+';
	char *bytes = newline + 1;
	name += newer;
	if (name == *at || *name != ' ' || size >= (size_t)(end - bytes) || bytes[size] != '\n')
		return false;
	bytes[size] = '\0';
	name[1 + cg_path_normalise(name + 1, strlen(name + 1))] = '\0'; /* as in profiles */
	*out = (struct stored_source){ name + 1, bytes, (size_t)size, newer };
	*at = bytes + size + 1;
	return true;
}

int sources_load(const char *path, struct stored_sources *out, struct cg_error *err)
{
	struct stored_sources s = { 0 };
	size_t size, cap = 0;
	int status = packed_read(path, MOST_BYTES, &s.bytes, &size, err);
	if (status)
		return status;

	char *at = s.bytes + strlen(MAGIC), *end = s.bytes + size;
	if (size < strlen(MAGIC) || memcmp(s.bytes, MAGIC, strlen(MAGIC)) != 0)
		status = fail_damaged_sources(path, err);
	while (!status && at < end) {
		if (cg_grow(&s.items, &cap, s.count + 1, sizeof *s.items))
			status = cg_fail_nomem(err);
		else if (!take_source(&at, end, &s.items[s.count]))
			status = fail_damaged_sources(path, err);
		else
			s.count++;
	}
	if (status)
		sources_free(&s);
	else
		*out = s;
	return status;
}

void sources_free(struct stored_sources *s)
{
	free(s->items);
	free(s->bytes);
	*s = (struct stored_sources){ 0 };
}

const struct stored_source *sources_find(const struct stored_sources *s, const char *name)
{
	for (size_t i = 0; i < s->count; i++)
		if (strcmp(s->items[i].name, name) == 0)
			return &s->items[i];
	return NULL;
}
