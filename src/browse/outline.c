#include "src/browse/outline.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"

struct browse_row outline_row(const struct outline *o, uint32_t item)
{
	return o->source.row(o->source.of, o->items[item].node);
}

bool outline_can_open(const struct outline *o, uint32_t item)
{
	const struct outline_item *i = &o->items[item];

	if (!i->listed)
		return outline_row(o, item).has_children;
	for (uint32_t k = 0; k < i->nchildren; k++)
		if (!o->items[i->children[k]].blank)
			return true;
	return false;
}

/* ---- order ---- */

struct key {
	struct browse_rank rank;
	const char *name;
	uint32_t item;
};

static int compare_item_keys(const void *left, const void *right)
{
	const struct key *a = left, *b = right;

	if (a->rank.ratio != b->rank.ratio)
		return a->rank.ratio < b->rank.ratio ? 1 : -1;
	if (a->rank.size != b->rank.size)
		return a->rank.size < b->rank.size ? 1 : -1;
	int order = strcmp(a->name, b->name);
	return order ? order : (a->item > b->item) - (a->item < b->item);
}

static bool hides_item(const struct outline *o, uint32_t item)
{
	return o->source.hides && o->source.hides(o->source.of, o->items[item].node);
}

/* Children, among equals in the order in which they were listed. */
static int order_children(struct outline *o, uint32_t parent)
{
	const struct outline_item *p = &o->items[parent];
	struct key *keys = malloc(((size_t)p->nchildren + 1) * sizeof *keys);

	if (!keys)
		return CG_ENOMEM;
	for (uint32_t i = 0; i < p->nchildren; i++) {
		struct browse_row row = outline_row(o, p->children[i]);
		const char *name = o->measure.sort == BROWSE_AS_LISTED ? "" : row.name;
		keys[i] = (struct key){ browse_rank(&o->measure, &row), name, p->children[i] };
		o->items[p->children[i]].blank = browse_is_blank(&o->measure, &row) ||
						 hides_item(o, p->children[i]);
	}
	qsort(keys, p->nchildren, sizeof *keys, compare_item_keys);
	for (uint32_t i = 0; i < p->nchildren; i++) {
		p->children[i] = keys[i].item;
		o->items[keys[i].item].place = i;
	}
	free(keys);
	return CG_OK;
}

/* ---- what is listed ---- */

static int add_children(struct outline *o, uint32_t parent, const uint32_t *nodes, size_t count)
{
	uint32_t *children = malloc((count + 1) * sizeof *children);
	if (!children || cg_grow(&o->items, &o->cap, o->count + count, sizeof *o->items)) {
		free(children);
		return CG_ENOMEM;
	}
	for (size_t i = 0; i < count; i++) {
		children[i] = (uint32_t)o->count;
		o->items[o->count++] = (struct outline_item){
			.node = nodes[i],
			.parent = parent,
			.depth = o->items[parent].depth + 1,
		};
	}
	o->items[parent].children = children;
	o->items[parent].nchildren = (uint32_t)count;
	o->items[parent].listed = true;
	return order_children(o, parent);
}

static int list_children(struct outline *o, uint32_t item)
{
	uint32_t *nodes;
	size_t count;

	if (o->items[item].listed)
		return CG_OK;
	if (o->source.children(o->source.of, o->items[item].node, &nodes, &count))
		return CG_ENOMEM;
	int status = add_children(o, item, nodes, count);
	free(nodes);
	return status;
}

/* The next item, depth first; the next one that is not below it, unless `down`; 0: none. */
static uint32_t next_item(const struct outline *o, uint32_t item, bool down)
{
	if (down && o->items[item].nchildren)
		return o->items[item].children[0];
	while (item) {
		const struct outline_item *i = &o->items[item], *above = &o->items[i->parent];
		if (i->place + 1 < above->nchildren)
			return above->children[i->place + 1];
		item = i->parent;
	}
	return 0;
}

static int make_outline_rows(struct outline *o)
{
	if (cg_grow(&o->rows, &o->rows_cap, o->count, sizeof *o->rows))
		return CG_ENOMEM;
	o->nrows = 0;
	for (uint32_t i = next_item(o, 0, true); i;) {
		const struct outline_item *item = &o->items[i];
		if (!item->blank)
			o->rows[o->nrows++] = i;
		i = next_item(o, i, item->open && !item->blank);
	}
	return CG_OK;
}

int outline_make(const struct outline_source *source, const struct browse_measure *measure,
		 struct outline **out)
{
	struct outline *o = calloc(1, sizeof *o);

	if (!o || cg_grow(&o->items, &o->cap, 1, sizeof *o->items)) {
		outline_free(o);
		return CG_ENOMEM;
	}
	o->source = *source;
	o->measure = *measure;
	o->items[0] = (struct outline_item){ .open = true };
	o->count = 1;
	if (list_children(o, 0) || make_outline_rows(o)) {
		outline_free(o);
		return CG_ENOMEM;
	}
	*out = o;
	return CG_OK;
}

void outline_free(struct outline *o)
{
	if (!o)
		return;
	for (size_t i = 0; i < o->count; i++)
		free(o->items[i].children);
	free(o->items);
	free(o->rows);
	free(o);
}

int outline_order(struct outline *o, const struct browse_measure *measure)
{
	int status = CG_OK;

	o->measure = *measure;
	for (uint32_t i = 0; !status && i < o->count; i++)
		if (o->items[i].nchildren)
			status = order_children(o, i);
	return status ? status : make_outline_rows(o);
}

/* ---- folds ---- */

int outline_open(struct outline *o, uint32_t item)
{
	if (list_children(o, item))
		return CG_ENOMEM;
	o->items[item].open = outline_can_open(o, item);
	return make_outline_rows(o);
}

/* The size of what an item includes. */
static uint64_t weight_of_item(const struct outline *o, uint32_t item)
{
	const struct browse_measure inclusive = { o->measure.metric, o->measure.show,
						  BROWSE_BY_INCLUSIVE };
	struct browse_row row = outline_row(o, item);
	return browse_rank(&inclusive, &row).size;
}

/* The child that a chain goes on with: the only one of weight; 0: none, or several. Changes may
 * cancel each other, so that a child can weigh more than its parent. */
static uint32_t next_of_chain(const struct outline *o, uint32_t item)
{
	enum { LIGHT = 20 }; /* so many times less */
	const struct outline_item *i = &o->items[item];
	uint64_t whole = weight_of_item(o, item), first = 0, second = 0;
	uint32_t heaviest = 0;

	for (uint32_t k = 0; k < i->nchildren; k++) {
		uint64_t weight = weight_of_item(o, i->children[k]);
		if (weight > first) {
			second = first;
			first = weight;
			heaviest = i->children[k];
		} else if (weight > second) {
			second = weight;
		}
	}
	whole = first > whole ? first : whole;
	return second > whole / LIGHT || first <= whole / LIGHT ? 0 : heaviest;
}

int outline_open_chain(struct outline *o, uint32_t item, uint32_t *last)
{
	for (uint32_t next = item; next; next = next_of_chain(o, item)) {
		item = next;
		if (list_children(o, item))
			return CG_ENOMEM;
		o->items[item].open = outline_can_open(o, item);
	}
	*last = item;
	return make_outline_rows(o);
}

int outline_fold(struct outline *o, uint32_t item)
{
	o->items[item].open = item == 0;
	return make_outline_rows(o);
}

int outline_fold_all(struct outline *o)
{
	for (size_t i = 1; i < o->count; i++)
		o->items[i].open = false;
	return make_outline_rows(o);
}

static bool item_is_below(const struct outline *o, uint32_t item, uint32_t top)
{
	while (item != top && o->items[item].depth > o->items[top].depth)
		item = o->items[item].parent;
	return item == top;
}

int outline_open_below(struct outline *o, uint32_t item, bool *all)
{
	*all = true;
	for (uint32_t i = item;;) {
		*all &= o->count < OUTLINE_MOST || o->items[i].listed;
		if ((o->count < OUTLINE_MOST || o->items[i].listed) && outline_can_open(o, i)) {
			if (list_children(o, i))
				return CG_ENOMEM;
			o->items[i].open = outline_can_open(o, i);
		}
		i = next_item(o, i, o->items[i].open);
		if (!i || !item_is_below(o, i, item))
			return make_outline_rows(o);
	}
}

int outline_reveal(struct outline *o, uint32_t item)
{
	for (uint32_t i = o->items[item].parent; i; i = o->items[i].parent)
		o->items[i].open = true;
	return make_outline_rows(o);
}

static bool is_seen(const struct outline *o, uint32_t item)
{
	if (o->items[item].blank)
		return false;
	for (uint32_t i = o->items[item].parent; i; i = o->items[i].parent)
		if (!o->items[i].open)
			return false;
	return true;
}

size_t outline_row_of(const struct outline *o, uint32_t item)
{
	while (item && !is_seen(o, item))
		item = o->items[item].parent;
	for (size_t i = 0; i < o->nrows; i++)
		if (o->rows[i] == item)
			return i;
	return 0;
}

/* ---- search ---- */

int outline_find(struct outline *o, const struct outline_search *search, uint32_t from,
		 bool backwards, uint32_t *found, bool *wrapped)
{
	uint32_t first = 0, last = 0, before = 0, after = 0;
	bool passed = from == 0;

	for (uint32_t i = next_item(o, 0, true); i;) {
		uint32_t node = o->items[i].node;
		if (i != from && !o->items[i].blank && search->matches(search->of, node)) {
			first = first ? first : i;
			last = i;
			before = passed ? before : i;
			after = passed && !after ? i : after;
		}
		passed |= i == from;
		bool down = o->items[i].open || search->leads(search->of, node);
		if (down && list_children(o, i))
			return CG_ENOMEM;
		i = next_item(o, i, down);
	}
	*found = backwards ? before : after;
	*wrapped = !*found;
	if (!*found)
		*found = backwards ? last : first;
	if (!*found && from && search->matches(search->of, o->items[from].node))
		*found = from;
	return CG_OK;
}
