#include "src/text/shell.h"

#include <stdlib.h>
#include <string.h>

#include "src/text/text.h"

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

void shell_print_word(FILE *to, const char *text)
{
	static const char bare[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				   "_@%+=:,./-";
	bool quotes = text[strspn(text, bare)] && shell_is_plain(text);

	if (quotes)
		shell_print_quoted(to, text);
	else
		text_print_name(to, text, 0);
}

bool shell_is_plain(const char *name)
{
	char *safe = text_safe(name);
	bool plain = safe && strcmp(safe, name) == 0;
	free(safe);
	return plain;
}

/* The first `len` bytes of a name as a regex; returns how long it is, 0 if it takes more room. */
static size_t escape_regex(const char *name, size_t len, char *pattern, size_t size)
{
	size_t used = 0;

	for (size_t i = 0; i < len; i++) {
		if (used + 3 >= size)
			return 0;
		/* A leading dash would be taken for an option. */
		if (strchr("\\^$.|?*+()[]{}", name[i]) || (name[i] == '-' && i == 0))
			pattern[used++] = '\\';
		pattern[used++] = name[i];
	}
	pattern[used] = '\0';
	return used;
}

bool shell_regex_of_part(const char *part, char *pattern, size_t size)
{
	return escape_regex(part, strlen(part), pattern, size) > 0;
}

bool shell_regex(const char *name, char *pattern, size_t size)
{
	enum { LONG = 80 };
	size_t len = strlen(name), own = strcspn(name, "(<");
	bool whole = len <= LONG || own == 0 || name[own] != '(';
	size_t used = escape_regex(name, whole ? len : own, pattern + 1, size - 1) + 1;

	if (used == 1 || used + 3 > size)
		return false;
	pattern[0] = '^';
	snprintf(pattern + used, size - used, "%s", whole ? "$" : "\\(");
	return true;
}
