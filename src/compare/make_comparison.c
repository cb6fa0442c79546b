#include "src/compare/make_comparison.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "src/compare/edited_code.h"
#include "src/compare/find_insights.h"
#include "src/compare/inclusive_rows.h"
#include "src/compare/machine_rows.h"
#include "src/compare/remarking.h"
#include "src/compare/reporting.h"
#include "src/compare/without_inlined.h"
#include "src/load/commit_source.h"
#include "src/load/hints.h"
#include "src/load/instructions.h"
#include "src/load/keep_sources.h"
#include "src/status/progress.h"

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

static const struct loaded *side_without_calls(const struct comparison *c)
{
	const struct cg_profile *base = c->base.profile, *head = c->head.profile;

	return diff_self_only(base) || diff_lacks_calls(base, head) ? &c->base : &c->head;
}

#define WITHOUT_CALLS "no calls, so the causes of the change are unknown"
#define OTHER_THAN_TEXT " (irdiff compare, which compares with a commit, finds them)"
#define OTHER_THAN_COSTS " (profiles that callgrind writes have calls)"

static void warn_about_calls(const struct comparison *c)
{
	static const struct warning_kind text = { "", "has " WITHOUT_CALLS OTHER_THAN_TEXT,
						  "have " WITHOUT_CALLS OTHER_THAN_TEXT };
	static const struct warning_kind costs = { "", "has " WITHOUT_CALLS OTHER_THAN_COSTS,
						   "have " WITHOUT_CALLS OTHER_THAN_COSTS };

	const struct diff *d = c->diff;
	bool changed = diff_base_value(d, d->base->total) != diff_head_value(d, d->head->total);

	if (changed && comparison_has_both(c) && !comparison_knows_calls(c))
		warnings_add(c->options->warnings, c->notices,
			     diff_self_only(side_without_calls(c)->profile) ? &text : &costs,
			     side_without_calls(c)->name);
}

/* A profile without calls has no paths to compare; the text of a baseline has no lines either. */
static int check_compared_view(const struct comparison *c, struct cg_error *err)
{
	static const char *const words[] = { "summary", "flat", "tree", "causes", "source", "asm" };
	enum diff_view view = c->options->view;

	if (!comparison_has_both(c) || comparison_knows_calls(c))
		return CG_OK;
	bool text = diff_self_only(side_without_calls(c)->profile);
	if (c->options->only_paths)
		return cg_fail(
			err, CG_EINVAL, NULL, 0,
			"%s has no calls, so there are no call paths to show; use irdiff diff to compare functions",
			side_without_calls(c)->name);
	if (view == DIFF_VIEW_FLAT || view == DIFF_VIEW_SUMMARY)
		return CG_OK;
	if (!text && (view == DIFF_VIEW_SOURCE || view == DIFF_VIEW_ASM))
		return CG_OK;
	if (!text)
		return cg_fail(err, CG_EINVAL, NULL, 0,
			       "%s has no calls, which --view=%s needs; use --view=flat",
			       side_without_calls(c)->name, words[view]);
	return cg_fail(
		err, CG_EINVAL, NULL, 0,
		"%s has no calls and lines, which --view=%s needs; use --view=flat, or compare with a commit (irdiff compare)",
		side_without_calls(c)->name, words[view]);
}

static int make_tree(struct comparison *c, enum tree_rows rows, struct cg_error *err)
{
	struct progress *progress = progress_begin(c->notices, "comparing call paths", NULL);
	int status = tree_diff_make(c->diff, TREE_ALL, rows, &c->tree, err);

	progress_end(progress);
	return status;
}

static int compare_paths(struct comparison *c, struct cg_error *err)
{
	const struct comparison_options *o = c->options;
	warn_about_calls(c);
	if (comparison_has_both(c) && !comparison_knows_calls(c))
		return CG_OK;
	int status = make_tree(c, o->tree ? TREE_EVERY_ROW : TREE_CHANGED_ROWS, err);

	if (!status && o->tree)
		status = choose_paths(c->tree, c->filter, c->ignore, comparison_top(o), &c->paths,
				      err);
	if (status || !comparison_knows_calls(c))
		return status;
	if (!status && o->depth && depth_change_make(c->tree, &c->depth))
		status = cg_fail_nomem(err);
	return status;
}

/* Paths are compared in calling contexts, without lines; what was edited, and where, is known by
 * lines, and what was compiled otherwise by addresses. */
struct lines_of_sides {
	struct loaded base, head;
	bool loaded;
};

/* What came through a pipe cannot be read again. */
static int load_lines(struct comparison *c, const struct project *project, const char *base,
		      const char *head, struct cg_detail detail, struct lines_of_sides *out,
		      struct cg_error *err)
{
	struct load_options load = load_options_from(&c->options->reading, &c->selection.chosen,
						     detail);

	if (!loaded_is_lasting(&c->base) || !loaded_is_lasting(&c->head))
		return CG_OK;
	load.silent = true;
	out->loaded = true;
	return load_profiles(project, base, head, &load, &out->base, &out->head, err);
}

/* A command that differs not only in the name of the program. */
static bool has_other_arguments(const struct environment_difference *d)
{
	const char *base = strchr(d->base, ' '), *head = strchr(d->head, ' ');

	if (strcmp(d->key, "command") != 0)
		return false;
	return !base || !head ? base != head : strcmp(base, head) != 0;
}

static bool has_other_work(const struct comparison *c)
{
	for (size_t i = 0; i < c->environment.nsubject; i++)
		if (has_other_arguments(&c->environment.subject[i]))
			return true;
	return false;
}

/* The same source costs something else if it is compiled or measured otherwise. */
static bool edits_explain(const struct comparison *c)
{
	for (size_t i = 0; i < c->environment.nsubject; i++) {
		const struct environment_difference *d = &c->environment.subject[i];
		if (d->kind->shape == FACT_BUILT || has_other_arguments(d))
			return false;
	}
	return c->environment.moving == 0;
}

/* Whether something else than source may explain what changed. */
static int find_other_files(const struct project *project, const struct lines_of_sides *lines,
			    bool *otherwise, struct cg_error *err)
{
	struct used_files used[CODE_SIDES] = { 0 };
	int status = loaded_used_files(project, &lines->base, &used[CODE_BASE], err);

	if (!status)
		status = loaded_used_files(project, &lines->head, &used[CODE_HEAD], err);
	if (!status && commit_sources_differ_otherwise(lines->base.at_commit, lines->head.at_commit,
						       used, otherwise))
		status = cg_fail_nomem(err);
	for (int side = 0; side < CODE_SIDES; side++)
		used_files_free(&used[side]);
	return status;
}

/* Base decides: its source is never taken for what it is now. */
static int find_edits(struct comparison *c, const struct project *project, const char *base,
		      const char *head, struct lines_of_sides *lines, struct cg_error *err)
{
	const struct cg_detail detail = { .lines = true };
	bool known = false, otherwise = false;
	int status = loaded_may_know_source(project, base, &c->base, &known, err);

	if (status || !known)
		return status;
	status = load_lines(c, project, base, head, detail, lines, err);
	if (status || !lines->loaded)
		return status;
	status = find_other_files(project, lines, &otherwise, err);
	if (!status)
		status = edited_code_find(c->tree, &lines->base, &lines->head, c->options->dirs,
					  &c->edits, err);
	c->edits.explain = !otherwise && edits_explain(c);
	return status;
}

static int find_cause_places(struct comparison *c, const struct project *project, const char *base,
			     const char *head, struct lines_of_sides *lines, struct cg_error *err)
{
	const struct cg_detail detail = { .lines = true };
	int status = CG_OK;

	if (!c->chosen_causes.count)
		return CG_OK;
	if (!lines->loaded)
		status = load_lines(c, project, base, head, detail, lines, err);
	if (status || !lines->loaded)
		return status;
	return cause_places_find(c->causes, &c->chosen_causes, &lines->base, &lines->head,
				 project->root, c->options->dirs, &c->places, err);
}

static uint8_t *edits_of_causes(const struct comparison *c)
{
	return c->edits.explain ? c->edits.of : NULL;
}

static int make_causes_again(struct comparison *c, struct cg_error *err)
{
	causes_free(c->causes);
	c->causes = NULL;
	tree_diff_free(c->tree);
	c->tree = NULL;
	int status = make_tree(c, TREE_EVERY_ROW, err);
	return status ? status : causes_make(c->tree, edits_of_causes(c), &c->causes, err);
}

static bool exceeds_limit(const struct comparison *c)
{
	const struct judgement *j = &c->judging.judgement;

	for (size_t i = 0; i < j->count; i++) {
		const struct limit_verdict *v = &j->verdicts[i];
		if (v->fails && v->status == LIMIT_EXCEEDED &&
		    metric_is_same(metric_event_name(v->rule.limit->metric),
				   c->diff->options.metric))
			return true;
	}
	return false;
}

/* A limit may be tighter than the bounds of what is shown, and what exceeds it has a cause. Bounds
 * that the user chose stay. */
static void show_small_changes(struct comparison *c)
{
	struct diff_options *o = &c->diff->options;

	if (!exceeds_limit(c))
		return;
	o->rows_below_threshold |= o->threshold_ppb == DIFF_DEFAULT_THRESHOLD_PPB;
	o->rows_below_min_delta |= !o->min_delta_given;
}

static int choose_causes_to_show(struct comparison *c, struct cg_error *err)
{
	const size_t top = comparison_top(c->options);
	int status = choose_causes(c->causes, c->filter, c->ignore, top, &c->chosen_causes, err);

	if (status || c->chosen_causes.large)
		return status;
	show_small_changes(c);
	chosen_causes_free(&c->chosen_causes);
	return choose_causes(c->causes, c->filter, c->ignore, top, &c->chosen_causes, err);
}

static int find_causes(struct comparison *c, const struct project *project, const char *base,
		       const char *head, struct cg_error *err)
{
	const struct comparison_options *o = c->options;
	struct lines_of_sides lines = { 0 };

	if (!o->causes || !c->tree || !comparison_knows_calls(c))
		return CG_OK;
	int status = tree_diff_differs(c->tree) ? find_edits(c, project, base, head, &lines, err)
						: CG_OK;
	if (!status)
		status = causes_make(c->tree, edits_of_causes(c), &c->causes, err);
	if (!status && c->causes->wants_every_row)
		status = make_causes_again(c, err);
	if (!status)
		code_edits_mark(&c->edits, c->causes);
	if (!status)
		status = choose_causes_to_show(c, err);
	if (!status)
		status = find_cause_places(c, project, base, head, &lines, err);
	loaded_free(&lines.base);
	loaded_free(&lines.head);
	return status;
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
		show_small_changes(c);
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

/* Of profiles that irdiff measured: it keeps their sources and code. */
static int find_other_code(struct comparison *c, const struct project *project, const char *base,
			   const char *head, struct cg_error *err)
{
	const struct cg_detail detail = { .lines = true, .addresses = true };
	struct lines_of_sides sides = { 0 };

	if (!comparison_has_both(c) || !insights_wanted(c->options->insights) ||
	    has_other_work(c) || !other_code_possible(c->diff))
		return CG_OK;
	int status = load_lines(c, project, base, head, detail, &sides, err);
	if (!status && sides.loaded)
		status = other_code_find(c->diff, &sides.base, &sides.head, c->options->dirs,
					 &c->other_code, err);
	loaded_free(&sides.base);
	loaded_free(&sides.head);
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
		status = check_compared_view(c, err);
	if (!status && options->judging.check)
		status = judge_sides(c, project, err);
	if (!status && comparison_needs_paths(options))
		status = compare_paths(c, err);
	if (!status)
		status = find_causes(c, project, base, head, err);
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
	if (!status)
		status = find_other_code(c, project, base, head, err);
	return status ? status : comparison_find_insights(c, project, base, head, err);
}
