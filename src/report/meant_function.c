#include "src/report/meant_function.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "src/text/suggest.h"

/* "deflat" of "^deflat$"; NULL: it is no single name, or without memory. Allocated. */
static char *name_of_pattern(const char *regex)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_:";
	const char *name = regex + (*regex == '^');
	size_t len = strspn(name, letters);

	return len && (!name[len] || strcmp(name + len, "$") == 0) ? strndup(name, len) : NULL;
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

const char *limit_meant_function(const struct diff *d, const struct limit *limit)
{
	/* Of more, the search would take long. */
	enum { MOST_NAMES = 50000 };
	bool plain = limit->function && !limit->module && d->count <= MOST_NAMES;
	char *wanted = plain ? name_of_pattern(limit->function) : NULL;
	const char **names = wanted ? calloc(d->count + 1, sizeof *names) : NULL;

	for (size_t i = 0; names && i < d->count; i++)
		names[i] = d->rows[i].name;
	if (names)
		qsort_r(names, d->count, sizeof *names, compare_lengths, wanted);
	const char *meant = names ? suggest(wanted, names, d->count) : NULL;
	free(names);
	free(wanted);
	return meant;
}
