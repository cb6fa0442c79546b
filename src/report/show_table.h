/* Private to report/: what a profile lists, as tables: functions or groups of them, and paths. */
#ifndef IRDIFF_REPORT_SHOW_TABLE_H
#define IRDIFF_REPORT_SHOW_TABLE_H

#include "src/report/show.h"
#include "src/report/table.h"

/* A row's values. What it does not have is NULL. */
struct show_cells {
	const char *name, *object, *file;
	const char *code;       /* "inlined" */
	const char *certainty;  /* of inclusive costs */
	const char *stands_for; /* what else a path is */
	uint64_t path, parent, depth, functions;
	struct cell_numbers calls;
	struct cell_numbers self_cost, inclusive_cost; /* of paths: of the event that orders them */
	struct cell_events self, inclusive;
};

#define SHOW_COLUMN(title, kind, member) TABLE_COLUMN(title, kind, struct show_cells, member)

/* Without columns: `t` owns nothing. */
void show_functions_table(const struct show_report *r, struct report_table *t);
void show_paths_table(const struct show_report *r, struct report_table *t);

/* How many rows of the flat table are to be shown. */
size_t show_rows(const struct show_report *r);

#endif
