#include "src/load/hidden_flags.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/store/files.h"

#define MAKEFILE_BYTES_MAX (1024 * 1024)
#define BLANKS " \t"

/* What "CFLAGS = …" or "CFLAGS := …" assigns, which the environment cannot override; NULL: the line
 * is something else, or adds to what there is. */
static const char *assigned_flags(const char *line, const char *variable)
{
	size_t len = strlen(variable);

	if (strncmp(line, variable, len) != 0)
		return NULL;
	line += len;
	line += strspn(line, BLANKS);
	line += strspn(line, ":");
	return *line == '=' ? line + 1 : NULL;
}

/* Whether one of the words asks for debug information, or is a variable, which may. */
static bool may_ask_for_debug(const char *flags, size_t len)
{
	const char *end = flags + len;

	if (memchr(flags, '$', len))
		return true;
	for (const char *word = flags; word < end; word++)
		if (end - word > 1 && word[0] == '-' && word[1] == 'g' &&
		    (word == flags || strchr(BLANKS "=", word[-1])))
			return true;
	return false;
}

/* The line that sets the variable last, if it leaves out -g; 0: none. One that adds -g later, or
 * only if it is not set, hides nothing. */
static uint64_t hiding_line(const char *text, const char *variable)
{
	uint64_t hiding = 0, number = 1;
	size_t name = strlen(variable);

	for (const char *line = text; *line; number++) {
		size_t len = strcspn(line, "\n");
		bool continues = len && line[len - 1] == '\\';
		const char *flags = assigned_flags(line, variable);
		if (flags)
			hiding = continues || may_ask_for_debug(flags, len - (size_t)(flags - line))
					 ? 0
					 : number;
		else if (strncmp(line, variable, name) == 0 && may_ask_for_debug(line, len))
			hiding = 0;
		line += len + (line[len] == '\n');
	}
	return hiding;
}

static char *describe_hiding(const char *name, const char *text)
{
	static const char *const variables[] = { "CFLAGS", "CXXFLAGS" };
	char *said = NULL;

	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
		uint64_t line = hiding_line(text, variables[i]);
		if (line)
			return asprintf(&said, "%s:%llu sets %s without -g", name,
					(unsigned long long)line, variables[i]) < 0
				       ? NULL
				       : said;
	}
	return strdup("");
}

/* make reads the first of them that exists. */
char *hidden_flags_find(const char *dir)
{
	static const char *const names[] = { "GNUmakefile", "makefile", "Makefile" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char *path, *text;
		size_t size;
		if (asprintf(&path, "%s/%s", dir, names[i]) < 0)
			return NULL;
		int status = foreign_file_read(path, MAKEFILE_BYTES_MAX, &text, &size, NULL);
		free(path);
		if (status)
			continue;
		char *said = describe_hiding(names[i], text);
		free(text);
		return said;
	}
	return strdup("");
}
