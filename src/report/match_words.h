/* Private to report/ and browse/: how a path was found on the other side, in words. */
#ifndef IRDIFF_REPORT_MATCH_WORDS_H
#define IRDIFF_REPORT_MATCH_WORDS_H

#include "src/report/diff_report.h"

/* How a row is named. */
struct path_label {
	const char *lead;              /* in front of all */
	const struct tree_row *caller; /* NULL: none */
	bool estimated;
};

/* The name of a row's function, after some text and its caller, and what to know about it:
 * "  draw (was paint, includes scan of base) ~", "main (was start) → draw"; ~ says that it is
 * estimated. Safe, and at most `width` columns if they are enough for anything (0: any number):
 * notes are left out first, then names are cut; what a function was called is left out last. NULL
 * if memory ran out; free() it. */
char *text_path_name(const struct tree_diff *t, const struct tree_row *row,
		     const struct path_label *label, unsigned width);

/* The name that a function of one side has on the other, as its paths were matched; NULL: it is on
 * both sides, or was not renamed, or paths were not compared (`t` is NULL). Not safe. */
const char *renamed_function(const struct tree_diff *t, const struct diff_row *row);

/* The name of its file in base, if that is another one: not where only directories differ. NULL
 * otherwise. Not safe. */
const char *text_base_file(const struct tree_diff *t, const struct tree_row *r);

/* What is in the parentheses of such a name, whatever its width; "" if there is nothing to know.
 * Safe; NULL if memory ran out; free() it. */
char *text_path_notes(const struct tree_diff *t, const struct tree_row *row);

#endif
