#include "src/report/merge_causes.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "callgrind/support/number.h"
#include "cgprofile/error.h"
#include "cgprofile/names.h"
#include "src/diff/metric.h"
#include "src/report/cause_words.h"
#include "src/report/summary.h"

static int add_merged(struct merged_causes *l, struct merged_cause c)
{
	const struct diff *d = c.bench->diff.diff;
	int64_t base = diff_base_value(d, d->base->total);

	if (cg_grow(&l->items, &l->cap, l->count + 1, sizeof *l->items))
		return CG_ENOMEM;
	c.metric = d->options.metric;
	c.weight = c.cause ? cause_weight(c.cause) : cg_magnitude(c.delta);
	c.share = (double)c.weight / (base ? (double)cg_magnitude(base) : 1);
	c.first_place = c.place;
	c.fails = summary_is_bad(summary_outcome(&c.bench->diff));
	c.count = 1;
	c.order = l->count;
	l->items[l->count++] = c;
	return CG_OK;
}

/* Causes of more cost are for whoever wants it back. What is no longer called can only cost more
 * where costs are negative. Where the change is what is left of larger ones, they are explained by
 * what was edited, whichever way its cost changed. */
static bool is_wanted_cause(const struct diff_report *r, const struct cause *c,
			    enum merged_kind kind)
{
	if (kind == MERGE_ALL || (c->delta > 0 && c->kind != CAUSE_REMOVED))
		return true;
	return cause_is_of_edit(c) && !summary_has_shares(r->causes);
}

static int add_merged_cause(struct merged_causes *l, const struct bench_report *b, size_t i,
			    size_t place)
{
	const struct diff_report *r = &b->diff;
	const struct cause *c = &r->causes->items[r->chosen_causes[i]];
	const struct tree_row *row = &r->causes->tree->rows[c->row];
	const char *caller = cause_caller(r->causes->tree, c);

	return add_merged(l, (struct merged_cause){ .bench = b,
						    .cause = c,
						    .at = cause_place_of(r, i),
						    .place = place,
						    .caller = caller ? caller : "",
						    .name = row->name,
						    .file = row->file,
						    .reason = cause_reason(c),
						    .delta = c->delta });
}

static int merge_bench_causes(struct merged_causes *l, const struct bench_report *b,
			      enum merged_kind kind)
{
	const struct diff_report *r = &b->diff;
	int status = CG_OK;

	for (size_t i = 0, place = 0; !status && i < r->ncauses; i++) {
		const struct cause *c = &r->causes->items[r->chosen_causes[i]];
		bool counts = c->delta > 0 || kind == MERGE_ALL;
		if (is_wanted_cause(r, c, kind))
			status = add_merged_cause(l, b, i, counts ? place : r->ncauses);
		place += counts;
	}
	return status;
}

static int merge_bench_functions(struct merged_causes *l, const struct bench_report *b,
				 enum merged_kind kind)
{
	const struct diff *d = b->diff.diff;
	int status = CG_OK;

	for (size_t i = 0, place = 0; !status && i < b->diff.nrows; i++) {
		const struct diff_row *row = &d->rows[b->diff.rows[i]];
		int64_t base = diff_base_value(d, row->base.self);
		int64_t head = diff_head_value(d, row->head.self);
		if (diff_classify(d, row) == DIFF_TOLERATED ||
		    (kind == MERGE_GROWTH && head <= base))
			continue;
		status = add_merged(l, (struct merged_cause){ .bench = b,
							      .row = row,
							      .place = place++,
							      .caller = "",
							      .name = row->name,
							      .file = row->file,
							      .reason = diff_reason(d, row),
							      .delta = cg_delta(base, head) });
	}
	return status;
}

int merged_causes_add(struct merged_causes *l, const struct bench_report *b, enum merged_kind kind)
{
	const struct diff_report *r = &b->diff;

	if (r->diff->options.missing != DIFF_BOTH_THERE || r->diff->options.by != CG_BY_FUNCTION)
		return CG_OK;
	return r->causes ? merge_bench_causes(l, b, kind) : merge_bench_functions(l, b, kind);
}

/* Whether it shows that the source of its function differs, and how. */
enum edit_form { FORM_OWN, FORM_INLINING, FORM_OTHER };

static enum edit_form form_of_edit(const struct merged_cause *s)
{
	const struct cause *c = s->cause;

	if (!c || c->edit != EDIT_CHANGED)
		return FORM_OTHER;
	return c->kind == CAUSE_SELF || c->kind == CAUSE_TOGETHER ? FORM_OWN
	       : c->kind == CAUSE_INLINED                         ? FORM_INLINING
								  : FORM_OTHER;
}

static int compare_merged_functions(const struct merged_cause *a, const struct merged_cause *b)
{
	int order = strcmp(a->name, b->name);
	if (!order)
		order = strcmp(cg_base_name(a->file), cg_base_name(b->file));
	if (!order)
		order = strcmp(a->metric, b->metric);
	return order ? order : (a->delta > 0) - (b->delta > 0);
}

static int compare_merged_reasons(const struct merged_cause *a, const struct merged_cause *b)
{
	int order = strcmp(a->caller, b->caller);
	return order ? order : strcmp(a->reason, b->reason);
}

static int compare_merged(const void *left, const void *right)
{
	const struct merged_cause *a = left, *b = right;
	int order = compare_merged_functions(a, b);
	if (!order)
		order = (int)form_of_edit(a) - (int)form_of_edit(b);
	if (!order)
		order = compare_merged_reasons(a, b);
	if (!order) /* of one benchmark two functions may have one name */
		order = strcmp(a->file, b->file);
	return order ? order : (a->order > b->order) - (a->order < b->order);
}

/* Whether one belongs to those that are equal to `first`, which are before it; none is of its
 * benchmark. */
static bool is_equal_to(const struct merged_cause *first, const struct merged_cause *s)
{
	if (compare_merged_functions(first, s) ||
	    (compare_merged_reasons(first, s) &&
	     (form_of_edit(first) != FORM_OWN || form_of_edit(s) == FORM_OTHER)))
		return false;
	for (const struct merged_cause *i = first; i < s; i++)
		if (i->bench == s->bench)
			return false;
	return true;
}

static int compare_merged_deltas(const void *left, const void *right)
{
	const struct merged_cause *a = *(const struct merged_cause *const *)left;
	const struct merged_cause *b = *(const struct merged_cause *const *)right;
	int order = (int)b->fails - (int)a->fails;
	if (!order)
		order = (a->weight < b->weight) - (a->weight > b->weight);
	if (!order)
		order = cg_compare_sizes(a->delta, b->delta);
	return order ? order : (a->order > b->order) - (a->order < b->order);
}

static int compare_merged_shares(const void *left, const void *right)
{
	const struct merged_cause *a = *(const struct merged_cause *const *)left;
	const struct merged_cause *b = *(const struct merged_cause *const *)right;

	if (a->fails == b->fails && a->share != b->share)
		return a->share > b->share ? -1 : 1;
	return compare_merged_deltas(left, right);
}

static void add_equal(struct merged_cause *s, const struct merged_cause *other)
{
	cg_add_cost_clipped(&s->delta, other->delta);
	cg_add_count_clipped(&s->weight, other->weight);
	s->share = other->share > s->share ? other->share : s->share;
	if (other->place < s->first_place)
		s->first_place = other->place;
	s->fails |= other->fails;
	s->edited |= compare_merged_reasons(s, other) != 0;
	s->count++;
}

static int compare_merged_orders(const void *left, const void *right)
{
	const struct merged_cause *a = left, *b = right;
	return (a->order > b->order) - (a->order < b->order);
}

/* Makes equal ones the first of them, in the order in which they were added: their files may be of
 * several machines. */
static void merge_equal(struct merged_cause *first, size_t count)
{
	qsort(first, count, sizeof *first, compare_merged_orders);
	for (size_t i = 1; i < count; i++)
		add_equal(first, &first[i]);
}

static bool mix_metrics(const struct merged_causes *l)
{
	for (size_t i = 1; i < l->count; i++)
		if (!metric_is_same(l->items[i].metric, l->items[0].metric))
			return true;
	return false;
}

static bool is_first_of_metric(const struct merged_cause *const *before, size_t count,
			       const struct merged_cause *s)
{
	for (size_t i = 0; i < count; i++)
		if (metric_is_same(before[i]->metric, s->metric))
			return false;
	return true;
}

/* Moves the first of each metric of those that fail to the front, and keeps the order of others. */
static void put_each_metric_first(struct merged_causes *l)
{
	size_t first = 0;

	for (size_t i = 0; i < l->nmerged && l->merged[i]->fails; i++) {
		const struct merged_cause *s = l->merged[i];
		if (!is_first_of_metric(l->merged, first, s))
			continue;
		memmove(&l->merged[first + 1], &l->merged[first], (i - first) * sizeof *l->merged);
		l->merged[first++] = s;
	}
}

int merged_causes_make(struct merged_causes *l, bool by_share)
{
	l->merged = calloc(l->count + 1, sizeof *l->merged);
	if (!l->merged)
		return CG_ENOMEM;
	by_share |= mix_metrics(l);
	if (l->count)
		qsort(l->items, l->count, sizeof *l->items, compare_merged);
	for (size_t i = 0, next; i < l->count; i = next) {
		struct merged_cause *s = &l->items[i];
		for (next = i + 1; next < l->count && is_equal_to(s, &l->items[next]);)
			next++;
		merge_equal(s, next - i);
		l->merged[l->nmerged++] = s;
	}
	qsort(l->merged, l->nmerged, sizeof *l->merged,
	      by_share ? compare_merged_shares : compare_merged_deltas);
	put_each_metric_first(l);
	return CG_OK;
}

void merged_causes_sort(struct merged_causes *l)
{
	if (l->nmerged && !mix_metrics(l))
		qsort(l->merged, l->nmerged, sizeof *l->merged, compare_merged_deltas);
}

void merged_causes_free(struct merged_causes *l)
{
	free(l->items);
	free(l->merged);
	*l = (struct merged_causes){ 0 };
}
