#include <stdlib.h>
#include <string.h>

#include "callgrind/order.h"
#include "callgrind/support/grow.h"
#include "callgrind/support/number.h"
#include "callgrind/support/sort.h"
#include "callgrind/tree_growth.h"

/* Edges between one and another whose callee is asked for. */
#define AHEAD 3

/* Ways with what comes to each. */
struct ways_with_costs {
	struct tree_way *of;
	int64_t *costs; /* nevents per way */
	size_t count, cap, costs_cap;
};

/* A callee of the current node: of its ways, which are one list, the first. */
struct sibling {
	uint32_t first, last;
	uint32_t function; /* that represents all */
	int64_t cost;      /* of all, of the tree's event */
};

/* Which sibling is the first of a group, inlined or not. */
struct group_sibling {
	uint32_t parent; /* + 1; of another parent, it means nothing */
	uint32_t sibling;
};

struct whole {
	struct tree_growth *g;
	struct cg_tree_draft *draft;
	/* Nodes to be added, the next one on top: how many ways each has, and these. */
	uint32_t *waiting;
	size_t nwaiting, waiting_cap;
	struct ways_with_costs stack;
	size_t first, nways;            /* of the current node, on top of the stack */
	struct ways_with_costs callees; /* of the current node */
	struct ways_with_costs parts;   /* of the current node, beside its ways */
	uint32_t *next;                 /* per such way: the next one of its sibling; 0: none */
	struct sibling *siblings;
	size_t nsiblings, next_cap, siblings_cap;
	struct group_sibling *of_group; /* per group and inlined; NULL: siblings stay apart */
};

/* ---- ways ---- */

static int64_t *costs_of_way(const struct whole *w, const struct ways_with_costs *ways, size_t i)
{
	return ways->costs + i * w->g->p->nevents;
}

/* Makes room for one more way, which does not count yet. */
static int reserve_way(const struct whole *w, struct ways_with_costs *ways)
{
	size_t need = ways->count + 1;
	return cg_grow(&ways->of, &ways->cap, need, sizeof *ways->of) ||
			       cg_grow(&ways->costs, &ways->costs_cap, need * w->g->p->nevents,
				       sizeof *ways->costs)
		       ? CG_ENOMEM
		       : CG_OK;
}

static int append_way(const struct whole *w, struct ways_with_costs *ways,
		      const struct tree_way *way, const int64_t *costs)
{
	if (reserve_way(w, ways))
		return CG_ENOMEM;
	ways->of[ways->count] = *way;
	memcpy(costs_of_way(w, ways, ways->count), costs, w->g->p->nevents * sizeof *costs);
	ways->count++;
	return CG_OK;
}

static void free_ways(struct ways_with_costs *ways)
{
	free(ways->of);
	free(ways->costs);
}

/* ---- siblings ---- */

static struct group_sibling *group_sibling_of(const struct whole *w, const struct cg_tree_node *n)
{
	size_t group = w->g->options.group[n->function];
	return &w->of_group[2 * group + n->inlined];
}

/* The sibling that a way is one more of; NULL: it is of none so far, and begins the next one. */
static struct sibling *find_sibling(struct whole *w, const struct cg_tree_node *n)
{
	if (!w->of_group)
		return NULL;
	struct group_sibling *of = group_sibling_of(w, n);
	if (of->parent == n->parent + 1)
		return &w->siblings[of->sibling];
	*of = (struct group_sibling){ n->parent + 1, (uint32_t)w->nsiblings };
	return NULL;
}

/* Puts each callee that was found into a sibling. */
static int make_siblings(struct whole *w)
{
	const size_t count = w->callees.count, event = w->g->options.event;

	w->nsiblings = 0;
	if (cg_grow(&w->next, &w->next_cap, count, sizeof *w->next) ||
	    cg_grow(&w->siblings, &w->siblings_cap, count, sizeof *w->siblings))
		return CG_ENOMEM;
	for (uint32_t i = 0; i < count; i++) {
		int64_t cost = costs_of_way(w, &w->callees, i)[event];
		const struct cg_tree_node *n = &w->callees.of[i].node;
		struct sibling *s = find_sibling(w, n);
		w->next[i] = 0;
		if (!s) {
			w->siblings[w->nsiblings++] = (struct sibling){ i, i, n->function, cost };
			continue;
		}
		s->function = cg_tree_representative(w->g->p, s->function, n->function);
		if (!cg_add_costs(&s->cost, &cost, 1))
			return CG_ERANGE;
		w->next[s->last] = i;
		s->last = i;
	}
	return CG_OK;
}

static int compare_callees(const void *left, const void *right, void *context)
{
	const struct whole *w = context;
	const struct sibling *a = left, *b = right;
	int order = cg_compare_sizes(a->cost, b->cost);

	if (!order)
		order = cg_compare_functions(w->g->p, a->function, b->function);
	if (!order)
		order = w->callees.of[a->first].node.inlined - w->callees.of[b->first].node.inlined;
	return order ? order : (a->first > b->first) - (a->first < b->first);
}

/* Edges are in the order of their costs, so mostly all are in order. */
static void order_siblings(struct whole *w)
{
	cg_sort_unordered(w->siblings, w->nsiblings, sizeof *w->siblings, compare_callees, w);
}

/* ---- the stack ---- */

static int push_sibling(struct whole *w, const struct sibling *s)
{
	const size_t bottom = w->stack.count;
	uint32_t i = s->first;
	int status;

	do {
		status = append_way(w, &w->stack, &w->callees.of[i],
				    costs_of_way(w, &w->callees, i));
		i = w->next[i];
	} while (!status && i);
	if (status || cg_grow(&w->waiting, &w->waiting_cap, w->nwaiting + 1, sizeof *w->waiting))
		return CG_ENOMEM;
	w->waiting[w->nwaiting++] = (uint32_t)(w->stack.count - bottom);
	return CG_OK;
}

static int push_siblings(struct whole *w)
{
	int status = make_siblings(w);

	if (!status)
		order_siblings(w);
	for (size_t i = w->nsiblings; !status && i-- > 0;)
		status = push_sibling(w, &w->siblings[i]);
	return status;
}

/* The node on top becomes the current one. Its ways are used where they are: nothing is pushed
 * before its callees are known. */
static void pop_node(struct whole *w)
{
	w->nways = w->waiting[--w->nwaiting];
	w->first = w->stack.count -= w->nways;
}

/* ---- nodes ---- */

static int reserve_node(struct whole *w)
{
	struct cg_tree_draft *d = w->draft;
	const size_t need = d->count + 1, n = w->g->p->nevents;

	if (d->count == UINT32_MAX)
		return CG_ERANGE;
	return cg_tree_draft_reserve(d, (uint32_t)n, need) ||
			       cg_grow(&d->inclusive, &d->inclusive_cap, need * n,
				       sizeof *d->inclusive)
		       ? CG_ENOMEM
		       : CG_OK;
}

/* Adds the current node. Until its callees have got what is theirs, all is its self cost. */
static int tree_whole_add_node(struct whole *w)
{
	const size_t n = w->g->p->nevents, at = w->draft->count * n;
	int status = reserve_node(w);

	if (status)
		return status;
	int64_t *costs = w->draft->inclusive + at;
	struct cg_tree_node node = w->stack.of[w->first].node;
	memcpy(costs, costs_of_way(w, &w->stack, w->first), n * sizeof *costs);
	for (size_t i = w->first + 1; i < w->first + w->nways; i++) {
		cg_tree_node_join(w->g->p, &node, &w->stack.of[i].node);
		if (!cg_add_costs(costs, costs_of_way(w, &w->stack, i), n))
			return CG_ERANGE;
	}
	memcpy(w->draft->self + at, costs, n * sizeof *costs);
	node.end = (uint32_t)w->draft->count + 1;
	w->draft->nodes[w->draft->count++] = node;
	return CG_OK;
}

/* Callees are anywhere in memory. */
static void prefetch_callee(const struct tree_growth *g, uint32_t edge)
{
	if (edge < g->flow.nedges)
		__builtin_prefetch(&g->flow.records[g->flow.edges[edge].callee]);
}

/* What it costs stays with the node that was added last, until that has followed it. */
static int add_part_way(struct whole *w, const struct tree_way *part, const int64_t *costs)
{
	cg_tree_node_join_part(&w->draft->nodes[w->draft->count - 1], &part->node);
	return append_way(w, &w->parts, part, costs);
}

/* Finds the callees of one way of the node that was added last, which pays for them. */
static int follow_way(struct whole *w, const struct tree_way *way, const int64_t *all)
{
	struct tree_growth *g = w->g;
	const uint32_t first = g->flow.records[way->record].first;
	const uint32_t node = (uint32_t)w->draft->count - 1;
	const uint32_t end = first + cg_tree_count_callees(g, way->record);
	const size_t n = g->p->nevents;

	for (uint32_t edge = first; edge < end; edge++) {
		if (reserve_way(w, &w->callees))
			return CG_ENOMEM;
		int64_t *costs = costs_of_way(w, &w->callees, w->callees.count);
		prefetch_callee(g, edge + AHEAD);
		struct tree_way *callee = &w->callees.of[w->callees.count];
		if (!cg_tree_follow(g, way, all, edge, node, callee, costs))
			continue;
		if (cg_tree_is_part(g->p, g->options.group, &way->node, &callee->node)) {
			if (add_part_way(w, callee, costs))
				return CG_ENOMEM;
			continue;
		}
		if (!cg_subtract_costs(w->draft->self + node * n, costs, n))
			return CG_ERANGE;
		w->callees.count++;
	}
	return CG_OK;
}

static int follow_if_room(struct whole *w, const struct tree_way *way, const int64_t *all,
			  bool *whole)
{
	*whole = !way->node.estimated || cg_tree_has_room(w->g, way);
	return *whole && !way->node.cut ? follow_way(w, way, all) : CG_OK;
}

/* There may be more and more of them. */
static int follow_parts(struct whole *w, bool *whole)
{
	int64_t all[CG_MAX_EVENTS];
	int status = CG_OK;

	for (size_t i = 0; !status && *whole && i < w->parts.count; i++) {
		const struct tree_way part = w->parts.of[i];
		memcpy(all, costs_of_way(w, &w->parts, i), w->g->p->nevents * sizeof *all);
		status = follow_if_room(w, &part, all, whole);
	}
	return status;
}

static int follow_node(struct whole *w, bool *whole)
{
	int status = CG_OK;

	w->callees.count = w->parts.count = 0;
	for (size_t i = w->first; !status && *whole && i < w->first + w->nways; i++)
		status = follow_if_room(w, &w->stack.of[i], costs_of_way(w, &w->stack, i), whole);
	if (!status)
		status = follow_parts(w, whole);
	return status ? status : push_siblings(w);
}

static int begin_roots(struct whole *w)
{
	struct tree_growth *g = w->g;
	const size_t n = g->p->nevents;
	int status = reserve_node(w);

	if (status)
		return status;
	w->draft->nodes[w->draft->count++] = (struct cg_tree_node){ .end = 1 };
	memset(w->draft->self, 0, n * sizeof *w->draft->self);
	memcpy(w->draft->inclusive, g->p->total, n * sizeof *w->draft->inclusive);
	for (uint32_t r = 1; !status && r < g->p->nrecords; r++) {
		if (!cg_tree_is_root(g, r))
			continue;
		struct tree_way way = cg_tree_way_into_root(g, r);
		status = append_way(w, &w->callees, &way, g->flow.outside + (size_t)r * n);
	}
	return status ? status : push_siblings(w);
}

/* Descendants come after a node, and so do the ends of what is below it. */
static void set_ends(struct cg_tree_draft *d)
{
	for (size_t i = d->count; i-- > 1;) {
		struct cg_tree_node *above = &d->nodes[d->nodes[i].parent];
		if (above->end < d->nodes[i].end)
			above->end = d->nodes[i].end;
	}
}

static int tree_whole_begin(struct whole *w)
{
	const uint32_t *group = w->g->options.group;
	size_t ngroups = 0;

	for (uint32_t f = 0; group && f < w->g->p->nfunctions; f++)
		ngroups = group[f] >= ngroups ? (size_t)group[f] + 1 : ngroups;
	if (!group)
		return CG_OK;
	w->of_group = calloc(2 * ngroups, sizeof *w->of_group);
	return w->of_group ? CG_OK : CG_ENOMEM;
}

static int grow_all(struct whole *w, bool *whole)
{
	int status = tree_whole_begin(w);

	if (!status)
		status = begin_roots(w);
	while (!status && *whole && w->nwaiting) {
		pop_node(w);
		status = tree_whole_add_node(w);
		if (!status)
			status = follow_node(w, whole);
	}
	if (!status && *whole)
		set_ends(w->draft);
	return status;
}

int cg_tree_grow_whole(struct tree_growth *g, struct cg_tree_draft *draft, bool *whole)
{
	struct whole w = { .g = g, .draft = draft };

	g->nestimated = 0;
	*whole = true;
	int status = grow_all(&w, whole);
	if (!*whole)
		draft->count = 0;
	free(w.waiting);
	free_ways(&w.stack);
	free_ways(&w.callees);
	free_ways(&w.parts);
	free(w.next);
	free(w.siblings);
	free(w.of_group);
	return status;
}
