#include "src/run/harness_results.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/run/harness.h"

static bool is_there(const struct strings *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++)
		if (strcmp(names->items[i], name) == 0)
			return true;
	return false;
}

static int check_result_name(const struct strings *names, const char *name, struct cg_error *err)
{
	if (names->count >= HARNESS_CASES_MAX)
		return cg_fail(err, CG_EINVAL, NULL, 0,
			       "the benchmark has more than %d cases; give its command a filter",
			       HARNESS_CASES_MAX);
	for (const char *c = name; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 127)
			return cg_fail(err, CG_EINVAL, NULL, 0,
				       "the name of case %zu has a control character; rename it",
				       names->count + 1);
	return CG_OK;
}

/* How many are this name, or this name with a number. */
static unsigned count_numbered(const struct strings *names, const char *name)
{
	const size_t len = strlen(name);
	unsigned n = 0;

	for (size_t i = 0; i < names->count; i++) {
		const char *item = names->items[i];
		n += strncmp(item, name, len) == 0 &&
		     (!item[len] || (strncmp(item + len, " #", 2) == 0 &&
				     !item[len + 2 + strspn(item + len + 2, "0123456789")]));
	}
	return n;
}

static int add_result_name(struct strings *names, const char *name, struct cg_error *err)
{
	int status = check_result_name(names, name, err);

	if (status || !is_there(names, name))
		return status ? status : strings_add(names, name, err);
	/* Trying all numbers from 2 would take minutes where thousands have one name. */
	for (unsigned n = count_numbered(names, name) + 1;; n++) {
		char *numbered;
		if (asprintf(&numbered, "%s #%u", name, n) < 0)
			return cg_fail_nomem(err);
		bool again = is_there(names, numbered);
		status = again ? CG_OK : strings_add(names, numbered, err);
		free(numbered);
		if (!again)
			return status;
	}
}

/* ---- XML ---- */

static const struct {
	const char *text;
	char c;
} entities[] = {
	{ "&lt;", '<' }, { "&gt;", '>' }, { "&amp;", '&' }, { "&quot;", '"' }, { "&apos;", '\'' },
};

/* One character of an attribute's value, which may be an entity; moves on. */
static char take_character(const char **at)
{
	for (size_t i = 0; i < sizeof entities / sizeof *entities; i++) {
		size_t len = strlen(entities[i].text);
		if (strncmp(*at, entities[i].text, len) == 0) {
			*at += len;
			return entities[i].c;
		}
	}
	return *(*at)++;
}

/* The text between quotes; free() it. Too little memory is taken for none, which fails. */
static char *unquoted(const char *at, const char *end)
{
	char *value = malloc((size_t)(end - at) + 1), *to = value;

	while (value && at < end)
		*to++ = take_character(&at);
	if (value)
		*to = '\0';
	return value;
}

/* The value of an attribute of the element that begins a line: NAME="VALUE" after a space; free()
 * it. NULL: it has none. */
static char *attribute(const char *line, const char *end, const char *name)
{
	const size_t len = strlen(name);

	for (const char *at = line; (at = memchr(at, ' ', (size_t)(end - at))) != NULL;) {
		const char *key = at + 1;
		const char *open = memchr(key, '"', (size_t)(end - key));
		const char *close = open ? memchr(open + 1, '"', (size_t)(end - open - 1)) : NULL;
		if (!close)
			return NULL;
		if ((size_t)(open - key) == len + 1 && memcmp(key, name, len) == 0 &&
		    open[-1] == '=')
			return unquoted(open + 1, close);
		at = close;
	}
	return NULL;
}

static bool begins_element(const char *line, const char *name)
{
	const size_t len = strlen(name);

	return *line == '<' && strncmp(line + 1, name, len) == 0 && line[1 + len] == ' ';
}

static int add_benchmark(const char *test, const char *line, const char *end, struct strings *names,
			 struct cg_error *err)
{
	char *name = attribute(line, end, "name"), *all = NULL;
	char *iterations = attribute(line, end, "iterations");
	int status;

	if (!name || !iterations) {
		status = cg_fail(err, CG_EINVAL, NULL, 0,
				 "a line of results has no name or no iterations: %.200s", line);
	} else if (asprintf(&all, "%s/%s", test ? test : "", name) < 0) {
		all = NULL;
		status = cg_fail_nomem(err);
	} else if (strcmp(iterations, "1") != 0) {
		status = cg_fail(
			err, CG_EINVAL, NULL, 0,
			"the benchmark \"%.200s\" runs %.20s iterations, not one, as its "
			"clock is not frozen; remove freeze, and link libstdc++ dynamically",
			name, iterations);
	} else {
		status = add_result_name(names, all, err);
	}
	free(name);
	free(iterations);
	free(all);
	return status;
}

int harness_read_xml(const char *text, struct strings *names, struct cg_error *err)
{
	char *test = NULL;
	int status = CG_OK;

	while (!status && *text) {
		const char *line = text + strspn(text, " "), *end = line + strcspn(line, "\n");
		if (begins_element(line, "TestCase")) {
			free(test);
			test = attribute(line, end, "name");
		} else if (begins_element(line, "BenchmarkResults")) {
			status = add_benchmark(test, line, end, names, err);
		}
		text = end + (*end == '\n');
	}
	free(test);
	return status;
}

/* ---- a table ---- */

/* The name in a row, "| … | `NAME`", where two backquotes mean one; free() it. NULL: it has none. A
 * row lost for lack of memory is missed when cases are counted. */
static char *result_row_name(const char *line, const char *end)
{
	const char *at = *line == '|' ? memchr(line, '`', (size_t)(end - line)) : NULL;
	char *name = at ? malloc((size_t)(end - at) + 1) : NULL, *to = name;

	if (!name)
		return NULL;
	for (at++; at < end && (*at != '`' || (at + 1 < end && at[1] == '`')); at++) {
		at += *at == '`';
		*to++ = *at;
	}
	*to = '\0';
	return name;
}

int harness_read_table(const char *text, struct strings *names, struct cg_error *err)
{
	int status = CG_OK;

	while (!status && *text) {
		const char *end = text + strcspn(text, "\n");
		char *name = result_row_name(text, end);
		if (name)
			status = add_result_name(names, name, err);
		free(name);
		text = end + (*end == '\n');
	}
	return status;
}
