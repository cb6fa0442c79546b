#include "src/text/suggest.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD_MAX 64 /* longer words are not compared */
#define HANDFUL 5

static char lower(char c)
{
	if (c == '-') /* "max-growth" is the same word as "max_growth" */
		return '_';
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Optimal string alignment distance; both words have at most WORD_MAX bytes. */
static size_t distance(const char *a, size_t na, const char *b, size_t nb)
{
	size_t d[WORD_MAX + 1][WORD_MAX + 1];

	for (size_t i = 0; i <= na; i++)
		d[i][0] = i;
	for (size_t j = 0; j <= nb; j++)
		d[0][j] = j;
	for (size_t i = 1; i <= na; i++) {
		for (size_t j = 1; j <= nb; j++) {
			char x = lower(a[i - 1]), y = lower(b[j - 1]);

			d[i][j] = least(least(d[i - 1][j], d[i][j - 1]) + 1,
					d[i - 1][j - 1] + (x != y));
			if (i > 1 && j > 1 && x == lower(b[j - 2]) && y == lower(a[i - 2]))
				d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
		}
	}
	return d[na][nb];
}

/* Whether one is the beginning of the other: bench for benchmarks. */
static bool abbreviates(const char *word, size_t len, const char *candidate, size_t n)
{
	enum { SHORTEST = 3 };
	size_t both = least(len, n), i = 0;

	while (i < both && lower(word[i]) == lower(candidate[i]))
		i++;
	return i == both && both >= SHORTEST;
}

const char *suggest(const char *word, const char *const *candidates, size_t count)
{
	size_t len = strlen(word), best_distance = 0;
	const char *best = NULL;
	bool best_is_part = false;

	if (len == 0 || len > WORD_MAX)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		size_t n = strlen(candidates[i]);
		if (n > WORD_MAX)
			continue;

		bool part = abbreviates(word, len, candidates[i], n);
		size_t d = part ? 1 : distance(word, len, candidates[i], n);
		if (d > (n + 2) / 3 || d >= n || (best && d > best_distance))
			continue;
		if (best && d == best_distance && (part || !best_is_part))
			continue;
		best = candidates[i];
		best_distance = d;
		best_is_part = part;
	}
	return best;
}

static void list_known(FILE *to, const char *meant, const char *const *candidates, size_t count,
		       const char *where)
{
	size_t named = meant ? 1 : 0;

	if (meant)
		fprintf(to, "; did you mean '%s'?", meant);
	if (count > named)
		fputs(meant ? " others: " : "; available: ", to);
	for (size_t i = 0, first = named; i < count && named < HANDFUL; i++) {
		if (candidates[i] == meant)
			continue;
		fprintf(to, "%s%s", named++ > first ? ", " : "", candidates[i]);
	}
	if (count > named)
		fprintf(to, " … and %zu more (%s)", count - named, where);
}

char *suggest_known(const char *word, const char *const *candidates, size_t count,
		    const char *where)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	list_known(to, suggest(word, candidates, count), candidates, count, where);
	if (fclose(to)) {
		free(text);
		return NULL;
	}
	return text;
}
