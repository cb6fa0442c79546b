/*
 * Private to report/: a page of markdown (GitHub's) that has to fit a limit.
 *
 * The page is printed to `to` as a whole. Rows of tables and lists are announced, with how
 * dispensable they are; if the page is too long, those are left out first that are the most
 * dispensable, and a note after their table says so.
 */
#ifndef IRDIFF_REPORT_MARKDOWN_PAGE_H
#define IRDIFF_REPORT_MARKDOWN_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* What GitHub takes as a comment: so many UTF-16 units, which are no fewer than characters (and
 * no more than bytes; four times as many bytes are never reached). Less some room for what
 * others put around the page, such as a second report. */
#define MARKDOWN_LIMIT 60000
#define MARKDOWN_LEFT_OUT "left out to fit into a comment of 65,536 characters"

struct md_page {
	FILE *to;
	bool titles; /* names that are cut have the whole name as a title */
	bool table;  /* what is printed is in a table, where | must be escaped */
	size_t rows; /* how many a table has where nobody asked for another number */
	bool failed; /* out of memory */
	char *text;
	size_t size;
	struct md_chunk *chunks;
	size_t count, cap;
};

/* CG_OK or CG_ENOMEM; free with md_page_free in both cases. */
int md_page_begin(struct md_page *p, bool titles, size_t rows);
void md_page_free(struct md_page *p);

/* What is printed next is a row, up to the next call of one of these two. */
void md_row(struct md_page *p, unsigned dispensable);
/* What is printed next is no row any more. `what` ("functions", static) names what rows were,
 * for the note. */
void md_rows_end(struct md_page *p, const char *what);

/* Ends the page, after which nothing more is printed to it. *units is how long it is with all its
 * rows. CG_OK or CG_ENOMEM. */
int md_page_end(struct md_page *p, size_t *units);

/* How long the page is without any row but with all notes: what cannot be cut. */
size_t md_page_least(const struct md_page *p);

/* Writes the page, without rows that are too many for `limit` units. CG_OK or CG_ENOMEM. */
int md_page_write(const struct md_page *p, size_t limit, FILE *to);

/* A name or any text as code, in which nothing is live: no markup, mention or link. Shortened
 * to `width` columns (0: whole; src/text/short_name.h). */
void md_code(struct md_page *p, const char *text, unsigned width);

/* So many backticks begin and end a block of code with this line: nothing in it ends the block. */
size_t md_fence_around(const char *line);
/* `language` is NULL at the end of the block. */
void md_fence(size_t length, const char *language, FILE *to);

/* A text that is composed before it is printed, for example as code. */
struct md_text {
	FILE *to;
	char *text;
	size_t size;
};

/* NULL: out of memory, which the page notes. Otherwise end it, and free() t->text. */
FILE *md_text_begin(struct md_page *p, struct md_text *t);
/* Returns t->text, or "" if it failed. */
const char *md_text_end(struct md_page *p, struct md_text *t);

/* A block that is closed until somebody opens it. Its summary has irdiff's words only; with `name`
 * (NULL: none) before them. */
void md_block(struct md_page *p, const char *name, const char *summary, ...)
	__attribute__((format(printf, 3, 4)));
void md_block_end(struct md_page *p);

/* UTF-16 units of a text of UTF-8. */
size_t md_units(const char *text, size_t len);

#endif
