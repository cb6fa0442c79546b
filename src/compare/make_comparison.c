#include "src/compare/make_comparison.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "src/compare/compare_paths.h"
#include "src/compare/find_causes.h"
#include "src/compare/find_insights.h"
#include "src/compare/inclusive_rows.h"
#include "src/compare/machine_rows.h"
#include "src/compare/remarking.h"
#include "src/compare/reporting.h"
#include "src/compare/without_inlined.h"
#include "src/load/hints.h"
#include "src/load/instructions.h"
#include "src/load/keep_sources.h"

/* New and removed functions count from the same size on as changed ones. */
static enum diff_class classify_row(const struct comparison *c, const struct diff_row *row)
{
	struct diff_row both = *row;
	both.base.present = both.head.present = true;
	return diff_classify(c->diff, &both);
}

/* What a row is sorted by: larger first. */
static uint64_t rank_of_row(const struct comparison *c, const struct diff_row *row)
{
	const struct diff *d = c->diff;
	const char *sort = c->options->sort;

	if (c->order)
		return cg_distance(metric_value(&c->order->base, row->base.self),
				   metric_value(&c->order->head, row->head.self));
	if (strcmp(sort, "base") == 0)
		return cg_magnitude(diff_base_value(d, row->base.self));
	if (strcmp(sort, "head") == 0)
		return cg_magnitude(diff_head_value(d, row->head.self));
	if (strcmp(sort, "calls") == 0)
		return row->base.calls > row->head.calls ? row->base.calls - row->head.calls
							 : row->head.calls - row->base.calls;
	return cg_distance(diff_base_value(d, row->base.inclusive),
			   diff_head_value(d, row->head.inclusive));
}

/* Equal rows stay in the order of the diff, which is total. */
static int compare_chosen(const void *left, const void *right, void *context)
{
	const struct comparison *c = context;
	uint32_t i = *(const uint32_t *)left, k = *(const uint32_t *)right;
	const struct diff_row *a = &c->diff->rows[i], *b = &c->diff->rows[k];
	int order;

	if (strcmp(c->options->sort, "name") == 0) {
		order = strcmp(a->name, b->name);
	} else {
		uint64_t x = rank_of_row(c, a), y = rank_of_row(c, b);
		order = (x < y) - (x > y);
	}
	return order ? order : (i > k) - (i < k);
}

static bool is_order(const char *sort)
{
	size_t len = strlen(sort), n;

	for (const char *word = COMPARISON_ORDERS;; word += n + 1) {
		n = strcspn(word, "|");
		if (n == len && memcmp(word, sort, len) == 0)
			return true;
		if (!word[n])
			return false;
	}
}

static int find_order(struct comparison *c, struct cg_error *err)
{
	const char *sort = c->options->sort;

	if (!sort || is_order(sort))
		return CG_OK;
	int status = diff_find_event(c->diff, sort, &c->ordering, err);
	if (status)
		cg_error_context(
			err,
			"--sort must be delta, inclusive, base, head, calls, name or a metric");
	else
		c->order = &c->ordering;
	return status;
}

static int choose_compared_rows(struct comparison *c, struct cg_error *err)
{
	size_t top = comparison_top(c->options);

	c->rows = calloc(c->diff->count + 1, sizeof *c->rows);
	if (!c->rows)
		return cg_fail_nomem(err);
	for (size_t i = 0; i < c->diff->count; i++) {
		const struct diff_row *row = &c->diff->rows[i];
		bool chosen;
		enum diff_class class = classify_row(c, row);
		if (class == DIFF_UNCHANGED)
			continue;
		c->changed += diff_is_change(class);
		int status = comparison_chooses(c, row->object, row->file, row->name, &chosen, err);
		if (status)
			return status;
		if (chosen)
			c->rows[c->filtered++] = (uint32_t)i;
	}
	if (c->options->sort && strcmp(c->options->sort, "delta") != 0)
		qsort_r(c->rows, c->filtered, sizeof *c->rows, compare_chosen, c);
	c->nrows = top && top < c->filtered ? top : c->filtered;
	return CG_OK;
}

/* In a case that has few instructions, fewer count. Who wants no threshold wants all. */
static uint64_t default_min_delta(const struct diff_options *o, const struct cg_profile *base)
{
	enum { PARTS = 100 };
	const uint64_t least = o->threshold_ppb ? metric_least_change(o->metric) : 1;
	struct metric metric;
	const int64_t total = metric_find(base, o->metric, &metric)
				      ? metric_value(&metric, base->total)
				      : 0;
	const uint64_t part = total > 0 ? (uint64_t)total / PARTS : least;

	return part >= least ? least : part ? part : 1;
}

static void warn_about_benchmarks(const struct comparison *c)
{
	const char *base = cg_desc_value(c->base.profile, SUBJECT_PREFIX "benchmark");
	const char *head = cg_desc_value(c->head.profile, SUBJECT_PREFIX "benchmark");

	if (base && head && strcmp(base, head) != 0)
		notice_warning(
			c->notices,
			"%s belongs to the benchmark %s, but %s belongs to %s: they do different work",
			c->base.name, base, c->head.name, head);
}

static int load_both_sides(struct comparison *c, const struct project *project, const char *base,
			   const char *head, struct cg_error *err)
{
	const struct comparison_options *o = c->options;
	const struct load_options load = comparison_load_options(c);
	int status = base && head
			     ? load_profiles(project, base, head, &load, &c->base, &c->head, err)
			     : load_profile_alone(project, base ? base : head, &load,
						  base ? &c->base : &c->head,
						  base ? &c->head : &c->base, err);
	if (status)
		return status;
	warn_about_inlines(c->notices, o->reading.inlines, c->base.profile, c->base.name);
	warn_about_inlines(c->notices, o->reading.inlines, c->head.profile, c->head.name);
	warn_about_benchmarks(c);
	if (o->by == CG_BY_FUNCTION)
		mention_literal(c->notices, o->filter, c->base.profile, c->head.profile);
	if (o->filter)
		mention_unnamed_functions(c->notices, o->filter, c->base.profile, c->head.profile);
	return CG_OK;
}

/* By the metric, and of what, these options say. */
static int diff_sides(struct comparison *c, const struct project *project,
		      struct diff_options options, struct diff **out, struct cg_error *err)
{
	const struct comparison_options *o = c->options;
	const struct config_benchmark *benchmark;
	const char *of_case;
	int status = judging_benchmark(&o->judging, project, c->head.profile, &benchmark, &of_case,
				       err);
	if (status)
		return status;
	options.threshold_ppb = (uint64_t)(o->threshold * 1e7 + 0.5);
	options.rows_below_threshold = o->rows_below_threshold;
	options.rows_below_min_delta = o->rows_below_min_delta;
	options.tolerances = benchmark ? benchmark->tolerances : NULL;
	options.ntolerances = benchmark ? benchmark->ntolerances : 0;
	options.min_delta_given = o->min_delta != COMPARISON_MIN_DELTA;
	options.min_delta = options.min_delta_given ? o->min_delta
						    : default_min_delta(&options, c->base.profile);
	return diff_make(c->base.profile, c->head.profile, &options, out, err);
}

static bool lacks_metric(const struct cg_profile *p, const char *metric)
{
	struct metric unused;

	return !metric_find(p, metric, &unused);
}

/* Instructions and heap have no metric in common, and not every benchmark has a heap. */
static const char *choose_metric(const struct comparison *c)
{
	const struct comparison_options *o = c->options;
	const char *metric = o->metric ? metric_event_name(o->metric) : NULL;

	if (!metric || (o->several && lacks_metric(c->base.profile, metric) &&
			lacks_metric(c->head.profile, metric)))
		return metric_default(c->base.profile);
	return metric;
}

static int compare_functions_of_sides(struct comparison *c, const struct project *project,
				      enum diff_missing missing, struct cg_error *err)
{
	const struct comparison_options *o = c->options;
	struct diff_options options = {
		.metric = choose_metric(c),
		.missing = missing,
		.by = o->by,
	};
	int status = diff_sides(c, project, options, &c->diff, err);

	options.by = CG_BY_FUNCTION;
	if (!status && o->by != CG_BY_FUNCTION && o->judging.check)
		status = diff_sides(c, project, options, &c->judged, err);
	if (!status && (environment_compare(c->base.profile, c->head.profile, &c->environment) ||
			environment_add_namespaces(&c->environment, c->diff)))
		status = cg_fail_nomem(err);
	return status;
}

/* The metric of the first limit that is exceeded, unless one is on the metric that is compared.
 * NULL: none. */
static const char *find_exceeded_metric(const struct comparison *c)
{
	const struct judgement *j = &c->judging.judgement;
	const char *found = NULL;
	struct diff_event unused;

	for (size_t i = 0; i < j->count; i++) {
		const struct limit_verdict *v = &j->verdicts[i];
		const char *metric = metric_event_name(v->rule.limit->metric);
		if (!v->fails || v->status != LIMIT_EXCEEDED)
			continue;
		if (metric_is_same(metric, c->diff->options.metric))
			return NULL;
		if (!found && diff_find_event(c->diff, metric, &unused, NULL) == CG_OK)
			found = metric;
	}
	return found;
}

/* Who did not ask for a metric wants to see what regressed. */
static int compare_exceeded_metric(struct comparison *c, const struct project *project,
				   struct cg_error *err)
{
	const char *metric = c->options->metric ? NULL : find_exceeded_metric(c);
	struct diff_options options = c->diff->options;
	struct diff *d = NULL;

	if (!metric)
		return CG_OK;
	options.metric = metric;
	int status = diff_sides(c, project, options, &d, err);
	if (status)
		return status;
	if (c->judged)
		diff_free(c->diff);
	else
		c->judged = c->diff;
	c->diff = d;
	return CG_OK;
}

static bool any_row_changed(const struct comparison *c)
{
	for (size_t i = 0; i < c->diff->count; i++)
		if (diff_is_change(classify_row(c, &c->diff->rows[i])))
			return true;
	return false;
}

static int judge_sides(struct comparison *c, const struct project *project, struct cg_error *err)
{
	int status = judging_make(&c->options->judging, project, c->judged ? c->judged : c->diff,
				  &c->head, comparison_bench_name(c), &c->judging, err);

	if (!status)
		status = compare_exceeded_metric(c, project, err);
	if (!status && !any_row_changed(c))
		comparison_show_small_changes(c);
	return status;
}

/* Where the filter leaves nothing, what it matches may still have been the cause. */
static int find_only_inclusive(struct comparison *c, struct cg_error *err)
{
	uint32_t *rows;
	size_t count;

	if (c->filtered)
		return CG_OK;
	int status = inclusive_rows_choose(c, &rows, &count, err);
	if (status)
		return status;
	if (count)
		c->only_inclusive = &c->diff->rows[rows[0]];
	free(rows);
	return CG_OK;
}

/* Then those whose lines only call what changed, as long as there is room for more functions. */
static int list_source_rows(struct comparison *c, uint32_t **rows, size_t *count,
			    struct cg_error *err)
{
	const size_t top = comparison_top(c->options);
	uint32_t *calling = NULL, *all;
	size_t ncalling;
	int status = inclusive_rows_choose(c, &calling, &ncalling, err);

	if (status)
		return status;
	*count = c->filtered + ncalling;
	*rows = all = calloc(*count + 1, sizeof *all);
	for (size_t i = 0; all && i < *count; i++)
		all[i] = i < c->filtered ? c->rows[i] : calling[i - c->filtered];
	free(calling);
	c->sources_hidden = top && top < *count ? *count - top : 0;
	*count -= c->sources_hidden;
	return all ? CG_OK : cg_fail_nomem(err);
}

static int find_sources(struct comparison *c, struct cg_error *err)
{
	const struct comparison_options *o = c->options;

	if (o->view != DIFF_VIEW_SOURCE || !comparison_has_both(c))
		return CG_OK;
	uint32_t *rows = NULL;
	size_t count;
	int status = list_source_rows(c, &rows, &count, err);
	if (!status)
		status = changed_sources_make(c->diff, rows, count, &c->base, &c->head, o->context,
					      o->dirs, &c->sources, err);
	free(rows);
	return status;
}

static int find_instructions(struct comparison *c, struct cg_error *err)
{
	const struct comparison_options *o = c->options;

	if (o->view != DIFF_VIEW_ASM || !comparison_has_both(c))
		return CG_OK;
	uint32_t *rows = NULL;
	bool *chosen = NULL;
	size_t count;
	int status = loaded_read_code(&c->base, c->notices, err);
	if (!status)
		status = loaded_read_code(&c->head, c->notices, err);
	if (!status)
		status = machine_rows_choose(c, comparison_top(o), &rows, &count,
					     &c->instructions_hidden, &chosen, err);
	if (!status)
		status = changed_instructions_make(c->diff, rows, count, chosen, &c->base, &c->head,
						   o->dirs, &c->instructions, err);
	free(rows);
	free(chosen);
	return status;
}

static int has_source(const struct comparison *c, const struct diff_row *row, bool *found,
		      struct cg_error *err)
{
	const struct loaded *side = row->head.present ? &c->head : &c->base;
	struct source_text text = { 0 };
	int status = text_is_known(row->file)
			     ? loaded_source_text(side, row->file, NULL, &text, err)
			     : CG_OK;

	*found = text.origin != SOURCE_TEXT_MISSING;
	source_text_free(&text);
	return status;
}

/* The rows of the difference are in order of size, whatever those that are shown are sorted by. */
static int find_row_with_source(struct comparison *c, struct cg_error *err)
{
	const struct comparison_options *o = c->options;
	size_t n = c->nrows < COMPARISON_TOP ? c->nrows : COMPARISON_TOP;
	int status = CG_OK;

	if (c->causes || o->by != CG_BY_FUNCTION || o->view == DIFF_VIEW_SOURCE ||
	    o->view == DIFF_VIEW_ASM || !comparison_has_both(c))
		return CG_OK;
	for (size_t i = 0; !status && i < n; i++) {
		const struct diff_row *row = &c->diff->rows[c->rows[i]];
		bool found = false;
		if ((!c->with_source || row < c->with_source) &&
		    diff_classify(c->diff, row) != DIFF_TOLERATED)
			status = has_source(c, row, &found, err);
		if (found)
			c->with_source = row;
	}
	return status;
}

int comparison_make(const struct project *project, const char *base, const char *head,
		    const struct comparison_options *options, struct comparison *out,
		    struct cg_error *err)
{
	struct comparison *c = out;

	c->notices = project->notices;
	c->root = project->root;
	c->options = options;
	int status = part_selection_parse(&options->reading.selection, &c->selection, err);
	if (!status)
		status = pattern_compile_optional(options->filter, &c->filter, err);
	if (!status)
		status = pattern_compile_optional(options->ignore, &c->ignore, err);
	if (!status)
		status = load_both_sides(c, project, base, head, err);
	if (!status)
		status = compare_functions_of_sides(c, project,
						    !base   ? DIFF_NO_BASE
						    : !head ? DIFF_NO_HEAD
							    : DIFF_BOTH_THERE,
						    err);
	if (!status)
		status = comparison_add_names(c, c->filter, err);
	if (!status)
		status = comparison_add_names(c, c->ignore, err);
	if (!status)
		status = comparison_check_calls(c, err);
	if (!status && options->judging.check)
		status = judge_sides(c, project, err);
	if (!status && comparison_needs_paths(options))
		status = comparison_compare_paths(c, err);
	if (!status)
		status = comparison_find_causes(c, project, base, head, err);
	if (!status)
		status = causes_without_inlined(c, project, base, head, err);
	if (!status)
		status = shown_events_parse(c->diff, options->show, &c->shown, err);
	if (!status)
		status = find_order(c, err);
	if (!status)
		status = choose_compared_rows(c, err);
	if (!status)
		status = find_only_inclusive(c, err);
	if (!status)
		status = find_sources(c, err);
	if (!status)
		status = find_instructions(c, err);
	if (!status)
		status = find_row_with_source(c, err);
	if (!status)
		status = remarking_find(c, err);
	if (!status)
		status = remarking_find_build(c, project, err);
	return status ? status : comparison_find_insights(c, project, base, head, err);
}
