#include "src/compare/counted_before.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/build.h"
#include "src/store/beneath.h"
#include "src/store/cache.h"
#include "src/store/files.h"

enum { COUNTED_BEFORE_MAX = 1 << 16 };

/* The line of the base of a pair. */
static const char *base_line(const char *operand)
{
	return operand ? operand : "-";
}

/* In an entry's directory; the caller's. NULL: out of memory. */
static char *file_in_entry(const char *root, const char *entry)
{
	char *directory = cache_path(root, entry), *path;

	if (!directory || asprintf(&path, "%s/" CACHE_COUNTED_BEFORE_FILE, directory) < 0)
		path = NULL;
	free(directory);
	return path;
}

void counted_before_free(struct counted_before *counted)
{
	free(counted->base);
	free(counted->head);
	*counted = (struct counted_before){ 0 };
}

/* ---- writing ---- */

static void put_line_of_totals(FILE *to, const int64_t *totals, uint32_t events)
{
	for (uint32_t i = 0; i < events; i++)
		fprintf(to, "%s%" PRId64, i ? " " : "", totals[i]);
	fputc('\n', to);
}

int counted_before_keep(const char *root, const struct counted_pair *pair,
			const struct counted_before *counted, struct cg_error *err)
{
	struct new_file *file;
	FILE *to;
	char *path = file_in_entry(root, pair->head);
	int status = path ? beneath_new_file(root, path, &file, &to, err) : cg_fail_nomem(err);

	free(path);
	if (status)
		return status;
	fprintf(to, "%s\n%s\n", base_line(pair->base), pair->limits);
	put_line_of_totals(to, counted->base, pair->events[0]);
	put_line_of_totals(to, counted->head, pair->events[1]);
	return new_file_commit(file, err);
}

/* ---- reading ---- */

/* Reads a line of so many numbers. What follows it; NULL: the line is another one, or memory ran
 * out. */
static const char *take_line_of_totals(const char *text, uint32_t events, int64_t **out)
{
	int64_t *totals = events <= CG_MAX_EVENTS ? calloc(CG_MAX_EVENTS, sizeof *totals) : NULL;

	*out = totals;
	for (uint32_t i = 0; totals && i < events; i++) {
		char *end;
		errno = 0;
		totals[i] = strtoll(text, &end, 10);
		if (end == text || errno || *end != (i + 1 < events ? ' ' : '\n'))
			return NULL;
		text = end + 1;
	}
	return totals ? text : NULL;
}

/* After a line of this text; NULL: there is another one. */
static const char *skip_line(const char *text, const char *line)
{
	const size_t len = strlen(line);

	return strncmp(text, line, len) == 0 && text[len] == '\n' ? text + len + 1 : NULL;
}

/* After the line of any base. */
static const char *skip_base(const char *text)
{
	const char *end = strchr(text, '\n');

	return end ? end + 1 : NULL;
}

static bool is_base_equal(const struct counted_pair *pair, const int64_t *totals)
{
	return pair->base && pair->base_totals &&
	       memcmp(totals, pair->base_totals, pair->events[0] * sizeof *totals) == 0;
}

static bool take_counted(const char *text, const struct counted_pair *pair,
			 struct counted_before *out)
{
	const bool named = skip_line(text, base_line(pair->base));

	text = skip_base(text);
	text = text ? skip_line(text, pair->limits) : NULL;
	text = text ? take_line_of_totals(text, pair->events[0], &out->base) : NULL;
	text = text ? take_line_of_totals(text, pair->events[1], &out->head) : NULL;
	return text && !*text && (named || is_base_equal(pair, out->base));
}

int counted_before_find(const char *root, const struct counted_pair *pair,
			struct counted_before *out, struct cg_error *err)
{
	char *path = file_in_entry(root, pair->head), *text = NULL;
	size_t size;

	*out = (struct counted_before){ 0 };
	if (!path)
		return cg_fail_nomem(err);
	if (!beneath_read(root, path, COUNTED_BEFORE_MAX, &text, &size, NULL)) {
		out->found = strlen(text) == size && take_counted(text, pair, out);
		if (!out->found)
			counted_before_free(out);
	}
	free(text);
	free(path);
	return CG_OK;
}

/* ---- copying ---- */

static int put_copied(const struct counted_place *to, const char *base, const char *rest,
		      struct cg_error *err)
{
	struct new_file *file;
	FILE *stream;
	int status = beneath_new_file(to->root, to->path, &file, &stream, err);

	if (status)
		return status;
	fprintf(stream, "%s%s%s", base, *base ? "\n" : "", rest);
	return new_file_commit(file, err);
}

int counted_before_copy(const struct counted_place *from, const struct counted_place *to,
			struct cg_error *err)
{
	char *text;
	size_t size;
	int status = CG_OK;

	if (beneath_read(from->root, from->path, COUNTED_BEFORE_MAX, &text, &size, NULL))
		return CG_OK;
	const char *rest = skip_line(text, base_line(from->base));
	if (strlen(text) == size && rest)
		status = put_copied(to, base_line(to->base), rest, err);
	else if (strlen(text) == size && !beneath_is_there(to->root, to->path))
		status = put_copied(to, "", text, err);
	free(text);
	return status;
}

/* ---- entries that are replaced ---- */

char *counted_before_text(const char *root, const char *entry)
{
	char *path = file_in_entry(root, entry), *text = NULL;
	size_t size;

	if (path)
		beneath_read(root, path, COUNTED_BEFORE_MAX, &text, &size, NULL);
	free(path);
	return text;
}

int counted_before_restore(const char *root, const char *entry, const char *text,
			   struct cg_error *err)
{
	char *path = file_in_entry(root, entry);
	const struct counted_place to = { .root = root, .path = path };
	int status = path ? put_copied(&to, "", text, err) : cg_fail_nomem(err);

	free(path);
	return status;
}
