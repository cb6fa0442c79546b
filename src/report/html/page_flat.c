/* The table of functions, as columns. */
#include "src/report/html/page_data.h"

#include <stdlib.h>

#include "callgrind/support/number.h"
#include "src/report/match_words.h"

enum {
	MOST_ROWS = 5000,
	IN_BASE = 1,
	IN_HEAD = 2,
	INLINED_BASE = 4,
	INLINED_HEAD = 8,
	UPPER_BOUND = 16,
};

struct ranked_page_row {
	uint64_t size;
	uint32_t row;
};

static int compare_page_ranked(const void *left, const void *right)
{
	const struct ranked_page_row *a = left, *b = right;
	return a->size != b->size ? (a->size < b->size) - (a->size > b->size)
				  : (a->row > b->row) - (a->row < b->row);
}

static uint64_t largest_of(const struct diff *d, const struct diff_row *row)
{
	const uint64_t sizes[] = {
		cg_magnitude(diff_base_value(d, row->base.inclusive)),
		cg_magnitude(diff_head_value(d, row->head.inclusive)),
		cg_magnitude(diff_base_value(d, row->base.self)),
		cg_magnitude(diff_head_value(d, row->head.self)),
	};
	uint64_t most = 0;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		most = sizes[i] > most ? sizes[i] : most;
	return most;
}

static int compare_page_numbers(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	return (a > b) - (a < b);
}

/* The rows that differ most are the first of the diff; of too many, one half are
 * these, and the other half those that cost most. */
static int choose_page_rows(struct page_writing *w, uint32_t **out)
{
	const struct diff *d = w->d;
	struct ranked_page_row *list = calloc(d->count + 1, sizeof *list);
	uint32_t *rows = calloc(d->count + 1, sizeof *rows);
	size_t changed = d->count <= MOST_ROWS ? d->count : MOST_ROWS / 2, count = 0;

	if (!list || !rows) {
		free(list);
		free(rows);
		return CG_ENOMEM;
	}
	for (size_t i = changed; i < d->count; i++)
		list[count++] = (struct ranked_page_row){ largest_of(d, &d->rows[i]), (uint32_t)i };
	qsort(list, count, sizeof *list, compare_page_ranked);
	for (w->nrows = 0; w->nrows < changed; w->nrows++)
		rows[w->nrows] = (uint32_t)w->nrows;
	for (size_t i = 0; i < count && w->nrows < MOST_ROWS; i++)
		rows[w->nrows++] = list[i].row;
	qsort(rows, w->nrows, sizeof *rows, compare_page_numbers);
	free(list);
	w->rows = *out = rows;
	return CG_OK;
}

int64_t page_cost(const int64_t *costs, int event)
{
	return event < 0 ? 0 : costs[event];
}

static void add_page_costs(struct page_writing *w, const char *key, bool inclusive, bool delta)
{
	json_begin_array(w->j, key);
	for (size_t e = 0; e < w->events.count; e++) {
		json_begin_array(w->j, NULL);
		for (size_t i = 0; i < w->nrows; i++) {
			const struct diff_row *row = &w->d->rows[w->rows[i]];
			const struct diff_side *b = &row->base, *h = &row->head;
			int64_t base = page_cost(inclusive ? b->inclusive : b->self,
						 w->events.base[e]);
			int64_t head = page_cost(inclusive ? h->inclusive : h->self,
						 w->events.head[e]);
			if (delta)
				json_delta(w->j, NULL, base, head);
			else
				json_cost(w->j, NULL, base);
		}
		json_end(w->j);
	}
	json_end(w->j);
}

static uint32_t page_function_of(struct page_writing *w, const struct diff_row *row, bool base)
{
	return page_function(&w->names, row->name, base ? row->base_object : row->object,
			     base ? row->base_file : row->file);
}

static int page_flags_of(const struct diff_row *row)
{
	return (row->base.present ? IN_BASE : 0) | (row->head.present ? IN_HEAD : 0) |
	       (row->base.inlined ? INLINED_BASE : 0) | (row->head.inlined ? INLINED_HEAD : 0) |
	       (row->base.bound || row->head.bound ? UPPER_BOUND : 0);
}

/* One column of the flat table: a number of each row. */
static void add_page_column(struct page_writing *w, const char *key,
			    int64_t (*number)(struct page_writing *, const struct diff_row *))
{
	json_begin_array(w->j, key);
	for (size_t i = 0; i < w->nrows; i++)
		json_cost(w->j, NULL, number(w, &w->d->rows[w->rows[i]]));
	json_end(w->j);
}

static int64_t function_number(struct page_writing *w, const struct diff_row *row)
{
	return page_function_of(w, row, false);
}

static int64_t base_function_number(struct page_writing *w, const struct diff_row *row)
{
	return row->base.present ? (int64_t)page_function_of(w, row, true) : -1;
}

static int64_t match_number(struct page_writing *w, const struct diff_row *row)
{
	return page_text(&w->names, diff_match_name(row->match));
}

static int64_t reason_number(struct page_writing *w, const struct diff_row *row)
{
	return page_text(&w->names, diff_reason(w->d, row));
}

static int64_t flags_number(struct page_writing *w, const struct diff_row *row)
{
	(void)w;
	return page_flags_of(row);
}

static int64_t calls_number(uint64_t calls)
{
	return calls > INT64_MAX ? INT64_MAX : (int64_t)calls;
}

static int64_t base_calls(struct page_writing *w, const struct diff_row *row)
{
	(void)w;
	return calls_number(row->base.calls);
}

static int64_t head_calls(struct page_writing *w, const struct diff_row *row)
{
	(void)w;
	return calls_number(row->head.calls);
}

int page_add_flat(struct page_writing *w)
{
	uint32_t *rows;
	if (choose_page_rows(w, &rows))
		return CG_ENOMEM;
	json_begin_object(w->j, "flat");
	add_page_column(w, "function", function_number);
	add_page_column(w, "baseFunction", base_function_number);
	add_page_column(w, "match", match_number);
	add_page_column(w, "reason", reason_number);
	add_page_column(w, "flags", flags_number);
	add_page_column(w, "baseCalls", base_calls);
	add_page_column(w, "headCalls", head_calls);
	add_page_costs(w, "baseSelf", false, false);
	add_page_costs(w, "headSelf", false, true);
	add_page_costs(w, "baseInclusive", true, false);
	add_page_costs(w, "headInclusive", true, true);
	json_end(w->j);
	free(rows);
	return CG_OK;
}
