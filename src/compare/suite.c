#include "src/compare/suite.h"
#include "src/compare/make_comparison.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "callgrind/support/number.h"
#include "src/compare/last_report.h"
#include "src/compare/remarking.h"
#include "src/compare/reporting.h"
#include "src/compare/verdicts_file.h"
#include "src/record/record_run.h"
#include "src/report/page_report.h"
#include "src/status/notice.h"
#include "src/store/cache.h"
#include "src/store/label.h"

enum { MOST_SOURCES = 6 };

bool suite_is_page(const struct suite_options *options)
{
	return strcmp(options->format, "html") == 0;
}

void suite_options_complete(struct suite_options *s)
{
	bool page = suite_is_page(s);
	s->compare.view = diff_view_of(s->view ? s->view : "summary");
	s->compare.whole_names = s->wide && !page;
	s->compare.tree = page || s->compare.view == DIFF_VIEW_TREE;
	s->compare.causes = page || s->compare.view == DIFF_VIEW_CAUSES ||
			    (s->compare.view == DIFF_VIEW_SUMMARY &&
			     strcmp(s->format, "text") == 0);
	report_format_needs(s->format, s->step_summary || s->last, &s->compare);
	if (strcmp(s->format, "csv") == 0)
		s->compare.top = 0;
}

/* ---- one benchmark ---- */

static void free_bench(struct suite_bench *b)
{
	if (!b)
		return;
	free(b->base);
	free(b->head);
	free(b->name);
	source_annotations_free(&b->places);
	hot_sources_free(&b->sources);
	hot_code_free(&b->code);
	loaded_series_free(&b->history);
	flame_free(b->in_base);
	flame_free(b->in_head);
	flame_free(b->in_diff);
	comparison_free(&b->c);
	free(b);
}

/* The root function of paths may exist only in base or only in head. */
static int root_graph(const char *root, bool needed, struct flame **graph, struct cg_error *err)
{
	struct flame *rooted = NULL;
	bool *is_root = NULL;
	int status = flame_find_root(*graph, root, &is_root, err);

	if (status == CG_EINVAL && !needed)
		return CG_OK;
	const struct flame_options options = { .is_root = is_root };
	if (!status)
		status = flame_make(*graph, &options, &rooted, err);
	free(is_root);
	if (status)
		return status;
	flame_free(*graph);
	*graph = rooted;
	return CG_OK;
}

static int finish_graph(const struct suite_options *s, size_t most, bool needed,
			struct flame **graph, struct cg_error *err)
{
	struct flame *limited = NULL;
	int status = root_graph(s->root, needed, graph, err);
	if (!status)
		status = flame_limit(*graph, most, &limited, err);
	if (status)
		return status;
	flame_free(*graph);
	*graph = limited;
	return CG_OK;
}

/* Builds one graph after the other: before it is limited, a graph may be large. */
static int make_graphs(struct suite_bench *b, const struct suite_options *s, size_t most,
		       struct cg_error *err)
{
	const char *metric = b->c.diff->options.metric;
	int status = flame_of_diff(b->c.tree, &b->in_diff, err);

	if (!status)
		status = finish_graph(s, most, true, &b->in_diff, err);
	if (!status)
		status = flame_of_tree(b->c.tree->base, metric, &b->in_base, err);
	if (!status)
		status = finish_graph(s, most, false, &b->in_base, err);
	if (!status)
		status = flame_of_tree(b->c.tree->head, metric, &b->in_head, err);
	return status ? status : finish_graph(s, most, false, &b->in_head, err);
}

/* The profile of head or, if the benchmark was removed, of base. */
static void find_history(struct suite_bench *b, const struct project *project)
{
	const struct diff_options *o = &b->c.diff->options;
	const struct step_limits limits = { .threshold_ppb = o->threshold_ppb,
					    .min_delta = o->min_delta,
					    .tolerance = b->c.diff->tolerance };
	const struct loaded *side = b->head ? &b->c.head : &b->c.base;

	load_series_of_profile(project->notices, project->root, side->profile, o->metric, &limits,
			       &b->history);
}

/* An entry of the cache is called by as much of its name as is not ambiguous. */
static int shorten(const struct project *project, const struct path_list *cached,
		   const char *operand, struct loaded *l, struct cg_error *err)
{
	char *name;
	if (!operand || !cache_is_name(operand))
		return CG_OK;
	int status = cache_operand_among(project->root, cached, operand, &name, err);
	if (status)
		return status;
	status = loaded_rename(l, name, err);
	free(name);
	return status;
}

static int find_page_sources(struct suite_bench *b, const struct project *project,
			     const char *const *dirs, struct cg_error *err)
{
	int status = b->alone ? hot_sources_of_one(project, b->head, &b->c, dirs, MOST_SOURCES,
						   &b->sources, err)
			      : hot_sources_find(project, b->base, b->head, &b->c, dirs,
						 MOST_SOURCES, &b->sources, err);

	return status ? status
		      : hot_code_find(project, b->base, b->head, &b->c, dirs, &b->sources, &b->code,
				      err);
}

static int make_bench(const struct suite *suite, struct suite_bench *b,
		      const struct project *project, const struct path_list *cached,
		      struct cg_error *err)
{
	const struct suite_options *s = suite->options;
	/* What there is room for if all graphs were as large. */
	const size_t most_frames = s->most_frames / suite->count / 3;
	b->c.called = b->name;
	int status = comparison_make(project, b->base, b->head, &suite->compare, &b->c, err);
	if (!status)
		status = shorten(project, cached, b->base, &b->c.base, err);
	if (!status)
		status = shorten(project, cached, b->head, &b->c.head, err);
	if (!status && (s->last || report_format_has_places(s->format)))
		status = source_annotations_find(project, b->base, b->head, &b->c, &b->places, err);
	if (status || !suite_is_page(s))
		return status;
	if (b->c.tree)
		status = make_graphs(b, s, most_frames, err);
	if (!status)
		find_history(b, project);
	if (!status)
		status = find_page_sources(b, project, s->include.items, err);
	return status;
}

/* ---- all of them ---- */

static char *copy_of(const char *operand)
{
	return operand ? strdup(operand) : NULL;
}

/* NULL: out of memory. */
static struct suite_bench *new_bench(const char *base, const char *head)
{
	struct suite_bench *b = calloc(1, sizeof *b);

	if (!b)
		return NULL;
	b->base = copy_of(base);
	b->head = copy_of(head);
	if ((!base || b->base) && (!head || b->head))
		return b;
	free_bench(b);
	return NULL;
}

int suite_add(struct suite *suite, const char *base, const char *head, struct cg_error *err)
{
	struct suite_bench *bench = new_bench(base, head);

	if (!bench ||
	    cg_grow(&suite->benches, &suite->cap, suite->count + 1, sizeof *suite->benches)) {
		free_bench(bench);
		return cg_fail_nomem(err);
	}
	suite->benches[suite->count++] = bench;
	return CG_OK;
}

int suite_name(struct suite *suite, const char *name, struct cg_error *err)
{
	struct suite_bench *last = suite->benches[suite->count - 1];
	char *copy = strdup(name);

	if (!copy)
		return cg_fail_nomem(err);
	free(last->name);
	last->name = copy;
	return CG_OK;
}

int suite_add_alone(struct suite *suite, const char *head, struct cg_error *err)
{
	int status = suite_add(suite, NULL, head, err);

	if (!status)
		suite->benches[suite->count - 1]->alone = true;
	return status;
}

int suite_compare(struct suite *suite, const struct project *project, struct cg_error *err)
{
	struct path_list cached = { 0 };
	int status = cache_names_read(project->root, &cached, err);

	suite->notices = project->notices;
	suite->compare = suite->options->compare;
	suite->compare.warnings = &suite->warnings;
	suite->compare.rules = &suite->rules;
	suite->compare.several = suite->count > 1 || suite->shard;
	for (size_t i = 0; !status && i < suite->count; i++)
		if (!suite->benches[i]->c.diff)
			status = make_bench(suite, suite->benches[i], project, &cached, err);
	path_list_free(&cached);
	warnings_end(&suite->warnings, project->notices);
	return status;
}

/* ---- verdicts on the suite as a whole ---- */

/* The new benchmark whose cost is the nearest, if it is at most twice or half as much. */
static void find_replacement_benchmark(const struct suite *suite, struct limit_verdict *missing)
{
	uint64_t nearest = UINT64_MAX;

	for (size_t i = 0; i < suite->count; i++) {
		const struct comparison *c = &suite->benches[i]->c;
		if (c->diff->options.missing != DIFF_NO_BASE && !suite->benches[i]->added)
			continue;
		int64_t cost = diff_head_value(c->diff, c->diff->head->total),
			base = missing->counts.base;
		if (cost < base / 2 || cost / 2 > base || cg_distance(cost, base) >= nearest)
			continue;
		nearest = cg_distance(cost, base);
		missing->replacement = comparison_bench_name(c);
		missing->replacement_cost = cost;
	}
}

/* Each alone shows its own metric instead of one that it lacks. */
static int check_metric_is_known(const struct suite *suite, struct cg_error *err)
{
	const char *metric = suite->options->compare.metric;
	struct diff_event unused;
	int status = CG_OK;

	for (size_t i = 0; metric && i < suite->count; i++) {
		status = diff_find_event(suite->benches[i]->c.diff, metric, &unused, err);
		if (!status)
			return CG_OK;
	}
	return status;
}

/* Otherwise the default limits would take their place. */
static int check_limits_are_used(const struct suite *suite, const struct judged_bench *judged,
				 struct cg_error *err)
{
	const struct limit *limit = NULL;
	size_t i = 0;

	for (; !limit && i < suite->count; i++) {
		const struct comparison *c = &suite->benches[i]->c;
		if (c->diff->options.missing == DIFF_NO_HEAD)
			continue;
		limit = judge_find_unused(&c->judging.own_limits, judged, suite->count);
	}
	return limit ? cg_fail(err, CG_EINVAL, limit->file, limit->line,
			       "a limit on %s, which was not measured for %s%s", limit->metric,
			       comparison_bench_name(&suite->benches[i - 1]->c),
			       suite->count > 1 ? ", nor for any other that is compared" : "")
		     : CG_OK;
}

static const struct diff *diff_that_was_judged(const struct comparison *c)
{
	return c->judged ? c->judged : c->diff;
}

/* The other profile of the benchmark tells which functions of a heap are gone. */
static int judge_one_heap(struct suite *suite, struct comparison *heap, struct cg_error *err)
{
	const char *name = comparison_bench_name(heap);

	for (size_t i = 0; i < suite->count; i++) {
		const struct comparison *c = &suite->benches[i]->c;
		if (comparison_has_both(c) && label_is_heap_of(name, comparison_bench_name(c)))
			return judging_heap(&suite->options->compare.judging,
					    diff_that_was_judged(heap), diff_that_was_judged(c),
					    name, &heap->judging, err);
	}
	return CG_OK;
}

static int judge_heaps(struct suite *suite, struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < suite->count; i++) {
		struct comparison *c = &suite->benches[i]->c;
		if (!comparison_has_both(c) || !metric_is_heap(c->head.profile))
			continue;
		status = judge_one_heap(suite, c, err);
		if (!status)
			status = remarking_find_expired(c, err);
	}
	return status;
}

int suite_settle(struct suite *suite, struct cg_error *err)
{
	int status = suite->shard ? CG_OK : check_metric_is_known(suite, err);
	if (!status && suite->options->compare.judging.check)
		status = judge_heaps(suite, err);
	struct judged_bench *judged = status ? NULL : calloc(suite->count + 1, sizeof *judged);

	if (status)
		return status;
	if (!judged)
		return cg_fail_nomem(err);
	for (size_t i = 0; i < suite->count; i++) {
		struct comparison *c = &suite->benches[i]->c;
		struct judgement *j = &c->judging.judgement;
		if (c->diff->options.missing == DIFF_NO_HEAD && j->count)
			find_replacement_benchmark(suite, &j->verdicts[0]);
		judged[i] = comparison_judged(c, suite->whole || suite->complete);
	}
	/* What matches nothing here may match in another shard; who merges them sees that. */
	struct remarks elsewhere = { 0 };
	struct remarks *remarks = suite->shard        ? &elsewhere
				  : suite->count == 1 ? &suite->benches[0]->c.remarks
						      : &suite->remarks;
	if (suite->options->compare.judging.check) {
		const size_t before = remarks->count;
		status = judging_unmatched(judged, suite->count, suite->complete, remarks, err);
		if (strcmp(suite->options->format, "csv") == 0 && !suite->shard)
			judging_warn(suite->notices, remarks, before);
		if (suite->shard)
			remarks_free(&elsewhere);
		else if (!status)
			status = check_limits_are_used(suite, judged, err);
	}
	free(judged);
	return status ? status : suite_remark_moved(suite, err);
}

void suite_remove(struct suite *suite, size_t i)
{
	free_bench(suite->benches[i]);
	suite->count--;
	memmove(&suite->benches[i], &suite->benches[i + 1],
		(suite->count - i) * sizeof *suite->benches);
}

int suite_replace(struct suite *suite, size_t i, const char *base, const char *head,
		  struct cg_error *err)
{
	struct suite_bench *bench = new_bench(base, head);

	if (!bench)
		return cg_fail_nomem(err);
	free_bench(suite->benches[i]);
	suite->benches[i] = bench;
	return CG_OK;
}

static bool is_as_counted(const struct cg_profile *again, const struct cg_profile *p)
{
	if (again->nevents != p->nevents)
		return false;
	return memcmp(again->total, p->total, p->nevents * sizeof *p->total) == 0;
}

static bool is_same_subject(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* With other callers, functions that call themselves may have other inclusive costs. */
static bool has_verdicts_of(const struct judgement *again, const struct judgement *j)
{
	if (again->count != j->count)
		return false;
	for (size_t i = 0; i < j->count; i++) {
		const struct limit_verdict *a = &again->verdicts[i], *b = &j->verdicts[i];
		if (a->status != b->status || a->fails != b->fails ||
		    a->counts.base != b->counts.base || a->counts.head != b->counts.head ||
		    !is_same_subject(a->subject, b->subject))
			return false;
	}
	return true;
}

static bool is_as_judged(const struct comparison *again, const struct comparison *c)
{
	return is_as_counted(again->base.profile, c->base.profile) &&
	       is_as_counted(again->head.profile, c->head.profile) &&
	       has_verdicts_of(&again->judging.judgement, &c->judging.judgement) &&
	       remarks_judge(&again->remarks, again->diff, &again->judging.judgement) ==
		       remarks_judge(&c->remarks, c->diff, &c->judging.judgement);
}

int suite_take_causes(struct suite *suite, size_t i, const char *base, const char *head,
		      const struct project *project, enum causes_taken *taken, struct cg_error *err)
{
	struct suite_bench *b = suite->benches[i];
	struct suite_bench *again = new_bench(base, head);
	struct path_list cached = { 0 };
	int status = again ? cache_names_read(project->root, &cached, err) : cg_fail_nomem(err);

	*taken = CAUSES_OF_OTHER_COUNTS;
	if (!status && b->name && !(again->name = strdup(b->name)))
		status = cg_fail_nomem(err);
	if (!status)
		status = make_bench(suite, again, project, &cached, err);
	path_list_free(&cached);
	if (!status && b->first.nbase)
		status = remarking_tried(&again->c, b->first.base, b->first.head, err);
	if (!status && again->c.environment.moving && !b->c.environment.moving)
		*taken = CAUSES_OF_OTHER_ENVIRONMENTS;
	else if (!status && is_as_judged(&again->c, &b->c))
		*taken = CAUSES_TAKEN;
	if (*taken != CAUSES_TAKEN) {
		free_bench(again);
		return status;
	}
	again->first = b->first;
	again->added = b->added;
	/* That of the definition in irdiff.yml, which records no callers. */
	const struct loaded_series history = again->history;
	again->history = b->history;
	b->history = history;
	suite->benches[i] = again;
	free_bench(b);
	return CG_OK;
}

void suite_free(struct suite *suite)
{
	for (size_t i = 0; i < suite->count; i++)
		free_bench(suite->benches[i]);
	free(suite->benches);
	rule_book_free(suite->rules);
	remarks_free(&suite->remarks);
	*suite = (struct suite){ 0 };
}

/* ---- writing ---- */

static int write_page(const struct suite *r, const struct suite_report *suite, FILE *to)
{
	struct page_bench *pages = calloc(r->count, sizeof *pages);
	if (!pages)
		return CG_ENOMEM;
	for (size_t i = 0; i < r->count; i++) {
		const struct suite_bench *b = r->benches[i];
		pages[i] = (struct page_bench){
			b->in_base,
			b->in_head,
			b->in_diff,
			b->sources.items,
			b->sources.count,
			b->code.missing,
			b->history.series.count > 1 ? &b->history.series : NULL,
			b->base ? commit_of_profile(b->c.base.profile) : NULL,
			b->head ? commit_of_profile(b->c.head.profile) : NULL,
			b->alone
		};
	}
	const struct page_report page = {
		.suite = suite,
		.benches = pages,
		.title = r->options->title ? r->options->title
			 : r->count == 1   ? suite->benches[0].name
					   : "Benchmarks",
		.back = r->options->back,
	};
	int status = page_html(&page, to);
	free(pages);
	return status;
}

static int write_format(const struct suite *r, const struct suite_report *suite,
			const struct text_style *style, FILE *to)
{
	const char *format = r->options->format;

	if (suite_is_page(r->options))
		return write_page(r, suite, to);
	if (strcmp(format, "json") == 0)
		return suite_json(suite, to);
	if (strcmp(format, "text") != 0)
		return report_write(format, suite, to);
	for (const char *const *line = r->preface; line && *line; line++) {
		text_print_name(to, *line, 0);
		fputc('\n', to);
	}
	if (r->preface)
		fputc('\n', to);
	if (r->count > 1)
		return suite_text(suite, style, to);
	struct diff_report shown = suite->benches[0].diff;
	shown.introduced = r->preface;
	suite_remarks_text(suite, style, to);
	int status = diff_text(&shown, style, to);
	suite_failures_text(suite, style, to);
	return status;
}

static struct bench_report *list_reports(const struct suite *r)
{
	struct bench_report *reports = calloc(r->count, sizeof *reports);
	for (size_t i = 0; reports && i < r->count; i++) {
		const struct suite_bench *b = r->benches[i];
		reports[i] = (struct bench_report){ comparison_bench_name(&b->c),
						    comparison_report(&b->c), b->places.cause,
						    b->places.verdicts, b->places.nverdicts };
	}
	return reports;
}

int suite_write(const struct suite *r, const struct text_style *style, FILE *to,
		struct cg_error *err)
{
	struct bench_report *reports = list_reports(r);
	if (!reports)
		return cg_fail_nomem(err);
	const struct suite_report suite = { reports, r->count, r->failures, r->nfailures,
					    &r->remarks };
	int status = write_format(r, &suite, style, to);
	if (status == CG_ENOMEM)
		cg_fail_nomem(err);
	free(reports);
	return status;
}

int suite_write_step_summary(const struct suite *r, struct cg_error *err)
{
	struct bench_report *reports = list_reports(r);
	if (!reports)
		return cg_fail_nomem(err);
	const struct suite_report suite = { reports, r->count, r->failures, r->nfailures,
					    &r->remarks };
	int status = report_step_summary(r->notices, &suite, err);
	free(reports);
	return status;
}

int suite_keep_verdicts(const struct suite *r, const struct project *project, struct cg_error *err)
{
	struct bench_report *reports = list_reports(r);
	if (!reports)
		return cg_fail_nomem(err);
	verdicts_file_save(project,
			   &(struct suite_report){ .benches = reports, .count = r->count });
	free(reports);
	return CG_OK;
}

int suite_keep_last(const struct suite *r, const char *root, struct cg_error *err)
{
	struct bench_report *reports = list_reports(r);
	if (!reports)
		return cg_fail_nomem(err);
	const struct suite_report suite = { reports, r->count, r->failures, r->nfailures,
					    &r->remarks };
	int status = last_report_write(root, &suite, err);
	free(reports);
	return status;
}

enum ending suite_worse(enum ending a, enum ending b)
{
	bool broken = a == ENDED_LIMIT_EXCEEDED || b == ENDED_LIMIT_EXCEEDED;
	bool unknown = a == ENDED_UNTRUSTED || b == ENDED_UNTRUSTED;

	return broken && unknown ? ENDED_LIMIT_EXCEEDED : a > b ? a : b;
}

enum ending suite_ending(const struct suite *r)
{
	enum ending worst = ENDED_FINE;
	for (size_t i = 0; i < r->count; i++) {
		worst = suite_worse(worst, comparison_ending(&r->benches[i]->c));
	}
	if (r->compare.warnings)
		warnings_end(r->compare.warnings, r->notices);
	return worst;
}
