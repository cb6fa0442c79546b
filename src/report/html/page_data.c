#include "src/report/html/page_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "src/diff/accepted.h"
#include "src/report/cancelled.h"
#include "src/report/cause_change.h"
#include "src/report/cause_words.h"
#include "src/report/estimates.h"
#include "src/report/match_words.h"
#include "src/report/moved_code.h"
#include "src/report/remarks.h"
#include "src/report/summary.h"
#include "src/text/short_name.h"
#include "src/text/text.h"

#define PAGE_VERSION 2
/* Beyond this a number of JavaScript is no longer exact. */
#define MOST_EXACT (INT64_C(1) << 53)

enum { MOST_CAUSES = 50 };

/* ---- events and metrics ---- */

static const char *event_page_name(const struct cg_profile *p, uint32_t e)
{
	return cg_string(p, p->events[e].name);
}

static void list_page_events(struct page_writing *w)
{
	struct page_events *list = &w->events;
	const struct cg_profile *base = w->d->base, *head = w->d->head;

	list->count = 0;
	for (uint32_t e = 0; e < head->nevents; e++) {
		list->names[list->count] = event_page_name(head, e);
		list->long_names[list->count] = head->events[e].long_name
							? cg_string(head, head->events[e].long_name)
							: NULL;
		list->base[list->count] = cg_event_index(base, event_page_name(head, e));
		list->head[list->count++] = (int)e;
	}
	for (uint32_t e = 0; e < base->nevents; e++) {
		if (cg_event_index(head, event_page_name(base, e)) >= 0)
			continue;
		list->names[list->count] = event_page_name(base, e);
		list->long_names[list->count] = NULL;
		list->base[list->count] = (int)e;
		list->head[list->count++] = -1;
	}
}

static void add_page_events(struct page_writing *w)
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
		if (strcmp(event_page_name(p, m->terms[i].event), event) == 0)
			weight += m->terms[i].weight;
	return weight;
}

/* Whether there is the side that `missing` would be without. */
static bool has_side(const struct page_writing *w, enum diff_missing missing)
{
	return w->d->options.missing != missing;
}

static void add_page_metric(struct page_writing *w, const char *name, const char *long_name)
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
	json_count(w->j, "tolerance", diff_tolerance(w->d, name));
	json_count(w->j, "least", diff_min_delta(w->d, name));
	json_end(w->j);
}

static void add_page_metrics(struct page_writing *w)
{
	json_begin_array(w->j, "metrics");
	for (size_t i = 0; i < w->events.count; i++)
		add_page_metric(w, w->events.names[i], w->events.long_names[i]);
	for (size_t i = 0; metric_derived[i]; i++)
		add_page_metric(w, metric_derived[i], NULL);
	json_end(w->j);
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

static const char *page_verdict_of(const struct page_writing *w)
{
	if (w->page->alone)
		return "none";

	int64_t base = diff_base_value(w->d, w->d->base->total);
	int64_t head = diff_head_value(w->d, w->d->head->total);

	enum outcome o = summary_outcome(&w->bench->diff);

	if (o == OUTCOME_UNTRUSTED)
		return "untrusted";
	if (o == OUTCOME_INCONCLUSIVE)
		return "inconclusive";
	if (o == OUTCOME_MISSING)
		return "missing";
	if (o == OUTCOME_UNJUDGED)
		return "unjudged";
	if (w->bench->diff.judgement && w->bench->diff.judgement->failing)
		return "exceeded";
	if (w->d->options.missing)
		return has_side(w, DIFF_NO_BASE) ? "removed" : "new";
	if (o == OUTCOME_TOLERATED)
		return "tolerated";
	if (w->bench->diff.judgement)
		return "passed";
	return diff_class_name(diff_classify_change(w->d, base, head));
}

static void add_why(const struct page_writing *w, const struct limit_verdict *v)
{
	char *text = NULL;
	size_t size;
	bool explained = v->status == LIMIT_MISSING || v->status == LIMIT_UNCOUNTED ||
			 v->status == LIMIT_NO_MATCH;
	FILE *to = explained ? open_memstream(&text, &size) : NULL;

	if (to) {
		summary_print_counts(w->d, v, to);
		if (fclose(to) != 0)
			text = NULL;
	}
	json_text(w->j, "why", v->status == LIMIT_ACCEPTED ? v->acceptance->why : text);
	free(text);
}

/* What is compared has one name on the page, whatever name the limit was given. */
static const char *limited_metric(const struct page_writing *w, const struct limit *limit)
{
	const char *compared = w->d->options.metric;

	return metric_is_same(limit->metric, compared) ? compared : limit->metric;
}

static void add_limit(struct page_writing *w, const struct limit_verdict *v)
{
	const struct limit *limit = v->rule.limit;
	struct json *j = w->j;
	bool judged = limit_was_judged(v->status) || v->status == LIMIT_MISSING;

	json_begin_object(j, NULL);
	json_text(j, "status", limit_status_name(v->status));
	json_text(j, "metric", limited_metric(w, limit));
	json_text(j, "function", limit->function);
	json_text(j, "limit", limit->text);
	json_flag(j, "isDefault", limit_is_default(limit));
	json_text(j, "name", v->subject);
	json_text(j, "place", v->place);
	json_flag(j, "isModule", limit->module);
	json_flag(j, "inclusive", v->inclusive);
	json_flag(j, "fails", v->fails);
	add_why(w, v);
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

static void add_limits(struct page_writing *w)
{
	const struct judgement *judgement = w->bench->diff.judgement;

	json_begin_array(w->j, "limits");
	for (size_t i = 0; judgement && i < judgement->count; i++)
		add_limit(w, &judgement->verdicts[i]);
	json_end(w->j);
}

/* From which difference on something has changed. */
static void add_threshold(struct page_writing *w)
{
	const struct diff_options *o = &w->d->options;

	json_begin_object(w->j, "threshold");
	json_number(w->j, "share", (double)o->threshold_ppb / 1e9);
	json_count(w->j, "delta", o->min_delta);
	json_end(w->j);
}

static void add_page_environment(struct page_writing *w)
{
	const struct environment_diff *e = w->bench->diff.environment;

	json_begin_array(w->j, "environment");
	for (size_t i = 0; i < e->moving; i++) {
		json_begin_object(w->j, NULL);
		json_text(w->j, "key", e->differences[i].name);
		json_text(w->j, "base", e->differences[i].base_short);
		json_text(w->j, "head", e->differences[i].head_short);
		json_text(w->j, "effect", e->differences[i].effect);
		json_text(w->j, "remedy", e->differences[i].remedy);
		json_end(w->j);
	}
	json_end(w->j);
}

/* ---- causes ---- */

static int64_t page_row_number(struct page_writing *w, const struct tree_row *row)
{
	return *row->name ? (int64_t)page_function(&w->names, row->name, row->object, row->file)
			  : -1;
}

static void add_replaced_estimates(struct json *j, const struct diff_report *r)
{
	char sentence[200];

	if (!r->causes || !*estimates_replaced(r))
		return;
	snprintf(sentence, sizeof sentence, "%s.", estimates_replaced(r));
	json_text(j, "causesAre", sentence);
}

/* How its path was found on the other side, and what its caller was called; nothing where there is
 * nothing to know. */
static int add_cause_note(struct json *j, const struct tree_diff *t, const struct tree_row *row,
			  const struct tree_row *caller)
{
	bool renamed = caller && caller->match == DIFF_RENAMED;
	char *notes = text_path_notes(t, row), *note = NULL;

	if (!notes)
		return CG_ENOMEM;
	if (renamed && asprintf(&note, "its caller was %s%s%s", caller->base_name,
				*notes ? ", " : "", notes) < 0)
		note = NULL;
	bool failed = renamed && !note;
	if (note || *notes)
		json_text(j, "note", note ? note : notes);
	free(note);
	free(notes);
	return failed ? CG_ENOMEM : CG_OK;
}

/* Its place, and the lines that changed there: [sign, number, text]. */
static void add_page_place(struct json *j, const struct cause_place *at)
{
	if (!at)
		return;
	json_text(j, "path", at->path);
	json_count(j, "line", at->line);
	json_flag(j, "inBase", at->in_base);
	json_begin_array(j, "lines");
	for (size_t i = 0; i < at->nlines; i++) {
		const char sign[] = { at->lines[i].sign, '\0' };
		json_begin_array(j, NULL);
		json_text(j, NULL, sign);
		json_count(j, NULL, at->lines[i].number);
		json_text(j, NULL, at->lines[i].text);
		json_end(j);
	}
	json_end(j);
}

/* "800 → 2,400 calls, only the caller's source differs" */
static int add_page_change(struct json *j, const struct causes *causes, const struct cause *c)
{
	char *change = NULL;
	size_t size;
	FILE *to = open_memstream(&change, &size);

	if (!to)
		return CG_ENOMEM;
	cause_print_change(causes, c, TEXT_SENTENCE_NAME, to);
	cause_print_edit(causes, c, ", ", TEXT_SENTENCE_NAME, to);
	moved_code_print(causes, c, "; ", TEXT_SENTENCE_NAME, to);
	int status = fclose(to) == 0 ? CG_OK : CG_ENOMEM;
	if (!status)
		json_text(j, "change", change);
	free(change);
	return status;
}

static int add_page_edit_mark(struct json *j, const struct cause *c)
{
	char *mark = NULL;
	size_t size;
	FILE *to = open_memstream(&mark, &size);

	if (!to)
		return CG_ENOMEM;
	cause_print_edit_mark(c, to);
	int status = fclose(to) == 0 ? CG_OK : CG_ENOMEM;
	if (!status && *mark)
		json_text(j, "edited", mark);
	free(mark);
	return status;
}

static void add_page_part(struct page_writing *w, const struct tree_row *row,
			  const struct tree_row *caller, int64_t delta)
{
	json_begin_object(w->j, NULL);
	json_cost(w->j, "function", page_row_number(w, row));
	json_cost(w->j, "caller", caller ? page_row_number(w, caller) : -1);
	json_cost(w->j, "delta", delta);
	json_end(w->j);
}

/* The largest parts of what is the sum of several; of work, who does it. */
static void add_page_parts(struct page_writing *w, const struct causes *causes,
			   const struct cause *c)
{
	enum { MOST_PARTS = 20 };
	const struct tree_row *rows = causes->tree->rows;
	const bool work = c->kind == CAUSE_WORK;
	const uint32_t count = work ? c->nshares : c->nparts;

	if (count < 2)
		return;
	json_count(w->j, "numberOfParts", count);
	json_begin_array(w->j, "parts");
	for (uint32_t i = 0; i < count && i < MOST_PARTS; i++) {
		const struct cause_share *share = &causes->shares[c->first_share + i];
		const struct cause *part = &causes->parts[c->first_part + i];
		if (work)
			add_page_part(w, &rows[share->row], NULL, share->delta);
		else
			add_page_part(w, &rows[part->row],
				      cause_is_call(part) ? &rows[part->caller] : NULL,
				      part->delta);
	}
	json_end(w->j);
}

static int add_page_cause(struct page_writing *w, const struct causes *causes,
			  const struct cause *c, const struct cause_place *at)
{
	struct json *j = w->j;
	int64_t base, head;

	json_begin_object(j, NULL);
	json_text(j, "kind", cause_kind_name(c->kind));
	json_text(j, "reason", cause_reason(c));
	json_cost(j, "function", page_row_number(w, &causes->tree->rows[c->row]));
	json_cost(j, "caller",
		  cause_is_call(c) ? page_row_number(w, &causes->tree->rows[c->caller]) : -1);
	json_count(j, "baseCalls", c->base_calls);
	json_count(j, "headCalls", c->head_calls);
	if (cause_self_costs(causes, c, &base, &head)) {
		json_cost(j, "baseSelf", base);
		json_cost(j, "headSelf", head);
	}
	json_cost(j, "delta", c->delta);
	json_count(j, "paths", c->paths);
	json_flag(j, "estimated", c->estimated);
	if (cause_is_of_edit(c))
		json_flag(j, "ofEdit", true);
	add_page_place(j, at);
	add_page_parts(w, causes, c);
	int status = add_page_change(j, causes, c);
	if (!status)
		status = add_page_edit_mark(j, c);
	if (!status)
		status = add_cause_note(j, causes->tree, &causes->tree->rows[c->row],
					cause_is_call(c) ? &causes->tree->rows[c->caller] : NULL);
	json_end(j);
	return status;
}

static void add_page_cancelled(struct page_writing *w, const struct diff_report *r)
{
	struct cancelled_change of[CANCELLED_CHANGES];

	if (!cancelled_find(r, of))
		return;
	json_begin_array(w->j, "cancelled");
	for (size_t i = 0; i < CANCELLED_CHANGES; i++) {
		json_begin_object(w->j, NULL);
		json_cost(w->j, "function", page_row_number(w, of[i].row));
		json_flag(w->j, "inlined", tree_row_inlined(of[i].row));
		json_text(w->j, "how", cancelled_how(r, &of[i]));
		json_cost(w->j, "delta", of[i].delta);
		json_end(w->j);
	}
	json_end(w->j);
}

static int add_page_causes(struct page_writing *w)
{
	const struct diff_report *r = &w->bench->diff;
	int status = CG_OK;

	json_begin_array(w->j, "causes");
	for (size_t i = 0; !status && r->causes && i < r->ncauses && i < MOST_CAUSES; i++)
		status = add_page_cause(w, r->causes, &r->causes->items[r->chosen_causes[i]],
					cause_place_of(r, i));
	json_end(w->j);
	json_cost(w->j, "causesDelta", r->causes ? r->causes->delta : 0);
	json_count(w->j, "causesSizes", r->causes ? r->causes->sum_of_sizes : 0);
	add_replaced_estimates(w->j, r);
	add_page_cancelled(w, r);
	return status;
}

/* ---- insights ---- */

static void add_insight(struct page_writing *w, const struct insight *i)
{
	json_begin_object(w->j, NULL);
	json_text(w->j, "title", i->title);
	json_text(w->j, "evidence", i->evidence);
	json_text(w->j, "advice", i->advice);
	json_cost(w->j, "function",
		  !i->function
			  ? -1
			  : (int64_t)page_function(&w->names, i->function, i->object, i->file));
	json_end(w->j);
}

static void add_insights(struct page_writing *w)
{
	const struct insights *list = w->bench->diff.insights;

	json_begin_array(w->j, "insights");
	for (size_t i = 0; list && i < list->count; i++)
		add_insight(w, &list->items[i]);
	json_end(w->j);
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
	add_note(j, what, f ? flame_left_out(f) : 0, ", but for what they cost together");
}

static void add_tolerance_note(struct page_writing *w)
{
	char text[200], events[TEXT_NUMBER];

	if (!w->d->tolerance)
		return;
	snprintf(text, sizeof text,
		 "Tolerance: %s %.60s; changes up to this may be chance and are ignored.",
		 text_count(w->d->tolerance, events), w->d->options.metric);
	json_text(w->j, NULL, text);
}

/* How much of the cost of a side has estimated call paths, in words; "" for less than what a reader
 * needs to know. */
static const char *estimated_part(const struct cg_tree *t, char words[TEXT_NUMBER])
{
	double percent = page_estimated(t);

	*words = '\0';
	if (percent > 1)
		snprintf(words, TEXT_NUMBER, "%.3g%%", percent);
	return words;
}

static void add_certainty_note(struct page_writing *w)
{
	const struct tree_diff *t = w->bench->diff.tree;
	char base[TEXT_NUMBER] = "", head[TEXT_NUMBER] = "", text[200];
	bool compared = !w->d->options.missing;

	if (t && has_side(w, DIFF_NO_BASE))
		estimated_part(t->base, base);
	if (t && has_side(w, DIFF_NO_HEAD))
		estimated_part(t->head, head);
	if (!*base && !*head)
		return;
	if (!compared || strcmp(base, head) == 0)
		snprintf(text, sizeof text, "%s of the cost has estimated call paths.",
			 *head ? head : base);
	else if (*base && *head)
		snprintf(text, sizeof text,
			 "%s of the cost of base and %s of the cost of head have estimated call "
			 "paths.",
			 base, head);
	else
		snprintf(text, sizeof text, "%s of the cost of %s has estimated call paths.",
			 *head ? head : base, *head ? "head" : "base");
	json_text(w->j, NULL, text);
}

static void add_notes(struct page_writing *w)
{
	const struct page_bench *p = w->page;

	json_begin_array(w->j, "notes");
	add_tolerance_note(w);
	add_graph_note(w->j, "Frames of base", p->base);
	add_graph_note(w->j, "Frames of head", p->head);
	add_graph_note(w->j, "Frames of the difference", p->diff);
	add_note(w->j, "Functions", w->d->count - w->nrows, "");
	add_certainty_note(w);
	json_end(w->j);
}

/* ---- all of it ---- */

/* Last, when it is known which functions there are. */
static void add_functions(struct page_writing *w)
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

static int add_trees(struct page_writing *w)
{
	const struct page_bench *p = w->page;
	const struct tree_diff *t = w->bench->diff.tree;

	json_begin_object(w->j, "trees");
	int status = CG_OK;
	if (p->base && has_side(w, DIFF_NO_BASE))
		status = page_add_tree(w->j, "base", p->base, NULL, t->base, &w->events, &w->names);
	if (!status && p->head && has_side(w, DIFF_NO_HEAD))
		status = page_add_tree(w->j, "head", p->head, NULL, t->head, &w->events, &w->names);
	if (!status && p->diff && !w->d->options.missing)
		status = page_add_tree(w->j, "diff", p->diff, t, NULL, &w->events, &w->names);
	json_end(w->j);
	return status;
}

static int add_page_bench(struct page_writing *w)
{
	page_forget_functions(&w->names);
	list_page_events(w);
	json_begin_object(w->j, NULL);
	json_text(w->j, "name", w->bench->name);
	add_origin(w->j, "base", &w->bench->diff.base);
	add_origin(w->j, "head", &w->bench->diff.head);
	json_text(w->j, "metric", w->d->options.metric);
	json_text(w->j, "verdict", page_verdict_of(w));
	json_flag(w->j, "lacksLimit", summary_lacks_limit(&w->bench->diff));
	json_flag(w->j, "notRun", w->bench->diff.not_run);
	add_limits(w);
	add_threshold(w);
	add_page_events(w);
	add_page_metrics(w);
	int status = page_add_flat(w);
	if (!status)
		status = add_trees(w);
	if (!status)
		status = add_page_causes(w);
	add_insights(w);
	if (!status)
		status = page_add_sources(w);
	add_page_environment(w);
	remarks_json(w->bench->diff.remarks, w->j);
	page_add_history(w);
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

static void add_texts(struct page_writing *w)
{
	json_begin_array(w->j, "strings");
	for (size_t i = 0; i < w->names.ntexts; i++)
		json_text(w->j, NULL, w->names.texts[i]);
	json_end(w->j);
}

int page_data_write(const struct page_report *r, FILE *to)
{
	struct page_writing w = { .j = json_new() };
	int status = w.j ? CG_OK : CG_ENOMEM;

	if (status)
		return status;
	json_count(w.j, "version", PAGE_VERSION);
	json_text(w.j, "generator", "irdiff " PACKAGE_VERSION);
	json_text(w.j, "title", r->title);
	json_text(w.j, "back", r->back);
	json_none(w.j, "created");
	json_flag(w.j, "rounded", is_rounded(r));
	suite_failures_json(r->suite->failures, r->suite->nfailures, w.j);
	remarks_json(r->suite->remarks, w.j);
	json_begin_array(w.j, "benches");
	for (size_t i = 0; !status && i < r->suite->count; i++) {
		w.bench = &r->suite->benches[i];
		w.page = &r->benches[i];
		w.d = w.bench->diff.diff;
		status = add_page_bench(&w);
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
