/* Long sentences on narrow terminals. */
#ifndef IRDIFF_TEXT_WRAP_H
#define IRDIFF_TEXT_WRAP_H

#include <stdio.h>

/* A copy of a line in lines of at most `width` columns, all but the first `indent` columns to
 * the right. It is broken at spaces only, and never in quotes ('a b', `a b`), nor in brackets
 * that follow a letter at once, as in names of functions: f<int, long>(char *). What has no such
 * place is longer. 0: not wrapped. NULL: out of memory; free() it. */
char *text_wrap(const char *line, unsigned width, unsigned indent);

/* Prints such lines, safe, and cuts what has no such place, as long paths, in the middle. Not 0 if
 * memory ran out. */
int text_print_wrapped(FILE *to, const char *line, unsigned width, unsigned indent);

/* The same of what follows the `begun` columns at the beginning of the line, which are printed
 * already, perhaps in colour. */
int text_print_wrapped_on(FILE *to, unsigned begun, const char *line, unsigned width,
			  unsigned indent);

/* A line that is written in pieces to the stream that text_line_begin returns, and printed at
 * its end. If memory runs out, it is not wrapped. */
struct text_line {
	FILE *to, *pieces;
	char *text;
	size_t size;
};

FILE *text_line_begin(struct text_line *l, FILE *to);
void text_line_end(struct text_line *l, unsigned begun, unsigned width, unsigned indent);

#endif
