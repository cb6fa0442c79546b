#include "src/report/csv/csv.h"
#include "src/report/fix_table.h"

#define COSTS \
	FIX_COLUMN("metric", CELL_NAME, metric), FIX_COLUMN("state", CELL_WORD, state), \
		FIX_COLUMN("lost_self", CELL_DELTA, lost), \
		FIX_COLUMN("recovered_self", CELL_DELTA, won), \
		FIX_COLUMN("remaining_self", CELL_DELTA, left), \
		FIX_COLUMN("main_calls", CELL_HEAD_COUNT, calls[FIX_MAIN]), \
		FIX_COLUMN("regression_calls", CELL_HEAD_COUNT, calls[FIX_REGRESSION]), \
		FIX_COLUMN("fix_calls", CELL_HEAD_COUNT, calls[FIX_FIX]), \
		FIX_COLUMN("main_self_", CELL_EVENT, events[FIX_MAIN]), \
		FIX_COLUMN("regression_self_", CELL_EVENT, events[FIX_REGRESSION]), \
		FIX_COLUMN("fix_self_", CELL_EVENT, events[FIX_FIX]),

static const struct table_column of_functions[] = { FIX_COLUMN("function", CELL_NAME, name),
						    FIX_COLUMN("object", CELL_NAME, object),
						    FIX_COLUMN("file", CELL_NAME, file), COSTS };

static const struct table_column of_groups[] = { FIX_COLUMN(NULL, CELL_NAME, name), COSTS };

int fix_csv(const struct fix_report *r, FILE *to)
{
	const struct cg_profile *p = fix_profile(r->fix, FIX_MAIN);
	const char *events[CG_MAX_EVENTS];
	struct report_table t;
	int status = fix_rows_table(r, &t);

	for (uint32_t e = 0; e < p->nevents; e++)
		events[e] = cg_string(p, p->events[e].name);
	if (r->fix->lost->options.by == CG_BY_FUNCTION)
		TABLE_COLUMNS(&t, of_functions);
	else
		TABLE_COLUMNS(&t, of_groups);
	if (!status)
		status = table_spread(&t, events, NULL, p->nevents);
	if (!status)
		status = csv_table(&t, to);
	table_free(&t);
	return status;
}
