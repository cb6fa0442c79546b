/* Private to report/: what the text views of one profile share. */
#ifndef IRDIFF_REPORT_TEXT_SHOW_H
#define IRDIFF_REPORT_TEXT_SHOW_H

#include "src/report/show_table.h"

#define TEXT_RULE \
	"--------------------------------------------------------------------------------\n"

/* The two ends of every head: which profile it is; the filter and a warning. */
void show_print_origin(const struct cg_profile *p, const struct report_origin *origin, FILE *to);
void show_print_filter(const struct cg_profile *p, const char *filter, FILE *to);

/* Writes what `print` says about a report, a fact in each line, so that it fits the terminal: long
 * lines go on below their values, and what has no blanks, as paths, loses its middle. CG_OK or
 * CG_ENOMEM. */
int show_fit_head(void (*print)(const void *report, FILE *to), const void *report,
		  const struct text_style *style, FILE *to);

/* A line of the head, "Command:          ./parse"; none without a value. */
void show_print_fact(FILE *to, const char *key, const char *value);

/* Which parts were added up, with their costs of this event, or which of them it is. */
void show_print_parts(const struct cg_profile *p, uint32_t event, FILE *to);

/* A ruled table head: the events, then a title. */
void show_print_titles(const struct text_columns *c, const char *title, FILE *to);

/* A row whose own cost is a good part of the total stands out, one that hardly matters steps
 * back. */
enum table_tone show_tone(int64_t self, int64_t inclusive, int64_t total);

/* Which profile it is and how the rows were chosen, the line of the totals, and columns for the
 * events; free those after success. */
int show_begin(const struct show_report *r, struct text_columns *columns,
	       const struct text_style *style, FILE *to);

/* Columns for what follows those of costs and a blank, where `taken` more are used; 0: any
 * number. */
unsigned show_width_left(const struct text_columns *c, size_t taken,
			 const struct text_style *style);

/* "file:function [object]", as wide as the style allows beside the columns and what else
 * the line has, `taken` columns. */
void show_print_function(const struct show_report *r, uint32_t function,
			 const struct text_columns *c, size_t taken, const struct text_style *style,
			 FILE *to);
/* The same of a row, which may be a group. */
void show_print_row_name(const struct show_report *r, const struct flat_row *row,
			 const struct text_columns *c, size_t taken, const struct text_style *style,
			 FILE *to);

/* Why the inclusive cost of a row is an upper bound: " (at most: …)", or "". Where there is no room
 * the reason follows the table. */
#define SHOW_AT_MOST " (at most)"
const char *show_bound(const struct flat_row *row, const struct text_style *style);
void show_print_bound_note(const struct show_report *r, const struct text_style *style, FILE *to);

/* What may make its counts doubtful: parts, threads, lines that were skipped, inlined functions
 * that are not known exactly. */
void show_print_doubts(const struct show_report *r, FILE *to);

/* That nothing with a cost matches the filter, if so, and how to see what does match. */
void show_print_unmatched(const struct show_report *r, const char *word, FILE *to);
/* A line about the rows that are not printed. */
void show_print_rest(const struct show_report *r, FILE *to);

#endif
