#include "cgprofile/tree.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/build.h"
#include "callgrind/name_parts.h"
#include "callgrind/support/index.h"
#include "callgrind/support/number.h"
#include "callgrind/tree_shape.h"
#include "cgprofile/names.h"

static const struct cg_tree_node whole_program;

/* Nodes on their way to the places of a draft, which may be their own: no node goes to one after
 * it. */
struct tree_merging {
	const struct cg_profile *p;
	const struct cg_tree_node *nodes; /* parents first */
	const int64_t *self;
	size_t count;
	uint32_t nevents;
	const uint32_t *group; /* per function; NULL: each is its own */
	struct cg_tree_draft draft;
	uint32_t *merged; /* per node: where it went */
	struct cg_index index;
};

static uint32_t tree_merge_group_of(const struct tree_merging *m, const struct cg_tree_node *node)
{
	return m->group ? m->group[node->function] : node->function;
}

static bool tree_merge_same_place(const void *context, uint32_t id)
{
	const struct tree_merging *m = context;
	const struct cg_tree_node *a = &m->draft.nodes[0], *b = &m->draft.nodes[id];
	return a->parent == b->parent && a->inlined == b->inlined && a->outside == b->outside &&
	       tree_merge_group_of(m, a) == tree_merge_group_of(m, b);
}

/* Node 0 of the draft, whose facts are known, holds what is looked for. */
static int tree_merge_find_place(struct tree_merging *m, const struct cg_tree_node *node,
				 uint32_t *id)
{
	uint64_t mixed = cg_hash_keyed(m->p->strings.secret, node->parent);
	mixed = cg_hash_keyed(mixed, tree_merge_group_of(m, node));
	uint32_t hash = (uint32_t)cg_hash_keyed(mixed, node->inlined);

	m->draft.nodes[0] = *node;
	*id = cg_index_find(&m->index, hash, tree_merge_same_place, m);
	if (*id)
		return CG_OK;
	struct cg_tree_node empty = *node;
	empty.calls = 0;
	int status = cg_index_reserve(&m->index);
	if (!status)
		status = cg_tree_draft_add(&m->draft, m->nevents, &empty);
	if (status)
		return status;
	*id = (uint32_t)m->draft.count - 1;
	cg_index_insert(&m->index, hash, *id);
	return CG_OK;
}

/* Adds node i to the place that `node` describes. */
static int merge_node(struct tree_merging *m, size_t i, const struct cg_tree_node *node)
{
	size_t n = m->nevents;
	int64_t self[CG_MAX_EVENTS];
	uint32_t id;

	memcpy(self, m->self + i * n, n * sizeof *self);
	int status = tree_merge_find_place(m, node, &id);
	if (status)
		return status;
	struct cg_tree_node *to = &m->draft.nodes[id];
	m->merged[i] = id;
	cg_tree_node_join(m->p, to, node);
	return cg_add_costs(m->draft.self + id * n, self, n) ? CG_OK : CG_ERANGE;
}

/* ---- siblings of one place ---- */

/* Which child of a parent is the first of a group, inlined or not. */
struct first_child {
	uint32_t parent; /* + 1; of another parent, it means nothing */
	uint32_t child;
};

static uint32_t count_groups(const struct tree_merging *m)
{
	uint32_t count = 0;

	for (size_t i = 0; i < m->count; i++) {
		uint32_t group = tree_merge_group_of(m, &m->nodes[i]);
		count = group >= count ? group + 1 : count;
	}
	return count;
}

/* Nodes of which no other one is of the same place. Where two siblings are of one place, this is
 * left open for all below them. */
struct lone_nodes {
	bool *alone;               /* per node */
	bool *part;                /* of a draft, per node: of its parent; NULL: no node is */
	bool *mixed;               /* the same: a part, or one that has parts, as what both call may
	                              be of one place */
	struct first_child *first; /* per group and inlined */
	bool all;
};

static int begin_lone_nodes(const struct tree_merging *m, struct lone_nodes *l)
{
	*l = (struct lone_nodes){
		.alone = calloc(m->count + 1, sizeof *l->alone),
		.first = calloc((size_t)count_groups(m) + 1, 2 * sizeof *l->first),
		.all = true,
	};
	if (!l->alone || !l->first)
		return CG_ENOMEM;
	l->alone[0] = true;
	return CG_OK;
}

static void free_lone_nodes(struct lone_nodes *l)
{
	free(l->alone);
	free(l->part);
	free(l->mixed);
	free(l->first);
}

/* The children of a node have to be looked at one after another. */
static void look_at_child(const struct tree_merging *m, uint32_t i, struct lone_nodes *l)
{
	const struct cg_tree_node *node = &m->nodes[i];
	size_t group = tree_merge_group_of(m, node);
	struct first_child *of = &l->first[2 * group + node->inlined];

	l->alone[i] = l->alone[node->parent] && !(l->mixed && l->mixed[node->parent]);
	if (of->parent == node->parent + 1)
		l->all = l->alone[i] = l->alone[of->child] = false;
	else
		*of = (struct first_child){ node->parent + 1, i };
}

/* The draft has room for all nodes. */
static void move_alone(struct tree_merging *m, uint32_t i, const struct cg_tree_node *node)
{
	size_t n = m->nevents, to = m->draft.count++;

	m->merged[i] = (uint32_t)to;
	m->draft.nodes[to] = *node;
	memmove(m->draft.self + to * n, m->self + i * n, n * sizeof *m->self);
}

static int merge_part(struct tree_merging *m, uint32_t i, const struct cg_tree_node *part)
{
	size_t n = m->nevents, to = part->parent;

	m->merged[i] = part->parent;
	cg_tree_node_join_part(&m->draft.nodes[to], part);
	return cg_add_costs(m->draft.self + to * n, m->self + i * n, n) ? CG_OK : CG_ERANGE;
}

static int merge_all(struct tree_merging *m, const struct lone_nodes *l)
{
	int status = CG_OK;

	for (uint32_t i = 1; !status && i < m->count; i++) {
		struct cg_tree_node node = m->nodes[i];
		node.parent = m->merged[node.parent];
		if (l->part && l->part[i])
			status = merge_part(m, i, &node);
		else if (l->alone[i])
			move_alone(m, i, &node);
		else
			status = merge_node(m, i, &node);
	}
	return status;
}

/* ---- a tree from another ---- */

static struct tree_merging merging_of_tree(const struct cg_tree *t, const uint32_t *group)
{
	return (struct tree_merging){ .p = t->profile,
				      .nodes = t->nodes,
				      .self = t->self,
				      .count = t->count,
				      .nevents = t->profile->nevents,
				      .group = group };
}

static int tree_merge_begin(struct tree_merging *m)
{
	m->merged = calloc(m->count + 1, sizeof *m->merged);
	if (!m->merged)
		return CG_ENOMEM;
	return cg_tree_draft_add(&m->draft, m->nevents, &whole_program);
}

/* Frees what was needed; the tree is made if all went well. */
static int tree_merge_finish(struct tree_merging *m, int status, const struct cg_tree *t,
			     struct cg_tree **out)
{
	struct cg_tree *merged = status ? NULL : calloc(1, sizeof *merged);

	if (!status && !merged)
		status = CG_ENOMEM;
	if (!status) {
		m->draft.nodes[0] = whole_program;
		status = cg_tree_shape(&m->draft, t->profile, t->event, merged);
	}
	if (!status)
		cg_tree_describe(merged, t->profile, t->event, &t->misfit);
	if (status)
		cg_tree_free(merged);
	else
		*out = merged;
	free(m->merged);
	cg_index_free(&m->index);
	cg_tree_draft_free(&m->draft);
	return status;
}

/* Finds the nodes of a tree that are alone. */
static int look_at_tree(const struct cg_tree *t, const uint32_t *group, struct lone_nodes *l)
{
	const struct tree_merging m = merging_of_tree(t, group);
	int status = begin_lone_nodes(&m, l);

	for (uint32_t i = 0; !status && i < t->count; i++)
		for (uint32_t c = i + 1; c < t->nodes[i].end; c = t->nodes[c].end)
			look_at_child(&m, c, l);
	return status;
}

int cg_tree_is_merged(const struct cg_tree *t, const uint32_t *group, bool *merged)
{
	struct lone_nodes l;
	int status = look_at_tree(t, group, &l);

	*merged = l.all;
	free_lone_nodes(&l);
	return status;
}

int cg_tree_merge(const struct cg_tree *t, const uint32_t *group, struct cg_tree **out)
{
	struct tree_merging m = merging_of_tree(t, group);
	struct lone_nodes l;
	int status = tree_merge_begin(&m), looked = look_at_tree(t, group, &l);

	if (!status)
		status = looked;
	if (!status)
		status = cg_tree_draft_reserve(&m.draft, m.nevents, t->count);
	if (!status)
		status = merge_all(&m, &l);
	free_lone_nodes(&l);
	return tree_merge_finish(&m, status, t, out);
}

/* ---- a draft in its place ---- */

static int find_parts(const struct tree_merging *m, struct lone_nodes *l)
{
	l->part = calloc(m->count + 1, sizeof *l->part);
	l->mixed = calloc(m->count + 1, sizeof *l->mixed);
	if (!l->part || !l->mixed)
		return CG_ENOMEM;
	for (uint32_t i = 1; i < m->count; i++) {
		const uint32_t parent = m->nodes[i].parent;
		if (cg_tree_is_part(m->p, m->group, &m->nodes[parent], &m->nodes[i]))
			l->part[i] = l->mixed[i] = l->mixed[parent] = true;
	}
	return CG_OK;
}

int cg_tree_draft_merge(struct cg_tree_draft *d, const struct cg_profile *p, const uint32_t *group)
{
	struct tree_merging m = { .p = p,
				  .nodes = d->nodes,
				  .self = d->self,
				  .count = d->count,
				  .nevents = p->nevents,
				  .group = group,
				  .draft = *d,
				  .merged = calloc(d->count + 1, sizeof *m.merged) };
	struct lone_nodes l;
	int status = begin_lone_nodes(&m, &l);

	if (!m.merged)
		status = CG_ENOMEM;
	if (!status)
		status = find_parts(&m, &l);
	m.draft.count = 1;
	if (!status) {
		for (uint32_t i = 1; i < m.count; i++)
			look_at_child(&m, i, &l);
		status = merge_all(&m, &l);
		d->nodes[0] = whole_program;
		d->count = m.draft.count;
	}
	free_lone_nodes(&l);
	free(m.merged);
	cg_index_free(&m.index);
	return status;
}

/* ---- another root ---- */

struct rooting {
	struct tree_merging m;
	const bool *is_root; /* per function */
	bool *inside;        /* per node of t: below a root, or one */
	uint32_t outside;    /* its node; 0: none yet */
};

/* Whether a root is below the node. */
static bool leads_inside(const struct rooting *r, uint32_t node)
{
	for (uint32_t i = node; i < r->m.nodes[node].end; i++)
		if (r->is_root[r->m.nodes[i].function])
			return true;
	return false;
}

static int find_outside(struct rooting *r)
{
	struct cg_tree_node outside = { .outside = true };
	return r->outside ? CG_OK : tree_merge_find_place(&r->m, &outside, &r->outside);
}

/* `out`: the node is of a stack that leads inside. */
static int place_node(struct rooting *r, uint32_t i, bool out)
{
	struct cg_tree_node node = r->m.nodes[i];
	bool below = r->inside[node.parent];
	int status = CG_OK;

	r->inside[i] = below || r->is_root[node.function];
	if (r->inside[i] && !below) {
		node.parent = 0;
		node.inlined = node.uncounted = false;
	} else if (node.parent == 0 && out) {
		status = find_outside(r);
		node.parent = r->outside;
	} else {
		node.parent = r->m.merged[node.parent];
	}
	return status ? status : merge_node(&r->m, i, &node);
}

int cg_tree_root(const struct cg_tree *t, const bool *is_root, struct cg_tree **out)
{
	struct rooting r = { .m = merging_of_tree(t, NULL),
			     .is_root = is_root,
			     .inside = calloc((size_t)t->count + 1, sizeof *r.inside) };
	int status = tree_merge_begin(&r.m);
	bool outside = false;

	if (!r.inside)
		status = CG_ENOMEM;
	for (uint32_t i = 1; !status && i < t->count; i++) {
		if (t->nodes[i].parent == 0)
			outside = leads_inside(&r, i);
		status = place_node(&r, i, outside);
	}
	free(r.inside);
	return tree_merge_finish(&r.m, status, t, out);
}

/* ---- main ---- */

static bool is_library(const char *object)
{
	const char *name = cg_base_name(object), *so = strstr(name, ".so");
	return so && (so[3] == '\0' || so[3] == '.');
}

/* Whether the first word of the command names the object. */
static bool was_started(const struct cg_profile *p, const char *object)
{
	const char *command = p->nparts ? cg_string(p, p->parts[0].command) : "";
	const char *name = cg_base_name(object);
	size_t len = strlen(name), word = strcspn(command, " ");

	return len && word >= len && memcmp(command + word - len, name, len) == 0 &&
	       (word == len || command[word - len - 1] == '/');
}

/* CodSpeed's integrations run what is to be measured below a function of this name, or in Rust
 * below one whose last part begins so. */
static bool is_root_frame(const char *name)
{
	static const char frame[] = "__codspeed_root_frame__";
	size_t part = cg_name_last_part(name, cg_name_without_parameters(name, strlen(name)));
	return strncmp(name + part, frame, sizeof frame - 1) == 0;
}

uint32_t cg_tree_main(const struct cg_tree *t)
{
	const struct cg_profile *p = t->profile;
	uint32_t found = 0;

	for (uint32_t i = 1; i < t->count; i++)
		if (is_root_frame(cg_string(p, p->functions[t->nodes[i].function].name)))
			return t->nodes[i].function;
	for (uint32_t i = 1; i < t->count; i++) {
		const struct cg_function *f = &p->functions[t->nodes[i].function];
		const char *object = cg_string(p, f->object);
		if (strcmp(cg_string(p, f->name), "main") != 0 || is_library(object))
			continue;
		if (was_started(p, object))
			return t->nodes[i].function;
		found = found ? found : t->nodes[i].function;
	}
	return found;
}
