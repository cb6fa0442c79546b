#include "src/text/wrap.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/text/text.h"

#define OPENING "([{<"
#define CLOSING ")]}>"

/* Bytes of the bracket that begins `text`, up to the one that closes it; 0: none does. */
static size_t bracketed(const char *text)
{
	size_t depth = 0;

	for (size_t i = 0; text[i]; i++) {
		bool arrow = text[i] == '>' && i && text[i - 1] == '-';
		if (strchr(OPENING, text[i]))
			depth++;
		else if (strchr(CLOSING, text[i]) && !arrow && --depth == 0)
			return i + 1;
	}
	return 0;
}

/* The same of a quotation; a mark that begins no word is an apostrophe. */
static size_t quoted(const char *text)
{
	const char *end = strchr(text + 1, *text);
	return end ? (size_t)(end - text) + 1 : 0;
}

/* Bytes up to the next place where a line may end. */
static size_t unit_length(const char *text)
{
	size_t i = 0;

	while (text[i] && text[i] != ' ') {
		bool begins_word = i == 0 || strchr(OPENING "=", text[i - 1]);
		size_t whole = 0;
		if (strchr("'`", text[i]) && begins_word)
			whole = quoted(text + i);
		else if (strchr(OPENING, text[i]) && i > 0)
			whole = bracketed(text + i);
		i += whole ? whole : 1;
	}
	return i;
}

static size_t columns_of(const char *text, size_t len)
{
	char *copy = strndup(text, len);
	size_t columns = copy ? text_width(copy) : len;

	free(copy);
	return columns;
}

static void write_wrapped(FILE *to, const char *line, unsigned width, unsigned indent)
{
	size_t used = 0;
	bool fresh = true; /* this line is still empty */

	while (*line) {
		size_t spaces = strspn(line, " "), len = unit_length(line + spaces);
		size_t columns = columns_of(line + spaces, len);
		if (!fresh && len && used + spaces + columns > width) {
			fprintf(to, "\n%*s", (int)indent, "");
			used = indent;
		} else {
			fwrite(line, 1, spaces, to);
			used += spaces;
		}
		fwrite(line + spaces, 1, len, to);
		used += columns;
		fresh = false;
		line += spaces + len;
	}
}

char *text_wrap(const char *line, unsigned width, unsigned indent)
{
	char *text = NULL;
	size_t size;

	if (!width)
		return strdup(line);
	FILE *to = open_memstream(&text, &size);
	if (!to)
		return NULL;
	write_wrapped(to, line, width, indent);
	bool failed = ferror(to);
	if (fclose(to) || failed) {
		free(text);
		return NULL;
	}
	return text;
}

int text_print_wrapped(FILE *to, const char *line, unsigned width, unsigned indent)
{
	return text_print_wrapped_on(to, 0, line, width, indent);
}

/* Prints a line cut in the middle, as even a single word may be too long. */
static void print_cut_word(FILE *to, const char *text, unsigned width)
{
	char *cut = text_cut(text, width);

	fputs(cut ? cut : "(out of memory)", to);
	fputc('\n', to);
	free(cut);
}

int text_print_wrapped_on(FILE *to, unsigned begun, const char *line, unsigned width,
			  unsigned indent)
{
	char *whole = NULL, *lines = NULL, *next;

	if (asprintf(&whole, "%*s%s", (int)begun, "", line) < 0)
		return -1;
	lines = text_wrap(whole, width, indent);
	free(whole);
	if (!lines)
		return -1;
	for (char *part = lines; part; part = next) {
		unsigned printed = part == lines ? begun : 0;
		next = strchr(part, '\n');
		if (next)
			*next++ = '\0';
		print_cut_word(to, part + printed, width > printed ? width - printed : width);
	}
	free(lines);
	return 0;
}

FILE *text_line_begin(struct text_line *l, FILE *to)
{
	*l = (struct text_line){ .to = to };
	l->pieces = open_memstream(&l->text, &l->size);
	return l->pieces ? l->pieces : to;
}

void text_line_end(struct text_line *l, unsigned begun, unsigned width, unsigned indent)
{
	bool lost = l->pieces && fclose(l->pieces) != 0;

	if (!l->pieces)
		fputc('\n', l->to);
	else if (lost || text_print_wrapped_on(l->to, begun, l->text, width, indent))
		fputs("(out of memory)\n", l->to);
	free(l->text);
}
