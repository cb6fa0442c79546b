/* What a benchmark has counted at other commits, as data of the page. */
#include "callgrind/support/number.h"
#include "src/report/history_report.h"
#include "src/report/html/page_data.h"
#include "src/text/text.h"

static bool is_on_page(const struct series *s, size_t point)
{
	return point >= s->hidden && s->points[point].place == PLACE_BRANCH;
}

/* One column of the history: a value of each point. */
static void add_past(struct json *j, const struct series *s, const char *key,
		     void (*add)(struct json *j, const struct series_point *p))
{
	json_begin_array(j, key);
	for (size_t i = 0; i < s->count; i++)
		if (is_on_page(s, i))
			add(j, &s->points[i]);
	json_end(j);
}

static void add_past_commit(struct json *j, const struct series_point *p)
{
	json_text(j, NULL, p->commit);
}

static void add_past_date(struct json *j, const struct series_point *p)
{
	char date[TEXT_NUMBER];
	json_text(j, NULL, history_date(p->committed, date));
}

static void add_past_subject(struct json *j, const struct series_point *p)
{
	json_text(j, NULL, p->subject);
}

static void add_past_count(struct json *j, const struct series_point *p)
{
	json_cost(j, NULL, p->count);
}

static void add_past_delta(struct json *j, const struct series_point *p)
{
	if (p->previous)
		json_cost(j, NULL, cg_delta(p->previous->count, p->count));
	else
		json_none(j, NULL);
}

static void add_past_step(struct json *j, const struct series_point *p)
{
	json_cost(j, NULL, p->step == STEP_REGRESSED ? 1 : p->step == STEP_IMPROVED ? -1 : 0);
}

static void add_past_skipped(struct json *j, const struct series_point *p)
{
	json_count(j, NULL, p->skipped);
}

void page_add_history(struct page_writing *w)
{
	const struct series *s = w->page->history;
	struct json *j = w->j;

	if (!s) {
		json_none(j, "history");
		return;
	}
	json_begin_object(j, "history");
	json_text(j, "metric", s->metric);
	json_flag(j, "level", s->level);
	json_count(j, "older", s->hidden);
	json_text(j, "base", w->page->past_base);
	json_text(j, "head", w->page->past_head);
	add_past(j, s, "commit", add_past_commit);
	add_past(j, s, "date", add_past_date);
	add_past(j, s, "subject", add_past_subject);
	add_past(j, s, "count", add_past_count);
	add_past(j, s, "delta", add_past_delta);
	add_past(j, s, "step", add_past_step);
	add_past(j, s, "skipped", add_past_skipped);
	json_end(j);
}
