#include "src/report/shell.h"

#include <stdlib.h>
#include <string.h>

#include "src/report/text.h"

void shell_print_quoted(FILE *to, const char *text)
{
	fputc('\'', to);
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\''", to);
		else
			fputc(*text, to);
	}
	fputc('\'', to);
}

bool shell_is_plain(const char *name)
{
	char *safe = text_safe(name);
	bool plain = safe && strcmp(safe, name) == 0;
	free(safe);
	return plain;
}

bool shell_regex(const char *name, char *pattern, size_t size)
{
	size_t used = 0;
	for (const char *c = name; *c; c++) {
		if (used + 3 >= size)
			return false;
		/* A leading dash would be taken for an option. */
		if (strchr("\\^$.|?*+()[]{}", *c) || (*c == '-' && c == name))
			pattern[used++] = '\\';
		pattern[used++] = *c;
	}
	pattern[used] = '\0';
	return true;
}
