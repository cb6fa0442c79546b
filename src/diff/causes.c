#include "src/diff/causes.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "callgrind/support/index.h"
#include "callgrind/support/number.h"
#include "src/diff/cause_parts.h"
#include "src/diff/cause_search.h"

static unsigned __int128 size_of_cause(__int128 n)
{
	return n < 0 ? -(unsigned __int128)n : (unsigned __int128)n;
}

/* What counts of a row's inclusive costs, by the weights of that row or another. */
static __int128 base_part(const struct cause_search *f, uint32_t row, uint32_t weighted)
{
	const struct tree_row *rows = f->t->rows;
	return weight_scale(rows[weighted].weights.base,
			    diff_base_value(f->t->diff, rows[row].base.inclusive));
}

static __int128 head_part(const struct cause_search *f, uint32_t row, uint32_t weighted)
{
	const struct tree_row *rows = f->t->rows;
	return weight_scale(rows[weighted].weights.head,
			    diff_head_value(f->t->diff, rows[row].head.inclusive));
}

static __int128 part(const struct cause_search *f, uint32_t row, uint32_t weighted)
{
	return head_part(f, row, weighted) - base_part(f, row, weighted);
}

/* ---- adding up ---- */

struct wanted_item {
	const struct item *items;
	const struct item_key *key;
};

static bool is_same_item(const void *context, uint32_t id)
{
	const struct wanted_item *w = context;
	const struct item_key *a = w->key, *b = &w->items[id].key;
	return a->function == b->function && a->base_function == b->base_function &&
	       a->caller == b->caller && a->base_caller == b->base_caller && a->own == b->own &&
	       a->allocates == b->allocates && a->of_head == b->of_head;
}

static uint32_t hash_of_item(const struct cause_search *f, const struct item_key *key)
{
	uint64_t mixed = cg_hash_keyed(f->t->diff->strings.secret, key->function);
	mixed = cg_hash_keyed(mixed, key->caller);
	return (uint32_t)cg_hash_keyed(mixed, key->own);
}

/* 0 if no item has the key. */
static uint32_t number_of_item(const struct cause_search *f, const struct item_key *key)
{
	const struct wanted_item wanted = { f->items, key };
	return cg_index_find(&f->index, hash_of_item(f, key), is_same_item, &wanted);
}

int cause_find_item(struct cause_search *f, const struct item_key *wanted, struct item **out)
{
	if (cg_grow(&f->items, &f->cap, f->count + 1, sizeof *f->items) ||
	    cg_index_reserve(&f->index))
		return CG_ENOMEM;
	uint32_t id = number_of_item(f, wanted);
	if (!id) {
		id = (uint32_t)f->count++;
		f->items[id] = (struct item){ .key = *wanted };
		cg_index_insert(&f->index, hash_of_item(f, wanted), id);
	}
	*out = &f->items[id];
	return CG_OK;
}

struct item *cause_find_old_item(const struct cause_search *f, const struct item_key *wanted)
{
	uint32_t id = number_of_item(f, wanted);
	return id ? &f->items[id] : NULL;
}

void cause_add_calls(struct item *item, bool in_base, uint64_t base, bool in_head, uint64_t head)
{
	struct cause *c = &item->cause;

	cg_add_count_clipped(&c->base_calls, base);
	cg_add_count_clipped(&c->head_calls, head);
	item->base_uncounted |= in_base && !base;
	item->head_uncounted |= in_head && !head;
	c->uncounted = item->base_uncounted || item->head_uncounted;
}

static bool row_is_matched(const struct tree_row *r)
{
	return r->base.present && r->head.present;
}

/* Whether what its caller decided about it is how often it is called. Of other rows only one side
 * has it, and the caller decided everything below it. */
static bool row_is_divided(const struct tree_row *r)
{
	return row_is_matched(r) || r->calls_moved;
}

/* Where a function is called and not inlined, 0 is an estimate that was rounded down. */
static bool lacks_inlined_calls(const struct tree_side *s)
{
	return s->present && s->inlined && !s->calls;
}

void cause_add_path(struct item *item, const struct cause_search *f, const struct tree_row *r,
		    __int128 delta)
{
	const struct diff *d = f->t->diff;
	const bool own = item->key.own;

	item->delta += delta;
	item->in_base |= r->base.present;
	item->in_head |= r->head.present;
	item->base_cost += diff_base_value(d, own ? r->base.self : r->base.inclusive);
	item->head_cost += diff_head_value(d, own ? r->head.self : r->head.inclusive);
	item->cause.estimated |= r->base.estimated || r->head.estimated;
	item->inlined_uncounted |= lacks_inlined_calls(&r->base) || lacks_inlined_calls(&r->head);
	item->cause.paths++;
	cause_add_calls(item, r->base.present, r->base.calls, r->head.present, r->head.calls);
}

/* Whether no path so far changed more. */
static bool is_largest_path(struct item *item, __int128 delta)
{
	if (item->cause.row && size_of_cause(delta) <= item->largest)
		return false;
	item->largest = size_of_cause(delta);
	return true;
}

/* Adds what a path contributes that only one side of a heap has. */
static int add_allocation(struct cause_search *f, uint32_t row, __int128 delta)
{
	const struct allocation a = find_allocation(&f->allocators, row);
	const struct tree_row *by = &f->t->rows[a.row];
	struct item_key wanted = { .function = by->function,
				   .base_function = by->base_function,
				   .allocates = true,
				   .of_head = f->t->rows[row].head.present };
	struct item *item;

	if (cause_find_item(f, &wanted, &item))
		return CG_ENOMEM;
	if (is_largest_path(item, delta)) {
		item->cause.row = item->cause.caller = a.row;
		item->cause.callee = a.callee;
	}
	item->cause.also_in_other |= a.in_both;
	cause_add_path(item, f, &f->t->rows[row], delta);
	return CG_OK;
}

/* Adds what a path contributes. */
static int add_contribution(struct cause_search *f, bool own, uint32_t row, __int128 delta,
			    __int128 work)
{
	const struct tree_row *r = &f->t->rows[row];
	const struct tree_row *caller = &f->t->rows[own ? 0 : r->parent];
	struct item_key wanted = { .function = r->function,
				   .base_function = r->base_function,
				   .caller = caller->function,
				   .base_caller = caller->base_function,
				   .own = own };
	struct item *item;

	if (cause_find_item(f, &wanted, &item))
		return CG_ENOMEM;
	if (own)
		f->own_of[row] = (uint32_t)(item - f->items);
	else
		f->item_of_call[row] = (uint32_t)(item - f->items);
	item->work += work;
	item->with_calls |= own && delta && f->amounts[row].with_calls;
	struct cause *c = &item->cause;
	if (is_largest_path(item, delta)) {
		c->row = row;
		c->caller = own ? row : r->parent;
	}
	cause_add_path(item, f, r, delta);
	item->both_changed |= row_is_matched(r) && delta;
	return CG_OK;
}

/* ---- the formulas of the header ---- */

/* What a row decided about its callees, and what its own code decided. */
static int decide_row(struct cause_search *f, uint32_t row)
{
	const struct tree_row *rows = f->t->rows;
	__int128 own = part(f, row, row);

	for (uint32_t k = row + 1; k < rows[row].end; k = rows[k].end) {
		__int128 all = part(f, k, row);
		own -= all;
		f->amounts[k].calls = row_is_divided(&rows[k]) ? all - part(f, k, k) : all;
	}
	f->amounts[row].own = own;
	f->amounts[row].with_calls = own && (rows[row].base.cut || rows[row].head.cut);
	return CG_OK;
}

static int for_each_divided(struct cause_search *f, int (*visit)(struct cause_search *, uint32_t))
{
	const struct tree_row *rows = f->t->rows;
	int status = CG_OK;

	for (uint32_t i = 0; !status && i < f->t->count;) {
		bool divided = row_is_divided(&rows[i]);
		if (divided)
			status = visit(f, i);
		i = divided ? i + 1 : rows[i].end;
	}
	return status;
}

/* Whether the number of calls changed as the row's amount says: 1, or the other way or not at all:
 * -1. 0: that is not known, or nothing was decided. */
static int calls_agree(const struct cause_search *f, uint32_t row)
{
	const struct tree_row *r = &f->t->rows[row];
	__int128 delta = f->amounts[row].calls;

	if (!r->base.calls || !r->head.calls || !delta)
		return 0;
	return (delta > 0 ? r->head.calls > r->base.calls : r->head.calls < r->base.calls) ? 1 : -1;
}

/* The nearest row above whose calls changed the other way, by at least as much; 0: no such row. */
static uint32_t find_opposite_change(const struct cause_search *f, uint32_t row)
{
	enum { MOST_STEPS = 64 };
	const struct tree_row *rows = f->t->rows;
	__int128 delta = f->amounts[row].calls;

	row = f->amounts[rows[row].parent].nearest;
	for (int steps = 0; row && steps < MOST_STEPS; steps++) {
		__int128 other = f->amounts[row].calls;
		if ((other < 0) != (delta < 0) && size_of_cause(other) >= size_of_cause(delta))
			return row;
		row = f->amounts[rows[row].parent].nearest;
	}
	return 0;
}

static void add_calls_to_own(struct cause_search *f, uint32_t row)
{
	struct amounts *a = &f->amounts[row];
	bool has_callees = f->t->rows[row].end > row + 1;

	a->own += a->calls;
	a->with_calls |= has_callees && a->calls;
}

/* No cause claims more calls where there are not more. */
static int settle_row(struct cause_search *f, uint32_t row)
{
	struct amounts *a = &f->amounts[row];
	const struct tree_row *r = &f->t->rows[row];
	int agree = row ? calls_agree(f, row) : 0;

	a->nearest = agree > 0 ? row : f->amounts[r->parent].nearest;
	if (agree >= 0)
		return CG_OK;
	uint32_t above = find_opposite_change(f, row);
	if (above)
		f->amounts[above].calls += a->calls;
	else if (r->base.estimated || r->head.estimated)
		add_calls_to_own(f, row);
	else
		return CG_OK;
	a->calls = 0;
	return CG_OK;
}

/* ---- what the compiler says of the same code ---- */

/* After the row, if it is inlined, or after all below it. */
static uint32_t next_inlined(const struct tree_row *rows, uint32_t row)
{
	return tree_row_inlined(&rows[row]) ? row + 1 : rows[row].end;
}

/* Whether only inlined code is below a row. */
static bool is_all_inlined(const struct tree_row *rows, uint32_t row)
{
	uint32_t i = row;
	while (i < rows[row].end && tree_row_inlined(&rows[i]))
		i++;
	return i == rows[row].end;
}

/* Whether a function is called as often and costs the same with all that is inlined into it. What
 * only one side inlines and calls other functions from has their cost, too. Where no code costs
 * anything, as in system calls, that says nothing. */
static bool is_same_when_folded(const struct cause_search *f, uint32_t row)
{
	const struct tree_row *rows = f->t->rows, *r = &rows[row];
	const struct diff *d = f->t->diff;
	__int128 base = diff_base_value(d, r->base.self);
	__int128 head = diff_head_value(d, r->head.self);
	bool costs = base || head;

	if (!row || tree_row_inlined(r) || r->base.calls != r->head.calls)
		return false;
	for (uint32_t i = row + 1; i < r->end; i = next_inlined(rows, i)) {
		if (!tree_row_inlined(&rows[i]))
			continue;
		if (!row_is_matched(&rows[i]) && !is_all_inlined(rows, i))
			return false;
		const int64_t b = diff_base_value(d, rows[i].base.self);
		const int64_t h = diff_head_value(d, rows[i].head.self);
		base += b;
		head += h;
		costs |= b || h;
	}
	return costs && base == head;
}

static void move_amount(__int128 *from, __int128 *to)
{
	*to += *from;
	*from = 0;
}

/* Which of its code belongs to which inlined function is for the debug information to say, and
 * nobody's cause. */
static int fold_same_code(struct cause_search *f, uint32_t row)
{
	const struct tree_row *rows = f->t->rows;
	struct amounts *a = &f->amounts[row];
	bool moved = false;

	if (!is_same_when_folded(f, row))
		return CG_OK;
	for (uint32_t i = row + 1; i < rows[row].end; i = next_inlined(rows, i))
		if (tree_row_inlined(&rows[i])) {
			moved |= f->amounts[i].calls;
			move_amount(&f->amounts[i].own, &a->own);
			move_amount(&f->amounts[i].calls, &a->own);
		}
	a->with_calls |= moved && a->own;
	return CG_OK;
}

/* ---- all of it ---- */

static int add_row_causes(struct cause_search *f, uint32_t row)
{
	const struct tree_row *rows = f->t->rows;
	int status = CG_OK;

	for (uint32_t k = row + 1; !status && k < rows[row].end; k = rows[k].end) {
		const struct amounts *a = &f->amounts[k];
		status = is_allocation(&f->allocators, k)
				 ? add_allocation(f, k, a->calls)
				 : add_contribution(f, false, k, a->calls + a->work, a->work);
	}
	return status ? status : add_contribution(f, true, row, f->amounts[row].own, 0);
}

static int find_all_causes(struct cause_search *f)
{
	int status = cg_grow(&f->items, &f->cap, 1, sizeof *f->items);

	f->count = 1;
	if (!status)
		status = allocators_make(f->t, &f->allocators);
	if (!status && f->self_only)
		return cause_add_self_costs(f);
	if (!status)
		status = for_each_divided(f, decide_row);
	if (!status)
		status = for_each_divided(f, fold_same_code);
	if (!status)
		status = for_each_divided(f, settle_row);
	if (!status && f->edits)
		status = cause_find_holders(f);
	if (!status && f->edits)
		status = for_each_divided(f, cause_credit_editor);
	if (!status)
		status = for_each_divided(f, add_row_causes);
	return status ? status : cause_add_unchanged_paths(f);
}

/* ---- the result ---- */

static unsigned __int128 other_size(const struct item *item)
{
	return size_of_cause(item->delta - item->work);
}

/* Whether the number of calls grew, or fell, by a larger factor than the cost of a call. */
static bool is_by_calls(const struct item *item)
{
	const struct cause *c = &item->cause;
	const bool grew = item->delta > 0;

	if (item->base_uncounted || item->head_uncounted ||
	    (grew ? c->head_calls <= c->base_calls : c->head_calls >= c->base_calls))
		return false;
	if (item->base_cost <= 0 || item->head_cost <= 0)
		return true;
	const double calls = (double)c->head_calls / (double)c->base_calls;
	const double cost = (double)item->head_cost / (double)item->base_cost;
	return grew ? calls * calls >= cost : calls * calls <= cost;
}

static enum cause_kind kind_of_item(const struct item *item)
{
	if (item->key.allocates)
		return item->key.of_head ? CAUSE_ALLOCATES : CAUSE_ALLOCATED;
	if (item->key.own)
		return item->with_calls ? CAUSE_TOGETHER : CAUSE_SELF;
	if (!item->in_base || !item->in_head)
		return item->in_head ? CAUSE_NEW : CAUSE_REMOVED;
	return size_of_cause(item->work) > other_size(item) && !is_by_calls(item) ? CAUSE_WORK
										  : CAUSE_CALLS;
}

/* The calls on some of the paths are not those on all of them, and those of one side alone do not
 * tell how their number changed. */
static void forget_partial_calls(const struct item *item, struct cause *c)
{
	if (item->key.own ? item->base_uncounted : item->inlined_uncounted)
		c->base_calls = 0;
	if (item->key.own ? item->head_uncounted : item->inlined_uncounted)
		c->head_calls = 0;
}

static struct cause finish_item(const struct cause_search *f, const struct item *item)
{
	struct cause c = item->cause;
	c.kind = kind_of_item(item);
	c.scaled = c.uncounted && item->both_changed;
	forget_partial_calls(item, &c);
	c.edit = f->edits ? cause_edit_of(f, c.row) : EDIT_UNKNOWN;
	const bool called = !item->key.own && !item->key.allocates;
	c.caller_edit = f->edits && called ? cause_edit_of(f, c.caller) : EDIT_UNKNOWN;
	c.recursive = item->key.own &&
		      (f->recursive[item->key.function] || f->recursive[item->key.base_function]);
	c.delta = clip_cause(item->delta);
	c.base_cost = clip_cause(item->base_cost);
	c.head_cost = clip_cause(item->head_cost);
	return c;
}

/* Calls of itself are not among those of its paths. */
static void find_recursive_functions(const struct cg_profile *p, const uint32_t *numbers,
				     bool *recursive)
{
	for (uint32_t i = 1; i < p->ncalls; i++) {
		const uint32_t callee = p->records[p->calls[i].callee].function;
		if (!p->records[p->calls[i].callee].inlined_into &&
		    p->records[cg_machine_record(p, p->calls[i].caller)].function == callee)
			recursive[numbers[callee]] = true;
	}
}

/* Part i is item i + 1. */
static int finish_items(struct cause_search *f, struct causes *c)
{
	c->parts = calloc(f->count, sizeof *c->parts);
	f->recursive = calloc(f->t->nfunctions, sizeof *f->recursive);
	if (!c->parts || !f->recursive)
		return CG_ENOMEM;
	find_recursive_functions(f->t->diff->base, f->t->base_function, f->recursive);
	find_recursive_functions(f->t->diff->head, f->t->head_function, f->recursive);
	for (size_t i = 1; i < f->count; i++)
		c->parts[c->nparts++] = finish_item(f, &f->items[i]);
	return cause_finish_shares(f, c);
}

static __int128 sum_of_items(const struct cause_search *f)
{
	__int128 sum = 0;
	for (size_t i = 1; i < f->count; i++)
		sum += f->items[i].delta;
	return sum;
}

static int make_causes_of(struct cause_search *f, struct causes *c, struct cg_error *err)
{
	int status = find_all_causes(f);

	if (!status)
		status = finish_items(f, c);
	if (status)
		return cg_fail_nomem(err);
	c->wants_every_row = f->wants_every_row;
	if (c->wants_every_row)
		return CG_OK;
	__int128 delta = part(f, 0, 0);
	if (sum_of_items(f) != delta)
		return cg_fail(err, CG_EINTERNAL, NULL, 0,
			       "the causes do not add up to the difference; "
			       "please report this bug");
	c->delta = clip_cause(delta);
	return join_causes(c, f->own_of, f->estimated) ? cg_fail_nomem(err) : CG_OK;
}

static int count_callers(struct causes *c)
{
	const struct tree_diff *t = c->tree;

	c->new_calls_by = calloc(t->nfunctions, sizeof *c->new_calls_by);
	c->removed_calls_by = calloc(t->nfunctions, sizeof *c->removed_calls_by);
	if (!c->new_calls_by || !c->removed_calls_by)
		return CG_ENOMEM;
	for (size_t i = 0; i < c->count; i++) {
		const struct cause *cause = &c->items[i];
		const uint32_t caller = t->rows[cause->caller].function;
		if (!cause_is_call(cause))
			continue;
		c->new_calls_by[caller] += cause->kind == CAUSE_NEW;
		c->removed_calls_by[caller] += cause->kind == CAUSE_REMOVED;
	}
	return CG_OK;
}

static int make_causes(const struct tree_diff *t, const uint8_t *edits, bool self_only,
		       struct causes **out, struct cg_error *err)
{
	struct cause_search f = { .t = t,
				  .edits = edits,
				  .self_only = self_only,
				  .amounts = calloc(t->count + 1, sizeof *f.amounts),
				  .own_of = calloc(t->count + 1, sizeof *f.own_of),
				  .estimated = calloc(t->nfunctions, sizeof *f.estimated),
				  .item_of_call = calloc(t->count + 1, sizeof *f.item_of_call) };
	struct causes *c = calloc(1, sizeof *c);
	int status = CG_ENOMEM;

	if (c && f.own_of && f.estimated && f.item_of_call && f.amounts) {
		c->tree = t;
		c->self_only = self_only;
		status = make_causes_of(&f, c, err);
		if (!status && count_callers(c))
			status = cg_fail_nomem(err);
	} else {
		cg_fail_nomem(err);
	}
	free(f.items);
	free(f.own_of);
	free(f.estimated);
	free(f.item_of_call);
	free(f.works);
	free(f.holds_edited);
	free(f.recursive);
	free(f.amounts);
	allocators_free(&f.allocators);
	cg_index_free(&f.index);
	if (status)
		causes_free(c);
	else
		*out = c;
	return status;
}

/* What the compiler moves by inlining stays with the functions between which it moves. */
static void except_inlining(const struct causes *c, uint8_t *edits)
{
	const struct tree_row *rows = c->tree->rows;

	for (size_t i = 0; i < c->count; i++) {
		const struct cause *cause = &c->items[i];
		if (cause->kind != CAUSE_INLINED)
			continue;
		for (uint32_t k = 0; k < cause->nparts; k++) {
			const struct tree_row *r = &rows[c->parts[cause->first_part + k].row];
			if (edits[r->function] == EDIT_NONE)
				edits[r->function] = EDIT_COMPILED;
			if (edits[r->base_function] == EDIT_NONE)
				edits[r->base_function] = EDIT_COMPILED;
		}
	}
}

static int make_causes_by_calls(const struct tree_diff *t, uint8_t *edits, struct causes **out,
				struct cg_error *err)
{
	int status = make_causes(t, NULL, false, out, err);

	if (status || !edits)
		return status;
	except_inlining(*out, edits);
	causes_free(*out);
	*out = NULL;
	return make_causes(t, edits, false, out, err);
}

/* Whether the difference is small beside causes that are estimates and cancel each other. */
static bool is_guesswork(const struct causes *c)
{
	enum { MOST_TIMES = 3 };
	uint64_t estimated = 0;

	for (size_t i = 0; i < c->count; i++)
		if (c->items[i].estimated)
			cg_add_count_clipped(&estimated, cg_magnitude(c->items[i].delta));
	return estimated / MOST_TIMES > cg_magnitude(c->delta);
}

int causes_make(const struct tree_diff *t, uint8_t *edits, struct causes **out,
		struct cg_error *err)
{
	struct causes *by_self;
	int status = make_causes_by_calls(t, edits, out, err);

	if (status || !is_guesswork(*out))
		return status;
	status = make_causes(t, edits, true, &by_self, err);
	if (status)
		return status;
	(*out)->wants_every_row = by_self->wants_every_row;
	if (!by_self->wants_every_row && by_self->sum_of_sizes < (*out)->sum_of_sizes / 2) {
		struct causes *by_calls = *out;
		*out = by_self;
		by_self = by_calls;
	}
	causes_free(by_self);
	return CG_OK;
}

void causes_free(struct causes *c)
{
	if (!c)
		return;
	free(c->items);
	free(c->parts);
	free(c->shares);
	free(c->new_calls_by);
	free(c->removed_calls_by);
	free(c);
}
