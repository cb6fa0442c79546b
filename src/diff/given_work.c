/* What edited functions give others to do (causes.h). */
#include <stdlib.h>

#include "callgrind/support/grow.h"
#include "callgrind/support/number.h"
#include "src/diff/cause_search.h"

enum code_edit cause_edit_of(const struct cause_search *f, uint32_t row)
{
	const struct tree_row *r = &f->t->rows[row];
	const uint8_t *edits = f->edits;
	if (!row)
		return EDIT_NONE;
	return edits[r->function] > edits[r->base_function] ? edits[r->function]
							    : edits[r->base_function];
}

int cause_find_holders(struct cause_search *f)
{
	const struct tree_row *rows = f->t->rows;
	uint32_t *around = calloc(f->t->count, sizeof *around);

	f->holds_edited = calloc(f->t->count, sizeof *f->holds_edited);
	if (!around || !f->holds_edited) {
		free(around);
		return CG_ENOMEM;
	}
	for (uint32_t i = 1; i < f->t->count; i++) {
		bool inlined = rows[i].base.inlined || rows[i].head.inlined;
		around[i] = inlined ? around[rows[i].parent] : i;
		f->holds_edited[around[i]] |= inlined && is_edited(cause_edit_of(f, i));
	}
	free(around);
	return CG_OK;
}

static void find_editor(struct cause_search *f, uint32_t row)
{
	struct amounts *a = &f->amounts[row];
	const struct amounts *above = &f->amounts[f->t->rows[row].parent];
	enum code_edit edit = cause_edit_of(f, row);

	if (is_edited(edit)) {
		a->editor = row;
	} else if (edit < EDIT_UNKNOWN && row && !f->holds_edited[row]) {
		a->editor = above->editor;
		a->below = above->below ? above->below : row;
	}
}

static int add_work(struct cause_search *f, uint32_t below, uint32_t row, __int128 *delta)
{
	if (!*delta)
		return CG_OK;
	if (cg_grow(&f->works, &f->works_cap, f->nworks + 1, sizeof *f->works))
		return CG_ENOMEM;
	f->works[f->nworks++] = (struct given_work){ .below = below, .row = row, .delta = *delta };
	f->amounts[below].work += *delta;
	*delta = 0;
	return CG_OK;
}

/* Whether an edited function allocates what only one side allocates: then nobody else gives it
 * that to do. */
static bool is_edited_allocation(const struct cause_search *f, uint32_t row)
{
	return is_allocation(&f->allocators, row) &&
	       is_edited(cause_edit_of(f, find_allocation(&f->allocators, row).row));
}

int cause_credit_editor(struct cause_search *f, uint32_t row)
{
	const struct tree_row *rows = f->t->rows;
	struct amounts *a = &f->amounts[row];
	int status = CG_OK;

	find_editor(f, row);
	if (!a->editor || a->editor == row)
		return CG_OK;
	if (cause_edit_of(f, row) == EDIT_NONE)
		status = add_work(f, a->below, row, &a->own);
	for (uint32_t k = row + 1; !status && k < rows[row].end; k = rows[k].end)
		if (!is_edited_allocation(f, k))
			status = add_work(f, a->below, k, &f->amounts[k].calls);
	return status;
}

/* ---- who does the work ---- */

static int compare_works(const void *left, const void *right, void *context)
{
	const struct tree_row *rows = context;
	const struct given_work *a = left, *b = right;
	const uint32_t x = rows[a->row].function, y = rows[b->row].function;

	if (a->item != b->item)
		return a->item < b->item ? -1 : 1;
	return x != y ? (x > y) - (x < y) : (a->row > b->row) - (a->row < b->row);
}

static int compare_shares(const void *left, const void *right)
{
	const struct cause_share *a = left, *b = right;
	int order = cg_compare_sizes(a->delta, b->delta);
	return order ? order : (a->row > b->row) - (a->row < b->row);
}

/* The work of one function, from `at` on; returns where that of the next one begins. */
static size_t add_share(const struct cause_search *f, size_t at, struct causes *c)
{
	const struct tree_row *rows = f->t->rows;
	const struct given_work *first = &f->works[at];
	__int128 delta = 0;

	for (; at < f->nworks && f->works[at].item == first->item &&
	       rows[f->works[at].row].function == rows[first->row].function;
	     at++)
		delta += f->works[at].delta;
	if (delta)
		c->shares[c->nshares++] = (struct cause_share){ first->row, clip_cause(delta) };
	return at;
}

int cause_finish_shares(struct cause_search *f, struct causes *c)
{
	c->shares = calloc(f->nworks + 1, sizeof *c->shares);
	if (!c->shares)
		return CG_ENOMEM;
	for (size_t i = 0; i < f->nworks; i++)
		f->works[i].item = f->item_of_call[f->works[i].below];
	if (f->nworks)
		qsort_r(f->works, f->nworks, sizeof *f->works, compare_works, (void *)f->t->rows);
	for (size_t i = 0; i < f->nworks;) {
		const uint32_t item = f->works[i].item;
		const size_t first = c->nshares;
		while (i < f->nworks && f->works[i].item == item)
			i = add_share(f, i, c);
		if (!item)
			continue;
		qsort(c->shares + first, c->nshares - first, sizeof *c->shares, compare_shares);
		c->parts[item - 1].first_share = (uint32_t)first;
		c->parts[item - 1].nshares = (uint32_t)(c->nshares - first);
	}
	return CG_OK;
}
