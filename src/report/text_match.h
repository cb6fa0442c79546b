/* Private to report/: how a path was found on the other side, in words. */
#ifndef IRDIFF_REPORT_TEXT_MATCH_H
#define IRDIFF_REPORT_TEXT_MATCH_H

#include "src/diff/tree.h"

/* The name of a row's function behind some text, and what to know about it:
 * "  draw (was paint, with scan of base) ~"; the last says that it is estimated.
 * NULL if memory ran out; free() it. */
char *text_path_name(const struct tree_diff *t, const struct tree_row *row, const char *before,
		     bool estimated);

#endif
