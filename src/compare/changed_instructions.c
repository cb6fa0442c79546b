#include "src/compare/changed_instructions.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "src/compare/machine_rows.h"
#include "src/load/instructions.h"

struct changed_function {
	struct asm_listing *listing[ASM_SIDES];
	struct line_texts lines[ASM_SIDES];
	struct asm_pairs pairs;
};

struct instructions_making {
	const struct diff *d;
	const struct loaded *loaded[ASM_SIDES];
	const char *const *dirs;
	uint32_t *row_of[ASM_SIDES];          /* per function: its row in the difference plus 1 */
	uint32_t *functions[ASM_SIDES];       /* of a row, and of the next */
	uint32_t *first[ASM_SIDES];           /* per row, and after the last: in `functions` */
	struct asm_places *places[ASM_SIDES]; /* NULL: without addresses */
	struct changed_instructions *out;
};

/* ---- which functions ---- */

/* Functions without a row come first. */
static int sort_functions_by_row(struct instructions_making *m, int side, struct cg_error *err)
{
	const struct cg_profile *p = m->loaded[side]->profile;
	const uint32_t *row_of = m->row_of[side];
	uint32_t *next = calloc(m->d->count + 2, sizeof *next);

	m->functions[side] = calloc((size_t)p->nfunctions + 1, sizeof *m->functions[side]);
	m->first[side] = calloc(m->d->count + 1, sizeof *m->first[side]);
	if (!next || !m->functions[side] || !m->first[side]) {
		free(next);
		return cg_fail_nomem(err);
	}
	for (uint32_t f = 1; f < p->nfunctions; f++)
		next[row_of[f] + 1]++;
	for (size_t i = 0; i <= m->d->count; i++)
		next[i + 1] += next[i];
	memcpy(m->first[side], next + 1, (m->d->count + 1) * sizeof *next);
	for (uint32_t f = 1; f < p->nfunctions; f++)
		m->functions[side][next[row_of[f]]++] = f;
	free(next);
	return CG_OK;
}

static int choose_functions(struct instructions_making *m, const bool *chosen, int side,
			    struct cg_error *err)
{
	const uint32_t nfunctions = m->loaded[side]->profile->nfunctions;
	bool *of = calloc((size_t)nfunctions + 1, sizeof *of);

	if (!of)
		return cg_fail_nomem(err);
	for (uint32_t f = 1; f < nfunctions; f++)
		of[f] = m->row_of[side][f] && chosen[m->row_of[side][f] - 1];
	m->out->chosen[side] = of;
	return CG_OK;
}

/* ---- their instructions ---- */

static int list_instructions_of_side(struct instructions_making *m, struct changed_function *f,
				     uint32_t row, int side, struct cg_error *err)
{
	const struct loaded *l = m->loaded[side];
	const uint32_t *first = &m->first[side][row];

	if (!m->places[side])
		return CG_OK; /* nothing was measured */
	if (asm_listing_make(m->places[side], &l->code, m->functions[side] + first[0],
			     first[1] - first[0], &m->out->texts, &f->listing[side]))
		return cg_fail_nomem(err);
	const struct asm_listing *listing = f->listing[side];
	return loaded_line_texts(l, &listing, 1, m->dirs, &f->lines[side], err);
}

/* A function of this row that is there, for its object and file; 0: none. */
static uint32_t function_of_row(const struct instructions_making *m, uint32_t row, int side)
{
	const uint32_t *first = &m->first[side][row];

	return first[0] < first[1] ? m->functions[side][first[0]] : 0;
}

static int add_function_of_row(struct instructions_making *m, uint32_t row, struct cg_error *err)
{
	struct changed_instructions *c = m->out;
	struct changed_function *f = &c->functions[c->nfunctions++];
	struct diff_instructions *item = &c->items[c->count];
	int status = CG_OK;

	for (int side = 0; !status && side < ASM_SIDES; side++)
		status = list_instructions_of_side(m, f, row, side, err);
	if (!status && asm_match(f->listing[ASM_BASE], f->listing[ASM_HEAD], &f->pairs))
		status = cg_fail_nomem(err);
	if (status || !f->pairs.count)
		return status;
	*item = (struct diff_instructions){ .row = &m->d->rows[row], .pairs = &f->pairs };
	for (int side = 0; side < ASM_SIDES; side++)
		item->side[side] = (struct report_instructions){ f->listing[side], &f->lines[side],
								 function_of_row(m, row, side),
								 c->chosen[side] };
	c->count++;
	return CG_OK;
}

static uint64_t change_of_instructions(const struct diff *d, const struct diff_instructions *i)
{
	const struct asm_listing *base = i->side[ASM_BASE].listing;
	const struct asm_listing *head = i->side[ASM_HEAD].listing;

	return cg_distance(base ? diff_base_value(d, base->self) : 0,
			   head ? diff_head_value(d, head->self) : 0);
}

static int compare_changes_of_functions(const void *left, const void *right, void *context)
{
	const struct diff_instructions *a = left, *b = right;
	uint64_t x = change_of_instructions(context, a), y = change_of_instructions(context, b);
	return x != y ? (x < y) - (x > y) : (a->row > b->row) - (a->row < b->row);
}

/* ---- the whole ---- */

static int add_all_functions(struct instructions_making *m, const uint32_t *rows, size_t nrows,
			     struct cg_error *err)
{
	struct changed_instructions *c = m->out;
	int status = CG_OK;

	c->functions = calloc(nrows + 1, sizeof *c->functions);
	c->items = calloc(nrows + 1, sizeof *c->items);
	if (!c->functions || !c->items || cg_strings_init(&c->texts))
		return cg_fail_nomem(err);
	for (size_t i = 0; !status && i < nrows; i++)
		status = add_function_of_row(m, rows[i], err);
	if (!status)
		qsort_r(c->items, c->count, sizeof *c->items, compare_changes_of_functions,
			(void *)m->d);
	return status;
}

int changed_instructions_make(const struct diff *d, const uint32_t *rows, size_t nrows,
			      const bool *chosen, const struct loaded *base,
			      const struct loaded *head, const char *const *dirs,
			      struct changed_instructions *out, struct cg_error *err)
{
	struct instructions_making m = {
		.d = d, .loaded = { base, head }, .dirs = dirs, .out = out
	};
	*out = (struct changed_instructions){ 0 };
	int status = CG_OK;

	for (int side = 0; !status && side < ASM_SIDES; side++)
		if (!(m.row_of[side] = diff_rows_of_functions(d, side == ASM_HEAD)))
			status = cg_fail_nomem(err);
	for (int side = 0; !status && side < ASM_SIDES; side++)
		status = sort_functions_by_row(&m, side, err);
	for (int side = 0; !status && chosen && side < ASM_SIDES; side++)
		status = choose_functions(&m, chosen, side, err);
	for (int side = 0; !status && side < ASM_SIDES; side++)
		if (m.loaded[side]->profile->has_addresses &&
		    asm_places_make(m.loaded[side]->profile, &m.places[side]))
			status = cg_fail_nomem(err);
	if (!status)
		status = add_all_functions(&m, rows, nrows, err);
	for (int side = 0; side < ASM_SIDES; side++) {
		asm_places_free(m.places[side]);
		free(m.row_of[side]);
		free(m.functions[side]);
		free(m.first[side]);
	}
	return status;
}

void changed_instructions_free(struct changed_instructions *c)
{
	for (size_t i = 0; i < c->nfunctions; i++) {
		struct changed_function *f = &c->functions[i];
		for (int side = 0; side < ASM_SIDES; side++) {
			asm_listing_free(f->listing[side]);
			line_texts_free(&f->lines[side]);
		}
		free(f->pairs.items);
	}
	for (int side = 0; side < ASM_SIDES; side++)
		free(c->chosen[side]);
	free(c->functions);
	free(c->items);
	cg_strings_free(&c->texts);
	*c = (struct changed_instructions){ 0 };
}
