#include "src/report/meant_function.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "callgrind/support/number.h"
#include "cgprofile/rollup.h"
#include "cgprofile/strings.h"
#include "src/text/suggest.h"

/* What may have been meant; the texts are owned. */
struct meant_names {
	char **items;
	size_t count, cap;
};

static void free_meant(struct meant_names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->items[i]);
	free(names->items);
}

/* What does not fit in memory is left out. */
static void add_meant(struct meant_names *names, const char *name, size_t len)
{
	if (cg_grow(&names->items, &names->cap, names->count + 1, sizeof *names->items))
		return;
	char *copy = strndup(name, len);
	if (copy)
		names->items[names->count++] = copy;
}

/* Of a character that stands for itself, also as "\\." or "[.]": itself, and how long it is as
 * written. 0: it is of a pattern. */
static char plain_character(const char *regex, bool path, size_t *len)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_:";

	*len = strncmp(regex, "\\.", 2) == 0 ? 2 : strncmp(regex, "[.]", 3) == 0 ? 3 : 1;
	if (*len > 1)
		return path ? '.' : '\0';
	return strchr(letters, *regex) || (path && strchr("/.-", *regex)) ? *regex : '\0';
}

/* "deflat" of "^deflat$", of a path "src/json.c" of "/src/json[.]c" and "json" of "json/"; NULL: it
 * is no single name, or without memory. Allocated. */
static char *name_of_pattern(const char *regex, bool path)
{
	char *name = malloc(strlen(regex) + 1);
	size_t len = 0, written;

	regex += *regex == '^';
	regex += path && *regex == '/';
	for (; name && *regex && strcmp(regex, "$") != 0; regex += written)
		if (!(name[len++] = plain_character(regex, path, &written)))
			break;
	len -= path && len && name[len - 1] == '/';
	if (!name || !len || !name[len - 1]) {
		free(name);
		return NULL;
	}
	name[len] = '\0';
	return name;
}

static size_t count_slashes(const char *text)
{
	size_t count = 0;

	for (; *text; text++)
		count += *text == '/';
	return count;
}

/* All runs of so many parts, "src/json" and "json/read.c" of "/p/src/json/read.c". */
static void add_meant_parts(struct meant_names *names, const char *path, size_t parts)
{
	for (const char *from = path; from; from = strchr(from, '/')) {
		from += *from == '/';
		const char *end = from;
		for (size_t i = 0; i < parts && *end; i++)
			end += strcspn(end + (i > 0), "/") + (i > 0);
		if (end > from)
			add_meant(names, from, (size_t)(end - from));
		if (!*end)
			return;
	}
}

static void add_meant_modules(struct meant_names *names, const struct diff *d, const char *wanted)
{
	const size_t parts = count_slashes(wanted) + 1;
	const char *file = NULL, *object = NULL;

	for (size_t i = 0; i < d->count; i++) {
		const struct diff_row *row = &d->rows[i];
		add_meant(names, row->name, strlen(row->name));
		if (row->file && row->file != file)
			add_meant_parts(names, row->file, parts);
		if (row->object && row->object != object)
			add_meant_parts(names, row->object, parts);
		file = row->file;
		object = row->object;
	}
}

static void add_meant_namespaces(struct meant_names *names, const struct diff *d)
{
	struct cg_strings known;

	if (cg_strings_init(&known))
		return;
	for (size_t i = 0; i < d->count; i++) {
		const size_t before = known.count;
		cg_str id;
		if (cg_rollup_namespace(d->rows[i].name, &known, &id) || known.count == before)
			continue;
		const char *name = cg_strings_get(&known, id);
		add_meant(names, name, strlen(name));
	}
	cg_strings_free(&known);
}

static void add_meant_functions(struct meant_names *names, const struct diff *d)
{
	for (size_t i = 0; i < d->count; i++)
		add_meant(names, d->rows[i].name, strlen(d->rows[i].name));
}

/* Of names that are as near, one of nearly the same length is suggested. */
static int compare_lengths(const void *left, const void *right, void *context)
{
	const char *a = *(const char *const *)left, *b = *(const char *const *)right;
	const size_t wanted = strlen(context);
	uint64_t x = cg_distance((int64_t)strlen(a), (int64_t)wanted);
	uint64_t y = cg_distance((int64_t)strlen(b), (int64_t)wanted);
	return x != y ? (x > y) - (x < y) : strcmp(a, b);
}

char *limit_meant_function(const struct diff *d, const struct limit *limit)
{
	/* Of more, the search would take long. */
	enum { MOST_NAMES = 50000 };
	const bool path = limit->module && !limit->by_namespace;
	const bool few = limit->function && d->count <= MOST_NAMES;
	char *wanted = few ? name_of_pattern(limit_regex(limit), path) : NULL;
	struct meant_names names = { 0 };

	if (wanted && limit->by_namespace)
		add_meant_namespaces(&names, d);
	else if (wanted && limit->module)
		add_meant_modules(&names, d, wanted);
	else if (wanted)
		add_meant_functions(&names, d);
	if (names.count)
		qsort_r(names.items, names.count, sizeof *names.items, compare_lengths, wanted);
	const char *meant = wanted ? suggest(wanted, (const char *const *)names.items, names.count)
				   : NULL;
	char *copy = meant ? strdup(meant) : NULL;
	free_meant(&names);
	free(wanted);
	return copy;
}
