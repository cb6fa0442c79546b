#include "src/diff/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/rollup.h"
#include "callgrind/support/grow.h"
#include "src/view/pattern.h"

struct judging {
	const struct diff *d;
	bool require_base;
	uint64_t tolerance; /* on the metric of the rule at hand */
	struct cg_strings namespaces;
	struct judgement result;
	size_t cap;
	struct cg_error *err;
};

static int add(struct judging *j, struct limit_verdict verdict)
{
	if (cg_grow(&j->result.verdicts, &j->cap, j->result.count + 1, sizeof verdict))
		return cg_fail_nomem(j->err);
	j->result.verdicts[j->result.count++] = verdict;
	j->result.broken += limit_fails(verdict.status, j->require_base);
	return CG_OK;
}

static int add_status(struct judging *j, const struct limit_rule *rule, enum limit_status status)
{
	return add(j, (struct limit_verdict){ .rule = *rule, .status = status });
}

/* Without calls in base there is nothing to hold an inclusive cost against. */
static struct limit_counts count(const struct judging *j, const struct metric *base,
				 const struct metric *head, bool inclusive,
				 const int64_t *base_costs, const int64_t *head_costs)
{
	bool known = !inclusive || !diff_self_only(j->d->base) || diff_self_only(j->d->head);
	bool has_base = base->nterms > 0 && j->d->options.missing != DIFF_NO_BASE && known;

	return (struct limit_counts){
		.has_base = has_base,
		.base = has_base ? metric_value(base, base_costs) : 0,
		.head = metric_value(head, head_costs),
		.tolerance = has_base ? j->tolerance : 0,
	};
}

static int judge_functions(struct judging *j, const struct limit_rule *rule,
			   const struct metric *base, const struct metric *head,
			   const struct pattern *pattern)
{
	size_t before = j->result.count;

	for (size_t i = 0; i < j->d->count; i++) {
		const struct diff_row *row = &j->d->rows[i];
		bool matches;
		int status = pattern_matches(pattern, row->name, &matches, j->err);
		if (!status && matches) {
			bool inclusive = rule->limit->inclusive;
			struct limit_counts counts =
				count(j, base, head, inclusive,
				      inclusive ? row->base.inclusive : row->base.self,
				      inclusive ? row->head.inclusive : row->head.self);
			status = add(j, limit_verdict(rule, row->name, &counts));
		}
		if (status)
			return status;
	}
	return j->result.count == before ? add_status(j, rule, LIMIT_NO_MATCH) : CG_OK;
}

/* Sums of values, which metrics of a file made by hand can make negative; they saturate. */
static int64_t add_value(int64_t sum, int64_t value)
{
	int64_t result;
	return __builtin_add_overflow(sum, value, &result) ? (value < 0 ? INT64_MIN : INT64_MAX) : result;
}

static int is_of_module(struct judging *j, const struct limit *limit, const struct pattern *pattern,
			const struct diff_row *row, bool *matches)
{
	cg_str name;

	if (!limit->by_namespace)
		return pattern_matches_name(pattern, row->object, row->file, row->name, matches, j->err);
	if (cg_rollup_namespace(row->name, &j->namespaces, &name))
		return cg_fail_nomem(j->err);
	return pattern_matches(pattern, cg_strings_get(&j->namespaces, name), matches, j->err);
}

static int judge_module(struct judging *j, const struct limit_rule *rule, const struct metric *base,
			const struct metric *head, const struct pattern *pattern)
{
	struct limit_counts sum = { .has_base = base->nterms > 0 &&
						j->d->options.missing != DIFF_NO_BASE,
				    .tolerance = j->tolerance };
	bool any = false;

	for (size_t i = 0; i < j->d->count; i++) {
		const struct diff_row *row = &j->d->rows[i];
		bool matches;
		int status = is_of_module(j, rule->limit, pattern, row, &matches);
		if (status)
			return status;
		if (!matches)
			continue;
		struct limit_counts own = count(j, base, head, false, row->base.self, row->head.self);
		sum.base = add_value(sum.base, own.base);
		sum.head = add_value(sum.head, own.head);
		any = true;
	}
	return any ? add(j, limit_verdict(rule, rule->limit->function, &sum)) :
		     add_status(j, rule, LIMIT_NO_MATCH);
}

static int judge_rule(struct judging *j, const struct limit_rule *rule)
{
	const struct limit *limit = rule->limit;
	struct metric base = { 0 }, head = { 0 };

	if (rule->overridden_by)
		return add_status(j, rule, LIMIT_OVERRIDDEN);
	j->tolerance = limit->kind == LIMIT_CEILING ? 0 : diff_tolerance(j->d, limit->metric);
	metric_find(j->d->base, limit->metric, &base);
	if (!metric_find(j->d->head, limit->metric, &head))
		return add_status(j, rule, LIMIT_NO_METRIC);
	if (!limit->function) {
		struct limit_counts counts = count(j, &base, &head, false, j->d->base->total,
						   j->d->head->total);
		return add(j, limit_verdict(rule, NULL, &counts));
	}

	struct pattern *pattern;
	int status = pattern_compile(limit_regex(limit), &pattern, j->err);
	if (status) {
		if (j->err) {
			snprintf(j->err->file, sizeof j->err->file, "%s",
				 limit->file ? limit->file : "");
			j->err->line = limit->line;
		}
		return status;
	}
	status = (limit->module ? judge_module : judge_functions)(j, rule, &base, &head, pattern);
	pattern_free(pattern);
	return status;
}

int judge(const struct diff *d, const struct limit_rule *rules, size_t nrules, bool require_base,
	  struct judgement *out, struct cg_error *err)
{
	struct judging j = { .d = d, .require_base = require_base, .err = err };
	int status = cg_strings_init(&j.namespaces) ? cg_fail_nomem(err) : CG_OK;

	if (d->options.missing == DIFF_NO_HEAD)
		nrules = 0; /* what is gone costs nothing, and breaks nothing */
	for (size_t i = 0; !status && i < nrules; i++)
		status = judge_rule(&j, &rules[i]);
	cg_strings_free(&j.namespaces);
	if (status)
		judgement_free(&j.result);
	else
		*out = j.result;
	return status;
}

void judgement_free(struct judgement *j)
{
	free(j->verdicts);
	*j = (struct judgement){ 0 };
}
