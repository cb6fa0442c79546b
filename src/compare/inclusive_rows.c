#include "src/compare/inclusive_rows.h"

#include <stdlib.h>

#include "callgrind/support/number.h"

static uint64_t size_of_inclusive_change(const struct diff *d, const struct diff_row *row)
{
	int64_t base = diff_base_value(d, row->base.inclusive),
		head = diff_head_value(d, row->head.inclusive);
	bool known = !row->base.bound && !row->head.bound &&
		     diff_is_change(diff_classify_change(d, base, head));

	return known ? cg_distance(base, head) : 0;
}

static int compare_inclusive_changes(const void *left, const void *right, void *context)
{
	const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	const struct diff *d = context;
	uint64_t x = size_of_inclusive_change(d, &d->rows[a]);
	uint64_t y = size_of_inclusive_change(d, &d->rows[b]);

	return x != y ? (x < y) - (x > y) : (a > b) - (a < b);
}

/* `taken`: the rows of the comparison. */
static int collect_inclusive_rows(const struct comparison *c, const bool *taken, uint32_t *rows,
				  size_t *count, struct cg_error *err)
{
	const struct diff *d = c->diff;

	for (size_t i = 0; i < d->count; i++) {
		const struct diff_row *row = &d->rows[i];
		bool chosen;
		if (taken[i] || !size_of_inclusive_change(d, row))
			continue;
		int status = comparison_chooses(c, row->object, row->file, row->name, &chosen, err);
		if (status)
			return status;
		if (chosen)
			rows[(*count)++] = (uint32_t)i;
	}
	return CG_OK;
}

int inclusive_rows_choose(const struct comparison *c, uint32_t **rows, size_t *count,
			  struct cg_error *err)
{
	const struct diff *d = c->diff;
	bool *taken = calloc(d->count + 1, sizeof *taken);
	int status = CG_OK;

	*count = 0;
	*rows = calloc(d->count + 1, sizeof **rows);
	if (!taken || !*rows)
		status = cg_fail_nomem(err);
	for (size_t i = 0; !status && i < c->filtered; i++)
		taken[c->rows[i]] = true;
	if (!status && c->options->filter && comparison_knows_calls(c))
		status = collect_inclusive_rows(c, taken, *rows, count, err);
	if (!status)
		qsort_r(*rows, *count, sizeof **rows, compare_inclusive_changes, (void *)d);
	free(taken);
	if (status) {
		free(*rows);
		*rows = NULL;
	}
	return status;
}
