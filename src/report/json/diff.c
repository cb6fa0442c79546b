#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "src/diff/accepted.h"
#include "src/report/cause_words.h"
#include "src/report/diff_report.h"
#include "src/report/insights.h"
#include "src/report/json/members.h"
#include "src/report/remarks.h"
#include "src/report/suite_report.h"
#include "src/report/summary.h"

#define SCHEMA_VERSION 2
#define SUITE_VERSION 2

/* What a report shows if nobody said how much: little enough to be read as a whole. Long names
 * leave room for fewer rows. */
enum { BRIEF_ROWS = 10, BRIEF_LEAST_ROWS = 1, BRIEF_BYTES = 4096 };

void json_add_origin(struct json *j, const char *key, const struct report_origin *o,
		     const struct cg_profile *p, bool missing)
{
	if (missing) {
		json_none(j, key);
		return;
	}
	json_begin_object(j, key);
	json_origin(j, o, p);
	json_end(j);
}

static void add_diff_values(struct json *j, int64_t base, int64_t head)
{
	json_cost(j, "base", base);
	json_cost(j, "head", head);
	json_delta(j, "delta", base, head);
	if (base)
		json_share(j, "ratio", (double)head / (double)base);
	else
		json_none(j, "ratio");
}

/* Of those that changed, and of the one that is compared. */
static bool is_shown_metric(const struct diff *d, const char *name, int64_t base, int64_t head)
{
	return base != head || strcmp(name, d->options.metric) == 0;
}

static void add_metric_member(struct json *j, const struct diff *d, const char *name, bool changed)
{
	struct metric m, n;
	if (!metric_find(d->base, name, &m) || !metric_find(d->head, name, &n))
		return;
	int64_t base = metric_value(&m, d->base->total), head = metric_value(&n, d->head->total);
	if (is_shown_metric(d, name, base, head) != changed)
		return;
	if (!changed) {
		json_cost(j, name, head);
		return;
	}
	json_begin_object(j, NULL);
	json_text(j, "name", name);
	add_diff_values(j, base, head);
	if (tolerance_find(d->options.tolerances, d->options.ntolerances, name))
		json_count(j, "tolerance", diff_tolerance(d, name));
	json_end(j);
}

static void add_metric_members(struct json *j, const struct diff *d, bool changed)
{
	for (uint32_t e = 0; e < d->head->nevents; e++)
		add_metric_member(j, d, cg_string(d->head, d->head->events[e].name), changed);
	for (size_t i = 0; metric_derived[i]; i++)
		add_metric_member(j, d, metric_derived[i], changed);
}

static void add_diff_metrics(struct json *j, const struct diff *d)
{
	json_begin_array(j, "metrics");
	add_metric_members(j, d, true);
	json_end(j);
	json_begin_object(j, "unchanged_metrics");
	add_metric_members(j, d, false);
	json_end(j);
}

/* The inclusive cost of a function without callees is its self cost. */
static void add_diff_side_costs(struct json *j, uint64_t calls, int64_t self, int64_t inclusive)
{
	json_count(j, "calls", calls);
	json_cost(j, "self", self);
	if (inclusive != self)
		json_cost(j, "inclusive", inclusive);
}

static void add_diff_side(struct json *j, const char *key, const struct diff_side *s,
			  const struct metric *m)
{
	if (!s->present) {
		json_none(j, key);
		return;
	}
	json_begin_object(j, key);
	add_diff_side_costs(j, s->calls, metric_value(m, s->self), metric_value(m, s->inclusive));
	if (s->bound)
		json_flag(j, "inclusive_is_upper_bound", true);
	if (s->inlined)
		json_flag(j, "inlined", true);
	if (s->unnamed)
		json_count(j, "without_symbols", s->unnamed);
	if (s->functions)
		json_count(j, "functions", s->functions);
	json_end(j);
}

/* head - base as a share of the base's total. */
static void add_share_of_base(struct json *j, const struct diff *d, int64_t base, int64_t head)
{
	int64_t total = diff_base_value(d, d->base->total);
	if (total)
		json_share(j, "share_of_base",
			   ((double)head - (double)base) / (double)cg_magnitude(total));
	else
		json_none(j, "share_of_base");
}

/* Both are the same for a function without callees. */
static void add_deltas(struct json *j, int64_t base_self, int64_t head_self, int64_t base_inclusive,
		       int64_t head_inclusive)
{
	json_delta(j, "delta_self", base_self, head_self);
	if ((head_self < base_self) != (head_inclusive < base_inclusive) ||
	    cg_distance(base_self, head_self) != cg_distance(base_inclusive, head_inclusive))
		json_delta(j, "delta_inclusive", base_inclusive, head_inclusive);
}

/* Mostly it is the same, or only one side has it. */
void json_add_matched(struct json *j, enum diff_match match)
{
	if (match != DIFF_ONE_SIDED && match != DIFF_SAME)
		json_text(j, "matched", diff_match_name(match));
}

static void add_diff_function(struct json *j, const struct diff_row *row)
{
	json_text(j, "function", row->name);
	json_text(j, "object", row->object);
	json_text(j, "file", row->file);
	if (row->match == DIFF_MOVED)
		json_text(j, "base_file", row->base_file);
	if (row->match == DIFF_OBJECT_RENAMED)
		json_text(j, "base_object", row->base_object);
}

static void add_group(struct json *j, const struct diff_row *row)
{
	json_text(j, "name", row->name);
	if (row->match == DIFF_MOVED)
		json_text(j, "base_name", row->base_file);
}

static void add_diff_row(struct json *j, const struct diff *d, const struct diff_row *row)
{
	bool function = d->options.by == CG_BY_FUNCTION;
	int64_t base = diff_base_value(d, row->base.self);
	int64_t head = diff_head_value(d, row->head.self);

	json_begin_object(j, NULL);
	if (function)
		add_diff_function(j, row);
	else
		add_group(j, row);
	json_text(j, "class", diff_class_name(diff_classify(d, row)));
	if (function)
		json_text(j, "reason", diff_reason(d, row));
	add_diff_side(j, "base", &row->base, &d->base_metric);
	add_diff_side(j, "head", &row->head, &d->head_metric);
	add_deltas(j, base, head, diff_base_value(d, row->base.inclusive),
		   diff_head_value(d, row->head.inclusive));
	add_share_of_base(j, d, base, head);
	json_end(j);
}

static void add_path_side(struct json *j, const char *key, const struct tree_side *s,
			  const struct metric *m)
{
	if (!s->present) {
		json_none(j, key);
		return;
	}
	json_begin_object(j, key);
	add_diff_side_costs(j, s->calls, metric_value(m, s->self), metric_value(m, s->inclusive));
	if (s->estimated)
		json_flag(j, "estimated", true);
	if (s->via)
		json_text(j, "via", s->via);
	json_end(j);
}

void json_add_absorbed(struct json *j, const struct tree_diff *t, const struct tree_row *row)
{
	if (row->nabsorbed == 0)
		return;
	json_begin_array(j, "absorbed");
	for (uint32_t i = row->absorbed; i < row->absorbed + row->nabsorbed; i++) {
		json_begin_object(j, NULL);
		json_text(j, "function", t->absorbed[i].name);
		json_text(j, "object", t->absorbed[i].object);
		json_text(j, "file", t->absorbed[i].file);
		json_text(j, "side", t->absorbed[i].in_head ? "head" : "base");
		json_end(j);
	}
	json_end(j);
}

/* `parent`: where the row above it stands in the array; no number for a root. */
static void add_diff_path(struct json *j, const struct tree_diff *t, const struct tree_row *row,
			  const uint32_t *parent)
{
	const struct diff *d = t->diff;
	int64_t base = diff_base_value(d, row->base.inclusive);
	int64_t head = diff_head_value(d, row->head.inclusive);

	json_begin_object(j, NULL);
	if (parent)
		json_count(j, "parent", *parent);
	else
		json_none(j, "parent");
	json_text(j, "function", row->name);
	json_text(j, "object", row->object);
	json_text(j, "file", row->file);
	if (tree_row_inlined(row))
		json_flag(j, "inlined", true);
	if (row->match == DIFF_RENAMED)
		json_text(j, "base_function", row->base_name);
	json_text(j, "class", diff_class_name(tree_diff_classify(t, row)));
	json_add_matched(j, row->match);
	json_add_absorbed(j, t, row);
	add_path_side(j, "base", &row->base, &d->base_metric);
	add_path_side(j, "head", &row->head, &d->head_metric);
	add_deltas(j, diff_base_value(d, row->base.self), diff_head_value(d, row->head.self), base,
		   head);
	add_share_of_base(j, d, base, head);
	json_end(j);
}

static int add_diff_tree(struct json *j, const struct diff_report *r)
{
	if (!r->paths) {
		json_none(j, "tree");
		return CG_OK;
	}
	uint32_t *place = calloc((size_t)r->tree->count + 1, sizeof *place);
	if (!place)
		return CG_ENOMEM;
	json_begin_object(j, "tree");
	json_flag(j, "exact", r->tree->exact);
	json_count(j, "changed", r->paths_changed);
	json_count(j, "hidden", r->paths_hidden);
	json_begin_array(j, "paths");
	for (size_t i = 0; i < r->npaths; i++) {
		const struct tree_row *row = &r->tree->rows[r->paths[i]];
		place[r->paths[i]] = (uint32_t)i;
		add_diff_path(j, r->tree, row, row->parent ? &place[row->parent] : NULL);
	}
	json_end(j);
	json_end(j);
	free(place);
	return CG_OK;
}

size_t json_rows_in_brief(const struct diff_report *r, size_t count, size_t most)
{
	return r->top == DIFF_TOP_AUTO && count > most ? most : count;
}

/* If it is more than where the fact begins. */
static void add_short_fact(struct json *j, const char *key, const char *fact, const char *words)
{
	if (fact && words && strncmp(fact, words, strlen(words)) != 0)
		json_text(j, key, words);
}

static void add_difference(struct json *j, const struct environment_difference *d, bool explained)
{
	json_begin_object(j, NULL);
	json_text(j, "key", d->key);
	json_text(j, "name", d->name);
	json_text(j, "base", d->base);
	json_text(j, "head", d->head);
	add_short_fact(j, "base_short", d->base, d->base_short);
	add_short_fact(j, "head_short", d->head, d->head_short);
	json_flag(j, "affects_counts", d->kind->moves);
	if (explained)
		json_text(j, "effect", d->effect);
	if (d->remedy)
		json_text(j, "remedy", d->remedy);
	json_end(j);
}

/* The program that was started is mostly the one that was measured. */
static bool repeats_fact(const struct environment_diff *e, const struct environment_difference *d)
{
	for (const struct environment_difference *f = e->subject; f < d; f++)
		if (strcmp(f->key, "image") == 0 && strcmp(d->key, "program") == 0 && f->base &&
		    f->head && d->base && d->head)
			return strcmp(f->base, d->base) == 0 && strcmp(f->head, d->head) == 0;
	return false;
}

static void add_diff_environment(struct json *j, const struct environment_diff *e)
{
	json_begin_object(j, "environment");
	json_flag(j, "comparable", e->base_known && e->head_known && e->moving == 0);
	json_begin_array(j, "differences");
	for (size_t i = 0; i < e->count; i++)
		add_difference(j, &e->differences[i], true);
	json_end(j);
	json_begin_array(j, "subject");
	for (size_t i = 0; i < e->nsubject; i++)
		if (!repeats_fact(e, &e->subject[i]))
			add_difference(j, &e->subject[i], e->subject[i].remedy != NULL);
	json_end(j);
	json_end(j);
}

/* By which it is accepted, or the one that has expired. */
static void add_acceptance(struct json *j, const struct limit_verdict *v)
{
	const struct acceptance *a = v->acceptance;

	json_begin_object(j, "acceptance");
	json_flag(j, "expired", v->status != LIMIT_ACCEPTED);
	if (a->has_base)
		json_cost(j, "base", a->base);
	else
		json_none(j, "base");
	json_cost(j, "head", a->head);
	json_text(j, "why", a->why);
	json_text(j, "date", a->date);
	json_text(j, "who", a->who);
	json_end(j);
}

static void add_bench_verdict(struct json *j, const struct limit_verdict *v)
{
	const struct limit *limit = v->rule.limit;

	json_begin_object(j, NULL);
	json_text(j, "metric", limit->metric);
	json_flag(j, "inclusive", v->inclusive);
	json_text(j, "functions", limit->function);
	json_text(j, "limit", limit->text);
	json_text(j, "origin", limit->file);
	if (limit->line)
		json_count(j, "line", limit->line);
	json_text(j, "subject", v->subject);
	if (v->place)
		json_text(j, "place", v->place);
	json_text(j, "status", limit_status_name(v->status));
	json_flag(j, "fails", v->fails);
	if (limit_was_judged(v->status) || v->status == LIMIT_MISSING) {
		if (v->counts.has_base)
			json_cost(j, "base", v->counts.base);
		json_cost(j, "head", v->counts.head);
	}
	if (v->has_allowed)
		json_cost(j, "allowed", v->allowed);
	if (v->counts.tolerance)
		json_count(j, "tolerance", v->counts.tolerance);
	if (v->replacement) {
		json_begin_object(j, "replacement");
		json_text(j, "subject", v->replacement);
		json_cost(j, "head", v->replacement_cost);
		json_end(j);
	}
	if (v->replaced) {
		json_begin_object(j, "replaced");
		json_text(j, "subject", v->replaced);
		json_cost(j, "base", v->replacement_cost);
		json_end(j);
	}
	if (v->acceptance)
		add_acceptance(j, v);
	json_end(j);
}

void json_add_judgement(struct json *j, const struct diff_report *r)
{
	if (!r->judgement) {
		json_none(j, "verdict");
		return;
	}
	json_begin_object(j, "verdict");
	json_text(j, "result", summary_outcome_name(summary_outcome(r)));
	json_flag(j, "lacks_limit", summary_lacks_limit(r));
	json_begin_array(j, "limits");
	for (size_t i = 0; i < r->judgement->count; i++)
		add_bench_verdict(j, &r->judgement->verdicts[i]);
	json_end(j);
	json_end(j);
}

/* Either functions or groups, so that whoever reads the one does not meet the other. */
static void add_diff_rows(struct json *j, const struct diff_report *r, const char *key,
			  size_t count)
{
	json_begin_array(j, key);
	for (size_t i = 0; i < count; i++)
		add_diff_row(j, r->diff, &r->diff->rows[r->rows[i]]);
	json_end(j);
}

static void add_findings(struct json *j, const struct diff_report *r, const char *key, size_t rows)
{
	bool functions = strcmp(key, "functions") == 0;

	json_add_causes(j, r);
	json_text(j, "by", cg_rollup_word(r->diff->options.by));
	json_text(j, "filter", r->filter);
	json_count(j, "changed", r->changed);
	json_count(j, "hidden", r->filtered - rows);
	add_diff_rows(j, r, "functions", functions ? rows : 0);
	add_diff_rows(j, r, "groups", functions ? 0 : rows);
	insights_json(j, r->insights);
}

/* Everything on one comparison, into the object that is open. */
static int add_diff(struct json *j, const struct diff_report *r)
{
	const struct diff *d = r->diff;
	const char *key = d->options.by == CG_BY_FUNCTION ? "functions" : "groups";
	size_t rows = json_rows_in_brief(r, r->nrows, BRIEF_ROWS);

	json_text(j, "schema", "irdiff/diff");
	json_count(j, "version", SCHEMA_VERSION);
	json_text(j, "outcome", summary_outcome_name(summary_outcome(r)));
	json_add_judgement(j, r);
	json_flag(j, "not_run", r->not_run);
	json_text(j, "metric", d->options.metric);
	add_diff_metrics(j, d);
	remarks_json(r->remarks, j);
	add_findings(j, r, key, rows);
	json_add_origin(j, "base", &r->base, d->base, d->options.missing == DIFF_NO_BASE);
	json_add_origin(j, "head", &r->head, d->head, d->options.missing == DIFF_NO_HEAD);
	add_diff_environment(j, r->environment);
	json_add_sources(j, r);
	json_add_instructions(j, r);
	int status = add_diff_tree(j, r);
	if (!status && (r->top == DIFF_TOP_AUTO))
		json_count(j, "hidden",
			   r->filtered - rows +
				   json_shorten(j, key, BRIEF_BYTES, BRIEF_LEAST_ROWS));
	return status;
}

static int finish_diff(struct json *j, int status, FILE *to)
{
	if (!status)
		return json_finish(j, to);
	json_abandon(j);
	return status;
}

int diff_json(const struct diff_report *r, FILE *to)
{
	struct json *j = json_new();
	if (!j)
		return CG_ENOMEM;
	return finish_diff(j, add_diff(j, r), to);
}

void suite_failures_json(const struct bench_failure *failures, size_t count, struct json *j)
{
	json_begin_array(j, "failed");
	for (size_t i = 0; i < count; i++) {
		json_begin_object(j, NULL);
		json_text(j, "name", failures[i].name);
		json_text(j, "where", failures[i].where);
		json_end(j);
	}
	json_end(j);
}

int suite_json(const struct suite_report *r, FILE *to)
{
	struct json *j = json_new();
	double mean;
	int status = CG_OK;
	if (!j)
		return CG_ENOMEM;

	json_text(j, "schema", "irdiff/suite");
	json_count(j, "version", SUITE_VERSION);
	if (summary_geometric_mean(r, &mean))
		json_number(j, "geometric_mean", mean);
	else
		json_none(j, "geometric_mean");
	suite_failures_json(r->failures, r->nfailures, j);
	remarks_json(r->remarks, j);
	json_begin_array(j, "benchmarks");
	for (size_t i = 0; !status && i < r->count; i++) {
		json_begin_object(j, NULL);
		json_text(j, "name", r->benches[i].name);
		json_text(j, "outcome", summary_outcome_name(summary_outcome(&r->benches[i].diff)));
		json_begin_object(j, "diff");
		status = add_diff(j, &r->benches[i].diff);
		json_end(j);
		json_end(j);
	}
	json_end(j);
	return finish_diff(j, status, to);
}
