/* What a benchmark's own file says: its series, and where their counts are. */
#include <stdlib.h>

#include "src/diff/fact_kinds.h"
#include "src/report/site/site_script.h"
#include "src/report/site_report.h"

static void add_site_metric(struct json *j, const struct series *m, const struct step_limits *l)
{
	json_begin_object(j, NULL);
	json_text(j, "name", m->metric);
	json_count(j, "tolerance", l->tolerance);
	json_number(j, "share", (double)l->tolerance_ppb / 1e9);
	json_number(j, "threshold", (double)l->threshold_ppb / 1e9);
	json_count(j, "least", l->min_delta);
	json_end(j);
}

/* Triples of a key, what people call it, and the value. */
static void add_site_facts(struct json *j, const struct site_series *s)
{
	json_begin_array(j, "facts");
	for (size_t i = 0; i < s->nfacts; i++) {
		const char *key = s->facts[i].key;
		char *name = fact_name(environment_fact_kind(key), key);
		json_text(j, NULL, key);
		json_text(j, NULL, name ? name : key);
		json_text(j, NULL, s->facts[i].value);
		free(name);
	}
	json_end(j);
}

static void add_diffs(struct json *j, const struct site_series *s)
{
	json_begin_array(j, "diffs");
	for (size_t i = 0; i < s->ndiffs; i++) {
		json_begin_object(j, NULL);
		json_count(j, "number", s->diffs[i].number);
		json_text(j, "page", s->diffs[i].page);
		json_text(j, "cause", s->diffs[i].cause);
		json_text(j, "missing", s->diffs[i].missing);
		json_end(j);
	}
	json_end(j);
}

static void add_site_series(struct json *j, const struct site_series *s)
{
	json_begin_object(j, NULL);
	json_text(j, "id", s->id);
	json_text(j, "definition", s->definition);
	json_text(j, "environment", s->environment);
	json_text(j, "valgrind", s->valgrind);
	add_site_facts(j, s);
	json_begin_array(j, "metrics");
	for (size_t i = 0; i < s->nmetrics; i++)
		add_site_metric(j, &s->metrics[i], &s->limits[i]);
	json_end(j);
	site_add_pieces(j, "pieces", &s->pieces);
	add_diffs(j, s);
	json_end(j);
}

int site_bench_script(const struct site_bench *b, const char *name, FILE *to)
{
	struct json *j = json_new();

	if (!j)
		return CG_ENOMEM;
	json_text(j, "name", b->name);
	json_count(j, "shown", b->shown);
	json_text(j, "metric", b->series[b->shown].metrics[b->metric].metric);
	json_count(j, "reports", b->reports);
	json_begin_array(j, "series");
	for (size_t i = 0; i < b->count; i++)
		add_site_series(j, &b->series[i]);
	json_end(j);
	return site_finish_script(j, name, to);
}
