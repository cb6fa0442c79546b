#include "callgrind/build.h"
#include "src/report/csv/csv.h"
#include "src/report/show_table.h"

static const struct table_column of_functions[] = {
	SHOW_COLUMN("function", CELL_NAME, name),
	SHOW_COLUMN("object", CELL_NAME, object),
	SHOW_COLUMN("file", CELL_NAME, file),
	SHOW_COLUMN("code", CELL_WORD, code),
	SHOW_COLUMN("calls", CELL_HEAD_COUNT, calls),
	SHOW_COLUMN("inclusive_is", CELL_WORD, certainty),
	SHOW_COLUMN("self_", CELL_EVENT, self),
	SHOW_COLUMN("inclusive_", CELL_EVENT, inclusive),
};

static const struct table_column of_groups[] = {
	SHOW_COLUMN(NULL, CELL_NAME, name),
	SHOW_COLUMN("functions", CELL_COUNT, functions),
	SHOW_COLUMN("calls", CELL_HEAD_COUNT, calls),
	SHOW_COLUMN("inclusive_is", CELL_WORD, certainty),
	SHOW_COLUMN("self_", CELL_EVENT, self),
	SHOW_COLUMN("inclusive_", CELL_EVENT, inclusive),
};

static const struct table_column of_paths[] = {
	SHOW_COLUMN("path", CELL_COUNT, path),
	SHOW_COLUMN("parent", CELL_KNOWN, parent),
	SHOW_COLUMN("depth", CELL_COUNT, depth),
	SHOW_COLUMN("function", CELL_NAME, name),
	SHOW_COLUMN("object", CELL_NAME, object),
	SHOW_COLUMN("file", CELL_NAME, file),
	SHOW_COLUMN("code", CELL_WORD, code),
	SHOW_COLUMN("costs_are", CELL_WORD, certainty),
	SHOW_COLUMN("stands_for", CELL_WORD, stands_for),
	SHOW_COLUMN("calls", CELL_HEAD_COUNT, calls),
	SHOW_COLUMN("self_", CELL_EVENT, self),
	SHOW_COLUMN("inclusive_", CELL_EVENT, inclusive),
};

static int write_table(const struct show_report *r, struct report_table *t, FILE *to)
{
	const char *events[CG_MAX_EVENTS];

	for (size_t i = 0; i < r->nevents; i++)
		events[i] = cg_string(r->profile, r->profile->events[r->events[i]].name);
	int status = table_spread(t, events, r->events, r->nevents);

	if (!status)
		status = csv_table(t, to);
	table_free(t);
	return status;
}

int show_flat_csv(const struct show_report *r, FILE *to)
{
	struct report_table t;

	show_functions_table(r, &t);
	if (r->flat->rollup.by == CG_BY_FUNCTION)
		TABLE_COLUMNS(&t, of_functions);
	else
		TABLE_COLUMNS(&t, of_groups);
	return write_table(r, &t, to);
}

int show_tree_csv(const struct show_report *r, FILE *to)
{
	struct report_table t;

	show_paths_table(r, &t);
	TABLE_COLUMNS(&t, of_paths);
	return write_table(r, &t, to);
}
