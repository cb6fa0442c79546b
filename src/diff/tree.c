#include "src/diff/tree.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/build.h"
#include "callgrind/support/depth_first.h"
#include "callgrind/support/number.h"
#include "src/diff/group_functions.h"
#include "src/diff/match.h"
#include "src/diff/same_counts.h"
#include "src/diff/tree_match.h"

static const int64_t no_costs[CG_MAX_EVENTS];

static bool row_differs(const struct tree_diff *t, const struct tree_row *row)
{
	return row->base.present != row->head.present || row->base.calls != row->head.calls ||
	       diff_base_value(t->diff, row->base.self) != diff_head_value(t->diff, row->head.self);
}

bool tree_diff_differs(const struct tree_diff *t)
{
	for (uint32_t i = 0; i < t->count; i++)
		if (row_differs(t, &t->rows[i]))
			return true;
	return false;
}

enum diff_class tree_diff_classify(const struct tree_diff *t, const struct tree_row *row)
{
	int64_t base = diff_base_value(t->diff, row->base.inclusive);
	int64_t head = diff_head_value(t->diff, row->head.inclusive);

	if (row->base.present != row->head.present && diff_tolerates(t->diff, base, head))
		return DIFF_TOLERATED;
	if (!row->base.present)
		return DIFF_NEW;
	if (!row->head.present)
		return DIFF_REMOVED;
	return diff_classify_change(t->diff, base, head);
}

struct pairing {
	struct tree_diff *t;
	enum tree_step last;
	struct cg_tree *tree[SIDES];
	struct groups groups[SIDES];
	struct match names;
	struct tree_functions functions;
	struct tree_match match;
	uint32_t *row;  /* per pair: until rows are in order, their number in that of the pairs */
	uint32_t *pair; /* per such number */
	/* Per row and event, in t->costs. */
	int64_t *self[SIDES], *inclusive[SIDES];
};

/* ---- functions of both sides ---- */

struct common {
	const struct pairing *p;
	struct group_key key;
	uint32_t group[SIDES];
};

static int compare_common(const void *left, const void *right)
{
	const struct common *a = left, *b = right;
	const struct cg_strings *s = &a->p->t->strings;
	int order = strcmp(cg_strings_get(s, a->key.name), cg_strings_get(s, b->key.name));
	if (!order)
		order = strcmp(cg_strings_get(s, a->key.object), cg_strings_get(s, b->key.object));
	if (!order)
		order = strcmp(cg_strings_get(s, a->key.file), cg_strings_get(s, b->key.file));
	return order;
}

static size_t list_common(const struct pairing *p, struct common *list)
{
	size_t n = p->groups[HEAD].count - 1;
	for (uint32_t h = 1; h <= n; h++)
		list[h - 1] = (struct common){ p, p->groups[HEAD].keys[h], { 0, h } };
	for (uint32_t b = 1; b < p->groups[BASE].count; b++) {
		uint32_t h = p->names.head_of[b];
		if (h)
			list[h - 1].group[BASE] = b;
		else
			list[n++] = (struct common){ p, p->groups[BASE].keys[b], { b, 0 } };
	}
	return n;
}

struct source_search {
	const struct common *list;
	const struct group_key *wanted;
};

/* `id` is the number of a function. */
static bool is_same_source(const void *context, uint32_t id)
{
	const struct source_search *s = context;
	const struct group_key *key = &s->list[id - 1].key;
	return key->source == s->wanted->source && key->object == s->wanted->object &&
	       key->file == s->wanted->file;
}

/* `list` is in the order of the numbers. */
static int find_source_functions(const struct common *list, size_t n, uint32_t *source)
{
	struct cg_index index = { 0 };
	int status = CG_OK;

	for (size_t i = 0; !status && i < n; i++) {
		struct source_search search = { list, &list[i].key };
		uint64_t mixed = cg_hash_mix(list[i].key.source, list[i].key.file);
		uint32_t hash = (uint32_t)cg_hash_mix(mixed, list[i].key.object);
		status = cg_index_reserve(&index);
		if (status)
			break;
		source[i + 1] = cg_index_find(&index, hash, is_same_source, &search);
		if (source[i + 1])
			continue;
		source[i + 1] = (uint32_t)i + 1;
		cg_index_insert(&index, hash, (uint32_t)i + 1);
	}
	cg_index_free(&index);
	return status;
}

static int number_functions(struct pairing *p)
{
	size_t most = (size_t)p->groups[BASE].count + p->groups[HEAD].count;
	struct common *list = calloc(most, sizeof *list);
	struct tree_functions *f = &p->functions;

	for (uint32_t s = 0; s < SIDES; s++)
		f->of[s] = calloc(p->groups[s].count, sizeof *f->of[s]);
	f->name = calloc(most, sizeof *f->name);
	f->in_both = calloc(most, sizeof *f->in_both);
	p->t->source_of = calloc(most, sizeof *p->t->source_of);
	if (!list || !f->of[BASE] || !f->of[HEAD] || !f->name || !f->in_both || !p->t->source_of) {
		free(list);
		return CG_ENOMEM;
	}
	size_t n = list_common(p, list);
	f->count = n + 1;
	qsort(list, n, sizeof *list, compare_common);
	for (size_t i = 0; i < n; i++) {
		f->name[i + 1] = cg_strings_get(&p->t->strings, list[i].key.name);
		f->in_both[i + 1] = list[i].group[BASE] && list[i].group[HEAD];
		for (uint32_t s = 0; s < SIDES; s++)
			if (list[i].group[s])
				f->of[s][list[i].group[s]] = (uint32_t)i + 1;
	}
	int status = find_source_functions(list, n, p->t->source_of);
	free(list);
	return status;
}

/* ---- rows ---- */

static uint32_t group_of_node(const struct pairing *p, uint32_t side, uint32_t node)
{
	return p->groups[side].of[p->tree[side]->nodes[node].function];
}

static const struct group_key *key_of_node(const struct pairing *p, uint32_t side, uint32_t node)
{
	return &p->groups[side].keys[group_of_node(p, side, node)];
}

static struct tree_side make_tree_side(const struct pairing *p, uint32_t id, uint32_t side)
{
	const struct tree_pair *pair = &p->match.pairs[id];
	const struct tree_pair *via = &p->match.pairs[pair->via[side]];
	const struct cg_tree_node *nodes = p->tree[side]->nodes;
	struct tree_side s = { .self = no_costs, .inclusive = no_costs };

	if (id && !pair->first[side])
		return s;
	s.present = true;
	s.inlined = id > 0;
	s.calls = pair->calls[side];
	s.node = pair->first[side];
	if (pair->via[side])
		s.via = cg_strings_get(&p->t->strings,
				       key_of_node(p, side, via->first[side])->name);
	uint32_t n = pair->first[side];
	do {
		s.estimated |= nodes[n].estimated || nodes[n].estimated_below;
		s.cut |= nodes[n].cut;
		s.inlined &= nodes[n].inlined;
		n = p->match.next[side][n];
	} while (n);
	return s;
}

static enum diff_match match_of(const struct pairing *p, const struct tree_pair *pair)
{
	uint32_t base = group_of_node(p, BASE, pair->first[BASE]);
	return pair->how == DIFF_SAME && base ? p->names.how[base] : pair->how;
}

static const struct group_key *key_of_pair(const struct pairing *p, const struct tree_pair *pair)
{
	uint32_t side = pair->first[HEAD] ? HEAD : BASE;
	return key_of_node(p, side, pair->first[side]);
}

static struct tree_row make_tree_row(const struct pairing *p, uint32_t id)
{
	const struct tree_pair *pair = &p->match.pairs[id];
	const struct cg_strings *strings = &p->t->strings;
	uint32_t in_base = pair->first[BASE];
	const struct group_key *key = key_of_pair(p, pair);

	if (id == 0)
		return (struct tree_row){ .name = "",
					  .object = "",
					  .file = "",
					  .base_name = "",
					  .match = DIFF_SAME,
					  .weights = WEIGHTS_ALL,
					  .base = make_tree_side(p, 0, BASE),
					  .head = make_tree_side(p, 0, HEAD) };
	return (struct tree_row){
		.name = cg_strings_get(strings, key->name),
		.object = cg_strings_get(strings, key->object),
		.file = cg_strings_get(strings, key->file),
		.base_name = cg_strings_get(strings, in_base ? key_of_node(p, BASE, in_base)->name
							     : key->name),
		.function = pair->function,
		.base_function = in_base ? p->functions.of[BASE][group_of_node(p, BASE, in_base)]
					 : pair->function,
		.parent = p->row[pair->parent],
		.match = match_of(p, pair),
		.weights = pair->weights,
		.base = make_tree_side(p, id, BASE),
		.head = make_tree_side(p, id, HEAD),
	};
}

/* ---- costs ---- */

static int number_pair_rows(struct pairing *p)
{
	struct tree_diff *t = p->t;

	p->row = calloc(p->match.count + 1, sizeof *p->row);
	p->pair = calloc(p->match.count + 1, sizeof *p->pair);
	if (!p->row || !p->pair)
		return CG_ENOMEM;
	for (uint32_t i = 0; i < p->match.count; i++) {
		if (p->match.pairs[i].gone)
			continue;
		p->row[i] = t->count;
		p->pair[t->count++] = i;
	}
	return CG_OK;
}

/* The row above one, as long as they are in the order of the pairs. */
static uint32_t row_above(const struct pairing *p, uint32_t row)
{
	return p->row[p->match.pairs[p->pair[row]].parent];
}

/* Adds what the nodes of one side cost to their rows, and rows to the rows above them. */
static int add_node_costs(const struct pairing *p, uint32_t side)
{
	const struct cg_tree *tree = p->tree[side];
	int64_t *self = p->self[side], *inclusive = p->inclusive[side];
	size_t n = tree->profile->nevents, count = p->t->count;

	for (uint32_t i = 0; i < tree->count; i++) {
		uint32_t row = p->row[p->match.pair_of[side][i]];
		if (!cg_add_costs(self + row * n, tree->self + i * n, n))
			return CG_ERANGE;
	}
	memcpy(inclusive, self, count * n * sizeof *self);
	for (uint32_t i = p->t->count; i-- > 1;)
		if (!cg_add_costs(inclusive + row_above(p, i) * n, inclusive + i * n, n))
			return CG_ERANGE;
	return CG_OK;
}

static int add_up_rows(struct pairing *p)
{
	struct tree_diff *t = p->t;
	size_t count = t->count, b = t->diff->base->nevents, h = t->diff->head->nevents;
	t->costs = calloc(count * 2, (b + h) * sizeof *t->costs);
	if (!t->costs)
		return CG_ENOMEM;
	p->self[BASE] = t->costs;
	p->inclusive[BASE] = p->self[BASE] + count * b;
	p->self[HEAD] = p->inclusive[BASE] + count * b;
	p->inclusive[HEAD] = p->self[HEAD] + count * h;

	int status = add_node_costs(p, BASE);
	return status ? status : add_node_costs(p, HEAD);
}

/* ---- order ---- */

static int64_t value_of_row(const struct pairing *p, uint32_t side, uint32_t row)
{
	const struct diff *d = p->t->diff;
	uint32_t pair = p->pair[row];
	const int64_t *costs = p->inclusive[side] + (size_t)row * p->tree[side]->profile->nevents;

	if (pair && !p->match.pairs[pair].first[side])
		return 0;
	return side == BASE ? diff_base_value(d, costs) : diff_head_value(d, costs);
}

static int compare_texts(const struct pairing *p, cg_str a, cg_str b)
{
	const struct cg_strings *strings = &p->t->strings;
	return a == b ? 0 : strcmp(cg_strings_get(strings, a), cg_strings_get(strings, b));
}

static bool is_inlined_pair(const struct pairing *p, uint32_t pair)
{
	struct tree_row row = { .base = make_tree_side(p, pair, BASE),
				.head = make_tree_side(p, pair, HEAD) };
	return tree_row_inlined(&row);
}

static int compare_tree_rows(const void *left, const void *right, void *context)
{
	const struct pairing *p = context;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	int64_t x = value_of_row(p, HEAD, a), y = value_of_row(p, HEAD, b);

	int order = cg_compare_sizes(cg_delta(value_of_row(p, BASE, a), x),
				     cg_delta(value_of_row(p, BASE, b), y));
	if (!order)
		order = cg_compare_sizes(x, y);
	if (order)
		return order;
	const struct group_key *k = key_of_pair(p, &p->match.pairs[p->pair[a]]);
	const struct group_key *l = key_of_pair(p, &p->match.pairs[p->pair[b]]);
	order = compare_texts(p, k->name, l->name);
	if (!order)
		order = compare_texts(p, k->object, l->object);
	if (!order)
		order = compare_texts(p, k->file, l->file);
	return order ? order : is_inlined_pair(p, p->pair[a]) - is_inlined_pair(p, p->pair[b]);
}

/* Puts rows of `size` bytes in the order; `room` is for all of them. */
static void arrange_array(void *rows, const uint32_t *order, uint32_t count, size_t size,
			  char *room)
{
	for (uint32_t i = 0; i < count; i++)
		memcpy(room + i * size, (const char *)rows + order[i] * size, size);
	memcpy(rows, room, count * size);
}

static int arrange_rows(struct pairing *p, const uint32_t *order)
{
	uint32_t count = p->t->count;
	size_t size[SIDES] = { p->t->diff->base->nevents * sizeof(int64_t),
			       p->t->diff->head->nevents * sizeof(int64_t) };
	size_t most = size[BASE] > size[HEAD] ? size[BASE] : size[HEAD];
	char *room = malloc(count * (most > sizeof *p->pair ? most : sizeof *p->pair) + 1);

	if (!room)
		return CG_ENOMEM;
	for (uint32_t s = 0; s < SIDES; s++) {
		arrange_array(p->self[s], order, count, size[s], room);
		arrange_array(p->inclusive[s], order, count, size[s], room);
	}
	arrange_array(p->pair, order, count, sizeof *p->pair, room);
	free(room);
	for (uint32_t i = 0; i < count; i++)
		p->row[p->pair[i]] = i;
	return CG_OK;
}

static int order_rows(struct pairing *p)
{
	uint32_t count = p->t->count;
	uint32_t *parent = calloc((size_t)count + 1, sizeof *parent);
	uint32_t *order = calloc((size_t)count + 1, sizeof *order);
	int status = parent && order ? CG_OK : CG_ENOMEM;

	for (uint32_t i = 0; !status && i < count; i++)
		parent[i] = row_above(p, i);
	if (!status)
		status = cg_depth_first(parent, count, compare_tree_rows, p, order);
	free(parent);
	if (!status)
		status = arrange_rows(p, order);
	free(order);
	return status;
}

/* ---- the rows ---- */

static void set_row_costs(const struct pairing *p, uint32_t row)
{
	struct tree_row *r = &p->t->rows[row];
	struct tree_side *const sides[SIDES] = { &r->base, &r->head };

	for (uint32_t s = 0; s < SIDES; s++) {
		size_t at = (size_t)row * p->tree[s]->profile->nevents;
		if (!sides[s]->present)
			continue;
		sides[s]->self = p->self[s] + at;
		sides[s]->inclusive = p->inclusive[s] + at;
	}
}

/* Descendants come after a row, and so do the ends of what is below it. */
static void set_row_ends(struct tree_diff *t)
{
	for (uint32_t i = 0; i < t->count; i++)
		t->rows[i].end = i + 1;
	for (uint32_t i = t->count; i-- > 1;) {
		struct tree_row *above = &t->rows[t->rows[i].parent];
		if (above->end < t->rows[i].end)
			above->end = t->rows[i].end;
	}
}

static int fill_rows(struct pairing *p)
{
	struct tree_diff *t = p->t;

	t->rows = malloc(((size_t)t->count + 1) * sizeof *t->rows);
	if (!t->rows)
		return CG_ENOMEM;
	for (uint32_t i = 0; i < t->count; i++) {
		t->rows[i] = make_tree_row(p, p->pair[i]);
		t->rows[i].depth = i ? t->rows[t->rows[i].parent].depth + 1 : 0;
		set_row_costs(p, i);
	}
	set_row_ends(t);
	return CG_OK;
}

/* ---- what was absorbed ---- */

static bool is_same_absorption(const struct tree_absorption *a, const struct tree_absorption *b)
{
	return a->in_head == b->in_head && a->name == b->name && a->object == b->object &&
	       a->file == b->file;
}

/* Parts of a row's own function are not listed as absorbed. */
static bool is_part_of_row(const struct pairing *p, const struct tree_absorbed *a,
			   const struct tree_row *row)
{
	uint32_t function = p->functions.of[a->side][group_of_node(p, a->side, a->node)];
	return function == (a->side == BASE ? row->base_function : row->function);
}

/* They stand in the order of their rows; nodes of one function are named once. */
static int list_absorbed(struct pairing *p)
{
	struct tree_diff *t = p->t;
	t->absorbed = calloc(p->match.nabsorbed + 1, sizeof *t->absorbed);
	if (!t->absorbed)
		return CG_ENOMEM;
	for (size_t i = 0; i < p->match.nabsorbed; i++) {
		const struct tree_absorbed *a = &p->match.absorbed[i];
		const struct group_key *key = key_of_node(p, a->side, a->node);
		struct tree_row *row = &t->rows[p->row[a->pair]];
		struct tree_absorption absorption = { cg_strings_get(&t->strings, key->name),
						      cg_strings_get(&t->strings, key->object),
						      cg_strings_get(&t->strings, key->file),
						      a->side == HEAD };
		bool said = row->nabsorbed &&
			    is_same_absorption(&absorption, &t->absorbed[t->nabsorbed - 1]);
		if (said || is_part_of_row(p, a, row))
			continue;
		if (!row->nabsorbed++)
			row->absorbed = (uint32_t)t->nabsorbed;
		t->absorbed[t->nabsorbed++] = absorption;
	}
	return CG_OK;
}

static int make_tree_rows(struct pairing *p)
{
	int status = number_pair_rows(p);

	if (!status)
		status = add_up_rows(p);
	if (!status)
		status = order_rows(p);
	if (!status)
		status = fill_rows(p);
	return status ? status : list_absorbed(p);
}

/* ---- laws ---- */

static int fail_law(const struct cg_profile *p, bool head, uint32_t event, const char *what,
		    struct cg_error *err)
{
	return cg_fail(err, CG_EINTERNAL, NULL, 0,
		       "%s of %s do not add up for %s; please report this bug", what,
		       head ? "head" : "base", cg_string(p, p->events[event].name));
}

static const struct tree_side *side_of_tree_row(const struct tree_row *row, bool head)
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
			const struct tree_side *s = side_of_tree_row(&t->rows[i], head);
			sum[i] += s->self[e];
			total += s->self[e];
			if (sum[i] != s->inclusive[e])
				return fail_law(p, head, e, "a row and its children", err);
			if (i == 0 && s->self[e])
				return fail_law(p, head, e, "paths without a row", err);
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

/* A tree of one side, in which each function is one group. */
struct tree_growth {
	const struct cg_profile *profile;
	struct cg_tree_options options;
	const uint32_t *group;
	struct cg_tree *tree;
	int status;
};

static void *grow_tree(void *context)
{
	struct tree_growth *g = context;
	struct cg_tree *t = NULL;
	g->status = cg_tree_make(g->profile, &g->options, &t);
	if (!g->status)
		g->status = cg_tree_merge(t, g->group, &g->tree);
	cg_tree_free(t);
	return NULL;
}

/* Large trees are made at once, as this takes most of the time. */
static int make_trees(struct pairing *p, uint32_t frames)
{
	enum { WORTH_A_THREAD = 2000 }; /* records */
	const struct diff *d = p->t->diff;
	struct tree_growth base = {
		d->base, { .frames = frames }, p->groups[BASE].of, NULL, CG_OK
	};
	struct tree_growth head = {
		d->head, { .frames = frames }, p->groups[HEAD].of, NULL, CG_OK
	};
	pthread_t thread;

	base.options.event = metric_main_event(d->base, d->options.metric);
	head.options.event = metric_main_event(d->head, d->options.metric);
	bool aside = d->base->nrecords >= WORTH_A_THREAD && d->head->nrecords >= WORTH_A_THREAD &&
		     pthread_create(&thread, NULL, grow_tree, &head) == 0;
	grow_tree(&base);
	if (aside)
		pthread_join(thread, NULL);
	else
		grow_tree(&head);
	p->t->base = base.tree;
	p->t->head = head.tree;
	return base.status ? base.status : head.status;
}

static int make_tree_diff(struct pairing *p)
{
	struct tree_diff *t = p->t;
	const struct diff *d = t->diff;
	int status = group_functions(d->base, d->head, CG_BY_FUNCTION, &t->strings,
				     &p->groups[BASE], &p->groups[HEAD]);

	if (!status)
		status = match_groups(&t->strings, &p->groups[BASE], &p->groups[HEAD], &p->names);
	if (!status && p->last >= TREE_RENAME)
		status = match_same_counts(d, &t->strings, &p->groups[BASE], &p->groups[HEAD],
					   &p->names);
	if (!status)
		status = number_functions(p);
	uint32_t frames = 0;
	if (!status)
		status = common_frames(d, &frames);
	if (!status)
		status = make_trees(p, frames);
	if (status)
		return status;

	t->exact = t->base->exact && t->head->exact;
	p->tree[BASE] = t->base;
	p->tree[HEAD] = t->head;
	const struct cg_tree *const trees[SIDES] = { t->base, t->head };
	const uint32_t *const groups[SIDES] = { p->groups[BASE].of, p->groups[HEAD].of };
	status = tree_match(d, p->last, trees, groups, &p->functions, &p->match);
	return status ? status : make_tree_rows(p);
}

static void pairing_free(struct pairing *p)
{
	for (uint32_t s = 0; s < SIDES; s++) {
		groups_free(&p->groups[s]);
		free(p->functions.of[s]);
	}
	free(p->functions.name);
	free(p->functions.in_both);
	match_free(&p->names);
	tree_match_free(&p->match);
	free(p->row);
	free(p->pair);
}

int tree_diff_make(const struct diff *d, enum tree_step last, struct tree_diff **out,
		   struct cg_error *err)
{
	struct tree_diff *t = calloc(1, sizeof *t);
	struct pairing p = { .t = t, .last = last };
	int status = t && !cg_strings_init(&t->strings) ? CG_OK : CG_ENOMEM;

	if (!status) {
		t->diff = d;
		status = make_tree_diff(&p);
	}
	if (status == CG_ENOMEM)
		cg_fail_nomem(err);
	else if (status)
		cg_fail(err, status, NULL, 0, "the cost of a call path exceeds 2^63");
	else
		status = check_laws(t, err);
	pairing_free(&p);
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
	free(t->absorbed);
	free(t->costs);
	free(t->source_of);
	cg_strings_free(&t->strings);
	cg_tree_free(t->base);
	cg_tree_free(t->head);
	free(t);
}
