#include "src/config/commented_benchmark.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/config/config.h"
#include "src/config/file.h"

struct commented_line {
	const char *at, *end;
};

static void skip(struct commented_line *l, const char *characters)
{
	while (l->at < l->end && strchr(characters, *l->at))
		l->at++;
}

/* Moves to the text of a comment; false: the line is not a comment. */
static bool comment_of(struct commented_line *l)
{
	skip(l, " \t");
	if (l->at == l->end || *l->at != '#')
		return false;
	skip(l, "# \t");
	return true;
}

/* Whether a line begins with a key, plain or quoted, and a colon; if so, moves past them. */
static bool take_key(struct commented_line *l, const char *key)
{
	size_t len = strlen(key);
	struct commented_line rest = *l;
	char quote = rest.at < rest.end && strchr("\"'", *rest.at) ? *rest.at++ : '\0';

	if ((size_t)(rest.end - rest.at) < len || memcmp(rest.at, key, len) != 0)
		return false;
	rest.at += len;
	if (quote && (rest.at == rest.end || *rest.at++ != quote))
		return false;
	if (rest.at == rest.end || *rest.at++ != ':')
		return false;
	*l = rest;
	return true;
}

static bool names_command(struct commented_line l)
{
	skip(&l, " \t{");
	return take_key(&l, "command");
}

static struct commented_line line_at(const char *from, const char *end)
{
	const char *newline = memchr(from, '\n', (size_t)(end - from));
	return (struct commented_line){ from, newline ? newline : end };
}

uint64_t config_commented_benchmark_in(const char *text, size_t len, const char *name)
{
	const char *end = text + len;
	uint64_t number = 1;

	for (const char *c = text; c < end; number++) {
		struct commented_line line = line_at(c, end), next = { line.end, line.end };
		c = line.end + (line.end < end);
		if (c < end)
			next = line_at(c, end);
		if (comment_of(&line) && take_key(&line, name) &&
		    (names_command(line) || (comment_of(&next) && names_command(next))))
			return number;
	}
	return 0;
}

uint64_t config_commented_benchmark(const char *path, const char *name)
{
	struct cg_error err;
	uint64_t line = 0;
	char *text;
	size_t len;

	if (config_file_read(path, CONFIG_BYTES_MAX, &text, &len, &err))
		return 0;
	line = config_commented_benchmark_in(text, len, name);
	free(text);
	return line;
}
