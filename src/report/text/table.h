/* Private to report/: tables of text, whose columns are as wide as their widest
 * cell. */
#ifndef IRDIFF_REPORT_TEXT_TABLE_H
#define IRDIFF_REPORT_TEXT_TABLE_H

#include "src/report/table.h"

#define TEXT_MAX_CELLS 56

struct text_table {
	size_t ncells; /* per row */
	char align[TEXT_MAX_CELLS +
		   1];       /* per cell: l left, r right; the last is a name, cut to fit, and if
					 * need be the widest that is on the left */
	char **cells;        /* per row as many as there were at first */
	const char **colors; /* per row, static texts */
	size_t nrows, stride;
	size_t least[TEXT_MAX_CELLS]; /* per cell: it is at least as wide */
	size_t shown[TEXT_MAX_CELLS]; /* per cell: which column of the table that it is of */
};

/* What the last cell of a row is, if a column's CELL_OWN: at most `width` columns (0: any number).
 * Allocated; NULL is CG_ENOMEM. */
typedef char *text_table_namer(const struct report_table *of, size_t row, unsigned width,
			       const struct text_style *style);

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
/* Removes columns. */
void text_table_drop(struct text_table *t, size_t from, size_t count);
void text_table_print(const struct text_table *t, const struct text_style *style, FILE *to);
void text_table_free(struct text_table *t);

/* A table of any number of rows, of which only some are kept at a time: chooses the columns that
 * there is room for, and measures them; then prints it, with its titles. CG_OK or CG_ENOMEM; free
 * in all cases. */
int text_table_begin(struct text_table *t, const struct report_table *of,
		     const struct text_style *style);
int text_table_write(struct text_table *t, const struct report_table *of, text_table_namer *name,
		     const struct text_style *style, FILE *to);
/* Whether there was room for a column, and a line about those for which there was none. */
bool text_table_shows(const struct text_table *t, size_t column);
void text_table_print_hidden(const struct text_table *t, const struct report_table *of, FILE *to);
/* The colour that a row begins with, "" for none. */
const char *text_tone(enum table_tone tone, const struct text_style *style);
/* "… and 3 more" rows; nothing if all are shown. */
void text_print_more(size_t all, size_t shown, FILE *to);

#endif
