#include "src/browse/follow.h"

#include <string.h>

struct followed browse_followed(const struct browse_row *row)
{
	return (struct followed){ row->name, row->object, row->file };
}

/* How well a row names a function: a profile, the change of two and its paths number their
 * functions differently, and may know the file of only one side. 0: it is another function. */
enum likeness { OTHER, SAME_NAME, SAME };

static enum likeness likeness_of(const struct followed *f, const struct browse_row *row)
{
	if (strcmp(f->name, row->name) != 0)
		return OTHER;
	return strcmp(f->file, row->file) == 0 && strcmp(f->object, row->object) == 0 ? SAME
										      : SAME_NAME;
}

/* ---- lists of functions ---- */

/* The item at the top that is most like it, the first of several; 0: none. */
static uint32_t find_at_top(const struct outline *o, const struct followed *f)
{
	const struct outline_item *top = &o->items[0];
	enum likeness most = OTHER;
	uint32_t found = 0;

	for (uint32_t i = 0; i < top->nchildren && most < SAME; i++) {
		struct browse_row row = outline_row(o, top->children[i]);
		enum likeness like = likeness_of(f, &row);
		if (like <= most || o->items[top->children[i]].blank)
			continue;
		most = like;
		found = top->children[i];
	}
	return found;
}

/* ---- call paths ---- */

static bool is_larger_rank(const struct browse_rank *a, const struct browse_rank *b)
{
	return a->ratio != b->ratio ? a->ratio > b->ratio : a->size > b->size;
}

/* The row of the paths that is most like it, and of these the one that counts most; 0: none. */
static uint32_t find_in_paths(const struct browse *b, const struct followed *f)
{
	const struct browse_table *t = &b->data->paths;
	const struct browse_measure measure = { browse_metric(b), browse_shown(b),
						BROWSE_BY_INCLUSIVE };
	enum likeness most = OTHER;
	struct browse_rank largest = { 0 };
	uint32_t found = 0;

	for (uint32_t i = 1; i < t->count; i++) {
		struct browse_row row = t->row(t->of, i);
		enum likeness like = likeness_of(f, &row);
		if (like == OTHER || like < most || !browse_lists_path(b, i) ||
		    browse_hides_path(b, i) || browse_is_blank(&measure, &row))
			continue;
		struct browse_rank rank = browse_rank(&measure, &row);
		if (like == most && !is_larger_rank(&rank, &largest))
			continue;
		most = like;
		largest = rank;
		found = i;
	}
	return found;
}

struct wanted_row {
	const struct browse_table *table;
	uint32_t row;
};

static bool is_wanted_row(const void *of, uint32_t node)
{
	const struct wanted_row *w = of;
	return node == w->row;
}

static bool leads_to_wanted(const void *of, uint32_t node)
{
	const struct wanted_row *w = of;
	return node < w->row && w->row < w->table->row(w->table->of, node).end;
}

int follow_path(struct browse *b, uint32_t row)
{
	struct list *l = browse_list(b);
	const struct wanted_row wanted = { &b->data->paths, row };
	const struct outline_search search = { &wanted, is_wanted_row, leads_to_wanted };
	uint32_t item;
	bool wrapped;

	if (outline_find(l->outline, &search, 0, false, &item, &wrapped))
		return CG_ENOMEM;
	if (!item)
		return CG_OK;
	if (outline_reveal(l->outline, item))
		return CG_ENOMEM;
	l->scroll.at = outline_row_of(l->outline, item);
	return CG_OK;
}

/* ---- any view ---- */

static bool is_selected(const struct browse *b, const struct followed *f)
{
	uint32_t item = browse_selected(b);
	if (!item)
		return false;
	struct browse_row row = outline_row(b->lists[b->view].outline, item);
	return likeness_of(f, &row) == SAME;
}

int follow_function(struct browse *b, const struct followed *function, bool *found)
{
	struct list *l = browse_list(b);

	*found = true;
	if (is_selected(b, function))
		return CG_OK;
	if (b->view == VIEW_PATHS) {
		uint32_t row = find_in_paths(b, function);
		*found = row != 0;
		return row ? follow_path(b, row) : CG_OK;
	}
	uint32_t item = find_at_top(l->outline, function);
	*found = item != 0;
	if (item)
		l->scroll.at = outline_row_of(l->outline, item);
	return CG_OK;
}
