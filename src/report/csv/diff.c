#include <stdlib.h>
#include <string.h>

#include "src/report/csv/csv.h"
#include "src/report/diff_table.h"
#include "src/report/suite_report.h"

/* ---- events ---- */

/* Those of all profiles, each once, in the order in which they come up; or those that are to be
 * shown. */
struct listed_events {
	const char **names;
	size_t count;
};

static void add_event(struct listed_events *e, const char *name)
{
	for (size_t i = 0; i < e->count; i++)
		if (strcmp(e->names[i], name) == 0)
			return;
	e->names[e->count++] = name;
}

static void add_profile_events(struct listed_events *e, const struct cg_profile *p)
{
	for (uint32_t i = 0; i < p->nevents; i++)
		add_event(e, cg_string(p, p->events[i].name));
}

static void add_shown_events(struct listed_events *e, const struct diff_report *d)
{
	for (size_t i = 0; i < d->nevents; i++)
		add_event(e, d->events[i].head.name);
	if (d->nevents)
		return;
	add_profile_events(e, d->diff->head);
	add_profile_events(e, d->diff->base);
}

static int list_csv_events(const struct suite_report *r, struct listed_events *out)
{
	size_t most = 1;

	for (size_t i = 0; i < r->count; i++) {
		const struct diff_report *d = &r->benches[i].diff;
		most += d->nevents + d->diff->base->nevents + d->diff->head->nevents;
	}
	struct listed_events e = { calloc(most, sizeof *e.names), 0 };
	if (!e.names)
		return CG_ENOMEM;
	for (size_t i = 0; i < r->count; i++)
		add_shown_events(&e, &r->benches[i].diff);
	*out = e;
	return CG_OK;
}

/* ---- views ---- */

static const struct table_column of_functions[] = {
	DIFF_COLUMN("bench", CELL_NAME, bench),
	DIFF_COLUMN("function", CELL_NAME, name),
	DIFF_COLUMN("object", CELL_NAME, object),
	DIFF_COLUMN("file", CELL_NAME, file),
	DIFF_COLUMN("base_object", CELL_NAME, base_object),
	DIFF_COLUMN("base_file", CELL_NAME, base_file),
	DIFF_COLUMN("match", CELL_WORD, match),
	DIFF_COLUMN("metric", CELL_NAME, metric),
	DIFF_COLUMN("class", CELL_WORD, class),
	DIFF_COLUMN("why", CELL_WORD, why),
	DIFF_COLUMN("base_calls", CELL_BASE_COUNT, calls),
	DIFF_COLUMN("head_calls", CELL_HEAD_COUNT, calls),
	DIFF_COLUMN("inclusive_is", CELL_WORD, certainty),
	DIFF_COLUMN("base_self_", CELL_EVENT, base_self),
	DIFF_COLUMN("head_self_", CELL_EVENT, head_self),
	DIFF_COLUMN("base_inclusive_", CELL_EVENT, base_inclusive),
	DIFF_COLUMN("head_inclusive_", CELL_EVENT, head_inclusive),
};

static const struct table_column of_groups[] = {
	DIFF_COLUMN("bench", CELL_NAME, bench),
	DIFF_COLUMN(NULL, CELL_NAME, name),
	DIFF_COLUMN("base_name", CELL_NAME, base_file),
	DIFF_COLUMN("base_functions", CELL_BASE_COUNT, functions),
	DIFF_COLUMN("head_functions", CELL_HEAD_COUNT, functions),
	DIFF_COLUMN("match", CELL_WORD, match),
	DIFF_COLUMN("metric", CELL_NAME, metric),
	DIFF_COLUMN("class", CELL_WORD, class),
	DIFF_COLUMN("base_calls", CELL_BASE_COUNT, calls),
	DIFF_COLUMN("head_calls", CELL_HEAD_COUNT, calls),
	DIFF_COLUMN("inclusive_is", CELL_WORD, certainty),
	DIFF_COLUMN("base_self_", CELL_EVENT, base_self),
	DIFF_COLUMN("head_self_", CELL_EVENT, head_self),
	DIFF_COLUMN("base_inclusive_", CELL_EVENT, base_inclusive),
	DIFF_COLUMN("head_inclusive_", CELL_EVENT, head_inclusive),
};

static const struct table_column of_paths[] = {
	DIFF_COLUMN("bench", CELL_NAME, bench),
	DIFF_COLUMN("path", CELL_COUNT, path),
	DIFF_COLUMN("parent", CELL_KNOWN, parent),
	DIFF_COLUMN("depth", CELL_COUNT, depth),
	DIFF_COLUMN("function", CELL_NAME, name),
	DIFF_COLUMN("object", CELL_NAME, object),
	DIFF_COLUMN("file", CELL_NAME, file),
	DIFF_COLUMN("base_function", CELL_NAME, base_name),
	DIFF_COLUMN("inlined", CELL_WORD, inlined),
	DIFF_COLUMN("match", CELL_WORD, match),
	DIFF_COLUMN("metric", CELL_NAME, metric),
	DIFF_COLUMN("class", CELL_WORD, class),
	DIFF_COLUMN("costs_are", CELL_WORD, certainty),
	DIFF_COLUMN("base_calls", CELL_BASE_COUNT, calls),
	DIFF_COLUMN("head_calls", CELL_HEAD_COUNT, calls),
	DIFF_COLUMN("base_self_", CELL_EVENT, base_self),
	DIFF_COLUMN("head_self_", CELL_EVENT, head_self),
	DIFF_COLUMN("base_inclusive_", CELL_EVENT, base_inclusive),
	DIFF_COLUMN("head_inclusive_", CELL_EVENT, head_inclusive),
};

/* Causes are of one metric. */
static const struct table_column of_causes[] = {
	DIFF_COLUMN("bench", CELL_NAME, bench),
	DIFF_COLUMN("kind", CELL_WORD, kind),
	DIFF_COLUMN("why", CELL_WORD, why),
	DIFF_COLUMN("caller", CELL_NAME, caller),
	DIFF_COLUMN("caller_object", CELL_NAME, caller_object),
	DIFF_COLUMN("caller_file", CELL_NAME, caller_file),
	DIFF_COLUMN("function", CELL_NAME, name),
	DIFF_COLUMN("object", CELL_NAME, object),
	DIFF_COLUMN("file", CELL_NAME, file),
	DIFF_COLUMN("base_function", CELL_NAME, base_name),
	DIFF_COLUMN("match", CELL_WORD, match),
	DIFF_COLUMN("paths", CELL_KNOWN, paths),
	DIFF_COLUMN("costs_are", CELL_WORD, certainty),
	DIFF_COLUMN("metric", CELL_NAME, metric),
	DIFF_COLUMN("base_calls", CELL_BASE_COUNT, calls),
	DIFF_COLUMN("head_calls", CELL_HEAD_COUNT, calls),
	DIFF_COLUMN("base_cost", CELL_BASE, self),
	DIFF_COLUMN("head_cost", CELL_HEAD, self),
	DIFF_COLUMN("delta", CELL_DELTA, delta),
	DIFF_COLUMN("place_file", CELL_NAME, place_file),
	DIFF_COLUMN("place_line", CELL_KNOWN, place_line),
	DIFF_COLUMN("place_side", CELL_WORD, place_side),
};

static const struct table_column of_lines[] = {
	DIFF_COLUMN("bench", CELL_NAME, bench),
	DIFF_COLUMN("base_file", CELL_NAME, base_file),
	DIFF_COLUMN("file", CELL_NAME, file),
	DIFF_COLUMN("what", CELL_WORD, kind),
	DIFF_COLUMN("base_line", CELL_BASE_COUNT, line),
	DIFF_COLUMN("line", CELL_HEAD_COUNT, line),
	DIFF_COLUMN("metric", CELL_NAME, metric),
	DIFF_COLUMN("class", CELL_WORD, class),
	DIFF_COLUMN("source", CELL_NAME, source),
	DIFF_COLUMN("base_self_", CELL_EVENT, base_self),
	DIFF_COLUMN("head_self_", CELL_EVENT, head_self),
};

static void choose_columns(const struct diff_report *d, struct report_table *t)
{
	if (d->view == DIFF_VIEW_TREE)
		TABLE_COLUMNS(t, of_paths);
	else if (d->view == DIFF_VIEW_CAUSES)
		TABLE_COLUMNS(t, of_causes);
	else if (d->view == DIFF_VIEW_SOURCE)
		TABLE_COLUMNS(t, of_lines);
	else if (d->diff->options.by != CG_BY_FUNCTION)
		TABLE_COLUMNS(t, of_groups);
	else
		TABLE_COLUMNS(t, of_functions);
}

static int write_bench(struct csv *csv, const struct bench_report *b,
		       const struct report_table *columns)
{
	static int (*const make[])(const struct diff_report *r, struct report_table *t) = {
		[DIFF_VIEW_SUMMARY] = diff_functions_table, [DIFF_VIEW_FLAT] = diff_functions_table,
		[DIFF_VIEW_TREE] = diff_paths_table,        [DIFF_VIEW_CAUSES] = diff_causes_table,
		[DIFF_VIEW_SOURCE] = diff_lines_table,
	};
	struct report_table t;
	int status = make[b->diff.view](&b->diff, &t);

	t.bench = b->name;
	t.columns = columns->columns;
	t.ncolumns = columns->ncolumns;
	if (!status)
		csv_rows(csv, &t);
	table_free(&t);
	return status;
}

int suite_csv(const struct suite_report *r, FILE *to)
{
	struct csv csv = { .to = to };
	struct listed_events events = { 0 };
	struct report_table columns = { 0 };

	if (r->count == 0)
		return CG_OK;
	columns.word = cg_rollup_word(r->benches[0].diff.diff->options.by);
	choose_columns(&r->benches[0].diff, &columns);
	int status = list_csv_events(r, &events);
	if (!status)
		status = table_spread(&columns, events.names, NULL, events.count);
	free(events.names);
	if (status)
		return status;
	csv_titles(&csv, &columns);
	for (size_t i = 0; !status && i < r->count; i++)
		status = write_bench(&csv, &r->benches[i], &columns);
	table_free(&columns);
	return csv.failed ? CG_ENOMEM : status;
}
