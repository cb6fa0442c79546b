#include "src/browse/rows.h"

#include <stdlib.h>
#include <string.h>

static bool metric_is_listed(const struct browse_data *d, const char *name)
{
	for (size_t i = 0; i < d->nmetrics; i++)
		if (strcmp(d->metrics[i].of[BROWSE_HEAD].name, name) == 0)
			return true;
	return false;
}

/* `base` NULL: one profile. What only one side has cannot be compared. */
static void add_metric(struct browse_data *d, const struct cg_profile *base,
		       const struct cg_profile *head, const char *name)
{
	struct browse_metric m = { 0 };

	if (metric_is_listed(d, name) || !metric_find(head, name, &m.of[BROWSE_HEAD]) ||
	    (base && !metric_find(base, name, &m.of[BROWSE_BASE])))
		return;
	m.total[BROWSE_HEAD] = metric_value(&m.of[BROWSE_HEAD], head->total);
	m.total[BROWSE_BASE] = base ? metric_value(&m.of[BROWSE_BASE], base->total) : 0;
	d->metrics[d->nmetrics++] = m;
}

static int list_browse_metrics(struct browse_data *d, const struct cg_profile *base,
			       const struct cg_profile *head, const char *first)
{
	size_t most = (size_t)head->nevents + 1;
	for (size_t i = 0; metric_derived[i]; i++)
		most++;
	d->metrics = calloc(most, sizeof *d->metrics);
	if (!d->metrics)
		return CG_ENOMEM;
	add_metric(d, base, head, first);
	for (uint32_t e = 0; e < head->nevents; e++)
		add_metric(d, base, head, cg_string(head, head->events[e].name));
	for (size_t i = 0; metric_derived[i]; i++)
		add_metric(d, base, head, metric_derived[i]);
	return CG_OK;
}

/* ---- one profile ---- */

static struct browse_row top_row(uint32_t count)
{
	return (struct browse_row){
		.name = "", .object = "", .file = "", .end = count, .has_children = count > 1
	};
}

static struct browse_row profile_function(const void *of, uint32_t row)
{
	const struct flat *f = of;
	if (row == 0)
		return top_row((uint32_t)f->count + 1);
	const struct flat_row *r = &f->rows[row - 1];

	return (struct browse_row){
		.name = view_function(f->profile, r->function),
		.object = view_object(f->profile, r->function),
		.file = view_file(f->profile, r->function),
		.function = r->function,
		.end = row + 1,
		.inlined = r->code == FLAT_CODE_INLINED,
		.side[BROWSE_HEAD] = { true, r->calls, r->self, r->inclusive, r->bound },
	};
}

static struct browse_row profile_path(const void *of, uint32_t row)
{
	const struct cg_tree *t = of;
	if (row == 0)
		return top_row(t->count);
	const struct cg_tree_node *n = &t->nodes[row];
	size_t at = (size_t)row * t->profile->nevents;

	return (struct browse_row){
		.name = n->outside ? CG_TREE_OUTSIDE : view_function(t->profile, n->function),
		.object = n->outside ? "" : view_object(t->profile, n->function),
		.file = n->outside ? "" : view_file(t->profile, n->function),
		.function = n->function,
		.parent = n->parent,
		.end = n->end,
		.has_children = n->end > row + 1,
		.inlined = n->inlined,
		.estimated = n->estimated || n->estimated_below,
		.truncated = n->truncated,
		.cut = n->cut,
		.side[BROWSE_HEAD] = { true, n->calls, t->self + at, t->inclusive + at, false },
	};
}

int browse_profile(const struct flat *flat, const struct tree_view *tree, const char *metric,
		   const char *name, struct browse_data *out)
{
	const struct cg_profile *p = flat->profile;
	struct browse_data d = {
		.names = { "", name },
		.profiles = { NULL, p },
		.has_calls = p->has_calls && p->ncalls > 1,
		.functions = { flat, (uint32_t)flat->count + 1, profile_function },
		.paths = { tree->tree, tree->tree->count, profile_path },
	};
	int status = list_browse_metrics(&d, NULL, p, metric);
	if (!status)
		*out = d;
	return status;
}

/* ---- the difference of two ---- */

static struct browse_costs flat_side(const struct diff_side *s)
{
	return (struct browse_costs){ s->present, s->calls, s->self, s->inclusive, s->bound };
}

static bool only_inlined(const struct diff_side *s)
{
	return !s->present || (s->inlined && !s->calls);
}

static struct browse_row diff_function(const void *of, uint32_t row)
{
	const struct diff *d = of;
	if (row == 0)
		return top_row((uint32_t)d->count + 1);
	const struct diff_row *r = &d->rows[row - 1];

	return (struct browse_row){
		.name = r->name,
		.object = r->object,
		.file = r->file,
		.function = row,
		.end = row + 1,
		.inlined = only_inlined(&r->base) && only_inlined(&r->head),
		.side = { flat_side(&r->base), flat_side(&r->head) },
	};
}

static struct browse_costs path_side(const struct tree_side *s)
{
	return (struct browse_costs){ s->present, s->calls, s->self, s->inclusive, false };
}

static struct browse_row diff_path(const void *of, uint32_t row)
{
	const struct tree_diff *t = of;
	if (row == 0)
		return top_row(t->count);
	const struct tree_row *r = &t->rows[row];

	return (struct browse_row){
		.name = r->name,
		.object = r->object,
		.file = r->file,
		.was = r->match == DIFF_RENAMED ? r->base_name : NULL,
		.function = r->function,
		.parent = r->parent,
		.end = r->end,
		.has_children = r->end > row + 1,
		.inlined = tree_row_inlined(r),
		.estimated = r->base.estimated || r->head.estimated,
		.side = { path_side(&r->base), path_side(&r->head) },
	};
}

int browse_diff(const struct causes *causes, const char *base, const char *head,
		struct browse_data *out)
{
	const struct tree_diff *tree = causes->tree;
	const struct diff *diff = tree->diff;
	struct browse_data d = {
		.names = { base, head },
		.profiles = { diff->base, diff->head },
		.diff = diff,
		.causes = causes,
		.has_calls = diff->base->has_calls && diff->head->has_calls &&
			     (diff->base->ncalls > 1 || diff->head->ncalls > 1),
		.functions = { diff, (uint32_t)diff->count + 1, diff_function },
		.paths = { tree, tree->count, diff_path },
	};
	int status = list_browse_metrics(&d, diff->base, diff->head, diff->options.metric);
	if (!status)
		*out = d;
	return status;
}

void browse_data_free(struct browse_data *d)
{
	free(d->metrics);
	*d = (struct browse_data){ 0 };
}
