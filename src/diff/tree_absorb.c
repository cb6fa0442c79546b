/* The step "absorb" of tree_match.h. */
#include <string.h>

#include "callgrind/support/grow.h"
#include "src/diff/matching_steps.h"

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

static int is_absorbed(struct matching *x, const struct tree_pair *pair, uint32_t side,
		       bool *absorbed)
{
	const struct tree_pair *parent = &x->m.pairs[x->parent];
	const struct taken_over_item *item;
	uint32_t caller[SIDES];

	for (uint32_t s = 0; s < SIDES; s++)
		caller[s] = matching_function(x, s, parent->first[s]);
	int status = taken_over_find(x, caller, matching_function(x, side, pair->first[side]), side,
				     &item);
	*absorbed = !status && item && (!item->if_dissolved || pair->dissolved);
	return status;
}

int matching_absorb(struct matching *x)
{
	size_t count = 0;
	int status = x->parent ? matching_list_one_sided(x, true, &count) : CG_OK;

	for (size_t i = 0; !status && i < count; i++) {
		const struct tree_pair *pair = &x->m.pairs[x->order[i]];
		uint32_t side = pair->first[BASE] ? BASE : HEAD;
		bool absorbed = false;
		/* What was absorbed before may have called it, too. */
		if (!pair->first[!side])
			status = is_absorbed(x, pair, side, &absorbed);
		if (!status && absorbed)
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
