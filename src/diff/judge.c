#include "src/diff/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "callgrind/support/number.h"
#include "cgprofile/names.h"
#include "cgprofile/rollup.h"
#include "src/diff/either_name.h"
#include "src/diff/installed.h"
#include "src/diff/other_name.h"
#include "src/diff/same_subject.h"
#include "src/view/pattern.h"

struct limit_judging {
	const struct diff *d;
	const struct judge_options *options;
	uint64_t tolerance; /* on the metric of the rule at hand */
	struct cg_strings namespaces;
	struct judgement result;
	size_t cap, elsewhere_cap;
	uint64_t looked_at; /* rows, to find other names of functions */
	struct cg_error *err;
};

static int add_limit_verdict(struct limit_judging *j, struct limit_verdict verdict)
{
	verdict.fails = limit_fails(verdict.status, j->options->require_base);
	if (cg_grow(&j->result.verdicts, &j->cap, j->result.count + 1, sizeof verdict))
		return cg_fail_nomem(j->err);
	j->result.verdicts[j->result.count++] = verdict;
	j->result.failing += verdict.fails;
	return CG_OK;
}

static int add_status(struct limit_judging *j, const struct limit_rule *rule,
		      enum limit_status status)
{
	return add_limit_verdict(j, (struct limit_verdict){ .rule = *rule,
							    .status = status,
							    .inclusive = rule->limit->inclusive });
}

/* An inclusive cost of head cannot be compared with a base that has no calls. */
static struct limit_counts count_for_limit(const struct limit_judging *j, const struct metric *base,
					   const struct metric *head, bool inclusive,
					   const int64_t *base_costs, const int64_t *head_costs)
{
	bool known = !inclusive || !diff_lacks_calls(j->d->base, j->d->head);
	bool has_base = base->nterms > 0 && j->d->options.missing != DIFF_NO_BASE && known;

	return (struct limit_counts){
		.has_base = has_base,
		.base = has_base ? metric_value(base, base_costs) : 0,
		.head = metric_value(head, head_costs),
		.tolerance = has_base ? j->tolerance : 0,
	};
}

/* ---- what is missing in head ---- */

/* A function may go if it cost too little for its removal to be a change. */
static bool removal_counts(const struct limit_judging *j, const struct limit_rule *rule,
			   int64_t base)
{
	return !j->options->allow_removed &&
	       diff_is_change(diff_classify_change_in(j->d, rule->limit->metric, base, 0));
}

/* A heap alone does not tell whether a function is gone, or has only stopped to allocate. */
static bool counts_as_missing(const struct limit_judging *j, const struct limit_rule *rule,
			      int64_t base)
{
	return !metric_is_heap(j->d->head) && removal_counts(j, rule, base);
}

/* Of a function that did nothing that its limit is on, as one whose code is all inlined into it or
 * a heap that it left to its callees: its work counts instead, in the event that
 * does not depend on what is shown. */
static bool work_counts(const struct limit_judging *j, const struct diff *code,
			const struct diff_row *row)
{
	const char *name = metric_default(code->base);
	struct metric work;

	return !j->options->allow_removed && metric_find(code->base, name, &work) &&
	       diff_is_change(diff_classify_change_in(code, name,
						      metric_value(&work, row->base.inclusive), 0));
}

static int matches_in_head(const struct diff *d, const struct pattern *pattern, bool *any,
			   struct cg_error *err)
{
	int status = CG_OK;

	*any = false;
	for (size_t i = 0; !status && !*any && i < d->count; i++)
		if (d->rows[i].head.present)
			status = pattern_matches_function(pattern, d->rows[i].file, d->rows[i].name,
							  any, err);
	return status;
}

/* A missing function is reported without the count that its limit allows, which would not help. */
static void miss(struct limit_verdict *v)
{
	v->status = LIMIT_MISSING;
	v->has_allowed = false;
}

/* `head`: NULL for calls. */
static void find_later_name(struct limit_judging *j, const struct metric *head,
			    const struct diff_row *row, struct limit_verdict *v)
{
	const struct wanted_name later = { head, true, v->inclusive, v->counts.base, row };

	v->replacement = find_other_name(j->d, &later, &j->looked_at, &v->replacement_cost);
}

/* `base`: NULL for calls. */
static void find_earlier_name(struct limit_judging *j, const struct metric *base,
			      const struct diff_row *row, struct limit_verdict *v)
{
	const struct wanted_name earlier = { base, false, v->inclusive, v->counts.head, row };

	if (v->status == LIMIT_EXCEEDED && v->counts.has_base && !row->base.present)
		v->replaced = find_other_name(j->d, &earlier, &j->looked_at, &v->replacement_cost);
}

/* ---- limits on calls ---- */

/* Rows have the names of objects without their directories. */
static bool is_installed_object(const struct cg_profile *p, const char *name)
{
	cg_str last = 0;
	bool any = false;

	for (uint32_t i = 1; i < p->nfunctions; i++) {
		const cg_str object = p->functions[i].object;
		if (object == last || strcmp(cg_base_name(cg_string(p, object)), name) != 0)
			continue;
		if (!is_installed_path(cg_string(p, object)))
			return false;
		last = object;
		any = true;
	}
	return any;
}

/* A library that somebody has built on this machine has paths of his own. */
static bool is_of_library(const struct cg_profile *p, const char *object, const char *file)
{
	return (*file != '/' || is_installed_path(file)) && is_installed_object(p, object);
}

static struct limit_verdict uncounted(const struct limit_judging *j, const struct limit_rule *rule,
				      const struct diff_row *row)
{
	return (struct limit_verdict){
		.rule = *rule,
		.status = rule->overridden_by ? LIMIT_OVERRIDDEN : LIMIT_UNCOUNTED,
		.subject = row->name,
		.of_library = is_of_library(j->d->head, row->object, row->file),
		.uncounted_before = j->d->options.missing == DIFF_NO_BASE ||
				    (row->base.inlined &&
				     is_of_library(j->d->base, row->base_object, row->base_file)),
	};
}

static int judge_calls(struct limit_judging *j, const struct limit_rule *rule,
		       const struct diff_row *row)
{
	const bool compared = j->d->options.missing != DIFF_NO_BASE && metric_has_calls(j->d->base);
	/* Not all calls of inlined code are counted. */
	struct limit_counts counts = { .has_base = compared && !row->base.inlined,
				       .head = diff_calls(j->d, row, true) };

	if (counts.has_base)
		counts.base = diff_calls(j->d, row, false);
	if (row->head.inlined)
		return add_limit_verdict(j, uncounted(j, rule, row));
	struct limit_verdict v = limit_verdict(rule, row->name, &counts);
	bool was_called = counts.base || (compared && row->base.inlined);
	if (was_called && !row->head.present && !j->options->allow_removed) {
		miss(&v);
		if (counts.has_base)
			find_later_name(j, NULL, row, &v);
	}
	find_earlier_name(j, NULL, row, &v);
	return add_limit_verdict(j, v);
}

/* ---- limits on functions ---- */

/* A heap only has functions that allocate; whether there are others, the other profile of the
 * benchmark tells. */
static int add_no_match(struct limit_judging *j, const struct limit_rule *rule)
{
	return metric_is_heap(j->d->head) ? CG_OK : add_status(j, rule, LIMIT_NO_MATCH);
}

/* Where a base without calls leaves nothing to compare an inclusive cost with, the self cost is
 * better than nothing, unless it was asked for what is inclusive. */
static bool is_judged_inclusive(const struct limit_judging *j, const struct limit *limit)
{
	bool known = !diff_lacks_calls(j->d->base, j->d->head) ||
		     j->d->options.missing == DIFF_NO_BASE;

	return limit->inclusive && (known || !limit_is_on_libraries(limit));
}

static int judge_function(struct limit_judging *j, const struct limit_rule *rule,
			  const struct metric *base, const struct metric *head,
			  const struct diff_row *row, bool guards)
{
	bool inclusive = is_judged_inclusive(j, rule->limit);
	struct limit_counts counts = count_for_limit(
		j, base, head, inclusive, inclusive ? row->base.inclusive : row->base.self,
		inclusive ? row->head.inclusive : row->head.self);
	struct limit_verdict v = limit_verdict(rule, row->name, &counts);

	v.inclusive = inclusive;
	if (counts.has_base && !row->head.present &&
	    (counts_as_missing(j, rule, counts.base) || (!guards && work_counts(j, j->d, row)))) {
		miss(&v);
		find_later_name(j, head, row, &v);
	}
	find_earlier_name(j, base, row, &v);
	return add_limit_verdict(j, v);
}

static int judge_row(struct limit_judging *j, const struct limit_rule *rule,
		     const struct metric *base, const struct metric *head,
		     const struct diff_row *row, bool guards)
{
	int status = limit_is_on_calls(rule->limit)
			     ? judge_calls(j, rule, row)
			     : judge_function(j, rule, base, head, row, guards);

	if (!status) {
		struct limit_verdict *v = &j->result.verdicts[j->result.count - 1];
		v->object = row->object;
		v->file = row->file;
	}
	return status;
}

/* Of verdicts of one rule, from `first` on. */
static int compare_same_subjects(struct limit_judging *j, size_t first)
{
	struct limit_verdict *of_rule = &j->result.verdicts[first];
	const size_t count = j->result.count - first;
	size_t excused;

	if (same_subject_tell_apart(of_rule, count) ||
	    same_subject_excuse(of_rule, count, &excused))
		return cg_fail_nomem(j->err);
	j->result.failing -= excused;
	return CG_OK;
}

static int judge_functions(struct limit_judging *j, const struct limit_rule *rule,
			   const struct metric *base, const struct metric *head,
			   const struct pattern *pattern)
{
	size_t before = j->result.count;
	bool guards = true;
	int status = metric_is_heap(j->d->head) ? CG_OK
						: matches_in_head(j->d, pattern, &guards, j->err);

	if (status)
		return status;
	for (size_t i = 0; i < j->d->count; i++) {
		const struct diff_row *row = &j->d->rows[i];
		bool matches;
		status = pattern_matches_function(pattern, row->file, row->name, &matches, j->err);
		if (!status && matches)
			status = judge_row(j, rule, base, head, row, guards);
		if (status)
			return status;
	}
	if (j->result.count == before)
		return add_no_match(j, rule);
	return compare_same_subjects(j, before);
}

static int is_in_namespace(struct limit_judging *j, const struct pattern *pattern,
			   const char *function, bool *matches)
{
	cg_str name;

	if (cg_rollup_namespace(function, &j->namespaces, &name))
		return cg_fail_nomem(j->err);
	return pattern_matches(pattern, cg_strings_get(&j->namespaces, name), matches, j->err);
}

static int is_of_module(struct limit_judging *j, const struct limit *limit,
			const struct pattern *pattern, const struct diff_row *row, bool *matches)
{
	if (!limit->by_namespace)
		return pattern_matches_name(pattern, row->object, row->file, row->name, matches,
					    j->err);
	int status = is_in_namespace(j, pattern, row->name, matches);
	return status || *matches || row->other_name == row->name
		       ? status
		       : is_in_namespace(j, pattern, row->other_name, matches);
}

static int judge_module(struct limit_judging *j, const struct limit_rule *rule,
			const struct metric *base, const struct metric *head,
			const struct pattern *pattern)
{
	struct limit_counts sum = { .has_base = base->nterms > 0 &&
						j->d->options.missing != DIFF_NO_BASE,
				    .tolerance = j->tolerance };
	bool any = false, left = false;

	for (size_t i = 0; i < j->d->count; i++) {
		const struct diff_row *row = &j->d->rows[i];
		bool matches;
		int status = is_of_module(j, rule->limit, pattern, row, &matches);
		if (status)
			return status;
		if (!matches)
			continue;
		struct limit_counts own = count_for_limit(j, base, head, false, row->base.self,
							  row->head.self);
		cg_add_cost_clipped(&sum.base, own.base);
		cg_add_cost_clipped(&sum.head, own.head);
		any = true;
		left |= row->head.present;
	}
	if (!any)
		return add_no_match(j, rule);
	struct limit_verdict v = limit_verdict(rule, rule->limit->function, &sum);
	if (sum.has_base && !left && counts_as_missing(j, rule, sum.base))
		miss(&v);
	return add_limit_verdict(j, v);
}

/* A row has the name that clones of a function share, and the one with the versions that namespaces
 * have on its side; a limit may name a clone, or use the versions of the other side. */
static int add_other_names(const struct diff *d, const struct limit *limit, struct pattern *pattern,
			   struct cg_error *err)
{
	int (*add_from)(struct pattern *, const struct cg_profile *,
			struct cg_error *) = limit->module ? pattern_add_clones
							   : pattern_add_named_clones;
	int status = add_from(pattern, d->base, err);
	if (!status)
		status = add_from(pattern, d->head, err);
	return status ? status : either_name_add(d, limit->module, pattern, err);
}

static int compile_limit(const struct limit *limit, struct pattern **pattern, struct cg_error *err)
{
	int status = pattern_compile(limit_regex(limit), pattern, err);

	if (status && err) {
		snprintf(err->file, sizeof err->file, "%s", limit->file ? limit->file : "");
		err->line = limit->line;
	}
	return status;
}

static int judge_pattern(struct limit_judging *j, const struct limit_rule *rule,
			 const struct metric *base, const struct metric *head)
{
	const struct limit *limit = rule->limit;
	struct pattern *pattern;
	int status = compile_limit(limit, &pattern, j->err);

	if (status)
		return status;
	status = add_other_names(j->d, limit, pattern, j->err);
	if (!status)
		status = (limit->module ? judge_module : judge_functions)(j, rule, base, head,
									  pattern);
	pattern_free(pattern);
	return status;
}

static int note_match_elsewhere(struct limit_judging *j, const struct limit *limit)
{
	struct judgement *r = &j->result;

	if (cg_grow(&r->elsewhere, &j->elsewhere_cap, r->nelsewhere + 1, sizeof *r->elsewhere))
		return cg_fail_nomem(j->err);
	r->elsewhere[r->nelsewhere++] = limit;
	return CG_OK;
}

/* A limit on the other profile of the benchmark. This one only tells whether it matches a
 * function, unless it is of a heap, which does not have all functions. */
static int judge_elsewhere(struct limit_judging *j, const struct limit_rule *rule)
{
	const size_t count = j->result.count, failing = j->result.failing;
	const struct metric none = { .name = rule->limit->metric };
	const bool tells = rule->limit->function && !metric_is_heap(j->d->head);
	int status = tells ? judge_pattern(j, rule, &none, &none) : CG_OK;

	if (!status && j->result.count == count + 1 &&
	    j->result.verdicts[count].status == LIMIT_NO_MATCH)
		return CG_OK;
	j->result.count = count;
	j->result.failing = failing;
	return status || !tells ? status : note_match_elsewhere(j, rule->limit);
}

static int judge_rule(struct limit_judging *j, const struct limit_rule *rule)
{
	const struct limit *limit = rule->limit;
	struct metric base = { 0 }, head = { 0 };

	if (rule->overridden_by)
		return add_status(j, rule, LIMIT_OVERRIDDEN);
	j->tolerance = limit->kind == LIMIT_CEILING ? 0 : diff_tolerance(j->d, limit->metric);
	metric_find(j->d->base, limit->metric, &base);
	if (!metric_find(j->d->head, limit->metric, &head) &&
	    !(limit_is_on_calls(limit) && metric_has_calls(j->d->head)))
		return metric_is_elsewhere(j->d->head, limit->metric) &&
				       !(j->options->alone && limit->level == LIMIT_COMMAND_LINE)
			       ? judge_elsewhere(j, rule)
			       : add_status(j, rule, LIMIT_NO_METRIC);
	if (!limit->function) {
		struct limit_counts counts = count_for_limit(j, &base, &head, false,
							     j->d->base->total, j->d->head->total);
		return add_limit_verdict(j, limit_verdict(rule, NULL, &counts));
	}
	return judge_pattern(j, rule, &base, &head);
}

/* ---- the whole ---- */

/* Nothing else of a removed benchmark can be judged. */
static int judge_removed_benchmark(struct limit_judging *j)
{
	struct metric base = { 0 };
	struct limit *present;

	if (j->options->allow_removed)
		return CG_OK;
	if (!(j->result.present = present = malloc(sizeof *present)))
		return cg_fail_nomem(j->err);
	*present = (struct limit){ .kind = LIMIT_PRESENT,
				   .metric = j->d->options.metric,
				   .text = "present" };
	metric_find(j->d->base, present->metric, &base);
	return add_limit_verdict(
		j, (struct limit_verdict){
			   .rule.limit = present,
			   .status = LIMIT_MISSING,
			   .counts = { .has_base = true,
				       .base = metric_value(&base, j->d->base->total) },
		   });
}

int judge(const struct diff *d, const struct limit_rule *rules, size_t nrules,
	  const struct judge_options *options, struct judgement *out, struct cg_error *err)
{
	struct limit_judging j = { .d = d, .options = options, .err = err };
	int status = cg_strings_init(&j.namespaces) ? cg_fail_nomem(err) : CG_OK;

	if (!status && d->options.missing == DIFF_NO_HEAD) {
		status = judge_removed_benchmark(&j);
		nrules = 0;
	}
	for (size_t i = 0; !status && i < nrules; i++)
		status = judge_rule(&j, &rules[i]);
	cg_strings_free(&j.namespaces);
	if (status)
		judgement_free(&j.result);
	else
		*out = j.result;
	return status;
}

/* ---- what is missing in head of a heap ---- */

/* Valgrind's tools write other directories of a file. */
static bool may_be_same_file(const char *a, const char *b)
{
	return !*a || !*b || strcmp(cg_base_name(a), cg_base_name(b)) == 0;
}

/* Whether a function of the code still allocates. */
static bool is_in_heap_of_head(const struct diff *heap, const struct diff_row *function)
{
	for (size_t i = 0; i < heap->count; i++)
		if (heap->rows[i].head.present && strcmp(heap->rows[i].name, function->name) == 0 &&
		    may_be_same_file(heap->rows[i].file, function->file))
			return true;
	return false;
}

static bool is_verdict_on(const struct limit_verdict *v, const struct limit *limit,
			  const char *function)
{
	return v->rule.limit == limit && v->subject && strcmp(v->subject, function) == 0;
}

/* `v` is of the heap, `row` of the code, both of a function that is gone. */
static void miss_in_heap(struct limit_judging *j, struct limit_verdict *v, const struct diff *code,
			 const struct diff_row *row, bool guards)
{
	struct metric head;

	if (!limit_was_judged(v->status) || v->fails || !v->counts.has_base || v->counts.head ||
	    !metric_find(j->d->head, v->rule.limit->metric, &head))
		return;
	if (!removal_counts(j, &v->rule, v->counts.base) && (guards || !work_counts(j, code, row)))
		return;
	miss(v);
	find_later_name(j, &head, row, v);
	v->fails = true;
	j->result.failing++;
}

/* `row` is of the code: the function is gone. `guards`: the limit matches others in head. */
static int judge_gone(struct limit_judging *j, const struct limit_rule *rule,
		      const struct diff *code, const struct diff_row *row, bool guards)
{
	bool judged = false;

	for (size_t i = 0; i < j->result.count; i++) {
		struct limit_verdict *v = &j->result.verdicts[i];
		if (!is_verdict_on(v, rule->limit, row->name))
			continue;
		judged = true;
		miss_in_heap(j, v, code, row, guards);
	}
	if (judged || guards || !work_counts(j, code, row))
		return CG_OK;
	return add_limit_verdict(j, (struct limit_verdict){ .rule = *rule,
							    .subject = row->name,
							    .status = LIMIT_MISSING,
							    .inclusive = rule->limit->inclusive,
							    .counts.has_base = true });
}

static int judge_gone_of(struct limit_judging *j, const struct limit_rule *rule,
			 const struct diff *code)
{
	struct pattern *pattern;
	bool guards = true;
	int status = compile_limit(rule->limit, &pattern, j->err);

	if (status)
		return status;
	status = add_other_names(code, rule->limit, pattern, j->err);
	if (!status)
		status = matches_in_head(code, pattern, &guards, j->err);
	if (!status && !guards)
		status = matches_in_head(j->d, pattern, &guards, j->err);
	for (size_t i = 0; !status && i < code->count; i++) {
		const struct diff_row *row = &code->rows[i];
		bool matches;
		if (row->head.present)
			continue;
		status = pattern_matches_function(pattern, row->file, row->name, &matches, j->err);
		if (!status && matches && !is_in_heap_of_head(j->d, row))
			status = judge_gone(j, rule, code, row, guards);
	}
	pattern_free(pattern);
	return status;
}

int judge_missing_in_heap(const struct diff *heap, const struct diff *code,
			  const struct limit_rule *rules, size_t nrules,
			  const struct judge_options *options, struct judgement *judgement,
			  struct cg_error *err)
{
	struct limit_judging j = { .d = heap,
				   .options = options,
				   .result = *judgement,
				   .cap = judgement->count,
				   .err = err };
	int status = CG_OK;

	for (size_t i = 0; !status && i < nrules; i++) {
		const struct limit *limit = rules[i].limit;
		if (!rules[i].overridden_by && limit->function && !limit->module &&
		    metric_is_of_heap(limit->metric))
			status = judge_gone_of(&j, &rules[i], code);
	}
	*judgement = j.result;
	return status;
}

/* ---- limits that match nothing ---- */

static bool same_stated_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Whether two limits were stated as one: each benchmark has its own copy of those of the
 * command line. */
static bool same_limit(const struct limit *a, const struct limit *b)
{
	return a->level == b->level && a->line == b->line && same_stated_text(a->file, b->file) &&
	       a->inclusive == b->inclusive && strcmp(a->metric, b->metric) == 0 &&
	       strcmp(a->text, b->text) == 0 && same_stated_text(a->function, b->function) &&
	       same_stated_text(a->of_case, b->of_case);
}

static bool has_verdict(const struct judgement *j, const struct limit *limit, bool matching)
{
	for (size_t i = 0; i < j->count; i++)
		if (!(matching && j->verdicts[i].status == LIMIT_NO_MATCH) &&
		    same_limit(j->verdicts[i].rule.limit, limit))
			return true;
	return false;
}

static bool matches_elsewhere(const struct judgement *j, const struct limit *limit)
{
	for (size_t i = 0; i < j->nelsewhere; i++)
		if (same_limit(j->elsewhere[i], limit))
			return true;
	return false;
}

bool judge_has_limit(const struct judged_bench *benches, size_t count, const struct limit *limit,
		     bool matching)
{
	for (size_t i = 0; i < count; i++)
		if (has_verdict(benches[i].judgement, limit, matching) ||
		    (matching && matches_elsewhere(benches[i].judgement, limit)))
			return true;
	return false;
}

static bool have_heap_and_code(const struct judged_bench *benches, size_t count)
{
	bool heap = false, code = false;

	for (size_t i = 0; i < count; i++) {
		heap |= benches[i].heap;
		code |= !benches[i].heap;
	}
	return heap && code;
}

const struct limit *judge_find_unused(const struct limit_set *own,
				      const struct judged_bench *benches, size_t count)
{
	const bool both = have_heap_and_code(benches, count);

	for (size_t i = 0; i < own->count; i++) {
		const struct limit *limit = own->items[i];
		if (limit->level == LIMIT_COMMAND_LINE &&
		    !(both && limit->function && metric_is_of_heap(limit->metric)) &&
		    !judge_has_limit(benches, count, limit, false))
			return limit;
	}
	return NULL;
}

void judge_unmatched(const struct judged_bench *benches, size_t count, bool complete)
{
	for (size_t i = 0; i < count; i++) {
		struct judgement *j = benches[i].judgement;
		for (size_t k = 0; k < j->count; k++) {
			struct limit_verdict *v = &j->verdicts[k];
			const struct limit *limit = v->rule.limit;
			bool all = limit->level == LIMIT_GENERAL
					   ? complete
					   : limit->level == LIMIT_COMMAND_LINE || limit->of_case ||
						     benches[i].whole;
			if (v->status != LIMIT_NO_MATCH || v->fails || !all ||
			    judge_has_limit(benches, count, limit, true))
				continue;
			v->fails = true;
			j->failing++;
		}
	}
}

void judgement_free(struct judgement *j)
{
	free(j->present);
	free(j->verdicts);
	free(j->elsewhere);
	*j = (struct judgement){ 0 };
}
