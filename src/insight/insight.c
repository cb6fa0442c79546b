#include "src/insight/insight.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "callgrind/support/number.h"
#include "src/insight/finding.h"
#include "src/text/text.h"

/* ---- what kinds of evidence share ---- */

int64_t finding_total(const struct evidence_search *f, int side)
{
	const struct insight_side *s = &f->sides[side];
	return s->profile ? metric_value(&s->metric, s->profile->total) : 0;
}

static int64_t whole_delta(const struct evidence_search *f)
{
	return cg_delta(finding_total(f, BASE), finding_total(f, HEAD));
}

bool finding_changed(const struct evidence_search *f)
{
	return diff_is_change(diff_classify_change(f->data->diff, finding_total(f, BASE),
						   finding_total(f, HEAD)));
}

bool finding_weighs(const struct evidence_search *f, const struct insight_rule *rule, int64_t delta)
{
	unsigned __int128 size = cg_magnitude(delta), whole = cg_magnitude(whole_delta(f));
	return rule->share && size * RULE_WHOLE >= whole * rule->share &&
	       diff_is_change(diff_classify_change(f->data->diff, 0, delta));
}

double finding_share(const struct evidence_search *f, int64_t delta)
{
	int64_t whole = whole_delta(f);
	double share = whole ? (double)delta / (double)whole : delta ? 1 : 0;
	return share > 1 ? 1 : share < -1 ? -1 : share;
}

void finding_delta(const struct evidence_search *f, struct figures *figures, int64_t delta)
{
	int64_t whole = whole_delta(f);
	char buffer[TEXT_NUMBER];

	figure_name(figures, FIGURE_METRIC, f->metric);
	figure_set(figures, FIGURE_MOVED, "%s", delta < 0 ? "fell" : "grew");
	figure_set(figures, FIGURE_DELTA, "%s", text_count(cg_magnitude(delta), buffer));
	if (!whole)
		figure_set(figures, FIGURE_PART, "while the total is the same");
	else if ((delta < 0) != (whole < 0))
		figure_set(figures, FIGURE_PART, "while the total %s", whole < 0 ? "fell" : "grew");
	else if (cg_magnitude(delta) > cg_magnitude(whole))
		figure_set(figures, FIGURE_PART, "more than the whole difference");
	else if (!delta)
		figure_set(figures, FIGURE_PART, "nothing of the difference");
	else
		figure_set(figures, FIGURE_PART, "%s of the difference",
			   text_impact(0, delta < 0 ? cg_delta(delta, 0) : delta,
				       whole < 0 ? cg_delta(whole, 0) : whole, buffer) +
				   1);
}

void figure_name(struct figures *f, enum rule_figures which, const char *name)
{
	enum { WIDTH = 80 };
	char *safe = text_cut(name, WIDTH);

	if (safe)
		figure_set(f, which, "%s", safe);
	else
		f->failed = true;
	free(safe);
}

int side_graph(struct insight_side *s)
{
	return s->graph.first_out ? CG_OK : graph_make(s->profile, &s->metric, &s->graph);
}

int finding_add(struct evidence_search *f, const struct insight_rule *rule,
		const struct figures *figures, const struct insight *rest)
{
	const char *wording = f->data ? rule->change : rule->profile;
	struct insight insight = *rest;

	insight.rule = rule;
	insight.title = insight.less && rule->less ? rule->less : rule->title;
	insight.evidence = wording_fill(wording, figures);
	if (!insight.evidence ||
	    cg_grow(&f->out->items, &f->cap, f->out->count + 1, sizeof *f->out->items)) {
		free(insight.evidence);
		return cg_fail_nomem(f->err);
	}
	f->out->items[f->out->count++] = insight;
	return CG_OK;
}

/* ---- all rules ---- */

static int find_by_rule(struct evidence_search *f, const struct insight_rule *rule)
{
	static int (*const finders[RULE_KINDS])(struct evidence_search *,
						const struct insight_rule *) = {
		[RULE_CALLS] = find_calls,         [RULE_LITTLE] = find_little,
		[RULE_GROWTH] = find_growth,       [RULE_DEPTH] = find_depth,
		[RULE_SAME_CODE] = find_same_code, [RULE_BUILD] = find_other_build,
		[RULE_VARIANTS] = find_variants,
	};
	bool of_one = rule->kind == RULE_CALLS || rule->kind == RULE_LITTLE;

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

static void free_insight_side(struct insight_side *s)
{
	graph_free(&s->graph);
	free(s->names);
	free(s->name_at);
	free(s->function_at);
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
	free_insight_side(&f->sides[BASE]);
	free_insight_side(&f->sides[HEAD]);
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
	struct evidence_search f = { .data = data, .metric = d->options.metric, .err = err };

	f.sides[BASE] = (struct insight_side){ .profile = d->base, .metric = d->base_metric };
	f.sides[HEAD] = (struct insight_side){ .profile = d->head, .metric = d->head_metric };
	return find_by_all_rules(&f, rules, out);
}

int insights_of_profile(const struct insight_rules *rules, const struct cg_profile *p,
			const char *metric, struct insights **out, struct cg_error *err)
{
	struct evidence_search f = { .metric = metric, .err = err };

	f.sides[HEAD].profile = p;
	if (!metric_find(p, metric, &f.sides[HEAD].metric))
		return cg_fail(err, CG_EINVAL, NULL, 0, "the profile has no metric '%s'", metric);
	return find_by_all_rules(&f, rules, out);
}

void insights_free(struct insights *i)
{
	if (!i)
		return;
	for (size_t n = 0; n < i->count; n++)
		free(i->items[n].evidence);
	free(i->items);
	free(i);
}
