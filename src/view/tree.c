#include "src/view/tree.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "cgprofile/names.h"
#include "src/view/flat.h"

struct choosing_paths {
	const struct cg_profile *p;
	const struct tree_view_options *o;
	struct tree_view *v;
	bool *matches, *ignored; /* per function */
	bool *shown;             /* per node */
	uint32_t *depth;         /* per node */
};

/* ---- where the tree begins ---- */

/* A name that matches a function exactly means only that function. */
static bool choose_named(const struct choosing_paths *c, bool *is_root)
{
	bool found = false;
	for (int how = CG_NAME_EXACTLY; how >= CG_NAME_PLAIN && !found; how--)
		for (uint32_t f = 1; f < c->p->nfunctions; f++)
			found |= is_root[f] = (int)cg_name_likeness(view_function(c->p, f),
								    c->o->root) >= how;
	return found;
}

static int find_tree_roots(struct choosing_paths *c, const struct cg_tree *t, bool *is_root,
			   struct cg_error *err)
{
	uint32_t main_function = c->o->root ? 0 : cg_tree_main(t);

	if (main_function) {
		is_root[main_function] = true;
		c->v->root = view_function(c->p, main_function);
	} else if (c->o->root && *c->o->root) {
		if (!choose_named(c, is_root))
			return cg_fail(err, CG_EINVAL, NULL, 0, "unknown root function '%s'",
				       c->o->root);
		c->v->root = c->o->root;
	}
	return CG_OK;
}

/* Estimated paths that cost much less than any that is shown need not be followed.
 * 0: all that a tree has. */
static uint64_t least_share(const struct tree_view_options *o)
{
	const double ppb_per_percent = 1e7, margin = 100;
	return o->filter ? 0 : (uint64_t)(o->threshold * ppb_per_percent / margin);
}

static int make_view_tree(struct choosing_paths *c, struct cg_error *err)
{
	struct cg_tree_options options = { .event = c->o->event,
					   .min_share_ppb = least_share(c->o) };
	bool *is_root = calloc((size_t)c->p->nfunctions + 1, sizeof *is_root);
	struct cg_tree *t = NULL;
	int status = is_root ? cg_tree_make(c->p, &options, &t) : CG_ENOMEM, named = CG_OK;

	if (!status)
		named = find_tree_roots(c, t, is_root, err);
	if (!status && !named)
		status = cg_tree_root(t, is_root, &c->v->tree);
	cg_tree_free(t);
	free(is_root);
	if (status == CG_ENOMEM)
		return cg_fail_nomem(err);
	if (status)
		return cg_fail(err, status, NULL, 0, "the cost of a call path exceeds 2^63");
	return named;
}

/* ---- which paths are shown ---- */

static int match_tree_functions(struct choosing_paths *c, struct cg_error *err)
{
	int status = CG_OK;
	for (uint32_t f = 1; !status && f < c->p->nfunctions; f++) {
		bool kept = true;
		status = view_choose(c->p, f, c->o->filter, NULL, &c->matches[f], err);
		if (!status && c->o->ignore)
			status = view_choose(c->p, f, NULL, c->o->ignore, &kept, err);
		c->ignored[f] = !kept;
	}
	return status;
}

static bool has_tree_cost(const struct choosing_paths *c, uint32_t node)
{
	for (uint32_t e = 0; e < c->p->nevents; e++)
		if (c->v->tree->inclusive[(size_t)node * c->p->nevents + e])
			return true;
	return false;
}

/* Whether a row may be shown, provided that its parent is and that the filter matches. */
static bool is_open(const struct choosing_paths *c, uint32_t node)
{
	const struct cg_tree_node *n = &c->v->tree->nodes[node];
	size_t stride = c->p->nevents, e = c->o->event;
	double cost = (double)cg_magnitude(c->v->tree->inclusive[node * stride + e]);
	double total = (double)cg_magnitude(c->p->total[e]);

	if (!has_tree_cost(c, node) || c->ignored[n->function])
		return false;
	if (c->o->depth && c->depth[node] > c->o->depth)
		return false;
	if (c->v->tree->nodes[n->parent].outside && !c->o->filter)
		return false;
	return n->outside || cost * 100 >= total * c->o->threshold;
}

/* Parents first, so that nothing is shown below what is not. */
static void choose_open(struct choosing_paths *c)
{
	const struct cg_tree *t = c->v->tree;
	c->shown[0] = true;
	for (uint32_t i = 1; i < t->count; i++) {
		uint32_t parent = t->nodes[i].parent;
		c->depth[i] = c->depth[parent] + 1;
		c->shown[i] = c->shown[parent] && is_open(c, i);
		c->v->total += has_tree_cost(c, i);
	}
}

/* Children first: of what is shown, that which leads to a match. */
static int choose_matching(struct choosing_paths *c)
{
	const struct cg_tree *t = c->v->tree;
	bool *leads = calloc(t->count, sizeof *leads);
	if (!leads)
		return CG_ENOMEM;
	for (uint32_t i = t->count; i-- > 1;) {
		leads[i] |= c->matches[t->nodes[i].function];
		c->shown[i] &= leads[i];
		leads[t->nodes[i].parent] |= c->shown[i];
	}
	free(leads);
	return CG_OK;
}

struct costly {
	uint64_t size; /* no more than that of the row above it */
	uint32_t node;
};

static int compare_costly(const void *left, const void *right)
{
	const struct costly *a = left, *b = right;
	return a->size != b->size ? (a->size < b->size) - (a->size > b->size)
				  : (a->node > b->node) - (a->node < b->node);
}

/* Where costs are of both signs, a path may cost more than the one above it. */
static int keep_costliest(struct choosing_paths *c, size_t most)
{
	const struct cg_tree *t = c->v->tree;
	struct costly *rows = calloc(t->count, sizeof *rows);
	uint64_t *size = calloc(t->count, sizeof *size);
	size_t count = 0;

	if (!rows || !size) {
		free(rows);
		free(size);
		return CG_ENOMEM;
	}
	size[0] = UINT64_MAX;
	for (uint32_t i = 1; i < t->count; i++) {
		uint64_t own = cg_magnitude(t->inclusive[(size_t)i * c->p->nevents + c->o->event]);
		uint64_t above = size[t->nodes[i].parent];
		size[i] = own < above ? own : above;
		if (c->shown[i])
			rows[count++] = (struct costly){ size[i], i };
	}
	qsort(rows, count, sizeof *rows, compare_costly);
	for (size_t i = most; i < count; i++)
		c->shown[rows[i].node] = false;
	free(rows);
	free(size);
	return CG_OK;
}

static int add_tree_rows(struct choosing_paths *c)
{
	const struct cg_tree *t = c->v->tree;
	uint32_t *row = calloc(t->count, sizeof *row); /* per node: its number and 1 */
	c->v->rows = calloc(t->count, sizeof *c->v->rows);
	if (!row || !c->v->rows) {
		free(row);
		return CG_ENOMEM;
	}
	for (uint32_t i = 1; i < t->count; i++) {
		if (!c->shown[i])
			continue;
		c->v->rows[c->v->count++] = (struct tree_view_row){ i, row[t->nodes[i].parent],
								    c->depth[i] };
		row[i] = (uint32_t)c->v->count;
	}
	free(row);
	return CG_OK;
}

static int choose_tree_paths(struct choosing_paths *c, struct cg_error *err)
{
	c->shown = calloc(c->v->tree->count, sizeof *c->shown);
	c->depth = calloc(c->v->tree->count, sizeof *c->depth);
	c->matches = calloc((size_t)c->p->nfunctions + 1, sizeof *c->matches);
	c->ignored = calloc((size_t)c->p->nfunctions + 1, sizeof *c->ignored);
	if (!c->shown || !c->depth || !c->matches || !c->ignored)
		return cg_fail_nomem(err);

	int status = match_tree_functions(c, err);
	if (status)
		return status;
	choose_open(c);
	if (c->o->filter)
		status = choose_matching(c);
	if (!status && c->o->top)
		status = keep_costliest(c, c->o->top);
	if (!status)
		status = add_tree_rows(c);
	return status ? cg_fail_nomem(err) : CG_OK;
}

int tree_view_make(const struct cg_profile *p, const struct tree_view_options *options,
		   struct tree_view **out, struct cg_error *err)
{
	struct tree_view *v = calloc(1, sizeof *v);
	struct choosing_paths c = { .p = p, .o = options, .v = v };
	int status = v ? make_view_tree(&c, err) : cg_fail_nomem(err);

	if (!status) {
		cg_tree_find_doubt(v->tree, &v->doubt);
		status = choose_tree_paths(&c, err);
	}
	free(c.shown);
	free(c.depth);
	free(c.matches);
	free(c.ignored);
	if (status)
		tree_view_free(v);
	else
		*out = v;
	return status;
}

void tree_view_free(struct tree_view *v)
{
	if (!v)
		return;
	free(v->rows);
	cg_tree_free(v->tree);
	free(v);
}
