#include "src/report/page_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "src/diff/accepted.h"
#include "src/report/history_report.h"
#include "src/text/text.h"

#define PAGE_VERSION 1
/* Beyond this a number of JavaScript is no longer exact. */
#define MOST_EXACT (INT64_C(1) << 53)

enum {
	MOST_ROWS = 5000,   /* of a flat table */
	MOST_CAUSES = 50,
	IN_BASE = 1, IN_HEAD = 2, INLINED_BASE = 4, INLINED_HEAD = 8, UPPER_BOUND = 16,
};

struct writing {
	const struct page_report *r;
	const struct bench_report *bench;
	const struct page_bench *page;
	const struct diff *d;
	struct json *j;
	struct page_names names;
	struct page_events events;
	const uint32_t *rows; /* of the flat table that are shown */
	size_t nrows;
};

/* ---- events and metrics ---- */

static const char *event_name(const struct cg_profile *p, uint32_t e)
{
	return cg_string(p, p->events[e].name);
}

static void list_events(struct writing *w)
{
	struct page_events *list = &w->events;
	const struct cg_profile *base = w->d->base, *head = w->d->head;

	list->count = 0;
	for (uint32_t e = 0; e < head->nevents; e++) {
		list->names[list->count] = event_name(head, e);
		list->long_names[list->count] = head->events[e].long_name ?
							cg_string(head, head->events[e].long_name) : NULL;
		list->base[list->count] = cg_event_index(base, event_name(head, e));
		list->head[list->count++] = (int)e;
	}
	for (uint32_t e = 0; e < base->nevents; e++) {
		if (cg_event_index(head, event_name(base, e)) >= 0)
			continue;
		list->names[list->count] = event_name(base, e);
		list->long_names[list->count] = NULL;
		list->base[list->count] = (int)e;
		list->head[list->count++] = -1;
	}
}

static void add_events(struct writing *w)
{
	json_begin_array(w->j, "events");
	for (size_t i = 0; i < w->events.count; i++) {
		json_begin_object(w->j, NULL);
		json_text(w->j, "name", w->events.names[i]);
		json_text(w->j, "long", w->events.long_names[i]);
		json_end(w->j);
	}
	json_end(w->j);
}

static int weight_of(const struct metric *m, const struct cg_profile *p, const char *event)
{
	int weight = 0;
	for (size_t i = 0; i < m->nterms; i++)
		if (strcmp(event_name(p, m->terms[i].event), event) == 0)
			weight += m->terms[i].weight;
	return weight;
}

/* Whether there is the side that `missing` would be without. */
static bool has_side(const struct writing *w, enum diff_missing missing)
{
	return w->d->options.missing != missing;
}

static void add_metric(struct writing *w, const char *name, const char *long_name)
{
	struct metric base, head;
	bool in_base = metric_find(w->d->base, name, &base);
	bool in_head = metric_find(w->d->head, name, &head);

	/* What only one side can tell is no difference. */
	if (!in_base || !in_head)
		return;
	json_begin_object(w->j, NULL);
	json_text(w->j, "name", name);
	json_text(w->j, "long", long_name);
	json_begin_array(w->j, "weights");
	for (size_t i = 0; i < w->events.count; i++)
		json_cost(w->j, NULL, weight_of(&head, w->d->head, w->events.names[i]));
	json_end(w->j);
	if (has_side(w, DIFF_NO_BASE))
		json_cost(w->j, "base", metric_value(&base, w->d->base->total));
	else
		json_none(w->j, "base");
	if (has_side(w, DIFF_NO_HEAD))
		json_cost(w->j, "head", metric_value(&head, w->d->head->total));
	else
		json_none(w->j, "head");
	json_end(w->j);
}

static void add_metrics(struct writing *w)
{
	json_begin_array(w->j, "metrics");
	for (size_t i = 0; i < w->events.count; i++)
		add_metric(w, w->events.names[i], w->events.long_names[i]);
	for (size_t i = 0; metric_derived[i]; i++)
		add_metric(w, metric_derived[i], NULL);
	json_end(w->j);
}

static const char *known(const char *name)
{
	return text_is_known(name) ? name : "";
}

/* ---- which profiles, and the verdict ---- */

/* null for the side that is missing. */
static void add_origin(struct json *j, const char *key, const struct report_origin *o)
{
	if (!*o->name) {
		json_none(j, key);
		return;
	}
	json_begin_object(j, key);
	json_text(j, "name", o->name);
	json_text(j, "path", o->path);
	json_text(j, "command", o->command);
	json_text(j, "commit", o->commit);
	json_text(j, "when", o->when);
	json_text(j, "inlining", o->inlining ? inlining_source_name(o->inlining->source) : NULL);
	json_end(j);
}

static const char *verdict_of(const struct writing *w)
{
	int64_t base = diff_base_value(w->d, w->d->base->total);
	int64_t head = diff_head_value(w->d, w->d->head->total);

	if (w->bench->diff.untrusted)
		return "untrusted";
	if (w->bench->diff.judgement && w->bench->diff.judgement->broken)
		return "broken";
	if (w->d->options.missing)
		return has_side(w, DIFF_NO_BASE) ? "removed" : "new";
	if (w->bench->diff.judgement)
		return "passed";
	return diff_class_name(diff_classify_change(w->d, base, head));
}

static void add_limit(struct json *j, const struct limit_verdict *v)
{
	const struct limit *limit = v->rule.limit;
	bool judged = limit_was_judged(v->status);

	json_begin_object(j, NULL);
	json_text(j, "status", limit_status_name(v->status));
	json_text(j, "metric", limit->metric);
	json_text(j, "function", limit->function);
	json_text(j, "limit", limit->text);
	json_text(j, "name", v->subject);
	json_text(j, "why", v->status == LIMIT_ACCEPTED ? v->acceptance->why : NULL);
	if (judged && v->counts.has_base)
		json_cost(j, "base", v->counts.base);
	else
		json_none(j, "base");
	if (judged)
		json_cost(j, "head", v->counts.head);
	else
		json_none(j, "head");
	json_end(j);
}

static void add_limits(struct writing *w)
{
	const struct judgement *judgement = w->bench->diff.judgement;

	json_begin_array(w->j, "limits");
	for (size_t i = 0; judgement && i < judgement->count; i++)
		add_limit(w->j, &judgement->verdicts[i]);
	json_end(w->j);
}

/* From which difference on something has changed. */
static void add_threshold(struct writing *w)
{
	const struct diff_options *o = &w->d->options;

	json_begin_object(w->j, "threshold");
	json_number(w->j, "share", (double)o->threshold_ppb / 1e9);
	json_count(w->j, "delta", o->min_delta);
	json_end(w->j);
}

static void add_environment(struct writing *w)
{
	const struct environment_diff *e = w->bench->diff.environment;

	json_begin_array(w->j, "environment");
	for (size_t i = 0; i < e->moving; i++) {
		json_begin_object(w->j, NULL);
		json_text(w->j, "key", e->differences[i].name);
		json_text(w->j, "base", e->differences[i].base_short);
		json_text(w->j, "head", e->differences[i].head_short);
		json_text(w->j, "effect", e->differences[i].words->effect);
		json_text(w->j, "remedy", e->differences[i].words->remedy);
		json_end(w->j);
	}
	json_end(w->j);
}

/* ---- functions ---- */

struct ranked {
	uint64_t size;
	uint32_t row;
};

static int compare_ranked(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;
	return a->size != b->size ? (a->size < b->size) - (a->size > b->size) :
				    (a->row > b->row) - (a->row < b->row);
}

static uint64_t largest_of(const struct diff *d, const struct diff_row *row)
{
	const uint64_t sizes[] = {
		cg_magnitude(diff_base_value(d, row->base.inclusive)),
		cg_magnitude(diff_head_value(d, row->head.inclusive)),
		cg_magnitude(diff_base_value(d, row->base.self)),
		cg_magnitude(diff_head_value(d, row->head.self)),
	};
	uint64_t most = 0;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		most = sizes[i] > most ? sizes[i] : most;
	return most;
}

static int compare_numbers(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	return (a > b) - (a < b);
}

/* The rows that differ most are the first of the diff; of too many, half of the room is theirs,
 * and half that of those which cost most. */
static int choose_rows(struct writing *w, uint32_t **out)
{
	const struct diff *d = w->d;
	struct ranked *list = calloc(d->count + 1, sizeof *list);
	uint32_t *rows = calloc(d->count + 1, sizeof *rows);
	size_t changed = d->count <= MOST_ROWS ? d->count : MOST_ROWS / 2, count = 0;

	if (!list || !rows) {
		free(list);
		free(rows);
		return CG_ENOMEM;
	}
	for (size_t i = changed; i < d->count; i++)
		list[count++] = (struct ranked){ largest_of(d, &d->rows[i]), (uint32_t)i };
	qsort(list, count, sizeof *list, compare_ranked);
	for (w->nrows = 0; w->nrows < changed; w->nrows++)
		rows[w->nrows] = (uint32_t)w->nrows;
	for (size_t i = 0; i < count && w->nrows < MOST_ROWS; i++)
		rows[w->nrows++] = list[i].row;
	qsort(rows, w->nrows, sizeof *rows, compare_numbers);
	free(list);
	w->rows = *out = rows;
	return CG_OK;
}

static int64_t at(const int64_t *costs, int event)
{
	return event < 0 ? 0 : costs[event];
}

static void add_costs(struct writing *w, const char *key, bool inclusive, bool delta)
{
	json_begin_array(w->j, key);
	for (size_t e = 0; e < w->events.count; e++) {
		json_begin_array(w->j, NULL);
		for (size_t i = 0; i < w->nrows; i++) {
			const struct diff_row *row = &w->d->rows[w->rows[i]];
			const struct diff_side *b = &row->base, *h = &row->head;
			int64_t base = at(inclusive ? b->inclusive : b->self, w->events.base[e]);
			int64_t head = at(inclusive ? h->inclusive : h->self, w->events.head[e]);
			if (delta)
				json_delta(w->j, NULL, base, head);
			else
				json_cost(w->j, NULL, base);
		}
		json_end(w->j);
	}
	json_end(w->j);
}


static uint32_t function_of(struct writing *w, const struct diff_row *row, bool base)
{
	return page_function(&w->names, row->name, known(base ? row->base_object : row->object),
			     known(base ? row->base_file : row->file));
}

static int flags_of(const struct diff_row *row)
{
	return (row->base.present ? IN_BASE : 0) | (row->head.present ? IN_HEAD : 0) |
	       (row->base.inlined ? INLINED_BASE : 0) | (row->head.inlined ? INLINED_HEAD : 0) |
	       (row->base.bound || row->head.bound ? UPPER_BOUND : 0);
}

/* One column of the flat table: a number of each row. */
static void add_column(struct writing *w, const char *key,
		       int64_t (*number)(struct writing *, const struct diff_row *))
{
	json_begin_array(w->j, key);
	for (size_t i = 0; i < w->nrows; i++)
		json_cost(w->j, NULL, number(w, &w->d->rows[w->rows[i]]));
	json_end(w->j);
}

static int64_t function_number(struct writing *w, const struct diff_row *row)
{
	return function_of(w, row, false);
}

static int64_t base_function_number(struct writing *w, const struct diff_row *row)
{
	return row->base.present ? (int64_t)function_of(w, row, true) : -1;
}

static int64_t match_number(struct writing *w, const struct diff_row *row)
{
	return page_text(&w->names, diff_match_name(row->match));
}

static int64_t reason_number(struct writing *w, const struct diff_row *row)
{
	return page_text(&w->names, diff_reason(w->d, row));
}

static int64_t flags_number(struct writing *w, const struct diff_row *row)
{
	(void)w;
	return flags_of(row);
}

static int64_t calls_number(uint64_t calls)
{
	return calls > INT64_MAX ? INT64_MAX : (int64_t)calls;
}

static int64_t base_calls(struct writing *w, const struct diff_row *row)
{
	(void)w;
	return calls_number(row->base.calls);
}

static int64_t head_calls(struct writing *w, const struct diff_row *row)
{
	(void)w;
	return calls_number(row->head.calls);
}

static int add_flat(struct writing *w)
{
	uint32_t *rows;
	if (choose_rows(w, &rows))
		return CG_ENOMEM;
	json_begin_object(w->j, "flat");
	add_column(w, "function", function_number);
	add_column(w, "baseFunction", base_function_number);
	add_column(w, "match", match_number);
	add_column(w, "reason", reason_number);
	add_column(w, "flags", flags_number);
	add_column(w, "baseCalls", base_calls);
	add_column(w, "headCalls", head_calls);
	add_costs(w, "baseSelf", false, false);
	add_costs(w, "headSelf", false, true);
	add_costs(w, "baseInclusive", true, false);
	add_costs(w, "headInclusive", true, true);
	json_end(w->j);
	free(rows);
	return CG_OK;
}

/* ---- causes ---- */

static int64_t row_number(struct writing *w, const struct tree_row *row)
{
	return *row->name ?
		(int64_t)page_function(&w->names, row->name, row->object, row->file) : -1;
}

static void add_cause(struct writing *w, const struct causes *causes, const struct cause *c)
{
	static const char *const kinds[] = { "own code", "calls", "new", "removed" };
	struct json *j = w->j;

	json_begin_object(j, NULL);
	json_text(j, "kind", kinds[c->kind]);
	json_text(j, "reason", cause_reason(c));
	json_cost(j, "function", row_number(w, &causes->tree->rows[c->row]));
	json_cost(j, "caller", c->kind == CAUSE_OWN_CODE ? -1 :
						row_number(w, &causes->tree->rows[c->caller]));
	json_count(j, "baseCalls", c->base_calls);
	json_count(j, "headCalls", c->head_calls);
	json_cost(j, "baseCost", c->base_cost);
	json_cost(j, "headCost", c->head_cost);
	json_cost(j, "delta", c->delta);
	json_count(j, "paths", c->paths);
	json_flag(j, "estimated", c->estimated);
	json_end(j);
}

static void add_causes(struct writing *w)
{
	const struct diff_report *r = &w->bench->diff;

	json_begin_array(w->j, "causes");
	for (size_t i = 0; r->causes && i < r->ncauses && i < MOST_CAUSES; i++)
		add_cause(w, r->causes, &r->causes->items[r->chosen_causes[i]]);
	json_end(w->j);
	json_cost(w->j, "causesDelta", r->causes ? r->causes->delta : 0);
}

/* ---- insights ---- */

static void add_insight(struct writing *w, const struct insight *i)
{
	json_begin_object(w->j, NULL);
	json_text(w->j, "title", i->title);
	json_text(w->j, "evidence", i->evidence);
	json_text(w->j, "advice", i->less ? NULL : i->rule->advice);
	json_cost(w->j, "function", !i->function ? -1 :
			(int64_t)page_function(&w->names, i->function, known(i->object), known(i->file)));
	json_end(w->j);
}

static void add_insights(struct writing *w)
{
	const struct insights *list = w->bench->diff.insights;

	json_begin_array(w->j, "insights");
	for (size_t i = 0; list && i < list->count; i++)
		add_insight(w, &list->items[i]);
	json_end(w->j);
}

/* ---- sources ---- */

static void add_line(struct writing *w, const struct page_source_side *s, const int *columns,
		     uint32_t number, const struct source_line *costs)
{
	json_begin_array(w->j, NULL);
	json_count(w->j, NULL, number);
	json_begin_array(w->j, NULL);
	for (size_t e = 0; e < w->events.count; e++)
		json_cost(w->j, NULL, costs ? at(costs->self, columns[e]) : 0);
	json_end(w->j);
	json_text(w->j, NULL, number && number <= s->text->count ? s->text->lines[number - 1] : NULL);
	json_end(w->j);
}

static uint64_t size_of(const struct source_line *line, int event)
{
	return event < 0 ? 0 : cg_magnitude(line->self[event]);
}

/* Of very many lines the costliest are shown: those of at least *least. */
static int find_least(const struct source_file *f, int event, uint64_t *least)
{
	enum { MOST = 300 };
	uint64_t *sizes = calloc(f->nlines + 1, sizeof *sizes);

	if (!sizes)
		return CG_ENOMEM;
	for (size_t i = 0; i < f->nlines; i++)
		sizes[i] = size_of(&f->lines[i], event);
	qsort(sizes, f->nlines, sizeof *sizes, cg_larger_first);
	*least = f->nlines > MOST ? sizes[MOST] + 1 : 0;
	free(sizes);
	return CG_OK;
}

static void add_context(struct writing *w, const struct page_source_side *s, const int *columns,
			uint32_t from, uint32_t to)
{
	for (uint32_t n = from; n <= to && n <= s->text->count; n++)
		add_line(w, s, columns, n, NULL);
}

/* The lines with costs, each with what is around it. */
static void add_source_lines(struct writing *w, const struct page_source_side *s,
			     const int *columns, int event, uint64_t least)
{
	enum { AROUND = 3 };
	uint32_t next = 0, tail = 0; /* the first line not added yet, the last one to add; 0: none */

	json_begin_array(w->j, "lines");
	for (size_t i = 0; i < s->file->nlines; i++) {
		const struct source_line *line = &s->file->lines[i];
		if (size_of(line, event) < least)
			continue;
		uint32_t from = line->line > AROUND ? line->line - AROUND : 1;
		if (next && from > tail + 1)
			add_context(w, s, columns, next, tail);
		else if (next)
			from = next;
		if (line->line)
			add_context(w, s, columns, from, line->line - 1);
		add_line(w, s, columns, line->line, line);
		next = line->line + 1;
		tail = line->line + AROUND;
	}
	if (next)
		add_context(w, s, columns, next, tail);
	json_end(w->j);
}

static int add_source_side(struct writing *w, const char *key, const struct page_source_side *s,
			   const int *columns)
{
	if (!s->profile || !s->file) {
		json_none(w->j, key);
		return CG_OK;
	}
	int event = cg_event_index(s->profile, w->d->options.metric);
	event = event < 0 ? cg_event_index(s->profile, "Ir") : event;
	uint64_t least;
	if (find_least(s->file, event, &least))
		return CG_ENOMEM;
	json_begin_object(w->j, key);
	json_text(w->j, "file", s->text->path ? s->text->path : cg_string(s->profile, s->file->file));
	json_text(w->j, "note", s->note ? s->note : !least ? NULL :
		  "Only the costliest lines of this function are in this file.");
	add_source_lines(w, s, columns, event, least);
	json_end(w->j);
	return CG_OK;
}

static int add_sources(struct writing *w)
{
	int status = CG_OK;

	json_begin_array(w->j, "sources");
	for (size_t i = 0; !status && i < w->page->nsources; i++) {
		const struct page_source *s = &w->page->sources[i];
		json_begin_object(w->j, NULL);
		json_cost(w->j, "function", row_number(w, &w->bench->diff.tree->rows[s->row]));
		status = add_source_side(w, "base", &s->base, w->events.base);
		if (!status)
			status = add_source_side(w, "head", &s->head, w->events.head);
		json_end(w->j);
	}
	json_end(w->j);
	return status;
}

/* ---- history ---- */

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
	json_cost(j, NULL, p->step == STEP_SLOWER ? 1 : p->step == STEP_FASTER ? -1 : 0);
}

static void add_past_skipped(struct json *j, const struct series_point *p)
{
	json_count(j, NULL, p->skipped);
}

static void add_history(struct writing *w)
{
	const struct series *s = w->page->history;
	struct json *j = w->j;

	if (!s) {
		json_none(j, "history");
		return;
	}
	json_begin_object(j, "history");
	json_text(j, "metric", s->metric);
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

/* ---- notes ---- */

static void add_note(struct json *j, const char *what, uint64_t left_out, const char *but)
{
	char text[200], n[TEXT_NUMBER];
	if (!left_out)
		return;
	snprintf(text, sizeof text, "%s: the %s smallest are not in this file%s.", what,
		 text_count(left_out, n), but);
	json_text(j, NULL, text);
}

static void add_graph_note(struct json *j, const char *what, const struct flame *f)
{
	add_note(j, what, flame_left_out(f), ", but for what they cost together");
}

static void add_notes(struct writing *w)
{
	const struct page_bench *p = w->page;

	json_begin_array(w->j, "notes");
	add_graph_note(w->j, "Frames of base", p->base);
	add_graph_note(w->j, "Frames of head", p->head);
	add_graph_note(w->j, "Frames of the difference", p->diff);
	add_note(w->j, "Functions", w->d->count - w->nrows, "");
	if (!p->diff->exact)
		json_text(w->j, NULL, "Some paths are estimated: a profile does not record by which "
			  "paths all functions were called.");
	json_end(w->j);
}

/* ---- all of it ---- */

/* Last, when it is known which functions there are. */
static void add_functions(struct writing *w)
{
	static const char *const keys[] = { "name", "object", "file" };

	json_begin_object(w->j, "functions");
	for (size_t k = 0; k < 3; k++) {
		json_begin_array(w->j, keys[k]);
		for (size_t i = 0; i < w->names.nfunctions; i++) {
			const struct page_function *f = &w->names.functions[i];
			const char *const texts[] = { f->name, f->object, f->file };
			json_count(w->j, NULL, page_text(&w->names, texts[k]));
		}
		json_end(w->j);
	}
	json_end(w->j);
}

static int add_trees(struct writing *w)
{
	const struct page_bench *p = w->page;
	const struct tree_diff *t = w->bench->diff.tree;

	json_begin_object(w->j, "trees");
	int status = CG_OK;
	if (has_side(w, DIFF_NO_BASE))
		status = page_add_tree(w->j, "base", p->base, NULL, &w->events, &w->names);
	if (!status && has_side(w, DIFF_NO_HEAD))
		status = page_add_tree(w->j, "head", p->head, NULL, &w->events, &w->names);
	if (!status && !w->d->options.missing)
		status = page_add_tree(w->j, "diff", p->diff, t, &w->events, &w->names);
	json_end(w->j);
	return status;
}

static int add_bench(struct writing *w)
{
	page_forget_functions(&w->names);
	list_events(w);
	json_begin_object(w->j, NULL);
	json_text(w->j, "name", w->bench->name);
	add_origin(w->j, "base", &w->bench->diff.base);
	add_origin(w->j, "head", &w->bench->diff.head);
	json_text(w->j, "metric", w->d->options.metric);
	json_text(w->j, "verdict", verdict_of(w));
	add_limits(w);
	add_threshold(w);
	add_events(w);
	add_metrics(w);
	int status = add_flat(w);
	if (!status)
		status = add_trees(w);
	add_causes(w);
	add_insights(w);
	if (!status)
		status = add_sources(w);
	add_environment(w);
	add_history(w);
	add_notes(w);
	add_functions(w);
	json_end(w->j);
	return status || w->names.failed ? CG_ENOMEM : CG_OK;
}

static bool is_rounded(const struct page_report *r)
{
	for (size_t i = 0; i < r->suite->count; i++) {
		const struct diff *d = r->suite->benches[i].diff.diff;
		for (uint32_t e = 0; e < d->base->nevents; e++)
			if (cg_magnitude(d->base->total[e]) > MOST_EXACT)
				return true;
		for (uint32_t e = 0; e < d->head->nevents; e++)
			if (cg_magnitude(d->head->total[e]) > MOST_EXACT)
				return true;
	}
	return false;
}

static void add_texts(struct writing *w)
{
	json_begin_array(w->j, "strings");
	for (size_t i = 0; i < w->names.ntexts; i++)
		json_text(w->j, NULL, w->names.texts[i]);
	json_end(w->j);
}

int page_data_write(const struct page_report *r, FILE *to)
{
	struct writing w = { .r = r, .j = json_new() };
	int status = w.j ? CG_OK : CG_ENOMEM;

	if (status)
		return status;
	json_count(w.j, "version", PAGE_VERSION);
	json_text(w.j, "generator", "irdiff " PACKAGE_VERSION);
	json_text(w.j, "title", r->title);
	json_none(w.j, "created");
	json_flag(w.j, "rounded", is_rounded(r));
	json_begin_array(w.j, "benches");
	for (size_t i = 0; !status && i < r->suite->count; i++) {
		w.bench = &r->suite->benches[i];
		w.page = &r->benches[i];
		w.d = w.bench->diff.diff;
		status = add_bench(&w);
	}
	json_end(w.j);
	add_texts(&w);
	page_names_free(&w.names);
	if (status) {
		json_abandon(w.j);
		return status;
	}
	return json_finish_embedded(w.j, to);
}
