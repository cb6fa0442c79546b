/* Private to report/: what a difference lists, as tables: functions or groups of them, paths,
 * causes, lines. */
#ifndef IRDIFF_REPORT_DIFF_TABLE_H
#define IRDIFF_REPORT_DIFF_TABLE_H

#include "src/report/diff_report.h"
#include "src/report/table.h"

/* A row's values. What it does not have is NULL. */
struct diff_cells {
	const char *bench, *metric;
	const char *name, *object, *file;
	const char *base_name, *base_object,
		*base_file; /* where it is another one; of a line always */
	const char *caller, *caller_object, *caller_file;
	const char *kind; /* of a cause, or of what stands for several rows */
	const char *match, *class, *why;
	const char *certainty; /* of costs */
	const char *inlined, *source;
	uint64_t path, parent, depth;        /* numbers of paths */
	uint64_t paths;                      /* of a cause: how many */
	const char *place_file, *place_side; /* of a cause: where it is in the source */
	uint64_t place_line;
	/* Of the metric. The total is that of base, or what a share is of. */
	struct cell_numbers self, inclusive, each, delta, share;
	struct cell_numbers calls, functions, line;
	struct cell_events base_self, head_self, base_inclusive, head_inclusive;
};

#define DIFF_COLUMN(title, kind, member) TABLE_COLUMN(title, kind, struct diff_cells, member)

/* Each makes a table of the rows to show, without columns. Causes end with a row of what the
 * smaller ones add up to, and the lines of a file with one of those that are not shown, if there
 * are any. CG_OK or CG_ENOMEM; free with table_free. */
int diff_functions_table(const struct diff_report *r, struct report_table *t);
int diff_paths_table(const struct diff_report *r, struct report_table *t);
int diff_causes_table(const struct diff_report *r, struct report_table *t);
int diff_lines_table(const struct diff_report *r, struct report_table *t);

/* What a row of them is. */
const struct diff_row *diff_table_function(const struct report_table *t, size_t row);
const struct tree_row *diff_table_path(const struct report_table *t, size_t row);
const struct cause *diff_table_cause(const struct report_table *t, size_t row);

/* The difference of two upper bounds is no bound of the difference. */
bool diff_is_bound(const struct diff_row *row);

#endif
