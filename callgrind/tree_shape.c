#include "callgrind/tree_shape.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/order.h"
#include "callgrind/support/depth_first.h"
#include "callgrind/support/grow.h"
#include "callgrind/support/number.h"

int cg_tree_draft_reserve(struct cg_tree_draft *d, uint32_t nevents, size_t count)
{
	int status = cg_grow(&d->nodes, &d->nodes_cap, count, sizeof *d->nodes);
	return status ? status : cg_grow(&d->self, &d->self_cap, count * nevents, sizeof *d->self);
}

int cg_tree_draft_add(struct cg_tree_draft *d, uint32_t nevents, const struct cg_tree_node *node)
{
	if (d->count == UINT32_MAX)
		return CG_ERANGE;
	if (cg_tree_draft_reserve(d, nevents, d->count + 1))
		return CG_ENOMEM;
	d->nodes[d->count] = *node;
	memset(d->self + d->count * nevents, 0, nevents * sizeof *d->self);
	d->count++;
	return CG_OK;
}

uint32_t cg_tree_representative(const struct cg_profile *p, uint32_t a, uint32_t b)
{
	return a == b || cg_compare_functions(p, a, b) <= 0 ? a : b;
}

void cg_tree_node_join(const struct cg_profile *p, struct cg_tree_node *node,
		       const struct cg_tree_node *other)
{
	node->function = cg_tree_representative(p, node->function, other->function);
	node->estimated |= other->estimated;
	node->estimated_below |= other->estimated_below;
	node->truncated |= other->truncated;
	node->cut |= other->cut;
	node->uncounted |= other->uncounted;
	cg_add_count_clipped(&node->calls, other->calls);
	if (node->uncounted)
		node->calls = 0;
}

bool cg_tree_is_part(const struct cg_profile *p, const uint32_t *group,
		     const struct cg_tree_node *caller, const struct cg_tree_node *callee)
{
	if (!group || !caller->function || group[caller->function] != group[callee->function])
		return false;
	return caller->inlined || callee->inlined ||
	       p->functions[caller->function].name != p->functions[callee->function].name;
}

/* The path to the node stays as sure as it was. */
void cg_tree_node_join_part(struct cg_tree_node *node, const struct cg_tree_node *part)
{
	node->estimated_below |= part->estimated || part->estimated_below;
	node->truncated |= part->truncated;
	node->cut |= part->cut;
}

void cg_tree_draft_free(struct cg_tree_draft *d)
{
	free(d->nodes);
	free(d->self);
	free(d->inclusive);
	*d = (struct cg_tree_draft){ 0 };
}

void cg_tree_take_whole(struct cg_tree_draft *d, struct cg_tree *t)
{
	t->nodes = d->nodes;
	t->self = d->self;
	t->inclusive = d->inclusive;
	t->count = (uint32_t)d->count;
	*d = (struct cg_tree_draft){ 0 };
}

struct shaping {
	struct cg_tree_draft *d;
	const struct cg_profile *p;
	uint32_t event;
	int64_t *inclusive; /* per node, of the event */
	uint32_t *parent;
	uint32_t *order; /* nodes, depth first */
	uint32_t *place; /* the position of each node in it */
};

/* Parents have lower numbers, so costs go up in one pass. */
static int add_up_event(struct shaping *s)
{
	for (size_t i = 0; i < s->d->count; i++)
		s->inclusive[i] = s->d->self[i * s->p->nevents + s->event];
	for (size_t i = s->d->count; i-- > 1;)
		if (!cg_add_costs(&s->inclusive[s->d->nodes[i].parent], &s->inclusive[i], 1))
			return CG_ERANGE;
	return CG_OK;
}

static int tree_shape_add_up(const struct cg_profile *p, struct cg_tree *t)
{
	size_t n = p->nevents;

	memcpy(t->inclusive, t->self, t->count * n * sizeof *t->inclusive);
	for (size_t i = t->count; i-- > 1;)
		if (!cg_add_costs(t->inclusive + t->nodes[i].parent * n, t->inclusive + i * n, n))
			return CG_ERANGE;
	return CG_OK;
}

static int compare_siblings(const void *left, const void *right, void *context)
{
	const struct shaping *s = context;
	uint32_t x = *(const uint32_t *)left, y = *(const uint32_t *)right;
	const struct cg_tree_node *a = &s->d->nodes[x], *b = &s->d->nodes[y];

	int order = cg_compare_sizes(s->inclusive[x], s->inclusive[y]);
	if (!order)
		order = cg_compare_functions(s->p, a->function, b->function);
	if (!order)
		order = a->inlined - b->inlined;
	return order ? order : (x > y) - (x < y);
}

static void tree_shape_put_in_order(struct shaping *s, struct cg_tree *t)
{
	size_t n = s->p->nevents, size = n * sizeof *t->self;

	for (uint32_t i = 0; i < t->count; i++)
		s->place[s->order[i]] = i;
	for (uint32_t i = 0; i < t->count; i++) {
		uint32_t from = s->order[i];
		t->nodes[i] = s->d->nodes[from];
		t->nodes[i].parent = s->parent[i] = s->place[t->nodes[i].parent];
		memcpy(t->self + i * n, s->d->self + from * n, size);
	}
	cg_depth_first_ends(s->parent, t->count, s->order);
	for (uint32_t i = 0; i < t->count; i++)
		t->nodes[i].end = s->order[i];
}

/* Costs in order take the draft's room for inclusive costs. */
static int tree_shape_allocate(struct shaping *s, struct cg_tree *t)
{
	size_t count = s->d->count + 1, n = s->p->nevents;
	int status = cg_grow_little(&s->d->inclusive, &s->d->inclusive_cap, count * n,
				    sizeof *s->d->inclusive);

	s->inclusive = malloc(count * sizeof *s->inclusive);
	s->parent = malloc(count * sizeof *s->parent);
	s->order = malloc(count * sizeof *s->order);
	s->place = malloc(count * sizeof *s->place);
	t->nodes = malloc(count * sizeof *t->nodes);
	if (status || !s->inclusive || !s->parent || !s->order || !s->place || !t->nodes)
		return CG_ENOMEM;
	t->count = (uint32_t)s->d->count;
	t->self = s->d->inclusive;
	s->d->inclusive = NULL;
	return CG_OK;
}

static int tree_shape_fill(struct shaping *s, struct cg_tree *t)
{
	int status = tree_shape_allocate(s, t);
	if (!status)
		status = add_up_event(s);
	if (status)
		return status;
	for (size_t i = 0; i < s->d->count; i++)
		s->parent[i] = s->d->nodes[i].parent;
	status = cg_depth_first(s->parent, (uint32_t)s->d->count, compare_siblings, s, s->order);
	if (status)
		return status;
	tree_shape_put_in_order(s, t);
	t->inclusive = s->d->self;
	s->d->self = NULL;
	return tree_shape_add_up(s->p, t);
}

/* In a file without calls the callers of its functions are unknown. */
static bool records_paths(const struct cg_tree *t)
{
	return t->profile->ncalls > 1 || t->count <= 2;
}

static bool tree_shape_is_exact(const struct cg_tree *t)
{
	bool exact = !t->misfit.records && records_paths(t);
	for (uint32_t i = 1; i < t->count; i++) {
		const struct cg_tree_node *n = &t->nodes[i];
		exact &= !n->estimated && !n->estimated_below && !n->truncated && !n->cut;
	}
	return exact;
}

int cg_tree_shape(struct cg_tree_draft *d, const struct cg_profile *p, uint32_t event,
		  struct cg_tree *t)
{
	struct shaping s = { .d = d, .p = p, .event = event };
	int status = tree_shape_fill(&s, t);

	free(s.inclusive);
	free(s.parent);
	free(s.order);
	free(s.place);
	cg_tree_draft_free(d);
	return status;
}

void cg_tree_describe(struct cg_tree *t, const struct cg_profile *p, uint32_t event,
		      const struct cg_misfit *misfit)
{
	t->profile = p;
	t->event = event;
	t->misfit = *misfit;
	t->exact = tree_shape_is_exact(t);
}

static double percent(double part, double whole)
{
	return whole > 0 ? part * 100 / whole : 0;
}

void cg_tree_find_doubt(const struct cg_tree *t, struct cg_tree_doubt *out)
{
	double all = 0, estimated = 0, truncated = 0, cut = 0;

	*out = (struct cg_tree_doubt){ .recorded = records_paths(t) };
	for (size_t i = 1; i < t->count; i++) {
		const struct cg_tree_node *n = &t->nodes[i];
		double cost = (double)cg_magnitude(t->self[i * t->profile->nevents + t->event]);
		bool guessed = n->estimated || n->estimated_below;
		all += cost;
		estimated += guessed ? cost : 0;
		truncated += n->truncated && !guessed ? cost : 0;
		cut += n->cut ? cost : 0;
		out->any_estimated |= guessed;
		out->any_truncated |= n->truncated && !guessed;
	}
	out->estimated = percent(estimated, all);
	out->truncated = percent(truncated, all);
	out->cut = percent(cut, all);
}

void cg_tree_free(struct cg_tree *t)
{
	if (!t)
		return;
	free(t->nodes);
	free(t->self);
	free(t->inclusive);
	free(t);
}
