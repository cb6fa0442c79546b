/*
 * Private to report/: comma-separated values (RFC 4180).
 *
 * Lines end in CR LF. A field with a comma, a quotation mark or a blank at an end is in quotation
 * marks. Names are written as text_safe shows them, so they hold no line ends.
 *
 * A spreadsheet takes a field for a formula that begins with = + - @, which a name from a
 * file may do (-[Parser scan] of Objective-C is an honest one). Such names get an
 * apostrophe in front, as do those that begin with an apostrophe: so whoever reads the
 * file takes one leading apostrophe off and has the name. Numbers are left as they are.
 */
#ifndef IRDIFF_REPORT_CSV_CSV_H
#define IRDIFF_REPORT_CSV_CSV_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "src/report/table.h"

struct csv {
	FILE *to;
	bool begun;  /* the line has a field */
	bool failed; /* out of memory */
};

void csv_text(struct csv *c, const char *text); /* NULL: an empty field */
void csv_cost(struct csv *c, int64_t cost, bool missing);
void csv_count(struct csv *c, uint64_t count, bool missing);
void csv_end_line(struct csv *c);
/* A title, of a column of an event with its name: "base_self_Ir"; NULL: of another. */
void csv_title(struct csv *c, const char *lead, const char *event);

/* Titles, and rows, of a table. */
void csv_titles(struct csv *c, const struct report_table *t);
void csv_rows(struct csv *c, const struct report_table *t);
/* Both. CG_OK or CG_ENOMEM. */
int csv_table(const struct report_table *t, FILE *to);

#endif
