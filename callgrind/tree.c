#include "cgprofile/tree.h"

#include <stdlib.h>

#include "callgrind/tree_growth.h"

#define DEFAULT_MIN_SHARE_PPB 100
#define NODES_PER_RECORD 16
#define LEAST_NODES 100000
/* What trees may take: this, and three times the size of the file. */
#define FREE_BYTES ((uint64_t)56 << 20)
/* Of a node with its costs, while a tree is made of a draft or of another one. */
#define NODE_BYTES 200
#define EVENT_BYTES 44

static uint32_t most_nodes(const struct cg_profile *p)
{
	uint64_t wanted = (uint64_t)p->nrecords * NODES_PER_RECORD;
	uint64_t room = (FREE_BYTES + 3 * p->bytes) / (NODE_BYTES + EVENT_BYTES * p->nevents);

	if (wanted < LEAST_NODES)
		wanted = LEAST_NODES;
	if (wanted > room)
		wanted = room;
	return wanted > UINT32_MAX ? UINT32_MAX : (uint32_t)wanted;
}

static void set_defaults(struct tree_growth *g)
{
	struct cg_tree_options *o = &g->options;
	if (!o->min_share_ppb)
		o->min_share_ppb = DEFAULT_MIN_SHARE_PPB;
	if (!o->max_nodes)
		o->max_nodes = most_nodes(g->p);
}

/* The audit knows what of it was lost by Valgrind. */
static int tree_find_misfit(const struct tree_growth *g, struct cg_misfit *misfit)
{
	struct cg_audit *audit = NULL;
	int status = g->flow.balanced ? CG_OK : cg_audit_make(g->p, &audit);

	*misfit = audit ? audit->misfit : (struct cg_misfit){ 0 };
	cg_audit_free(audit);
	return status;
}

/* The flow is freed as soon as it is not needed: a draft takes much memory. */
static int make_costliest(struct tree_growth *g, struct cg_tree_draft *draft, struct cg_tree *t)
{
	int status = cg_tree_grow_costliest(g, draft);

	cg_flow_free(&g->flow);
	if (!status && g->options.group)
		status = cg_tree_draft_merge(draft, g->p, g->options.group);
	return status ? status : cg_tree_shape(draft, g->p, g->options.event, t);
}

/* Whether all paths are likely to have room: few records have several ways in. In a large profile
 * without contexts a third of them have, and far too many paths come of that. */
static bool is_likely_to_fit(const struct tree_growth *g)
{
	enum { ONE_IN = 10 };
	uint32_t unsure = 0;

	for (uint32_t r = 1; r < g->p->nrecords; r++)
		unsure += !g->flow.records[r].sure;
	return unsure <= g->p->nrecords / ONE_IN;
}

/* If there is room for all estimated paths, it does not matter which ones are first. (Room is
 * needed for all callees of a record, so at the limit itself a few nodes more or less are made.)
 * Growing all of them in the order of the tree is quicker, but in vain if they do not fit. */
static int grow(struct tree_growth *g, struct cg_tree *t)
{
	struct cg_tree_draft draft = { 0 };
	bool whole = false;
	int status = is_likely_to_fit(g) ? cg_tree_grow_whole(g, &draft, &whole) : CG_OK;

	if (!status && whole)
		cg_tree_take_whole(&draft, t);
	else if (!status)
		status = make_costliest(g, &draft, t);
	cg_tree_draft_free(&draft);
	return status;
}

static int tree_fill(struct tree_growth *g, struct cg_tree *t)
{
	struct cg_misfit misfit;
	int status = cg_flow_make(g->p, g->options.event, g->options.frames, &g->flow);

	if (!status)
		status = tree_find_misfit(g, &misfit);
	if (!status)
		status = grow(g, t);
	if (!status)
		cg_tree_describe(t, g->p, g->options.event, &misfit);
	cg_flow_free(&g->flow);
	return status;
}

int cg_tree_make(const struct cg_profile *p, const struct cg_tree_options *options,
		 struct cg_tree **out)
{
	struct tree_growth g = { .p = p, .options = *options };
	if (options->event >= p->nevents)
		return CG_EINVAL;

	set_defaults(&g);
	struct cg_tree *t = calloc(1, sizeof *t);
	int status = t ? tree_fill(&g, t) : CG_ENOMEM;
	if (status)
		cg_tree_free(t);
	else
		*out = t;
	return status;
}
