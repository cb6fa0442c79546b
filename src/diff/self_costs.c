/* Where in a tree the self costs of functions are (cause_search.h). */
#include <stdlib.h>

#include "callgrind/support/number.h"
#include "src/diff/cause_search.h"

struct self_cost {
	uint32_t row; /* of the tree, of its paths the one that differs most; 0: it has none */
	uint32_t paths;
	uint32_t with; /* the row of the difference that it counts with, most often itself */
	bool rowless;  /* some of its paths have no row */
};

struct self_costs {
	struct self_cost *items; /* per row of the difference */
	uint32_t *of_path;       /* per row of the tree: that of the difference plus 1; 0: none */
};

struct placing {
	const struct tree_diff *t;
	const struct diff *d;
	struct self_costs *out;
	uint32_t *base_rows, *head_rows; /* per function: row of the difference plus 1 */
	uint64_t *most;                  /* per row of the difference: the costliest call of it */
};

static int list_function_rows(struct placing *p)
{
	const struct diff *d = p->d;

	p->base_rows = diff_rows_of_functions(d, false);
	p->head_rows = diff_rows_of_functions(d, true);
	p->most = calloc(d->count + 1, sizeof *p->most);
	p->out->items = calloc(d->count + 1, sizeof *p->out->items);
	p->out->of_path = calloc((size_t)p->t->count + 1, sizeof *p->out->of_path);
	if (!p->base_rows || !p->head_rows || !p->most || !p->out->items || !p->out->of_path)
		return CG_ENOMEM;
	for (size_t i = 0; i < d->count; i++)
		p->out->items[i].with = (uint32_t)i;
	return CG_OK;
}

static uint32_t row_of_function(const struct placing *p, uint32_t function, bool head)
{
	return head ? p->head_rows[function] : p->base_rows[function];
}

/* Of a path whose function was renamed it is that of head. */
static uint32_t row_of_path(const struct placing *p, uint32_t row)
{
	const struct tree_row *r = &p->t->rows[row];
	const bool head = r->head.present;
	const struct cg_tree *tree = head ? p->t->head : p->t->base;
	const uint32_t node = head ? r->head.node : r->base.node;

	return row ? row_of_function(p, tree->nodes[node].function, head) : 0;
}

static uint64_t change_of_path(const struct placing *p, uint32_t row)
{
	const struct tree_row *r = &p->t->rows[row];

	return cg_distance(diff_base_value(p->d, r->base.self),
			   diff_head_value(p->d, r->head.self));
}

static void find_paths(struct placing *p)
{
	for (uint32_t i = 1; i < p->t->count; i++) {
		const uint32_t of = row_of_path(p, i);
		p->out->of_path[i] = of;
		if (!of)
			continue;
		struct self_cost *s = &p->out->items[of - 1];
		s->paths++;
		if (!s->row || change_of_path(p, i) > change_of_path(p, s->row))
			s->row = i;
	}
}

/* They did not change, so any path with a row differs as much. */
static void find_paths_without_row(struct placing *p)
{
	const struct tree_row *rows = p->t->rows;
	const struct cg_tree_node *nodes = p->t->head->nodes;

	for (uint32_t i = 1; i < p->t->count; i++) {
		const uint32_t node = rows[i].head.node;
		for (uint32_t n = node + 1; rows[i].unchanged_below && n < nodes[node].end; n++) {
			const uint32_t of = row_of_function(p, nodes[n].function, true);
			p->out->items[of - 1].paths++;
			p->out->items[of - 1].rowless = true;
		}
	}
}

static bool has_path(const struct self_cost *s)
{
	return s->row || s->rowless;
}

/* Of functions without paths, by the calls of one side: that of head, if it is there. */
static void find_costliest_callers(struct placing *p, bool head)
{
	const struct cg_profile *of = head ? p->d->head : p->d->base;

	for (uint32_t i = 1; i < of->ncalls; i++) {
		const struct cg_call *c = &of->calls[i];
		const uint32_t callee = row_of_function(p, of->records[c->callee].function, head);
		const uint32_t caller = row_of_function(p, of->records[c->caller].function, head);
		const int64_t *costs = of->call_cost + (size_t)i * of->nevents;
		if (!callee || !caller || callee == caller ||
		    has_path(&p->out->items[callee - 1]) ||
		    p->d->rows[callee - 1].head.present != head)
			continue;
		const uint64_t cost = cg_magnitude(head ? diff_head_value(p->d, costs)
							: diff_base_value(p->d, costs));
		struct self_cost *s = &p->out->items[callee - 1];
		if (s->with != callee - 1 && cost <= p->most[callee - 1])
			continue;
		s->with = caller - 1;
		p->most[callee - 1] = cost;
	}
}

/* Calls may lead round in circles, or to nobody: then any path is as good. */
static void settle_with_paths(struct placing *p)
{
	enum { MOST_STEPS = 64 };
	struct self_cost *items = p->out->items;
	uint32_t any = 1;

	while (any < p->t->count && !p->out->of_path[any])
		any++;
	for (size_t i = 0; any < p->t->count && i < p->d->count; i++) {
		uint32_t with = (uint32_t)i;
		for (int steps = 0; !has_path(&items[with]) && steps < MOST_STEPS; steps++)
			with = items[with].with;
		items[i].with = has_path(&items[with]) ? with : p->out->of_path[any] - 1;
	}
}

/* On failure, too, what was allocated is the caller's. */
static int find_self_costs(const struct tree_diff *t, struct self_costs *out)
{
	struct placing p = { .t = t, .d = t->diff, .out = out };

	*out = (struct self_costs){ 0 };
	int status = list_function_rows(&p);
	if (!status) {
		find_paths(&p);
		find_paths_without_row(&p);
		find_costliest_callers(&p, false);
		find_costliest_callers(&p, true);
		settle_with_paths(&p);
	}
	free(p.base_rows);
	free(p.head_rows);
	free(p.most);
	return status;
}

/* With what has no path of its own, or if the tree has two functions for one that was renamed on
 * some path, it is not all own code of one function. */
static int add_self_cost(struct cause_search *f, const struct self_costs *s, size_t of,
			 uint32_t *item_of)
{
	const struct diff_row *d = &f->t->diff->rows[of];
	const struct self_cost *with = &s->items[s->items[of].with];
	const struct tree_row *r = &f->t->rows[with->row];
	const struct item_key wanted = { .function = r->function,
					 .base_function = r->base_function,
					 .own = true };
	const int64_t base = diff_base_value(f->t->diff, d->base.self);
	const int64_t head = diff_head_value(f->t->diff, d->head.self);
	struct item *item;

	if (with->rowless && !with->row) {
		f->wants_every_row |= base != head;
		return CG_OK;
	}
	if (cause_find_item(f, &wanted, &item))
		return CG_ENOMEM;
	struct cause *c = &item->cause;
	bool whole = with == &s->items[of] && (!c->row || c->row == with->row);
	item_of[of] = (uint32_t)(item - f->items);
	item->delta += (__int128)head - base;
	item->base_cost += base;
	item->head_cost += head;
	item->with_calls |= !whole && base != head;
	c->estimated |= item->with_calls;
	c->row = c->caller = with->row;
	if (with != &s->items[of])
		return CG_OK;
	c->paths += with->paths;
	cause_add_calls(item, d->base.present, d->base.calls, d->head.present, d->head.calls);
	return CG_OK;
}

int cause_add_self_costs(struct cause_search *f)
{
	const size_t count = f->t->diff->count;
	struct self_costs s = { 0 };
	uint32_t *item_of = calloc(count + 1, sizeof *item_of);
	int status = item_of ? find_self_costs(f->t, &s) : CG_ENOMEM;

	for (size_t i = 0; !status && i < count; i++)
		status = add_self_cost(f, &s, i, item_of);
	for (uint32_t i = 1; !status && i < f->t->count; i++)
		f->own_of[i] = s.of_path[i] ? item_of[s.of_path[i] - 1] : 0;
	free(s.items);
	free(s.of_path);
	free(item_of);
	return status;
}
