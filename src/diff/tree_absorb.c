/* The step "absorb" of tree_match.h. */
#include <string.h>

#include "callgrind/support/grow.h"
#include "src/diff/matching_steps.h"

/* Code that was inlined may cost a fraction of what it did as a function. */
#define MOST_GAINED 4

static const char *object_of_node(const struct matching *x, uint32_t side, uint32_t node)
{
	const struct cg_profile *p = x->trees[side]->profile;
	return cg_string(p, p->functions[x->trees[side]->nodes[node].function].object);
}

/* No compiler inlines what is in another file of machine code. */
static bool is_of_other_object(const struct matching *x, const struct tree_pair *pair,
			       uint32_t side)
{
	uint32_t around = x->m.pairs[x->parent].first[side];
	const char *object = object_of_node(x, side, pair->first[side]);
	const char *caller = around ? object_of_node(x, side, around) : "";

	return *object && *caller && strcmp(object, caller) != 0;
}

/* Whether a function of one side costs at least as much itself as what it calls. */
static bool is_mostly_own(const struct matching *x, const struct tree_pair *pair, uint32_t side)
{
	__int128 self = 0, all = 0;
	for (uint32_t n = pair->first[side]; n; n = x->m.next[side][n]) {
		self += matching_self(x, side, n);
		all += pair->dissolved ? matching_self(x, side, n) : matching_inclusive(x, side, n);
	}
	return all - self <= self;
}

/* What counts of a pair's self cost, if it counts as the parent's does. */
static __int128 weighed_self(const struct matching *x, const struct tree_pair *pair, uint32_t side)
{
	const struct weights *weights = &x->m.pairs[x->parent].weights;

	__int128 sum = 0;
	for (uint32_t n = pair->first[side]; n; n = x->m.next[side][n])
		sum += matching_self(x, side, n);
	return weight_scale(side == BASE ? weights->base : weights->head, (int64_t)sum);
}

/* From now on its callees are its caller's. */
static int absorb(struct matching *x, uint32_t id, uint32_t side)
{
	struct tree_match *m = &x->m;
	bool lifted = m->pairs[id].dissolved;

	m->pairs[id].gone = m->pairs[id].dissolved = true;
	for (uint32_t n = m->pairs[id].first[side]; n; n = m->next[side][n]) {
		if (cg_grow(&m->absorbed, &m->absorbed_cap, m->nabsorbed + 1, sizeof *m->absorbed))
			return CG_ENOMEM;
		m->absorbed[m->nabsorbed++] = (struct tree_absorbed){ x->parent, side, n };
	}
	return lifted ? CG_OK : matching_add_callees(x, id, side);
}

/* Each absorbed function, the costliest first, uses up a part of the difference of its
 * caller's self cost. */
int matching_absorb(struct matching *x)
{
	const struct tree_pair *parent = &x->m.pairs[x->parent];
	__int128 own = weighed_self(x, parent, HEAD) - weighed_self(x, parent, BASE);
	size_t count = 0;
	int status = x->parent && own ? matching_list_one_sided(x, true, &count) : CG_OK;

	for (size_t i = 0; !status && i < count; i++) {
		const struct tree_pair *pair = &x->m.pairs[x->order[i]];
		uint32_t side = pair->first[BASE] ? BASE : HEAD;
		__int128 cost = weighed_self(x, pair, side);
		__int128 moved = side == BASE ? own : -own;
		/* What was absorbed before may have called it, too. */
		if (pair->first[!side] || cost <= 0 || moved <= 0 || moved < cost / MOST_GAINED ||
		    !is_mostly_own(x, pair, side) || is_of_other_object(x, pair, side))
			continue;
		own += side == BASE ? -cost : cost;
		status = absorb(x, x->order[i], side);
	}
	return status;
}

static const char *name_of_node(const struct matching *x, uint32_t side, uint32_t node)
{
	const struct cg_profile *p = x->trees[side]->profile;
	return cg_string(p, p->functions[x->trees[side]->nodes[node].function].name);
}

/* Whether a function that is called by itself is so because of the compiler: one of both is inlined
 * into its caller, or a part that was split off. */
static bool is_part_of_itself(const struct matching *x, const struct tree_pair *pair, uint32_t side)
{
	const struct tree_pair *parent = &x->m.pairs[x->parent];
	const struct cg_tree_node *nodes = x->trees[side]->nodes;
	uint32_t around = parent->first[side], node = pair->first[side];

	if (!node || !around || pair->first[!side] ||
	    matching_function(x, side, around) != matching_function(x, side, node))
		return false;
	return nodes[around].inlined || nodes[node].inlined ||
	       strcmp(name_of_node(x, side, around), name_of_node(x, side, node)) != 0;
}

/* The callees of what was absorbed are tried, too. */
int matching_absorb_parts(struct matching *x)
{
	int status = CG_OK;

	for (uint32_t i = x->start; !status && x->parent && i < x->m.count; i++) {
		uint32_t twin = matching_find(x, x->m.pairs[i].function, !x->m.pairs[i].inlined);
		for (uint32_t s = 0; !status && s < SIDES; s++)
			if (!x->m.pairs[twin].first[!s] && is_part_of_itself(x, &x->m.pairs[i], s))
				status = absorb(x, i, s);
	}
	return status;
}
