#include "src/insight/insight.h"

#include <stdlib.h>
#include <string.h>

#include "src/insight/finders.h"

static bool was_recorded(const struct evidence_search *f, const char *event)
{
	for (int i = 0; i < SIDES; i++)
		if (f->sides[i].profile && cg_event_index(f->sides[i].profile, event) >= 0)
			return true;
	return false;
}

static int find_by_rule(struct evidence_search *f, const struct insight_rule *rule)
{
	static int (*const finders[RULE_KINDS])(struct evidence_search *,
						const struct insight_rule *) = {
		[RULE_CALLS] = find_calls,         [RULE_LITTLE] = find_little,
		[RULE_GROWTH] = find_growth,       [RULE_DEPTH] = find_depth,
		[RULE_SAME_CODE] = find_same_code, [RULE_BUILD] = find_other_build,
		[RULE_VARIANTS] = find_variants,   [RULE_RECOMPILED] = find_recompiled,
		[RULE_VECTORS] = find_recompiled,
	};
	bool of_one = rule->kind == RULE_CALLS || rule->kind == RULE_LITTLE;

	if (rule->unless && was_recorded(f, rule->unless))
		return CG_OK;
	if (f->data ? !rule->change : !rule->profile || !of_one)
		return CG_OK;
	return finders[rule->kind](f, rule);
}

static int compare_insights(const void *left, const void *right)
{
	const struct insight *a = left, *b = right;
	double x = a->share < 0 ? -a->share : a->share, y = b->share < 0 ? -b->share : b->share;

	if (x != y)
		return x > y ? -1 : 1;
	return (a->rule > b->rule) - (a->rule < b->rule);
}

static int find_by_all_rules(struct evidence_search *f, const struct insight_rules *rules,
			     struct insights **out)
{
	int status = CG_OK;

	f->out = calloc(1, sizeof *f->out);
	if (!f->out)
		status = cg_fail_nomem(f->err);
	for (size_t i = 0; !status && i < rules->count; i++)
		status = find_by_rule(f, &rules->items[i]);
	insight_side_free(&f->sides[BASE]);
	insight_side_free(&f->sides[HEAD]);
	if (status) {
		insights_free(f->out);
		return status;
	}
	if (f->out->count)
		qsort(f->out->items, f->out->count, sizeof *f->out->items, compare_insights);
	*out = f->out;
	return CG_OK;
}

int insights_of_diff(const struct insight_rules *rules, const struct insight_diff *data,
		     struct insights **out, struct cg_error *err)
{
	const struct diff *d = data->diff;
	struct evidence_search f = { .data = data,
				     .metric = d->options.metric,
				     .whole_names = data->whole_names,
				     .err = err };

	f.sides[BASE] = (struct insight_side){ .profile = d->base, .metric = d->base_metric };
	f.sides[HEAD] = (struct insight_side){ .profile = d->head, .metric = d->head_metric };
	return find_by_all_rules(&f, rules, out);
}

int insights_of_profile(const struct insight_rules *rules, const struct cg_profile *p,
			const char *metric, bool whole_names, struct insights **out,
			struct cg_error *err)
{
	struct evidence_search f = { .metric = metric, .whole_names = whole_names, .err = err };

	f.sides[HEAD].profile = p;
	if (!metric_find(p, metric, &f.sides[HEAD].metric))
		return cg_fail(err, CG_EINVAL, NULL, 0, "the profile has no metric '%s'", metric);
	return find_by_all_rules(&f, rules, out);
}
