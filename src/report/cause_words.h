/* Private to report/ and browse/: a cause of a change in plain words. */
#ifndef IRDIFF_REPORT_CAUSE_WORDS_H
#define IRDIFF_REPORT_CAUSE_WORDS_H

#include "src/report/diff_report.h"

/* The function that makes the calls: in head, or where only base has them in base. NULL: a
 * function's self cost, or nobody calls it. */
const char *cause_caller(const struct tree_diff *t, const struct cause *c);

/* The function whose source shows what a row spends itself: that of the row, or one that counts as
 * it and costs more on the side that is shown, head if it has the row. */
struct cause_code {
	const char *name, *object, *file;
};
struct cause_code cause_code_of(const struct tree_diff *t, const struct tree_row *row);

/* The row of a function; NULL: it has none. */
const struct diff_row *cause_flat_row(const struct diff *d, const struct cause_code *code);

/* "record → field (inlined)", "scan (was parse) ~" if it is estimated. Safe, and at most `width`
 * columns if they are enough for anything (0: any number). NULL if memory ran out; free() it. */
char *text_cause_name(const struct tree_diff *t, const struct cause *c, unsigned width);
/* The same without the mark. */
char *cause_name(const struct diff_report *r, const struct cause *c, unsigned width);

/* "40.8 M": three digits say as much as a person compares. Returns `buffer`. */
const char *cause_brief_cost(int64_t cost, char buffer[TEXT_NUMBER]);

/* "+40.8 M", which is marked if it is estimated: "~+40.8 M"; and " (90.5%)", its share of the
 * change, "" where that says nothing. */
void cause_print_delta(const struct cause *c, FILE *to);
void cause_print_share(const struct causes *causes, const struct cause *c, FILE *to);

/* The place of the i-th of the causes to show; NULL: not known. */
const struct cause_place *cause_place_of(const struct diff_report *r, size_t i);
/* "parser.c:94", "parser.c:95 in base". Not safe. */
void cause_print_place(const struct cause_place *at, FILE *to);

/* What follows the place: " (edited)" if the source of the function there differs, " (uses ROUNDS,
 * which was edited)"; "" if it does not, that is not known, or cause_print_edit says so. */
struct edit_mark {
	const char *before;
	const char *name; /* hostile; "": no name */
	char after[64];
};
struct edit_mark cause_edit_mark(const struct cause *c);
/* Not safe. */
void cause_print_edit_mark(const struct cause *c, FILE *to);

/* What follows writes names of functions as text_sentence_names does, each in `names` columns. */

/* Writes whose source differs, after `lead`: "only the caller's source differs". False: that is not
 * known, or the cause says so itself; nothing was written. Not safe. */
bool cause_print_edit(const struct causes *causes, const struct cause *c, const char *lead,
		      unsigned names, FILE *to);

/* Writes of what more the costs are the sum, after `lead`: "in head includes scan". False: of
 * nothing; nothing was written. Not safe. */
bool cause_print_included(const struct tree_diff *t, const struct cause *c, const char *lead,
			  unsigned names, FILE *to);

/* Writes the largest parts of what a function decides together, after `lead`: "self +94,891, calls
 * of parse -72,071". False: it is no such cause, or they are not known; nothing was written. Not
 * safe. */
bool cause_print_parts(const struct causes *causes, const struct cause *c, const char *lead,
		       unsigned names, FILE *to);

/* Writes what else is to know of a cause, after `lead`: "in base called by parse_record"; nothing
 * if there is nothing. Not safe. */
void cause_print_notes(const struct causes *causes, const struct cause *c, const char *lead,
		       unsigned names, FILE *to);

#endif
