/* What the lines of a source file call, base and head as one list. */
#ifndef IRDIFF_COMPARE_LINE_CALLS_H
#define IRDIFF_COMPARE_LINE_CALLS_H

#include "src/diff/diff.h"
#include "src/report/diff_report.h"

/* The calls of these lines whose number or cost of the metric changed, in the order of the lines.
 * Calls of a function in base and in head are one item. `files` are those that the code was made
 * of, and must outlive the items. CG_OK or CG_ENOMEM; free() the items. */
int line_calls_make(const struct diff *d, const struct code *code,
		    const struct source_file *const files[CODE_SIDES],
		    struct diff_source_call **items, size_t *count);

#endif
