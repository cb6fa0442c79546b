#include "src/diff/cause_parts.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/index.h"
#include "callgrind/support/number.h"
#include "cgprofile/error.h"

/* How one part stands to others. Parts count from 1 here. */
struct link {
	uint32_t parent; /* in a forest: parts with the same root are one cause */
	uint32_t host;   /* of a function that is inlined there: the part of the function with most
	                    calls */
	uint32_t nhosts; /* so many functions it is inlined into … */
	uint64_t calls;  /* … which called it so often */
	uint64_t room;   /* of a function with others inlined: what it may differ by */
	uint64_t moved;  /* of a function that moved: what that may cost in all */
	bool now_inlined;
	bool inlining; /* it and its host are one cause for that */
	bool inlines;  /* of a root: one of its parts is so */
	bool together; /* it is one cause with all else that its function decides */
};

struct joining {
	struct causes *c;
	const bool *estimated; /* of join_causes */
	struct link *links;
	struct cg_index index; /* of parts by the functions in the source */
	struct cause *sorted;  /* the parts by cause, without those that changed nothing */
	uint32_t nsorted;
};

static uint64_t saturating_sum(uint64_t a, uint64_t b)
{
	return __builtin_add_overflow(a, b, &a) ? UINT64_MAX : a;
}

/* ---- the forest ---- */

static uint32_t root_of(struct link *links, uint32_t part)
{
	while (links[part].parent != part) {
		links[part].parent = links[links[part].parent].parent;
		part = links[part].parent;
	}
	return part;
}

/* The lower number is the root. */
static void join_parts(struct link *links, uint32_t a, uint32_t b)
{
	a = root_of(links, a);
	b = root_of(links, b);
	if (a < b)
		links[b].parent = a;
	else
		links[a].parent = b;
}

/* ---- instances ---- */

struct part_key {
	uint32_t function, base_function, caller, base_caller;
	bool own;
	enum cause_kind allocation; /* CAUSE_SELF: it is none */
};

static struct part_key key_of_part(const struct causes *c, uint32_t part)
{
	const struct cause *p = &c->parts[part - 1];
	const struct tree_row *rows = c->tree->rows;
	const struct tree_row *row = &rows[p->row], *caller = &rows[p->caller];
	const struct tree_function *functions = c->tree->functions;
	bool own = cause_is_own(p);

	return (struct part_key){ .function = functions[row->function].source,
				  .base_function = functions[row->base_function].source,
				  .caller = own ? 0 : functions[caller->function].source,
				  .base_caller = own ? 0 : functions[caller->base_function].source,
				  .own = own,
				  .allocation = cause_is_allocation(p) ? p->kind : CAUSE_SELF };
}

struct part_search {
	const struct causes *c;
	struct part_key wanted;
};

static bool has_part_key(const void *context, uint32_t part)
{
	const struct part_search *s = context;
	struct part_key key = key_of_part(s->c, part);
	return key.function == s->wanted.function && key.base_function == s->wanted.base_function &&
	       key.caller == s->wanted.caller && key.base_caller == s->wanted.base_caller &&
	       key.own == s->wanted.own && key.allocation == s->wanted.allocation;
}

static int join_instances(struct joining *j)
{
	const uint64_t secret = j->c->tree->diff->strings.secret;

	for (uint32_t part = 1; part <= j->c->nparts; part++) {
		struct part_search search = { j->c, key_of_part(j->c, part) };
		uint64_t mixed = cg_hash_keyed(secret, search.wanted.function);
		mixed = cg_hash_keyed(mixed, search.wanted.caller);
		uint32_t hash = (uint32_t)cg_hash_keyed(mixed, search.wanted.own);
		if (cg_index_reserve(&j->index))
			return CG_ENOMEM;
		uint32_t other = cg_index_find(&j->index, hash, has_part_key, &search);
		if (other)
			join_parts(j->links, other, part);
		else
			cg_index_insert(&j->index, hash, part);
	}
	return CG_OK;
}

/* ---- inlining ---- */

static bool moved_into_caller(const struct tree_row *row)
{
	return row->parent && (row->match == DIFF_INLINED || row->match == DIFF_NO_LONGER_INLINED);
}

/* How often the function is called where the other side inlines it. */
static uint64_t calls_that_moved(const struct tree_row *row)
{
	uint64_t base = row->base.inlined ? 0 : row->base.calls;
	uint64_t head = row->head.inlined ? 0 : row->head.calls;
	return base > head ? base - head : head - base;
}

/* What a moved function and one around it, or inlined into it, are to each other. */
typedef void relate(struct joining *j, uint32_t part, uint32_t other, uint64_t room);

/* How many instructions the compiler may have moved with the calls of a row. */
static uint64_t room_for_calls(const struct tree_row *row)
{
	uint64_t room;
	bool huge = __builtin_mul_overflow(calls_that_moved(row), MOST_PER_CALL, &room);
	return huge ? UINT64_MAX : room;
}

/* Calls `f` for every function that is inlined on one side, and those next to it. */
static void for_each_moved(struct joining *j, const uint32_t *own_of, relate *f)
{
	const struct tree_row *rows = j->c->tree->rows;

	for (uint32_t i = 1; i < j->c->tree->count; i++) {
		uint32_t part = own_of[i], host = own_of[rows[i].parent];
		if (!part || !host || part == host || !moved_into_caller(&rows[i]))
			continue;
		uint64_t room = room_for_calls(&rows[i]);
		f(j, part, part, room);
		f(j, part, host, room);
		for (uint32_t k = i + 1; k < rows[i].end; k = rows[k].end)
			if (own_of[k] && own_of[k] != part && tree_row_inlined(&rows[k]) &&
			    j->c->parts[own_of[k] - 1].edit != EDIT_CHANGED)
				f(j, part, own_of[k], room);
	}
}

static void add_room(struct joining *j, uint32_t part, uint32_t other, uint64_t room)
{
	j->links[other].room = saturating_sum(j->links[other].room, room);
	if (part == other)
		j->links[part].moved = saturating_sum(j->links[part].moved, room);
}

static bool has_room(const struct joining *j, uint32_t part)
{
	return cg_magnitude(j->c->parts[part - 1].delta) <= j->links[part].room;
}

static void join_if_room(struct joining *j, uint32_t part, uint32_t other, uint64_t room)
{
	(void)room;
	if (part == other || !has_room(j, part) || !has_room(j, other))
		return;
	join_parts(j->links, part, other);
	j->links[part].inlining |= other == j->links[part].host;
}

/* A function moved into one that called it, or out of that, on one path or all of them. */
struct move {
	uint32_t part, host;
	bool now_inlined;
	uint64_t calls;
};

static int compare_moves(const void *left, const void *right)
{
	const struct move *a = left, *b = right;

	if (a->part != b->part)
		return a->part < b->part ? -1 : 1;
	if (a->now_inlined != b->now_inlined)
		return a->now_inlined ? -1 : 1;
	return (a->host > b->host) - (a->host < b->host);
}

static bool same_move(const struct move *a, const struct move *b)
{
	return a->part == b->part && a->now_inlined == b->now_inlined && a->host == b->host;
}

/* All on every path, sorted; the caller frees them. NULL without memory. */
static struct move *list_moves(const struct joining *j, const uint32_t *own_of, size_t *count)
{
	const struct tree_row *rows = j->c->tree->rows;
	struct move *moves = calloc((size_t)j->c->tree->count + 1, sizeof *moves);
	size_t n = 0, kept = 0;

	for (uint32_t i = 1; moves && i < j->c->tree->count; i++) {
		uint32_t part = own_of[i], host = own_of[rows[i].parent];
		if (part && host && part != host && moved_into_caller(&rows[i]))
			moves[n++] = (struct move){ part, host, rows[i].match == DIFF_INLINED,
						    calls_that_moved(&rows[i]) };
	}
	if (n)
		qsort(moves, n, sizeof *moves, compare_moves);
	for (size_t i = 0; i < n; i++) {
		struct move *last = kept ? &moves[kept - 1] : NULL;
		if (last && same_move(last, &moves[i]))
			last->calls = saturating_sum(last->calls, moves[i].calls);
		else
			moves[kept++] = moves[i];
	}
	*count = kept;
	return moves;
}

/* Into which functions one moved in one direction; the next direction or function follows. */
static size_t sum_moves(const struct move *moves, size_t at, size_t count, struct link *sum)
{
	const struct move *first = &moves[at], *most = first;

	*sum = (struct link){ .now_inlined = first->now_inlined };
	for (; at < count && moves[at].part == first->part &&
	       moves[at].now_inlined == first->now_inlined;
	     at++) {
		sum->nhosts++;
		sum->calls = saturating_sum(sum->calls, moves[at].calls);
		if (moves[at].calls > most->calls)
			most = &moves[at];
	}
	sum->host = most->host;
	return at;
}

/* If a function moved in both directions, the one with more calls counts. */
static int find_moved_into(struct joining *j, const uint32_t *own_of)
{
	size_t count = 0;
	struct move *moves = list_moves(j, own_of, &count);

	for (size_t i = 0, next; i < count; i = next) {
		struct link sum, *link = &j->links[moves[i].part];
		next = sum_moves(moves, i, count, &sum);
		if (link->host && sum.calls <= link->calls)
			continue;
		link->host = sum.host;
		link->nhosts = sum.nhosts;
		link->calls = sum.calls;
		link->now_inlined = sum.now_inlined;
	}
	free(moves);
	return moves ? CG_OK : CG_ENOMEM;
}

static int join_inlining(struct joining *j, const uint32_t *own_of)
{
	if (find_moved_into(j, own_of))
		return CG_ENOMEM;
	for_each_moved(j, own_of, add_room);
	for_each_moved(j, own_of, join_if_room);
	return CG_OK;
}

/* ---- what cancels ---- */

/* All that a function decides; of functions that were renamed both names are one function. */
struct decided {
	uint32_t function, base_function; /* in the source */
	__int128 sum;
	unsigned __int128 sizes;
	uint32_t first; /* part */
	bool may_join;  /* it was edited, or is estimated */
};

struct deciding {
	struct decided *items; /* 0 is the key that is searched for, and what nobody decides */
	uint32_t count;
	struct cg_index index;
	uint32_t *of; /* per part */
};

/* The row of the function that decided a part. */
static uint32_t decider_row(const struct cause *part)
{
	return cause_is_own(part) ? part->row : part->caller;
}

static enum code_edit decider_edit(const struct cause *part)
{
	return cause_is_own(part) ? part->edit : part->caller_edit;
}

static bool is_decider(const void *context, uint32_t id)
{
	const struct deciding *d = context;
	return d->items[id].function == d->items[0].function &&
	       d->items[id].base_function == d->items[0].base_function;
}

/* What is part of another cause has no decider. */
static int find_decider(struct joining *j, struct deciding *d, uint32_t part)
{
	const uint32_t row = decider_row(&j->c->parts[part - 1]);
	const struct tree_row *r = &j->c->tree->rows[row];
	const struct tree_function *functions = j->c->tree->functions;

	if (!row || j->links[root_of(j->links, part)].inlines)
		return CG_OK;
	if (cg_index_reserve(&d->index))
		return CG_ENOMEM;
	d->items[0] = (struct decided){ .function = functions[r->function].source,
					.base_function = functions[r->base_function].source };
	uint64_t mixed = cg_hash_keyed(j->c->tree->diff->strings.secret, d->items[0].function);
	uint32_t hash = (uint32_t)cg_hash_keyed(mixed, d->items[0].base_function);
	d->of[part] = cg_index_find(&d->index, hash, is_decider, d);
	if (!d->of[part]) {
		d->of[part] = ++d->count;
		d->items[d->count] = d->items[0];
		cg_index_insert(&d->index, hash, d->count);
	}
	return CG_OK;
}

static void add_decided(struct decided *d, uint32_t number, const struct cause *part)
{
	if (!d->first)
		d->first = number;
	d->sum += part->delta;
	d->sizes += cg_magnitude(part->delta);
	d->may_join |= part->estimated || is_edited(decider_edit(part));
}

static bool is_together(const struct decided *d)
{
	long double size = d->sum < 0 ? -(long double)d->sum : (long double)d->sum;
	return d->may_join && (long double)d->sizes > MOST_CANCELLED * size;
}

/* Whether the function is on a path without a row that is an estimate. */
static bool is_estimated_elsewhere(const struct joining *j, const struct decided *d)
{
	return d->function == d->base_function && j->estimated[d->function];
}

static int join_cancelling_parts(struct joining *j, struct deciding *d)
{
	const uint32_t n = (uint32_t)j->c->nparts;
	int status = CG_OK;

	for (uint32_t part = 1; part <= n; part++)
		j->links[root_of(j->links, part)].inlines |= j->links[part].inlining;
	for (uint32_t part = 1; !status && part <= n; part++) {
		status = find_decider(j, d, part);
		if (!status && d->of[part])
			add_decided(&d->items[d->of[part]], part, &j->c->parts[part - 1]);
	}
	for (uint32_t part = 1; !status && part <= n; part++) {
		struct decided *decided = &d->items[d->of[part]];
		decided->may_join |= is_estimated_elsewhere(j, decided);
		j->links[part].together = d->of[part] && is_together(decided);
		if (j->links[part].together)
			join_parts(j->links, decided->first, part);
	}
	return status;
}

static int join_cancelling(struct joining *j)
{
	struct deciding d = { .items = calloc(j->c->nparts + 1, sizeof *d.items),
			      .of = calloc(j->c->nparts + 1, sizeof *d.of) };
	int status = d.items && d.of ? join_cancelling_parts(j, &d) : CG_ENOMEM;

	free(d.items);
	free(d.of);
	cg_index_free(&d.index);
	return status;
}

/* ---- the causes ---- */

static int compare_cause_names(const struct tree_row *a, const struct tree_row *b)
{
	int order = strcmp(a->name, b->name);
	if (!order)
		order = strcmp(a->object, b->object);
	return order ? order : strcmp(a->file, b->file);
}

static int compare_causes(const void *left, const void *right, void *context)
{
	const struct tree_row *rows = context;
	const struct cause *a = left, *b = right;
	int order = cg_compare_sizes(a->delta, b->delta);
	if (!order)
		order = (a->kind > b->kind) - (a->kind < b->kind);
	if (!order)
		order = compare_cause_names(&rows[a->row], &rows[b->row]);
	return order ? order : compare_cause_names(&rows[a->caller], &rows[b->caller]);
}

static int compare_cause_weights(const void *left, const void *right, void *context)
{
	const uint64_t a = cause_weight(left), b = cause_weight(right);

	return a != b ? (a < b) - (a > b) : compare_causes(left, right, context);
}

/* Numbers of calls are those of all instances. */
static void add_cause_part(struct cause *sum, const struct cause *part)
{
	bool counted = !sum->uncounted && !part->uncounted;

	if (!part->delta)
		return;
	/* The first is the largest: it says whether more calls or more work. */
	if (sum->kind != part->kind && (sum->kind != CAUSE_WORK || part->kind != CAUSE_CALLS))
		sum->kind = CAUSE_CALLS;
	sum->base_calls = counted ? saturating_sum(sum->base_calls, part->base_calls) : 0;
	sum->head_calls = counted ? saturating_sum(sum->head_calls, part->head_calls) : 0;
	cg_add_cost_clipped(&sum->base_cost, part->base_cost);
	cg_add_cost_clipped(&sum->head_cost, part->head_cost);
	if (part->nshares)
		sum->nshares = 0; /* those of several parts are not added up */
	cg_add_cost_clipped(&sum->delta, part->delta);
	sum->paths = (uint32_t)saturating_sum(sum->paths, part->paths);
	sum->estimated |= part->estimated;
	sum->uncounted |= part->uncounted;
	sum->recursive |= part->recursive;
	sum->also_in_other |= part->also_in_other;
	sum->scaled |= part->scaled;
}

/* The functions of a cause that moved. */
struct moved_parts {
	uint32_t most; /* the one with most calls; 0: none moved */
	uint32_t count;
	uint64_t room; /* what all moves may cost */
};

static struct moved_parts find_moved_parts(const struct joining *j, const uint32_t *parts, size_t n)
{
	struct moved_parts m = { .count = 0 };

	for (size_t i = 0; i < n; i++) {
		const struct link *link = &j->links[parts[i]];
		if (!link->inlining)
			continue;
		m.count++;
		m.room = saturating_sum(m.room, link->moved);
		if (!m.most || link->calls > j->links[m.most].calls)
			m.most = parts[i];
	}
	return m;
}

static void describe_inlining(const struct joining *j, struct moved_parts m, struct cause *sum)
{
	const uint32_t part = m.most;
	const struct link *link = &j->links[part];

	sum->kind = CAUSE_INLINED;
	sum->row = j->c->parts[part - 1].row;
	sum->caller = link->nhosts == 1 && m.count == 1 ? j->c->parts[link->host - 1].row : 0;
	sum->ncallers = link->nhosts;
	sum->nmoved = m.count;
	sum->now_inlined = link->now_inlined;
	sum->edit = j->c->parts[part - 1].edit;
	sum->caller_edit = j->c->parts[link->host - 1].edit;
	sum->base_calls = link->now_inlined ? link->calls : 0;
	sum->head_calls = link->now_inlined ? 0 : link->calls;
	sum->uncounted = true;
}

static void describe_together(const struct cause *largest, struct cause *sum)
{
	sum->kind = CAUSE_TOGETHER;
	sum->row = sum->caller = decider_row(largest);
	sum->edit = decider_edit(largest);
	sum->caller_edit = EDIT_UNKNOWN;
	sum->base_calls = sum->head_calls = 0;
}

static int64_t sum_of_parts(const struct causes *c, const uint32_t *parts, size_t n)
{
	int64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		cg_add_cost_clipped(&sum, c->parts[parts[i] - 1].delta);
	return sum;
}

static void add_cause(struct joining *j, const uint32_t *parts, size_t n);

/* What costs more than moving code may cost has other reasons, which are those of each function. */
static void add_apart(struct joining *j, const uint32_t *parts, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		j->links[parts[i]].inlining = false;
		add_cause(j, parts + i, 1);
	}
}

/* `parts` are one cause, the largest first. */
static void add_cause(struct joining *j, const uint32_t *parts, size_t n)
{
	const struct moved_parts moved = find_moved_parts(j, parts, n);
	const bool together = j->links[parts[0]].together;
	struct causes *c = j->c;

	if (moved.most && !together && cg_magnitude(sum_of_parts(c, parts, n)) > moved.room) {
		add_apart(j, parts, n);
		return;
	}
	struct cause sum = c->parts[parts[0] - 1];

	sum.first_part = j->nsorted;
	for (size_t i = 0; i < n; i++) {
		const struct cause *part = &c->parts[parts[i] - 1];
		if (i)
			add_cause_part(&sum, part);
		if (part->delta)
			j->sorted[j->nsorted++] = *part;
	}
	sum.nparts = j->nsorted - sum.first_part;
	if (together && sum.nparts > 1)
		describe_together(&c->parts[parts[0] - 1], &sum);
	else if (moved.most)
		describe_inlining(j, moved, &sum);
	if (!sum.delta)
		return;
	c->sum_of_sizes = saturating_sum(c->sum_of_sizes, cg_magnitude(sum.delta));
	c->items[c->count++] = sum;
}

static int compare_cause_parts(const void *left, const void *right, void *context)
{
	const struct joining *j = context;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	uint32_t x = j->links[a].parent, y = j->links[b].parent;

	if (x != y)
		return x < y ? -1 : 1;
	return compare_causes(&j->c->parts[a - 1], &j->c->parts[b - 1], j->c->tree->rows);
}

static void add_causes(struct joining *j, uint32_t *order)
{
	size_t n = j->c->nparts;

	for (uint32_t i = 0; i < n; i++) {
		order[i] = i + 1;
		j->links[i + 1].parent = root_of(j->links, i + 1);
	}
	qsort_r(order, n, sizeof *order, compare_cause_parts, j);
	for (size_t i = 0, next; i < n; i = next) {
		for (next = i + 1; next < n; next++)
			if (j->links[order[next]].parent != j->links[order[i]].parent)
				break;
		add_cause(j, order + i, next - i);
	}
}

static int join_all(struct joining *j, const uint32_t *own_of)
{
	size_t n = j->c->nparts;
	uint32_t *order = calloc(n + 1, sizeof *order);

	j->links = calloc(n + 1, sizeof *j->links);
	j->sorted = calloc(n + 1, sizeof *j->sorted);
	j->c->items = calloc(n + 1, sizeof *j->c->items);
	for (uint32_t i = 1; j->links && i <= n; i++)
		j->links[i].parent = i;
	int status = order && j->links && j->sorted && j->c->items ? join_instances(j) : CG_ENOMEM;
	if (!status)
		status = join_inlining(j, own_of);
	if (!status)
		status = join_cancelling(j);
	if (!status)
		add_causes(j, order);
	free(order);
	return status;
}

int join_causes(struct causes *c, const uint32_t *own_of, const bool *estimated)
{
	struct joining j = { .c = c, .estimated = estimated };
	int status = join_all(&j, own_of);

	if (!status) {
		free(c->parts);
		c->parts = j.sorted;
		c->nparts = j.nsorted;
		j.sorted = NULL;
		qsort_r(c->items, c->count, sizeof *c->items, compare_cause_weights, c->tree->rows);
	}
	free(j.links);
	free(j.sorted);
	cg_index_free(&j.index);
	return status;
}
