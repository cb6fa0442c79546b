/* Private to report/: what a regression and its fix cost, as tables. */
#ifndef IRDIFF_REPORT_FIX_TABLE_H
#define IRDIFF_REPORT_FIX_TABLE_H

#include "src/report/fix_report.h"
#include "src/report/table.h"

#define FIX_SHARE (2 * TEXT_NUMBER) /* room for "10,245 (83.0%)" */

/* A row's values: what one side has is in `head`, and in `base` with 0 where it is missing. */
struct fix_cells {
	const char *name, *object, *file, *metric, *state;
	struct cell_numbers self[FIX_SIDES], calls[FIX_SIDES];
	struct cell_numbers lost, won, left;
	const char *recovered; /* with its share, in `share` */
	struct cell_events events[FIX_SIDES];
	char share[FIX_SHARE];
};

#define FIX_COLUMN(title, kind, member) TABLE_COLUMN(title, kind, struct fix_cells, member)

/* Of the rows to show, and of the metrics that all have. Without columns; CG_OK or CG_ENOMEM, free
 * with table_free. */
int fix_rows_table(const struct fix_report *r, struct report_table *t);
int fix_metrics_table(const struct fix_report *r, struct report_table *t);

/* Whether the fix is worse than main, or at least better than the regression. */
enum table_tone fix_tone(struct fix_values v);

/* What a row of the first is. */
const struct fix_row *fix_table_row(const struct report_table *t, size_t row);

#endif
