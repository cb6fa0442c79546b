#include "src/diff/tree.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/build.h"
#include "callgrind/support/depth_first.h"
#include "callgrind/support/grow.h"
#include "callgrind/support/number.h"
#include "src/diff/groups.h"
#include "src/diff/match.h"

static const int64_t no_costs[CG_MAX_EVENTS];

enum diff_class tree_diff_classify(const struct tree_diff *t, const struct tree_row *row)
{
	if (!row->base.present)
		return DIFF_NEW;
	if (!row->head.present)
		return DIFF_REMOVED;
	return diff_classify_change(t->diff, diff_base_value(t->diff, row->base.inclusive),
				    diff_head_value(t->diff, row->head.inclusive));
}

/* A path on its way to a row. */
struct pair {
	uint32_t parent;     /* a lower pair */
	uint32_t function;   /* a group of head, or behind these one of base that head lacks */
	uint32_t base, head; /* nodes, 0: none (both of pair 0 are the whole program) */
	bool inlined;
};

struct pairing {
	struct tree_diff *t;
	struct groups base, head;
	struct match match;
	struct pair *pairs;
	size_t count, cap;
	struct cg_index index;
	uint32_t *base_pair, *head_pair; /* per node */
};

static bool same_path(const void *context, uint32_t id)
{
	const struct pairing *p = context;
	const struct pair *a = &p->pairs[p->count], *b = &p->pairs[id];
	return a->parent == b->parent && a->function == b->function && a->inlined == b->inlined;
}

/* Finds or adds the pair of a path; what is looked for stands behind the last one. */
static int find_pair(struct pairing *p, const struct pair *wanted, uint32_t *id)
{
	uint64_t mixed = cg_hash_mix(wanted->parent, wanted->function);
	uint32_t hash = (uint32_t)cg_hash_mix(mixed, wanted->inlined);

	if (p->count >= UINT32_MAX)
		return CG_ERANGE;
	if (cg_grow(&p->pairs, &p->cap, p->count + 1, sizeof *p->pairs) || cg_index_reserve(&p->index))
		return CG_ENOMEM;
	p->pairs[p->count] = *wanted;
	*id = cg_index_find(&p->index, hash, same_path, p);
	if (!*id && p->count) {
		*id = (uint32_t)p->count;
		cg_index_insert(&p->index, hash, *id);
	}
	p->count += *id == p->count;
	return CG_OK;
}

/* One number for a function of base and its partner in head. */
static uint32_t common_function(const struct pairing *p, uint32_t base_group)
{
	uint32_t head = p->match.head_of[base_group];
	return head ? head : p->head.count + base_group;
}

static int pair_base(struct pairing *p)
{
	const struct cg_tree *t = p->t->base;
	int status = CG_OK;

	for (uint32_t i = 0; !status && i < t->count; i++) {
		const struct cg_tree_node *n = &t->nodes[i];
		struct pair pair = { .parent = p->base_pair[n->parent],
				     .function = common_function(p, p->base.of[n->function]),
				     .inlined = n->inlined };
		status = find_pair(p, &pair, &p->base_pair[i]);
		if (!status)
			p->pairs[p->base_pair[i]].base = i;
	}
	return status;
}

static int pair_head(struct pairing *p)
{
	const struct cg_tree *t = p->t->head;
	int status = CG_OK;

	for (uint32_t i = 1; !status && i < t->count; i++) {
		const struct cg_tree_node *n = &t->nodes[i];
		struct pair pair = { .parent = p->head_pair[n->parent],
				     .function = p->head.of[n->function],
				     .inlined = n->inlined };
		status = find_pair(p, &pair, &p->head_pair[i]);
		if (!status)
			p->pairs[p->head_pair[i]].head = i;
	}
	return status;
}

/* ---- rows ---- */

static struct tree_side make_side(const struct cg_tree *t, uint32_t node, bool present)
{
	size_t at = (size_t)node * t->profile->nevents;
	if (!present)
		return (struct tree_side){ .self = no_costs, .inclusive = no_costs };
	return (struct tree_side){
		.present = true,
		.estimated = t->nodes[node].estimated || t->nodes[node].estimated_below,
		.calls = t->nodes[node].calls,
		.self = t->self + at,
		.inclusive = t->inclusive + at,
	};
}

static struct tree_row make_row(const struct pairing *p, uint32_t id)
{
	const struct pair *pair = &p->pairs[id];
	const struct tree_diff *t = p->t;
	uint32_t base = p->base.of[t->base->nodes[pair->base].function];
	uint32_t head = p->head.of[t->head->nodes[pair->head].function];
	const struct group_key *key = head ? &p->head.keys[head] : &p->base.keys[base];

	return (struct tree_row){
		.name = id ? cg_strings_get(&t->strings, key->name) : "",
		.object = id ? cg_strings_get(&t->strings, key->object) : "",
		.file = id ? cg_strings_get(&t->strings, key->file) : "",
		.parent = pair->parent,
		.inlined = pair->inlined,
		.match = id == 0 ? DIFF_SAME : base && head ? p->match.how[base] : DIFF_ONE_SIDED,
		.base = make_side(t->base, pair->base, !id || pair->base),
		.head = make_side(t->head, pair->head, !id || pair->head),
	};
}

struct ordering {
	const struct diff *d;
	const struct tree_row *rows;
};

static int compare_rows(const void *left, const void *right, void *context)
{
	const struct ordering *o = context;
	const struct tree_row *a = &o->rows[*(const uint32_t *)left];
	const struct tree_row *b = &o->rows[*(const uint32_t *)right];
	int64_t x = diff_head_value(o->d, a->head.inclusive);
	int64_t y = diff_head_value(o->d, b->head.inclusive);

	int order = cg_compare_sizes(cg_delta(diff_base_value(o->d, a->base.inclusive), x),
				     cg_delta(diff_base_value(o->d, b->base.inclusive), y));
	if (!order)
		order = cg_compare_sizes(x, y);
	if (!order)
		order = strcmp(a->name, b->name);
	if (!order)
		order = strcmp(a->object, b->object);
	if (!order)
		order = strcmp(a->file, b->file);
	return order ? order : a->inlined - b->inlined;
}

/* Puts the rows in the order of `order`; *rows is replaced. */
static void rearrange(struct tree_diff *t, struct tree_row *rows, const uint32_t *order,
		      uint32_t *place, uint32_t *parent)
{
	for (uint32_t i = 0; i < t->count; i++)
		place[order[i]] = i;
	for (uint32_t i = 0; i < t->count; i++) {
		rows[i] = t->rows[order[i]];
		rows[i].parent = parent[i] = place[rows[i].parent];
		rows[i].depth = i ? rows[rows[i].parent].depth + 1 : 0;
	}
	cg_depth_first_ends(parent, t->count, place);
	for (uint32_t i = 0; i < t->count; i++)
		rows[i].end = place[i];
	free(t->rows);
	t->rows = rows;
}

static int order_rows(struct tree_diff *t)
{
	struct ordering o = { t->diff, t->rows };
	uint32_t *parent = calloc((size_t)t->count + 1, sizeof *parent);
	uint32_t *order = calloc((size_t)t->count + 1, sizeof *order);
	uint32_t *place = calloc((size_t)t->count + 1, sizeof *place);
	struct tree_row *rows = calloc((size_t)t->count + 1, sizeof *rows);
	int status = parent && order && place && rows ? CG_OK : CG_ENOMEM;

	for (uint32_t i = 0; !status && i < t->count; i++)
		parent[i] = t->rows[i].parent;
	if (!status)
		status = cg_depth_first(parent, t->count, compare_rows, &o, order);
	if (!status) {
		rearrange(t, rows, order, place, parent);
		rows = NULL;
	}
	free(parent);
	free(order);
	free(place);
	free(rows);
	return status;
}

static int make_rows(struct pairing *p)
{
	struct tree_diff *t = p->t;
	t->rows = calloc(p->count + 1, sizeof *t->rows);
	if (!t->rows)
		return CG_ENOMEM;
	t->count = (uint32_t)p->count;
	for (uint32_t i = 0; i < t->count; i++)
		t->rows[i] = make_row(p, i);
	return order_rows(t);
}

/* ---- laws ---- */

static int fail_law(const struct cg_profile *p, bool head, uint32_t event, const char *what,
		    struct cg_error *err)
{
	return cg_fail(err, CG_ELAW, NULL, 0,
		       "%s of %s do not add up for %s; please report this bug", what,
		       head ? "head" : "base", cg_string(p, p->events[event].name));
}

static const struct tree_side *side_of(const struct tree_row *row, bool head)
{
	return head ? &row->head : &row->base;
}

/* Both laws of one side; those of the deltas follow. `sum` has room for a number
 * per row. */
static int check_side(const struct tree_diff *t, bool head, __int128 *sum, struct cg_error *err)
{
	const struct cg_profile *p = head ? t->diff->head : t->diff->base;

	for (uint32_t e = 0; e < p->nevents; e++) {
		__int128 total = 0;
		memset(sum, 0, (size_t)t->count * sizeof *sum);
		for (uint32_t i = t->count; i-- > 0;) {
			const struct tree_side *s = side_of(&t->rows[i], head);
			sum[i] += s->self[e];
			total += s->self[e];
			if (sum[i] != s->inclusive[e])
				return fail_law(p, head, e, "a row and its children", err);
			if (i)
				sum[t->rows[i].parent] += sum[i];
		}
		if (total != p->total[e])
			return fail_law(p, head, e, "the paths", err);
	}
	return CG_OK;
}

static int check_laws(const struct tree_diff *t, struct cg_error *err)
{
	__int128 *sum = calloc((size_t)t->count + 1, sizeof *sum);
	int status = sum ? check_side(t, false, sum, err) : cg_fail_nomem(err);
	if (!status)
		status = check_side(t, true, sum, err);
	free(sum);
	return status;
}

/* ---- all of it ---- */

/* The event whose costs choose the paths; for a derived metric the instructions. */
static uint32_t main_event(const struct cg_profile *p, const char *metric)
{
	int event = cg_event_index(p, metric);
	if (event < 0)
		event = cg_event_index(p, "Ir");
	return event < 0 ? 0 : (uint32_t)event;
}

/* What both sides recorded of a path: what only one did is no change of the program. */
static int common_frames(const struct diff *d, uint32_t *frames)
{
	uint32_t base = 0, head = 0;
	int status = cg_tree_frames(d->base, &base);
	if (!status)
		status = cg_tree_frames(d->head, &head);
	*frames = base && head ? (base < head ? base : head) : base + head;
	return status;
}

/* The tree of one side in which each function is one group. */
static int make_tree(const struct cg_profile *p, const char *metric, uint32_t frames,
		     const struct groups *g, struct cg_tree **out)
{
	struct cg_tree_options options = { .event = main_event(p, metric), .frames = frames };
	struct cg_tree *t = NULL;
	int status = cg_tree_make(p, &options, &t);
	if (!status)
		status = cg_tree_merge(t, g->of, out);
	cg_tree_free(t);
	return status;
}

static int make(struct pairing *p)
{
	struct tree_diff *t = p->t;
	const struct diff *d = t->diff;
	int status = groups_make(d->base, d->head, &t->strings, &p->base, &p->head);

	if (!status)
		status = match_groups(&t->strings, &p->base, &p->head, &p->match);
	uint32_t frames = 0;
	if (!status)
		status = common_frames(d, &frames);
	if (!status)
		status = make_tree(d->base, d->options.metric, frames, &p->base, &t->base);
	if (!status)
		status = make_tree(d->head, d->options.metric, frames, &p->head, &t->head);
	if (status)
		return status;

	t->exact = t->base->exact && t->head->exact;
	p->base_pair = calloc(t->base->count, sizeof *p->base_pair);
	p->head_pair = calloc(t->head->count, sizeof *p->head_pair);
	status = p->base_pair && p->head_pair ? pair_base(p) : CG_ENOMEM;
	if (!status)
		status = pair_head(p);
	return status ? status : make_rows(p);
}

int tree_diff_make(const struct diff *d, struct tree_diff **out, struct cg_error *err)
{
	struct tree_diff *t = calloc(1, sizeof *t);
	struct pairing p = { .t = t };
	int status = t && !cg_strings_init(&t->strings) ? CG_OK : CG_ENOMEM;

	if (!status) {
		t->diff = d;
		status = make(&p);
	}
	if (status == CG_ENOMEM)
		cg_fail_nomem(err);
	else if (status)
		cg_fail(err, status, NULL, 0, "the costs of a path of calls exceed 2^63");
	else
		status = check_laws(t, err);
	groups_free(&p.base);
	groups_free(&p.head);
	match_free(&p.match);
	free(p.pairs);
	cg_index_free(&p.index);
	free(p.base_pair);
	free(p.head_pair);
	if (!status) {
		*out = t;
		t = NULL;
	}
	tree_diff_free(t);
	return status;
}

void tree_diff_free(struct tree_diff *t)
{
	if (!t)
		return;
	free(t->rows);
	cg_strings_free(&t->strings);
	cg_tree_free(t->base);
	cg_tree_free(t->head);
	free(t);
}
