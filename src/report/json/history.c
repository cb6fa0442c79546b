#include "cgprofile/error.h"
#include "src/json/json.h"
#include "src/report/history_report.h"

#define HISTORY_JSON_VERSION 2

static void add_point_member(struct json *j, const struct series_point *p)
{
	json_begin_object(j, NULL);
	json_text(j, "commit", p->commit);
	json_time(j, "committed", p->committed);
	json_text(j, "subject", p->subject);
	json_text(j, "place", p->place == PLACE_BRANCH ? "branch" : series_place_name(p->place));
	json_cost(j, "count", p->count);
	json_text(j, "previous", p->previous ? p->previous->commit : NULL);
	if (p->previous)
		json_delta(j, "delta", p->previous->count, p->count);
	else
		json_none(j, "delta");
	json_text(j, "step", p->step == STEP_NONE ? NULL : series_step_name(p->step));
	json_count(j, "not_measured", p->skipped);
	json_end(j);
}

static void add_digests(struct json *j, const char *key, const char *const *digests, size_t count)
{
	json_begin_array(j, key);
	for (size_t i = 0; i < count; i++)
		json_text(j, NULL, digests[i]);
	json_end(j);
}

static void add_series(struct json *j, const struct history_report *r, const struct series *s)
{
	json_begin_object(j, NULL);
	json_text(j, "name", s->benchmark);
	json_text(j, "metric", s->metric);
	json_text(j, "definition", s->definition);
	add_digests(j, "other_definitions", s->definitions, s->ndefinitions);
	json_text(j, "environment", s->environment);
	add_digests(j, "other_environments", s->others, s->nothers);
	json_text(j, "valgrind", s->valgrind);
	json_text(j, "order", s->by_git ? "git" : "time");
	json_text(j, "order_reason", s->by_git ? NULL : r->by_time);
	json_flag(j, "varies", s->varies);
	json_begin_array(j, "points");
	for (size_t i = 0; i < s->count; i++)
		if (history_shows(r, s, i))
			add_point_member(j, &s->points[i]);
	json_end(j);
	json_begin_object(j, "left_out");
	json_count(j, "older", s->hidden);
	json_count(j, "off_branch", s->off_branch);
	json_count(j, "without_metric", s->uncounted);
	json_count(j, "other_definitions", s->redefined);
	json_count(j, "other_environments", s->elsewhere);
	json_end(j);
	json_end(j);
}

int history_json(const struct history_report *r, FILE *to)
{
	struct json *j = json_new();
	if (!j)
		return CG_ENOMEM;
	json_text(j, "schema", "irdiff/history");
	json_count(j, "version", HISTORY_JSON_VERSION);
	json_begin_array(j, "benchmarks");
	for (size_t i = 0; i < r->count; i++)
		add_series(j, r, r->series[i]);
	json_end(j);
	return json_finish(j, to);
}
