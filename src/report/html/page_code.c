/* The machine code of functions, instruction by instruction, as data of the page. */
#include "src/report/html/page_data.h"

#include <stdlib.h>

#include "callgrind/support/number.h"
#include "src/report/instructions.h"

/* ---- which instructions ---- */

static int64_t page_metric_of(const struct page_writing *w, const struct asm_pair *pair, int side)
{
	const struct asm_row *row = pair->row[side];

	if (!row || !row->self)
		return 0;
	return side == ASM_HEAD ? diff_head_value(w->d, row->self)
				: diff_base_value(w->d, row->self);
}

static uint64_t size_of_pair(const struct page_writing *w, const struct asm_pair *pair)
{
	uint64_t base = cg_magnitude(page_metric_of(w, pair, ASM_BASE));
	uint64_t head = cg_magnitude(page_metric_of(w, pair, ASM_HEAD));

	return base > head ? base : head;
}

/* Of very many instructions the costliest are shown: those of at least *least; and of those that
 * were not executed what is around them. */
static int find_least_of_pairs(const struct page_writing *w, const struct asm_pairs *pairs,
			       uint64_t *least)
{
	enum { MOST = 150 };
	uint64_t *sizes = calloc(pairs->count + 1, sizeof *sizes);

	if (!sizes)
		return CG_ENOMEM;
	for (size_t i = 0; i < pairs->count; i++)
		sizes[i] = size_of_pair(w, &pairs->items[i]);
	qsort(sizes, pairs->count, sizeof *sizes, cg_larger_first);
	*least = pairs->count > MOST ? sizes[MOST] + 1 : 0;
	free(sizes);
	return CG_OK;
}

static bool is_pair_shown(const struct page_writing *w, const struct asm_pairs *pairs, size_t i,
			  uint64_t least)
{
	enum { AROUND = 2 };
	size_t from = i > AROUND ? i - AROUND : 0;
	size_t to = i + AROUND < pairs->count ? i + AROUND + 1 : pairs->count;

	for (size_t k = from; k < to; k++) {
		uint64_t size = size_of_pair(w, &pairs->items[k]);
		if (size && size >= least)
			return true;
	}
	return false;
}

/* ---- one instruction ---- */

static void add_costs_of_row(struct page_writing *w, const struct asm_row *row, const int *columns)
{
	if (!row) {
		json_none(w->j, NULL);
		return;
	}
	json_begin_array(w->j, NULL);
	for (size_t e = 0; e < w->events.count; e++)
		json_cost(w->j, NULL, row->self ? page_cost(row->self, columns[e]) : 0);
	json_end(w->j);
}

static const char *mark_of_pair(const struct asm_pair *pair)
{
	return !pair->row[ASM_BASE] ? "+" : !pair->row[ASM_HEAD] ? "-" : pair->renamed ? "~" : "";
}

/* [base, head], each [how often it jumped, how often it was executed] or null. */
static void add_jumps_of_pair(struct page_writing *w, const struct diff_instructions *code,
			      const struct asm_pair *pair)
{
	json_begin_array(w->j, NULL);
	for (int side = 0; side < ASM_SIDES; side++) {
		const struct asm_row *row = pair->row[side];

		if (!row || !instruction_has_jumps(row)) {
			json_none(w->j, NULL);
			continue;
		}
		json_begin_array(w->j, NULL);
		json_count(w->j, NULL, instruction_jumps(code->side[side].listing, row));
		json_count(w->j, NULL, row->executions);
		json_end(w->j);
	}
	json_end(w->j);
}

static bool has_jumps_of_pair(const struct asm_pair *pair)
{
	for (int side = 0; side < ASM_SIDES; side++)
		if (pair->row[side] && instruction_has_jumps(pair->row[side]))
			return true;
	return false;
}

/* [mark, costs of base, costs of head, instruction, place in the source], and of jumps that were
 * counted [base, head]. */
static int add_page_instruction(struct page_writing *w, const struct diff_instructions *code,
				const struct asm_pair *pair, const struct asm_row **last)
{
	const int side = pair->row[ASM_HEAD] ? ASM_HEAD : ASM_BASE;
	const struct asm_row *row = pair->row[side];
	const struct asm_listing *listing = code->side[side].listing;
	cg_str text = row->instruction.text;
	char *place = instruction_place(listing, row, *last);

	if (!place)
		return CG_ENOMEM;
	json_begin_array(w->j, NULL);
	json_text(w->j, NULL, mark_of_pair(pair));
	add_costs_of_row(w, pair->row[ASM_BASE], w->events.base);
	add_costs_of_row(w, pair->row[ASM_HEAD], w->events.head);
	json_text(w->j, NULL, text ? cg_strings_get(listing->texts, text) : NULL);
	json_text(w->j, NULL, place);
	if (has_jumps_of_pair(pair))
		add_jumps_of_pair(w, code, pair);
	json_end(w->j);
	free(place);
	if (row->file)
		*last = row;
	return CG_OK;
}

/* What is left out is null. */
static int add_page_instructions(struct page_writing *w, const struct diff_instructions *code,
				 uint64_t least)
{
	const struct asm_row *last = NULL;
	bool gap = false;
	int status = CG_OK;

	json_begin_array(w->j, "rows");
	for (size_t i = 0; !status && i < code->pairs->count; i++) {
		bool shown = is_pair_shown(w, code->pairs, i, least);
		if (shown)
			status = add_page_instruction(w, code, &code->pairs->items[i], &last);
		else if (!gap)
			json_none(w->j, NULL);
		gap = !shown;
	}
	json_end(w->j);
	return status;
}

/* ---- a function ---- */

static void add_costs_of_code(struct page_writing *w, const char *key, const int64_t *costs,
			      const int *columns)
{
	json_begin_array(w->j, key);
	for (size_t e = 0; e < w->events.count; e++)
		json_cost(w->j, NULL, page_cost(costs, columns[e]));
	json_end(w->j);
}

static int add_page_code_side(struct page_writing *w, const char *key, const struct asm_listing *l,
			      const int *columns)
{
	if (!l || !l->executed) {
		json_none(w->j, key);
		return CG_OK;
	}
	json_begin_object(w->j, key);
	json_count(w->j, "executed", l->executed);
	add_costs_of_code(w, "self", l->self, columns);
	add_costs_of_code(w, "vector", l->vector, columns);
	json_begin_array(w->j, "missing");
	for (size_t i = 0; i < l->nmissing; i++) {
		char *text = instructions_missing(&l->missing[i]);
		if (!text)
			return CG_ENOMEM;
		json_text(w->j, NULL, text);
		free(text);
	}
	json_end(w->j);
	json_end(w->j);
	return CG_OK;
}

int page_add_code(struct page_writing *w, const struct diff_instructions *code)
{
	uint64_t least;

	if (!code) {
		json_none(w->j, "code");
		return CG_OK;
	}
	if (find_least_of_pairs(w, code->pairs, &least))
		return CG_ENOMEM;
	json_begin_object(w->j, "code");
	int status = add_page_code_side(w, "base", code->side[ASM_BASE].listing, w->events.base);
	if (!status)
		status = add_page_code_side(w, "head", code->side[ASM_HEAD].listing,
					    w->events.head);
	json_flag(w->j, "cut", least != 0);
	if (!status)
		status = add_page_instructions(w, code, least);
	json_end(w->j);
	return status;
}
