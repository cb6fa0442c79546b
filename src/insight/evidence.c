#include "src/insight/evidence.h"

#include <stdlib.h>

#include "callgrind/support/grow.h"
#include "callgrind/support/number.h"
#include "src/text/text.h"

int64_t evidence_total(const struct evidence_search *f, int side)
{
	const struct insight_side *s = &f->sides[side];
	return s->profile ? metric_value(&s->metric, s->profile->total) : 0;
}

static int64_t whole_delta(const struct evidence_search *f)
{
	return cg_delta(evidence_total(f, BASE), evidence_total(f, HEAD));
}

bool evidence_has_calls(const struct evidence_search *f)
{
	for (int i = 0; i < SIDES; i++)
		if (f->sides[i].profile && f->sides[i].profile->ncalls <= 1)
			return false;
	return true;
}

bool evidence_changed(const struct evidence_search *f)
{
	return diff_is_change(diff_classify_change(f->data->diff, evidence_total(f, BASE),
						   evidence_total(f, HEAD)));
}

bool evidence_weighs(const struct evidence_search *f, const struct insight_rule *rule,
		     int64_t delta)
{
	unsigned __int128 size = cg_magnitude(delta), whole = cg_magnitude(whole_delta(f));
	return rule->share && size * RULE_WHOLE >= whole * rule->share &&
	       diff_is_change(diff_classify_change(f->data->diff, 0, delta));
}

double evidence_share(const struct evidence_search *f, int64_t delta)
{
	int64_t whole = whole_delta(f);
	double share = whole ? (double)delta / (double)whole : delta ? 1 : 0;
	return share > 1 ? 1 : share < -1 ? -1 : share;
}

void evidence_delta(const struct evidence_search *f, struct figures *figures, int64_t delta)
{
	int64_t whole = whole_delta(f);
	char buffer[TEXT_NUMBER];

	figure_name(figures, FIGURE_METRIC, f->metric);
	figure_set(figures, FIGURE_MOVED, "%s", delta < 0 ? "fell" : "grew");
	figure_set(figures, FIGURE_DELTA, "%s", text_count(cg_magnitude(delta), buffer));
	if (!whole)
		figure_set(figures, FIGURE_PART, "while the total is unchanged");
	else if ((delta < 0) != (whole < 0))
		figure_set(figures, FIGURE_PART, "while the total %s", whole < 0 ? "fell" : "grew");
	else if (cg_magnitude(delta) > cg_magnitude(whole))
		figure_set(figures, FIGURE_PART, "more than the whole change");
	else if (!delta)
		figure_set(figures, FIGURE_PART, "none of the change");
	else
		figure_set(figures, FIGURE_PART, "%s of the change",
			   text_part(delta, whole, buffer));
}

int insight_side_graph(struct insight_side *s)
{
	return s->graph.first_out ? CG_OK : graph_make(s->profile, &s->metric, &s->graph);
}

int evidence_add(struct evidence_search *f, const struct insight_rule *rule,
		 const struct figures *figures, const struct insight *rest)
{
	const char *wording = f->data ? rule->change : rule->profile;
	struct insight insight = *rest;

	insight.rule = rule;
	insight.title = insight.less && rule->less ? rule->less : rule->title;
	insight.advice = insight.less ? NULL : rule->advice;
	if (insight.as_many && rule->as_many) {
		insight.title = rule->as_many;
		insight.advice = rule->as_many_advice;
	}
	insight.evidence = wording_fill(wording, figures, "");
	insight.marked = wording_fill(wording, figures, INSIGHT_MARK);
	if (!insight.evidence || !insight.marked ||
	    cg_grow(&f->out->items, &f->cap, f->out->count + 1, sizeof *f->out->items)) {
		free(insight.evidence);
		free(insight.marked);
		return cg_fail_nomem(f->err);
	}
	f->out->items[f->out->count++] = insight;
	return CG_OK;
}

void insight_side_free(struct insight_side *s)
{
	graph_free(&s->graph);
	free(s->names);
	free(s->name_at);
	free(s->function_at);
}
