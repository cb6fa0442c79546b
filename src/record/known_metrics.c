#include "src/record/known_metrics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/diff/metric.h"

static bool is_of_series(const struct history_series *s, const struct loaded_series *of,
			 size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(s->benchmark, of[i].series.benchmark) == 0 &&
		    strcmp(s->definition, of[i].series.definition) == 0 &&
		    strcmp(s->environment->digest, of[i].series.environment) == 0)
			return true;
	return !count;
}

/* Per method, whether a row of the series was measured by it; the caller's. */
static bool *methods_of(const struct history_book *book, const struct loaded_series *of,
			size_t count)
{
	bool *used = calloc(book->nmethods + 1, sizeof *used);

	for (size_t i = 0; used && i < book->nseries; i++) {
		const struct history_series *s = &book->series[i];
		for (size_t k = 0; is_of_series(s, of, count) && k < s->count; k++)
			used[s->points[k].method] = true;
	}
	return used;
}

struct metrics_naming {
	const struct history_book *book;
	const bool *used; /* per method */
	const char *unknown;
	const char *before; /* what is printed before the first name; then NULL */
	FILE *to;
};

/* Whether one of the first `most` methods that are used has a metric. */
static bool any_method_has(const struct metrics_naming *n, const char *name, size_t most)
{
	struct metric m;

	for (size_t i = 0; i < most; i++)
		if (n->used[i] &&
		    metric_find_among(&n->book->methods[i], history_method_event, name, &m))
			return true;
	return false;
}

static void name_known_metric(struct metrics_naming *n, const char *name)
{
	if (strcmp(name, n->unknown) == 0)
		return;
	fprintf(n->to, "%s %s", n->before ? n->before : "", name);
	n->before = NULL;
}

static void name_recorded(struct metrics_naming *n)
{
	for (size_t i = 0; i < n->book->nmethods; i++) {
		const struct history_method *m = &n->book->methods[i];
		for (size_t k = 0; n->used[i] && k < m->count; k++)
			if (strcmp(m->metrics[k], "Ir") != 0 &&
			    !any_method_has(n, m->metrics[k], i))
				name_known_metric(n, m->metrics[k]);
	}
}

static void name_known_metrics(struct metrics_naming *n)
{
	if (any_method_has(n, "Ir", n->book->nmethods))
		name_known_metric(n, "Ir");
	name_recorded(n);
	for (size_t i = 0; metric_derived[i]; i++)
		if (any_method_has(n, metric_derived[i], n->book->nmethods))
			name_known_metric(n, metric_derived[i]);
}

char *known_metrics(const struct history_book *book, const struct loaded_series *of, size_t count,
		    const char *unknown, const char *before)
{
	char *text = NULL;
	size_t size;
	bool *used = methods_of(book, of, count);
	struct metrics_naming n = { book, used, unknown, before, NULL };

	if (used && (n.to = open_memstream(&text, &size))) {
		name_known_metrics(&n);
		if (fclose(n.to) != 0) {
			free(text);
			text = NULL;
		}
	}
	free(used);
	return text;
}
