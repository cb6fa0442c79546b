#include "src/diff/diff.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/build.h"
#include "callgrind/support/number.h"
#include "callgrind/support/thread.h"
#include "src/diff/group_functions.h"
#include "src/diff/renamed_namespaces.h"
#include "src/diff/rollup.h"

static const int64_t no_costs[CG_MAX_EVENTS];

const char *diff_class_name(enum diff_class c)
{
	static const char *const names[] = { "unchanged", "regressed", "improved",
					     "new",       "removed",   "within tolerance" };
	return names[c];
}

bool diff_is_change(enum diff_class c)
{
	return c != DIFF_UNCHANGED && c != DIFF_TOLERATED;
}

const char *diff_match_name(enum diff_match m)
{
	static const char *const names[] = { "",        "same",
					     "moved",   "object renamed",
					     "inlined", "no longer inlined",
					     "renamed", "dissolved" };
	return names[m];
}

bool diff_self_only(const struct cg_profile *p)
{
	return cg_desc_value(p, DIFF_SELF_ONLY_KEY) != NULL;
}

bool diff_without_calls(const struct cg_profile *p)
{
	return p->nparts && p->parts[0].of_cachegrind;
}

bool diff_lacks_calls(const struct cg_profile *p, const struct cg_profile *other)
{
	return (diff_self_only(p) && !diff_self_only(other)) ||
	       (diff_without_calls(p) && !diff_without_calls(other));
}

/* If neither has any, all functions are roots on both sides, and nothing is made up. */
bool diff_knows_calls(const struct diff *d)
{
	return !diff_self_only(d->base) && !diff_self_only(d->head) &&
	       !diff_lacks_calls(d->base, d->head) && !diff_lacks_calls(d->head, d->base);
}

uint64_t diff_tolerance(const struct diff *d, const char *metric)
{
	const struct tolerance *t = tolerance_find(d->options.tolerances, d->options.ntolerances,
						   metric);
	struct metric base;

	if (!t || d->options.missing || !metric_find(d->base, metric, &base))
		return 0;
	return tolerance_events(t, metric_value(&base, d->base->total));
}

bool diff_tolerates(const struct diff *d, int64_t base, int64_t head)
{
	return base != head && cg_distance(base, head) <= d->tolerance;
}

bool diff_tolerates_in(const struct diff *d, const char *metric, int64_t base, int64_t head)
{
	return base != head && cg_distance(base, head) <= diff_tolerance(d, metric);
}

uint64_t diff_min_delta(const struct diff *d, const char *metric)
{
	const uint64_t own = d->options.min_delta, least = metric_least_change(metric);
	bool same = d->options.min_delta_given || metric_is_same(metric, d->options.metric);

	return same || own < least ? own : least;
}

/* What the size of a change in one metric is compared with. */
struct change_bounds {
	int64_t total; /* of base */
	uint64_t threshold_ppb, min_delta, tolerance;
};

static enum diff_class classify_change(struct change_bounds bounds, int64_t base, int64_t head)
{
	uint64_t size = cg_distance(base, head);
	/* |delta| / total >= threshold, without rounding */
	bool large = (unsigned __int128)size * 1000000000u >=
		     (unsigned __int128)bounds.threshold_ppb * cg_magnitude(bounds.total);
	if (size == 0 || !large || size < bounds.min_delta)
		return DIFF_UNCHANGED;
	if (size <= bounds.tolerance)
		return DIFF_TOLERATED;
	return head > base ? DIFF_REGRESSED : DIFF_IMPROVED;
}

enum diff_class diff_classify_change(const struct diff *d, int64_t base, int64_t head)
{
	const struct diff_options *o = &d->options;
	const struct change_bounds bounds = {
		.total = diff_base_value(d, d->base->total),
		.threshold_ppb = o->rows_below_threshold ? 0 : o->threshold_ppb,
		.min_delta = o->rows_below_min_delta ? 0 : o->min_delta,
		.tolerance = d->tolerance,
	};

	return classify_change(bounds, base, head);
}

enum diff_class diff_classify_change_in(const struct diff *d, const char *metric, int64_t base,
					int64_t head)
{
	struct metric of_base = { 0 };
	const struct change_bounds bounds = {
		.total = metric_find(d->base, metric, &of_base)
				 ? metric_value(&of_base, d->base->total)
				 : 0,
		.threshold_ppb = d->options.threshold_ppb,
		.min_delta = diff_min_delta(d, metric),
		.tolerance = diff_tolerance(d, metric),
	};

	return classify_change(bounds, base, head);
}

enum diff_class diff_classify(const struct diff *d, const struct diff_row *row)
{
	int64_t base = diff_base_value(d, row->base.self),
		head = diff_head_value(d, row->head.self);

	if (row->base.present != row->head.present && diff_tolerates(d, base, head))
		return DIFF_TOLERATED;
	if (!row->base.present)
		return DIFF_NEW;
	if (!row->head.present)
		return DIFF_REMOVED;
	return diff_classify_change(d, base, head);
}

bool diff_has_per_call(const struct diff_row *row)
{
	return !row->base.inlined && !row->head.inlined && row->base.calls > 1 &&
	       row->head.calls > 1;
}

/*
 * delta = base · (c1/c0 - 1)  +  (head - base · c1/c0), c = calls:
 * what calling it more often costs, and what each call costs more. A part that
 * goes the other way, or is less than a tenth, is no reason.
 */
const char *diff_reason(const struct diff *d, const struct diff_row *row)
{
	static const char *const reasons[2][2][2] = {
		{ { "improved", "less per call" },
		  { "fewer calls", "fewer calls, less per call" } },
		{ { "regressed", "more per call" }, { "more calls", "more calls, more per call" } },
	};
	static const char *const inlined[2][2] = {
		{ "improved", "improved, now inlined" },
		{ "regressed", "regressed, now inlined" },
	};
	double base = (double)diff_base_value(d, row->base.self);
	double head = (double)diff_head_value(d, row->head.self);
	double size = head > base ? head - base : base - head, sign = head > base ? 1 : -1;
	enum diff_class c = diff_classify(d, row);

	if ((c != DIFF_REGRESSED && c != DIFF_IMPROVED) || d->options.by != CG_BY_FUNCTION)
		return diff_class_name(c);
	if (row->base.inlined && !row->head.inlined && !diff_self_only(d->head))
		return c == DIFF_REGRESSED ? "regressed, no longer inlined"
					   : "improved, no longer inlined";
	if (row->head.inlined && (row->base.inlined || !diff_self_only(d->base)))
		return inlined[c == DIFF_REGRESSED][!row->base.inlined];
	if (!row->base.calls || !row->head.calls)
		return reasons[c == DIFF_REGRESSED][0][0];
	double scaled = base * ((double)row->head.calls / (double)row->base.calls);
	bool by_calls = (scaled - base) * sign >= size / 10;
	bool by_each = diff_has_per_call(row) && (head - scaled) * sign >= size / 10;
	return reasons[c == DIFF_REGRESSED][by_calls][by_each];
}

static int sum_groups(const struct cg_profile *p, const struct groups *g, int64_t **out)
{
	uint32_t n = p->nevents;
	int64_t *self = calloc((size_t)g->count * n, sizeof *self);
	if (!self)
		return CG_ENOMEM;
	for (uint32_t r = 1; r < p->nrecords; r++) {
		uint32_t group = g->of[p->records[r].function];
		cg_add_costs(self + (size_t)group * n, p->record_self + (size_t)r * n, n);
	}
	*out = self;
	return CG_OK;
}

/* The law: rows add up to the total of their side. */
static int check_diff_sums(const struct diff *d, bool head, struct cg_error *err)
{
	const struct cg_profile *p = head ? d->head : d->base;

	for (uint32_t e = 0; e < p->nevents; e++) {
		__int128 sum = 0;
		for (size_t i = 0; i < d->count; i++) {
			const struct diff_side *s = head ? &d->rows[i].head : &d->rows[i].base;
			if (s->present)
				sum += s->self[e];
		}
		if (sum != p->total[e])
			return cg_fail(err, CG_EINTERNAL, NULL, 0,
				       "the rows of %s do not add up to its total of %s; please "
				       "report this bug",
				       head ? "head" : "base", cg_string(p, p->events[e].name));
	}
	return CG_OK;
}

static struct diff_side make_diff_side(const struct cg_profile *p, const struct groups *g,
				       const int64_t *self, const struct cg_inclusive *inc,
				       uint32_t group, bool self_only)
{
	if (!group)
		return (struct diff_side){ .self = no_costs, .inclusive = no_costs };
	return (struct diff_side){
		.present = true,
		.bound = inc->bound[group] || self_only,
		.unnamed = g->unnamed[group],
		.functions = g->functions ? g->functions[group] : 0,
		.inlined = g->inlined[group],
		.calls = inc->calls[group],
		.self = self + (size_t)group * p->nevents,
		.inclusive = inc->cost + (size_t)group * p->nevents,
	};
}

/* Functions may be paired by less than their names; only namespaces give them two. */
static cg_str other_name_of(const struct groups *base, uint32_t b, const struct groups *head,
			    uint32_t h)
{
	if (!h)
		return base->keys[b].other;
	return b && base->keys[b].other != base->keys[b].name ? base->keys[b].name
							      : head->keys[h].other;
}

static struct diff_row make_diff_row(const struct diff *d, const struct groups *base, uint32_t b,
				     const struct groups *head, uint32_t h, enum diff_match how)
{
	const struct group_key *key = h ? &head->keys[h] : &base->keys[b];
	bool missing = d->options.missing != DIFF_BOTH_THERE;
	bool calls = missing || diff_knows_calls(d);
	struct diff_row row = {
		.name = cg_strings_get(&d->strings, key->name),
		.object = cg_strings_get(&d->strings, key->object),
		.file = cg_strings_get(&d->strings, key->file),
		.match = how,
		.base = make_diff_side(d->base, base, d->base_self, d->base_inclusive, b,
				       !missing && diff_lacks_calls(d->base, d->head)),
		.head = make_diff_side(d->head, head, d->head_self, d->head_inclusive, h,
				       !missing && diff_lacks_calls(d->head, d->base)),
	};
	if (!calls)
		row.base.calls = row.head.calls = 0;
	row.base_object = b ? cg_strings_get(&d->strings, base->keys[b].object) : row.object;
	row.base_file = b ? cg_strings_get(&d->strings, base->keys[b].file) : row.file;
	if (d->options.by != CG_BY_FUNCTION) {
		row.name = row.file;
		row.file = row.object;
	}
	row.other_name = d->options.by == CG_BY_FUNCTION
				 ? cg_strings_get(&d->strings, other_name_of(base, b, head, h))
				 : row.name;
	return row;
}

uint32_t diff_group(const struct diff *d, const struct diff_row *row, bool head)
{
	const struct diff_side *side = head ? &row->head : &row->base;
	const struct cg_profile *p = head ? d->head : d->base;
	return (uint32_t)((size_t)(side->self - (head ? d->head_self : d->base_self)) / p->nevents);
}

uint32_t *diff_rows_of_functions(const struct diff *d, bool head)
{
	const struct cg_profile *p = head ? d->head : d->base;
	const uint32_t *group_of = head ? d->head_of : d->base_of;
	uint32_t *row_of_group = calloc((size_t)p->nfunctions + 1, sizeof *row_of_group);
	uint32_t *row_of = calloc((size_t)p->nfunctions + 1, sizeof *row_of);

	for (size_t i = 0; row_of_group && row_of && i < d->count; i++)
		if (head ? d->rows[i].head.present : d->rows[i].base.present)
			row_of_group[diff_group(d, &d->rows[i], head)] = (uint32_t)i + 1;
	for (uint32_t f = 1; row_of_group && row_of && f < p->nfunctions; f++)
		row_of[f] = row_of_group[group_of[f]];
	if (!row_of_group) {
		free(row_of);
		row_of = NULL;
	}
	free(row_of_group);
	return row_of;
}

/* A group without any cost is a name that the file only mentions. */
static bool is_measured(const struct cg_profile *p, const int64_t *self,
			const struct cg_inclusive *inc, uint32_t group)
{
	for (uint32_t e = 0; e < p->nevents; e++)
		if (self[(size_t)group * p->nevents + e] ||
		    inc->cost[(size_t)group * p->nevents + e])
			return true;
	return inc->calls[group] > 0;
}

static int make_diff_rows(struct diff *d, const struct matched_groups *groups)
{
	const struct groups *base = &groups->base, *head = &groups->head;
	const struct match *match = &groups->match;
	bool *head_done = calloc(head->count, sizeof *head_done);
	d->rows = calloc((size_t)base->count + head->count, sizeof *d->rows);
	if (!head_done || !d->rows) {
		free(head_done);
		return CG_ENOMEM;
	}
	for (uint32_t b = 1; b < base->count; b++) {
		uint32_t h = match->head_of[b];
		head_done[h] = true;
		if (h || is_measured(d->base, d->base_self, d->base_inclusive, b))
			d->rows[d->count++] = make_diff_row(d, base, b, head, h, match->how[b]);
	}
	for (uint32_t h = 1; h < head->count; h++)
		if (!head_done[h] && is_measured(d->head, d->head_self, d->head_inclusive, h))
			d->rows[d->count++] = make_diff_row(d, base, 0, head, h, DIFF_ONE_SIDED);
	free(head_done);
	return CG_OK;
}

static int compare_diff_rows(const void *left, const void *right, void *context)
{
	const struct diff_row *a = left, *b = right;
	const struct diff *d = context;
	int64_t x = diff_head_value(d, a->head.self), y = diff_head_value(d, b->head.self);

	int order = cg_compare_sizes(cg_delta(diff_base_value(d, a->base.self), x),
				     cg_delta(diff_base_value(d, b->base.self), y));
	if (!order)
		order = cg_compare_sizes(x, y);
	if (!order)
		order = strcmp(a->name, b->name);
	if (!order)
		order = strcmp(a->object, b->object);
	if (!order)
		order = strcmp(a->file, b->file);
	return order ? order : strcmp(a->base_file, b->base_file);
}

static void list_metric_names(const struct cg_profile *p, char *text, size_t size)
{
	struct metric m;
	size_t used = 0;

	text[0] = '\0';
	for (uint32_t e = 0; e < p->nevents && used < size; e++)
		used += (size_t)snprintf(text + used, size - used, " %s",
					 cg_string(p, p->events[e].name));
	for (size_t i = 0; metric_derived[i] && used < size; i++)
		if (metric_find(p, metric_derived[i], &m))
			used += (size_t)snprintf(text + used, size - used, " %s",
						 metric_derived[i]);
}

static int check_units(const struct diff *d, const char *name, struct cg_error *err)
{
	const char *base = metric_unit(d->base, name), *head = metric_unit(d->head, name);

	if (!*base || !*head || strcmp(base, head) == 0)
		return CG_OK;
	return cg_fail(err, CG_EINVAL, NULL, 0,
		       "%s cannot be compared: it is in %s in base, and in %s in head", name, base,
		       head);
}

int diff_find_event(const struct diff *d, const char *name, struct diff_event *out,
		    struct cg_error *err)
{
	bool in_base = metric_find(d->base, name, &out->base);
	bool in_head = metric_find(d->head, name, &out->head);
	const struct cg_profile *lacks = in_base ? d->head : d->base;
	char known[300], where[240];

	if (in_base && in_head)
		return check_units(d, name, err);
	list_metric_names(lacks, known, sizeof known);
	return cg_fail(err, CG_EINVAL, NULL, 0, "the profile of %s has no metric '%s'%s; it has:%s",
		       in_base ? "head" : "base", name,
		       metric_say_where(lacks, name, where, sizeof where), known);
}

static int find_diff_metric(struct diff *d, struct cg_error *err)
{
	struct diff_event event;
	int status = diff_find_event(d, d->options.metric, &event, err);

	if (status)
		return status;
	d->base_metric = event.base;
	d->head_metric = event.head;
	return CG_OK;
}

/* What the groups of one side cost. */
struct group_costs {
	const struct cg_profile *profile;
	const struct groups *groups;
	enum cg_rollup_by by;
	int64_t *self;
	struct cg_inclusive *inclusive;
	int status;
};

static void add_up_groups(void *context)
{
	struct group_costs *c = context;
	const struct cg_profile *p = c->profile;
	const struct groups *g = c->groups;

	c->status = sum_groups(p, g, &c->self);
	if (!c->status && c->by == CG_BY_FUNCTION)
		c->status = cg_inclusive_compute(p, g->of, g->count, &c->inclusive);
	else if (!c->status)
		c->status = cg_rollup_inclusive(p, g->of, g->count, &c->inclusive);
}

static int make_groups(struct diff *d)
{
	const enum cg_rollup_by by = d->options.by;
	struct matched_groups *f = d->functions = calloc(1, sizeof *f);

	if (!f || group_functions(d->base, d->head, &d->strings, &f->base, &f->head) ||
	    renamed_namespaces_match(&d->strings, f))
		return CG_ENOMEM;
	if (by == CG_BY_FUNCTION)
		return CG_OK;
	d->rolled_up = calloc(1, sizeof *d->rolled_up);
	return d->rolled_up ? groups_roll_up(d->base, d->head, by, f, &d->strings, d->rolled_up)
			    : CG_ENOMEM;
}

static int make_costs(struct diff *d, const struct matched_groups *groups)
{
	enum { WORTH_A_THREAD = 10000 }; /* records */
	const enum cg_rollup_by by = d->options.by;
	struct group_costs base = { .profile = d->base, .groups = &groups->base, .by = by };
	struct group_costs head = { .profile = d->head, .groups = &groups->head, .by = by };
	const bool large = d->base->nrecords >= WORTH_A_THREAD &&
			   d->head->nrecords >= WORTH_A_THREAD;

	cg_thread_both(large, add_up_groups, &base, &head);
	d->base_self = base.self;
	d->head_self = head.self;
	d->base_inclusive = base.inclusive;
	d->head_inclusive = head.inclusive;
	return base.status ? base.status : head.status;
}

/* ---- rows by their functions ---- */

/* A file chooses its names. */
static uint32_t hash_of_row(const struct diff *d, const struct diff_row *r)
{
	const char *const texts[] = { r->name, r->object, r->file };
	uint64_t hash = d->strings.secret;

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		const char *text = texts[i];
		hash = cg_hash_keyed(hash, cg_strings_find(&d->strings, text, strlen(text)));
	}
	return (uint32_t)hash;
}

struct diff_row_search {
	const struct diff *d;
	const struct diff_row *wanted;
};

static bool is_row_of_function(const void *context, uint32_t id)
{
	const struct diff_row_search *s = context;
	const struct diff_row *a = &s->d->rows[id - 1], *b = s->wanted;

	return strcmp(a->name, b->name) == 0 && strcmp(a->file, b->file) == 0 &&
	       strcmp(a->object, b->object) == 0;
}

static uint32_t find_row_id(const struct diff *d, const struct diff_row *wanted)
{
	const struct diff_row_search search = { d, wanted };

	return cg_index_find(&d->row_index, hash_of_row(d, wanted), is_row_of_function, &search);
}

const struct diff_row *diff_find_row(const struct diff *d, const char *name, const char *object,
				     const char *file)
{
	const struct diff_row wanted = { .name = name, .object = object, .file = file };
	uint32_t id = find_row_id(d, &wanted);

	return id ? &d->rows[id - 1] : NULL;
}

static int index_rows(struct diff *d)
{
	for (size_t i = d->count; i-- > 0;) {
		if (find_row_id(d, &d->rows[i]))
			continue;
		if (cg_index_reserve(&d->row_index))
			return CG_ENOMEM;
		cg_index_insert(&d->row_index, hash_of_row(d, &d->rows[i]), (uint32_t)i + 1);
	}
	return CG_OK;
}

/* ---- the whole ---- */

static int diff_fill(struct diff *d, struct cg_error *err)
{
	int status = find_diff_metric(d, err);

	if (status)
		return status;
	d->tolerance = diff_tolerance(d, d->options.metric);
	if (make_groups(d))
		return cg_fail_nomem(err);
	const struct matched_groups *groups = d->rolled_up ? d->rolled_up : d->functions;
	d->base_of = groups->base.of;
	d->head_of = groups->head.of;
	if (make_costs(d, groups) || make_diff_rows(d, groups))
		return cg_fail_nomem(err);
	qsort_r(d->rows, d->count, sizeof *d->rows, compare_diff_rows, d);
	if (index_rows(d))
		return cg_fail_nomem(err);
	status = check_diff_sums(d, false, err);
	return status ? status : check_diff_sums(d, true, err);
}

int diff_make(const struct cg_profile *base, const struct cg_profile *head,
	      const struct diff_options *options, struct diff **out, struct cg_error *err)
{
	struct diff *d = calloc(1, sizeof *d);
	if (!d || cg_strings_init(&d->strings)) {
		diff_free(d);
		return cg_fail_nomem(err);
	}
	d->base = base;
	d->head = head;
	d->options = *options;

	int status = diff_fill(d, err);
	if (status)
		diff_free(d);
	else
		*out = d;
	return status;
}

static void free_groups(struct matched_groups *m)
{
	if (m)
		matched_groups_free(m);
	free(m);
}

void diff_free(struct diff *d)
{
	if (!d)
		return;
	free(d->rows);
	cg_index_free(&d->row_index);
	free_groups(d->functions);
	free_groups(d->rolled_up);
	free(d->base_self);
	free(d->head_self);
	cg_inclusive_free(d->base_inclusive);
	cg_inclusive_free(d->head_inclusive);
	cg_strings_free(&d->strings);
	free(d);
}
