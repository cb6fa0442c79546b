#include "src/compare/machine_rows.h"

#include <stdlib.h>

#include "callgrind/support/number.h"
#include "src/asm/match.h"

static const struct cg_profile *profile_of_side(const struct diff *d, int side)
{
	return side == ASM_HEAD ? d->head : d->base;
}

static int mark_machine_rows(const struct diff *d, int side, const bool *shown, bool *machine)
{
	const struct cg_profile *p = profile_of_side(d, side);
	uint32_t *row_of = diff_rows_of_functions(d, side == ASM_HEAD);

	for (uint32_t r = 1; row_of && r < p->nrecords; r++) {
		uint32_t row = row_of[p->records[r].function];
		uint32_t around = row_of[asm_machine_function(p, r)];
		if (row && around && shown[row - 1])
			machine[around - 1] = true;
	}
	free(row_of);
	return row_of ? CG_OK : CG_ENOMEM;
}

static uint32_t *rows_around(const struct diff *d, const bool *shown, size_t *found)
{
	bool *machine = calloc(d->count + 1, sizeof *machine);
	uint32_t *around = calloc(d->count + 1, sizeof *around);
	int status = machine && around ? CG_OK : CG_ENOMEM;

	for (int side = 0; !status && side < ASM_SIDES; side++)
		status = mark_machine_rows(d, side, shown, machine);
	*found = 0;
	for (size_t i = 0; !status && i < d->count; i++)
		if (machine[i])
			around[(*found)++] = (uint32_t)i;
	if (status) {
		free(around);
		around = NULL;
	}
	free(machine);
	return around;
}

uint32_t *machine_rows_around(const struct diff *d, const uint32_t *rows, size_t count,
			      size_t *found)
{
	bool *shown = calloc(d->count + 1, sizeof *shown);

	for (size_t i = 0; shown && i < count; i++)
		shown[rows[i]] = true;
	uint32_t *around = shown ? rows_around(d, shown, found) : NULL;
	free(shown);
	return around;
}

/* ---- those that changed ---- */

/* What the functions of each row cost with all that is inlined into them: d->count times nevents.
 * NULL: out of memory. */
static int64_t *sum_machine_costs(const struct diff *d, int side)
{
	const struct cg_profile *p = profile_of_side(d, side);
	const size_t n = p->nevents;
	uint32_t *row_of = diff_rows_of_functions(d, side == ASM_HEAD);
	int64_t *sums = row_of ? calloc((d->count + 1) * n + 1, sizeof *sums) : NULL;

	for (uint32_t r = 1; sums && r < p->nrecords; r++) {
		uint32_t row = row_of[asm_machine_function(p, r)];
		if (row)
			cg_add_costs(sums + (row - 1) * n, p->record_self + r * n, (uint32_t)n);
	}
	free(row_of);
	return sums;
}

struct machine_change {
	uint32_t row;
	uint64_t size;
};

static int compare_machine_changes(const void *left, const void *right)
{
	const struct machine_change *a = left, *b = right;
	if (a->size != b->size)
		return a->size < b->size ? 1 : -1;
	return (a->row > b->row) - (a->row < b->row);
}

/* Keeps the rows that changed, the largest change first. */
static int rank_machine_rows(const struct diff *d, uint32_t *rows, size_t *count)
{
	int64_t *base = sum_machine_costs(d, ASM_BASE), *head = sum_machine_costs(d, ASM_HEAD);
	struct machine_change *changes = calloc(*count + 1, sizeof *changes);
	int status = base && head && changes ? CG_OK : CG_ENOMEM;
	size_t kept = 0;

	for (size_t i = 0; !status && i < *count; i++) {
		int64_t b = diff_base_value(d, base + rows[i] * (size_t)d->base->nevents);
		int64_t h = diff_head_value(d, head + rows[i] * (size_t)d->head->nevents);
		if (diff_classify_change(d, b, h) != DIFF_UNCHANGED)
			changes[kept++] = (struct machine_change){ rows[i], cg_distance(b, h) };
	}
	if (!status) {
		qsort(changes, kept, sizeof *changes, compare_machine_changes);
		for (size_t i = 0; i < kept; i++)
			rows[i] = changes[i].row;
		*count = kept;
	}
	free(base);
	free(head);
	free(changes);
	return status;
}

int machine_rows_choose(const struct comparison *c, size_t top, uint32_t **rows, size_t *count,
			size_t *hidden, bool **chosen, struct cg_error *err)
{
	const struct diff *d = c->diff;
	bool *is_chosen = calloc(d->count + 1, sizeof *is_chosen);
	int status = is_chosen ? CG_OK : cg_fail_nomem(err);

	for (size_t i = 0; !status && i < d->count; i++) {
		const struct diff_row *row = &d->rows[i];
		status = comparison_chooses(c, row->object, row->file, row->name, &is_chosen[i],
					    err);
	}
	uint32_t *around = status ? NULL : rows_around(d, is_chosen, count);
	if (!status && (!around || rank_machine_rows(d, around, count)))
		status = cg_fail_nomem(err);
	if (status) {
		free(around);
		free(is_chosen);
		return status;
	}
	*hidden = top && top < *count ? *count - top : 0;
	*count -= *hidden;
	*rows = around;
	*chosen = is_chosen;
	return CG_OK;
}
