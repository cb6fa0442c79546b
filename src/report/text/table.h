/* Private to report/: tables of text, whose columns are as wide as their widest
 * cell. */
#ifndef IRDIFF_REPORT_TEXT_TABLE_H
#define IRDIFF_REPORT_TEXT_TABLE_H

#include "src/text/text.h"

#define TEXT_MAX_CELLS 56

struct text_table {
	size_t ncells;     /* per row */
	const char *align; /* per cell: l left, r right; the last is a name, cut to fit, and if need be the
			    * widest that is on the left */
	char **cells;        /* per row as many as there were at first */
	const char **colors; /* per row, static texts */
	size_t nrows, stride;
	size_t least[TEXT_MAX_CELLS]; /* per cell: it is at least as wide */
};

/* CG_OK or CG_ENOMEM; free with text_table_free in both cases. */
int text_table_init(struct text_table *t, size_t rows, const char *align);
/* Copies the cells; all but the last must be safe to show. No more rows than
 * were announced. */
int text_table_add(struct text_table *t, const char *color, const char *const *cells);
/*
 * For tables of so many rows that they are not to be kept: text_table_measure takes note of
 * how wide a row is, instead of adding it. Once this was done with all of them, any number
 * at a time can be added, printed and cleared.
 */
void text_table_measure(struct text_table *t, const char *const *cells);
void text_table_clear(struct text_table *t);
/* For names that are better cut by who knows what they are made of: how wide the last cells
 * may be, once all rows are there (0: any width), and the last cell of a row. Takes `name`,
 * allocated; NULL is CG_ENOMEM. */
unsigned text_table_room(const struct text_table *t, const struct text_style *style);
int text_table_name(struct text_table *t, size_t row, char *name);
/* Removes columns; how the others are aligned is for the caller to say. */
void text_table_drop(struct text_table *t, size_t from, size_t count);
void text_table_print(const struct text_table *t, const struct text_style *style, FILE *to);
void text_table_free(struct text_table *t);

#endif
