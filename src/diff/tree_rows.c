#include "src/diff/tree_rows.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/build.h"
#include "callgrind/support/depth_first.h"
#include "callgrind/support/number.h"

static const int64_t no_costs[CG_MAX_EVENTS];

/* ---- rows ---- */

static uint32_t group_of_node(const struct pairing *p, uint32_t side, uint32_t node)
{
	return p->groups[side]->of[p->tree[side]->nodes[node].function];
}

static uint32_t function_of_node(const struct pairing *p, uint32_t side, uint32_t node)
{
	return p->functions.of[side][p->tree[side]->nodes[node].function];
}

static const struct group_key *key_of_node(const struct pairing *p, uint32_t side, uint32_t node)
{
	return &p->groups[side]->keys[group_of_node(p, side, node)];
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
		s.via = cg_strings_get(&p->t->diff->strings,
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

static bool row_is_unchanged_below(const struct pairing *p, uint32_t number)
{
	return p->match.pairs[p->pair[number]].unchanged_below;
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
	const struct cg_strings *strings = &p->t->diff->strings;
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
		.base_function = in_base ? function_of_node(p, BASE, in_base) : pair->function,
		.parent = p->row[pair->parent],
		.match = match_of(p, pair),
		.unchanged_below = pair->unchanged_below,
		.calls_moved = pair->calls_moved,
		.weights = pair->weights,
		.base = make_tree_side(p, id, BASE),
		.head = make_tree_side(p, id, HEAD),
	};
}

/* ---- costs ---- */

static int number_pairs(struct pairing *p)
{
	struct tree_diff *t = p->t;

	p->number = calloc(p->match.count + 1, sizeof *p->number);
	p->pair = calloc(p->match.count + 1, sizeof *p->pair);
	if (!p->number || !p->pair)
		return CG_ENOMEM;
	for (uint32_t i = 0; i < p->match.count; i++) {
		if (p->match.pairs[i].gone)
			continue;
		p->number[i] = t->count;
		p->pair[t->count++] = i;
	}
	return CG_OK;
}

static uint32_t number_above(const struct pairing *p, uint32_t number)
{
	return p->number[p->match.pairs[p->pair[number]].parent];
}

static int add_self_costs(const struct pairing *p, uint32_t side)
{
	const struct cg_tree *tree = p->tree[side];
	size_t n = tree->profile->nevents;

	for (uint32_t i = 0, next; i < tree->count; i = next) {
		uint32_t number = p->number[p->match.pair_of[side][i]];
		if (!cg_add_costs(p->self[side] + number * n, tree->self + i * n, n))
			return CG_ERANGE;
		next = row_is_unchanged_below(p, number) ? tree->nodes[i].end : i + 1;
	}
	return CG_OK;
}

static int add_inclusive_costs(const struct pairing *p, uint32_t side)
{
	const struct cg_tree *tree = p->tree[side];
	int64_t *inclusive = p->inclusive[side];
	size_t n = tree->profile->nevents;

	memcpy(inclusive, p->self[side], p->t->count * n * sizeof *inclusive);
	for (uint32_t i = p->t->count; i-- > 1;) {
		size_t node = p->match.pairs[p->pair[i]].first[side];
		if (row_is_unchanged_below(p, i))
			memcpy(inclusive + i * n, tree->inclusive + node * n,
			       n * sizeof *inclusive);
		if (!cg_add_costs(inclusive + number_above(p, i) * n, inclusive + i * n, n))
			return CG_ERANGE;
	}
	return CG_OK;
}

static int add_up_pairs(struct pairing *p)
{
	struct tree_diff *t = p->t;
	size_t count = t->count, b = t->diff->base->nevents, h = t->diff->head->nevents;
	int status = CG_OK;

	t->costs = calloc(count * 2, (b + h) * sizeof *t->costs);
	if (!t->costs)
		return CG_ENOMEM;
	p->self[BASE] = t->costs;
	p->inclusive[BASE] = p->self[BASE] + count * b;
	p->self[HEAD] = p->inclusive[BASE] + count * b;
	p->inclusive[HEAD] = p->self[HEAD] + count * h;
	for (uint32_t s = 0; !status && s < SIDES; s++) {
		status = add_self_costs(p, s);
		if (!status)
			status = add_inclusive_costs(p, s);
	}
	return status;
}

/* ---- order ---- */

static int64_t inclusive_value(const struct pairing *p, uint32_t side, uint32_t number)
{
	const struct diff *d = p->t->diff;
	uint32_t pair = p->pair[number];
	const int64_t *costs = p->inclusive[side] +
			       (size_t)number * p->tree[side]->profile->nevents;

	if (pair && !p->match.pairs[pair].first[side])
		return 0;
	return side == BASE ? diff_base_value(d, costs) : diff_head_value(d, costs);
}

static int compare_texts(const struct pairing *p, cg_str a, cg_str b)
{
	const struct cg_strings *strings = &p->t->diff->strings;
	return a == b ? 0 : strcmp(cg_strings_get(strings, a), cg_strings_get(strings, b));
}

static bool is_inlined_pair(const struct pairing *p, uint32_t pair)
{
	struct tree_row row = { .base = make_tree_side(p, pair, BASE),
				.head = make_tree_side(p, pair, HEAD) };
	return tree_row_inlined(&row);
}

static int compare_pairs(const void *left, const void *right, void *context)
{
	const struct pairing *p = context;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	int64_t x = inclusive_value(p, HEAD, a), y = inclusive_value(p, HEAD, b);

	int order = cg_compare_sizes(cg_delta(inclusive_value(p, BASE, a), x),
				     cg_delta(inclusive_value(p, BASE, b), y));
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

static int order_pairs(struct pairing *p)
{
	uint32_t count = p->t->count;
	uint32_t *parent = calloc((size_t)count + 1, sizeof *parent);

	p->order = calloc((size_t)count + 1, sizeof *p->order);
	p->row = calloc(p->match.count + 1, sizeof *p->row);
	int status = parent && p->order && p->row ? CG_OK : CG_ENOMEM;
	for (uint32_t i = 0; !status && i < count; i++)
		parent[i] = number_above(p, i);
	if (!status)
		status = cg_depth_first(parent, count, compare_pairs, p, p->order);
	free(parent);
	for (uint32_t i = 0; !status && i < count; i++)
		p->row[p->pair[p->order[i]]] = i;
	return status;
}

/* ---- the rows ---- */

static void set_row_costs(const struct pairing *p, uint32_t row)
{
	struct tree_row *r = &p->t->rows[row];
	struct tree_side *const sides[SIDES] = { &r->base, &r->head };

	for (uint32_t s = 0; s < SIDES; s++) {
		size_t at = (size_t)p->order[row] * p->tree[s]->profile->nevents;
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
		t->rows[i] = make_tree_row(p, p->pair[p->order[i]]);
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

/* They stand in the order of their rows; nodes of one function are named once. */
static int list_absorbed(struct pairing *p)
{
	struct tree_diff *t = p->t;
	const struct cg_strings *strings = &t->diff->strings;
	t->absorbed = calloc(p->match.nabsorbed + 1, sizeof *t->absorbed);
	if (!t->absorbed)
		return CG_ENOMEM;
	for (size_t i = 0; i < p->match.nabsorbed; i++) {
		const struct tree_absorbed *a = &p->match.absorbed[i];
		const struct group_key *key = key_of_node(p, a->side, a->node);
		struct tree_row *row = &t->rows[p->row[a->pair]];
		struct tree_absorption absorption = { cg_strings_get(strings, key->name),
						      cg_strings_get(strings, key->object),
						      cg_strings_get(strings, key->file),
						      a->side == HEAD };
		bool said = row->nabsorbed &&
			    is_same_absorption(&absorption, &t->absorbed[t->nabsorbed - 1]);
		if (said)
			continue;
		if (!row->nabsorbed++)
			row->absorbed = (uint32_t)t->nabsorbed;
		t->absorbed[t->nabsorbed++] = absorption;
	}
	return CG_OK;
}

int tree_rows_make(struct pairing *p)
{
	int status = number_pairs(p);

	if (!status)
		status = add_up_pairs(p);
	if (!status)
		status = order_pairs(p);
	if (!status)
		status = fill_rows(p);
	return status ? status : list_absorbed(p);
}

void tree_rows_free(struct pairing *p)
{
	free(p->number);
	free(p->pair);
	free(p->order);
	free(p->row);
}
