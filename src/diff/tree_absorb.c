/* The step "absorb" of tree_match.h. */
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
	*absorbed = !status && item && (!item->if_dissolved || pair->dissolved) &&
		    !matching_is_same_code(x, pair);
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
