#include <stdlib.h>
#include <string.h>

#include "src/report/csv/diff.h"

/* ---- events ---- */

static bool has_event(const struct csv_events *e, const char *name)
{
	for (size_t i = 0; i < e->count; i++)
		if (strcmp(e->names[i], name) == 0)
			return true;
	return false;
}

static void add_event(struct csv_events *e, const char *name)
{
	if (!has_event(e, name))
		e->names[e->count++] = name;
}

static void add_events(struct csv_events *e, const struct cg_profile *p)
{
	for (uint32_t i = 0; i < p->nevents; i++)
		add_event(e, cg_string(p, p->events[i].name));
}

static void add_events_of(struct csv_events *e, const struct diff_report *d)
{
	for (size_t i = 0; i < d->nevents; i++)
		add_event(e, d->events[i].head.name);
	if (d->nevents)
		return;
	add_events(e, d->diff->head);
	add_events(e, d->diff->base);
}

static int find_events(const struct suite_report *r, struct csv_events *out)
{
	size_t most = 1;

	for (size_t i = 0; i < r->count; i++) {
		const struct diff_report *d = &r->benches[i].diff;
		most += d->nevents + d->diff->base->nevents + d->diff->head->nevents;
	}
	struct csv_events e = { calloc(most, sizeof *e.names), 0 };
	if (!e.names)
		return CG_ENOMEM;
	for (size_t i = 0; i < r->count; i++)
		add_events_of(&e, &r->benches[i].diff);
	*out = e;
	return CG_OK;
}

void csv_event_titles(struct csv *csv, const struct csv_events *e, const char *const *leads)
{
	for (size_t i = 0; i < e->count; i++)
		for (const char *const *lead = leads; *lead; lead++)
			csv_title(csv, *lead, e->names[i]);
	csv_end_line(csv);
}

void csv_event_cost(struct csv *csv, const struct cg_profile *p, const int64_t *costs,
		    const char *event)
{
	struct metric m;

	if (costs && metric_find(p, event, &m))
		csv_cost(csv, metric_value(&m, costs));
	else
		csv_nothing(csv);
}

void csv_known_count(struct csv *csv, uint64_t count)
{
	if (count)
		csv_count(csv, count);
	else
		csv_nothing(csv);
}

/* ---- views ---- */

struct table {
	void (*titles)(struct csv *csv, const struct csv_events *e, const struct suite_report *r);
	void (*rows)(struct csv *csv, const struct csv_events *e, const struct bench_report *b);
};

static const struct table tables[] = {
	[DIFF_VIEW_FLAT] = { csv_flat_titles, csv_flat_rows },
	[DIFF_VIEW_TREE] = { csv_tree_titles, csv_tree_rows },
	[DIFF_VIEW_CAUSES] = { csv_causes_titles, csv_causes_rows },
	[DIFF_VIEW_SOURCE] = { csv_source_titles, csv_source_rows },
};

int suite_csv(const struct suite_report *r, FILE *to)
{
	struct csv csv = { .to = to };
	struct csv_events events = { 0 };

	if (r->count == 0)
		return CG_OK;
	const struct table *table = &tables[r->benches[0].diff.view];
	if (find_events(r, &events))
		return CG_ENOMEM;
	table->titles(&csv, &events, r);
	for (size_t i = 0; i < r->count; i++)
		table->rows(&csv, &events, &r->benches[i]);
	free(events.names);
	return csv.failed ? CG_ENOMEM : CG_OK;
}
