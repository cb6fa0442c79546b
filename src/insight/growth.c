/* Evidence from growth: of one event compared with another, and of call paths. */
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "src/diff/depth.h"
#include "src/insight/finders.h"
#include "src/text/text.h"

static void figure_change(struct figures *f, enum rule_figures which, int64_t base, int64_t head)
{
	char buffer[TEXT_NUMBER];
	figure_set(f, which, "%s", text_change(base, head, buffer));
}

static bool is_known_name(const char *name)
{
	return name && *name && text_is_known(name);
}

/* ---- one event, more than another ---- */

struct rule_growth {
	struct metric event[SIDES], than[SIDES];
	int64_t base, head, than_base, than_head;
};

static bool find_metrics(const struct evidence_search *f, const struct insight_rule *rule,
			 struct rule_growth *out)
{
	struct rule_growth g;

	for (int i = 0; i < SIDES; i++)
		if (!metric_find(f->sides[i].profile, rule->event, &g.event[i]) ||
		    !metric_find(f->sides[i].profile, rule->than, &g.than[i]))
			return false;
	g.base = metric_value(&g.event[BASE], f->sides[BASE].profile->total);
	g.head = metric_value(&g.event[HEAD], f->sides[HEAD].profile->total);
	g.than_base = metric_value(&g.than[BASE], f->sides[BASE].profile->total);
	g.than_head = metric_value(&g.than[HEAD], f->sides[HEAD].profile->total);
	*out = g;
	return true;
}

/* By the rule's share at least, and so many times as much as the other. Where little was written
 * before, any code writes many times as much: what came on top has to be dense. */
static bool grew_more(const struct rule_growth *g, const struct insight_rule *rule)
{
	if (g->base <= 0 || g->than_base <= 0 || g->head <= g->base)
		return false;
	uint64_t more = cg_distance(g->base, g->head);
	uint64_t other = g->than_head > g->than_base ? cg_distance(g->than_base, g->than_head) : 0;
	long double grown = (long double)more / (long double)g->base;
	long double grown_other = (long double)other / (long double)g->than_base;

	return (unsigned __int128)more * RULE_WHOLE >=
		       (unsigned __int128)(uint64_t)g->base * rule->share &&
	       (unsigned __int128)more * RULE_WHOLE >= (unsigned __int128)other * rule->density &&
	       grown >= rule->times * grown_other;
}

/* The function whose own events grew most. */
static const struct diff_row *grown_most(const struct evidence_search *f,
					 const struct rule_growth *g, int64_t *delta)
{
	const struct diff *d = f->data->diff;
	const struct diff_row *found = NULL;

	*delta = 0;
	for (size_t i = 0; i < d->count; i++) {
		int64_t more = cg_delta(metric_value(&g->event[BASE], d->rows[i].base.self),
					metric_value(&g->event[HEAD], d->rows[i].head.self));
		if (more <= *delta)
			continue;
		*delta = more;
		found = &d->rows[i];
	}
	return found;
}

static void figure_growth(struct figures *figures, const struct insight_rule *rule,
			  const struct rule_growth *g)
{
	figure_name(figures, FIGURE_EVENT, rule->event);
	figure_name(figures, FIGURE_THAN, rule->than);
	figure_cost(figures, FIGURE_BASE, g->base);
	figure_cost(figures, FIGURE_HEAD, g->head);
	figure_change(figures, FIGURE_CHANGE, g->base, g->head);
	figure_change(figures, FIGURE_THAN_CHANGE, g->than_base, g->than_head);
}

int find_growth(struct evidence_search *f, const struct insight_rule *rule)
{
	struct figures figures = { .whole_names = f->whole_names };
	struct insight insight = { 0 };
	struct rule_growth g;
	int64_t delta;

	if (!find_metrics(f, rule, &g) || !grew_more(&g, rule))
		return CG_OK;
	const struct diff_row *row = grown_most(f, &g, &delta);
	figure_growth(&figures, rule, &g);
	/* A function with a small part of the growth is not evidence. */
	if (row && is_known_name(row->name) &&
	    cg_magnitude(delta) >= cg_distance(g.base, g.head) / 4) {
		insight.function = row->name;
		insight.object = row->object;
		insight.file = row->file;
		figure_name(&figures, FIGURE_FUNCTION, row->name);
		figure_cost(&figures, FIGURE_DELTA, delta);
	}
	int status = evidence_add(f, rule, &figures, &insight);
	figures_free(&figures);
	return status;
}

/* ---- depth ---- */

/* The first path that is deeper: of those the costliest. */
static const struct depth_row *deeper_path(const struct depth_change *c)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->rows[i].head > c->rows[i].base)
			return &c->rows[i];
	return NULL;
}

/* Whether all but a hundredth of the cost is at paths that the profiles record. */
static bool is_recorded(const struct evidence_search *f)
{
	const struct cg_tree *const trees[SIDES] = { f->data->tree->base, f->data->tree->head };

	for (int i = 0; i < SIDES; i++) {
		struct cg_tree_doubt doubt;
		cg_tree_find_doubt(trees[i], &doubt);
		if (doubt.estimated + doubt.truncated + doubt.cut > 1)
			return false;
	}
	return true;
}

/* The mean also grows where more is spent on paths that were deep before: only longer paths are
 * evidence, and this one with all below it has to explain half of it. */
static bool got_deeper(const struct evidence_search *f, const struct insight_rule *rule,
		       const struct depth_change *c, const struct depth_row *path)
{
	double more = c->head.mean - c->base.mean, total = (double)evidence_total(f, HEAD);

	if (!path || !is_recorded(f) || c->base.mean <= 0 || total <= 0 || more < rule->frames ||
	    more < c->base.mean * ((double)rule->share / RULE_WHOLE))
		return false;
	double cost = (double)diff_head_value(f->data->diff,
					      f->data->tree->rows[path->row].head.inclusive);
	return cost / total * (path->head - path->base) >= more / 2;
}

static int say_depth(struct evidence_search *f, const struct insight_rule *rule,
		     const struct depth_change *c, const struct depth_row *path)
{
	const struct tree_row *row = &f->data->tree->rows[path->row];
	struct figures figures = { .whole_names = f->whole_names };
	struct insight insight = { .function = row->name,
				   .object = row->object,
				   .file = row->file };

	figure_name(&figures, FIGURE_METRIC, f->metric);
	figure_set(&figures, FIGURE_BASE, "%.1f", c->base.mean);
	figure_set(&figures, FIGURE_HEAD, "%.1f", c->head.mean);
	figure_count(&figures, FIGURE_BASE_MAX, c->base.max);
	figure_count(&figures, FIGURE_HEAD_MAX, c->head.max);
	figure_name(&figures, FIGURE_FUNCTION, row->name);
	figure_count(&figures, FIGURE_BASE_CALLS, path->base);
	figure_count(&figures, FIGURE_HEAD_CALLS, path->head);
	int status = evidence_add(f, rule, &figures, &insight);
	figures_free(&figures);
	return status;
}

int find_depth(struct evidence_search *f, const struct insight_rule *rule)
{
	struct depth_change c;

	if (!f->data->tree || !evidence_has_calls(f) || !evidence_changed(f))
		return CG_OK;
	if (depth_change_make(f->data->tree, &c))
		return cg_fail_nomem(f->err);
	const struct depth_row *path = deeper_path(&c);
	int status = got_deeper(f, rule, &c, path) ? say_depth(f, rule, &c, path) : CG_OK;
	depth_change_free(&c);
	return status;
}
