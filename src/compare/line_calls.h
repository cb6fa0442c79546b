/* What the lines of a source file call, base and head as one list. */
#ifndef IRDIFF_COMPARE_LINE_CALLS_H
#define IRDIFF_COMPARE_LINE_CALLS_H

#include "src/diff/diff.h"
#include "src/report/diff_report.h"

/* What calls are found in. It borrows everything. */
struct calls_of_lines {
	const struct diff *d;
	const uint32_t *row_of[CODE_SIDES];          /* diff_rows_of_functions */
	const struct source_file *files[CODE_SIDES]; /* that the code was made of */
};

/* The calls of these lines whose number or cost of the metric changed, in the order of the lines.
 * Calls of a function in base and in head are one item. The files must outlive the items. CG_OK or
 * CG_ENOMEM; free() the items. */
int line_calls_make(const struct calls_of_lines *of, const struct code *code,
		    struct diff_source_call **items, size_t *count);

#endif
