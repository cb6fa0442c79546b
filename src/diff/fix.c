#include "src/diff/fix.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"

const struct cg_profile *fix_profile(const struct fix_diff *f, enum fix_side side)
{
	return side == FIX_MAIN         ? f->lost->base
	       : side == FIX_REGRESSION ? f->lost->head
					: f->left->head;
}

struct fix_values fix_values_of(const struct fix_diff *f, const int64_t *const costs[FIX_SIDES])
{
	return (struct fix_values){
		.main = diff_base_value(f->lost, costs[FIX_MAIN]),
		.regression = diff_head_value(f->lost, costs[FIX_REGRESSION]),
		.fix = diff_head_value(f->left, costs[FIX_FIX]),
	};
}

struct fix_values fix_totals(const struct fix_diff *f)
{
	const int64_t *const totals[FIX_SIDES] = { f->lost->base->total, f->lost->head->total,
						   f->left->head->total };
	return fix_values_of(f, totals);
}

/* All by the total of main, so that what is lost, won and left is of one scale. */
enum fix_state fix_classify(const struct fix_diff *f, struct fix_values v)
{
	enum diff_class lost = diff_classify_change(f->lost, v.main, v.regression);
	enum diff_class left = diff_classify_change(f->lost, v.main, v.fix);
	enum diff_class won = diff_classify_change(f->lost, v.fix, v.regression);

	if (lost != DIFF_REGRESSED)
		return left == DIFF_REGRESSED  ? FIX_NEW_COST
		       : left == DIFF_IMPROVED ? FIX_GAIN
					       : FIX_AS_MAIN;
	return left != DIFF_REGRESSED  ? FIX_RECOVERED
	       : won == DIFF_REGRESSED ? FIX_PARTLY
	       : won == DIFF_IMPROVED  ? FIX_WORSE
				       : FIX_NOT_RECOVERED;
}

const char *fix_state_name(enum fix_state s)
{
	static const char *const names[] = { "same as main",  "recovered", "partly recovered",
					     "not recovered", "worse",     "new cost",
					     "improved" };
	return names[s];
}

bool fix_is_large(const struct fix_diff *f, struct fix_values v)
{
	return diff_is_change(diff_classify_change(f->lost, v.main, v.regression)) ||
	       diff_is_change(diff_classify_change(f->lost, v.main, v.fix)) ||
	       diff_is_change(diff_classify_change(f->lost, v.fix, v.regression));
}

/* ---- which functions are one row: sets of functions of the three profiles ---- */

struct function_sets {
	struct fix_diff *f;
	uint32_t first[FIX_SIDES]; /* where the functions of a side begin */
	uint32_t count;            /* of all sides, with 0, which is none */
	uint32_t *parent;          /* per function: another one of its set, or itself */
	unsigned char *sides;      /* per function that stands for its set: where that is */
	uint32_t *row;             /* the same: its row, from 1; 0: none */
	uint32_t nrows;            /* with 0 */
};

static uint32_t find_set(struct function_sets *j, uint32_t i)
{
	while (j->parent[i] != i)
		i = j->parent[i] = j->parent[j->parent[i]];
	return i;
}

/* The lower number stands for both, so that the result does not depend on the order. */
static void unite_sets(struct function_sets *j, uint32_t a, uint32_t b)
{
	a = find_set(j, a);
	b = find_set(j, b);
	if (a == b)
		return;
	uint32_t low = a < b ? a : b, high = a < b ? b : a;
	j->parent[high] = low;
	j->sides[low] |= j->sides[high];
}

/* Per group of a side: one of its functions. */
static int list_groups(const struct function_sets *j, const struct diff *d, bool head,
		       enum fix_side side, uint32_t **out)
{
	const struct cg_profile *p = head ? d->head : d->base;
	const uint32_t *of = head ? d->head_of : d->base_of;
	uint32_t most = 0;

	for (uint32_t f = 1; f < p->nfunctions; f++)
		most = of[f] > most ? of[f] : most;
	uint32_t *list = calloc((size_t)most + 1, sizeof *list);
	if (!list)
		return CG_ENOMEM;
	for (uint32_t f = p->nfunctions; f-- > 1;)
		list[of[f]] = j->first[side] + f;
	*out = list;
	return CG_OK;
}

static void unite_groups(struct function_sets *j, const struct diff *d, bool head,
			 enum fix_side side, const uint32_t *list)
{
	const struct cg_profile *p = head ? d->head : d->base;
	const uint32_t *of = head ? d->head_of : d->base_of;

	for (uint32_t f = 1; f < p->nfunctions; f++)
		unite_sets(j, j->first[side] + f, list[of[f]]);
}

/* `only_missing`: two that are not together by way of a third side, which neither has. */
static int unite_rows(struct function_sets *j, const struct diff *d, enum fix_side base,
		      enum fix_side head, bool only_missing)
{
	uint32_t *of_base = NULL, *of_head = NULL;
	int status = list_groups(j, d, false, base, &of_base);

	if (!status)
		status = list_groups(j, d, true, head, &of_head);
	if (!status && !only_missing) {
		unite_groups(j, d, false, base, of_base);
		unite_groups(j, d, true, head, of_head);
	}
	for (size_t i = 0; !status && i < d->count; i++) {
		const struct diff_row *row = &d->rows[i];
		if (!row->base.present || !row->head.present)
			continue;
		uint32_t b = find_set(j, of_base[diff_group(d, row, false)]);
		uint32_t h = find_set(j, of_head[diff_group(d, row, true)]);
		if (!only_missing || !(j->sides[b] & 1u << head || j->sides[h] & 1u << base))
			unite_sets(j, b, h);
	}
	free(of_base);
	free(of_head);
	return status;
}

static int begin_sets(struct function_sets *j)
{
	uint32_t count = 1;

	for (enum fix_side s = FIX_MAIN; s < FIX_SIDES; s++) {
		j->first[s] = count;
		if (__builtin_add_overflow(count, fix_profile(j->f, s)->nfunctions, &count))
			return CG_ENOMEM;
	}
	j->count = count;
	j->parent = calloc((size_t)count + 1, sizeof *j->parent);
	j->sides = calloc((size_t)count + 1, sizeof *j->sides);
	j->row = calloc((size_t)count + 1, sizeof *j->row);
	if (!j->parent || !j->sides || !j->row)
		return CG_ENOMEM;
	for (uint32_t i = 0; i < count; i++)
		j->parent[i] = i;
	for (enum fix_side s = FIX_MAIN; s < FIX_SIDES; s++)
		for (uint32_t f = 1; f < fix_profile(j->f, s)->nfunctions; f++)
			j->sides[j->first[s] + f] = (unsigned char)(1u << s);
	return CG_OK;
}

static void number_rows(struct function_sets *j)
{
	j->nrows = 1;
	for (enum fix_side s = FIX_MAIN; s < FIX_SIDES; s++)
		for (uint32_t f = 1; f < fix_profile(j->f, s)->nfunctions; f++) {
			uint32_t set = find_set(j, j->first[s] + f);
			if (!j->row[set])
				j->row[set] = j->nrows++;
		}
}

/* ---- costs of the rows ---- */

static int sum_side(struct function_sets *j, enum fix_side s)
{
	struct fix_diff *f = j->f;
	const struct cg_profile *p = fix_profile(f, s);
	uint32_t n = p->nevents, *of = calloc((size_t)p->nfunctions + 1, sizeof *of);
	bool by_function = f->lost->options.by == CG_BY_FUNCTION;
	int status = CG_ENOMEM;

	f->self[s] = calloc((size_t)j->nrows * n + 1, sizeof *f->self[s]);
	if (!of || !f->self[s])
		goto done;
	for (uint32_t fn = 1; fn < p->nfunctions; fn++)
		of[fn] = j->row[find_set(j, j->first[s] + fn)];
	for (uint32_t r = 1; r < p->nrecords; r++) {
		uint32_t row = of[p->records[r].function];
		cg_add_costs(f->self[s] + (size_t)row * n, p->record_self + (size_t)r * n, n);
		f->rows[row].inlined[s] |= by_function && p->records[r].inlined_into != 0;
	}
	status = by_function ? cg_inclusive_compute(p, of, j->nrows, &f->inclusive[s])
			     : cg_rollup_inclusive(p, of, j->nrows, &f->inclusive[s]);
	for (uint32_t fn = 1; !status && fn < p->nfunctions; fn++)
		f->rows[of[fn]].present[s] = true;
done:
	free(of);
	return status;
}

static void fill_fix_row(struct fix_diff *f, uint32_t i)
{
	struct fix_row *row = &f->rows[i];

	for (enum fix_side s = FIX_MAIN; s < FIX_SIDES; s++) {
		size_t first = (size_t)i * fix_profile(f, s)->nevents;
		row->self[s] = f->self[s] + first;
		row->inclusive[s] = f->inclusive[s]->cost + first;
		row->calls[s] = f->inclusive[s]->calls[i];
		row->bound[s] = f->inclusive[s]->bound[i];
	}
}

bool fix_knows_calls(const struct fix_row *row, enum fix_side side)
{
	return row->present[side] && (row->calls[side] || !row->inlined[side]);
}

/* Fills in the names that a diff has for the groups of a side, where a row has none yet. */
static int name_rows(struct function_sets *j, const struct diff *d, bool head, enum fix_side side)
{
	uint32_t *list = NULL;
	int status = list_groups(j, d, head, side, &list);

	for (size_t i = 0; !status && i < d->count; i++) {
		const struct diff_row *from = &d->rows[i];
		if (!(head ? from->head : from->base).present)
			continue;
		struct fix_row *row =
			&j->f->rows[j->row[find_set(j, list[diff_group(d, from, head)])]];
		if (row->name)
			continue;
		row->name = from->name;
		row->object = from->object;
		row->file = from->file;
	}
	free(list);
	return status;
}

/* The larger of what was lost and what is left of it. */
static int64_t larger_change(struct fix_values v)
{
	int64_t lost = cg_delta(v.main, v.regression), rest = cg_delta(v.main, v.fix);
	return cg_compare_sizes(lost, rest) <= 0 ? lost : rest;
}

/* If regression and fix are the same profile, the order is that of the rows of a difference. */
static int compare_fix_rows(const void *left, const void *right, void *context)
{
	const struct fix_row *a = left, *b = right;
	const struct fix_diff *f = context;
	struct fix_values v = fix_values_of(f, a->self), w = fix_values_of(f, b->self);
	int order = cg_compare_sizes(larger_change(v), larger_change(w));

	if (!order)
		order = cg_compare_sizes(v.fix, w.fix);
	if (!order)
		order = strcmp(a->name, b->name);
	if (!order)
		order = strcmp(a->object, b->object);
	return order ? order : strcmp(a->file, b->file);
}

/* Rows that no difference has: they cost nothing anywhere. */
static void drop_unnamed(struct function_sets *j)
{
	struct fix_diff *f = j->f;

	f->count = 0;
	for (uint32_t i = 1; i < j->nrows; i++)
		if (f->rows[i].name) {
			fill_fix_row(f, i);
			f->rows[f->count++] = f->rows[i];
		}
}

static int check_fix_sums(const struct fix_diff *f, struct cg_error *err)
{
	for (enum fix_side s = FIX_MAIN; s < FIX_SIDES; s++) {
		const struct cg_profile *p = fix_profile(f, s);
		for (uint32_t e = 0; e < p->nevents; e++) {
			__int128 sum = 0;
			for (size_t i = 0; i < f->count; i++)
				sum += f->rows[i].self[s][e];
			if (sum != p->total[e])
				return cg_fail(
					err, CG_EINTERNAL, NULL, 0,
					"the rows of three profiles do not add up to the total of "
					"%s; please report this bug",
					cg_string(p, p->events[e].name));
		}
	}
	return CG_OK;
}

static int join_functions(struct function_sets *j)
{
	struct fix_diff *f = j->f;
	int status = begin_sets(j);

	if (!status)
		status = unite_rows(j, f->lost, FIX_MAIN, FIX_REGRESSION, false);
	if (!status)
		status = unite_rows(j, f->won, FIX_REGRESSION, FIX_FIX, false);
	if (!status)
		status = unite_rows(j, f->left, FIX_MAIN, FIX_FIX, true);
	if (status)
		return status;
	number_rows(j);
	f->rows = calloc(j->nrows, sizeof *f->rows);
	status = f->rows ? CG_OK : CG_ENOMEM;
	for (enum fix_side s = FIX_MAIN; !status && s < FIX_SIDES; s++)
		status = sum_side(j, s);
	if (!status)
		status = name_rows(j, f->left, true, FIX_FIX);
	if (!status)
		status = name_rows(j, f->lost, true, FIX_REGRESSION);
	if (!status)
		status = name_rows(j, f->lost, false, FIX_MAIN);
	return status;
}

int fix_make(const struct diff *lost, const struct diff *left, const struct diff *won,
	     struct fix_diff **out, struct cg_error *err)
{
	struct fix_diff *f = calloc(1, sizeof *f);
	struct function_sets j = { .f = f };
	int status = CG_ENOMEM;

	if (f) {
		f->lost = lost;
		f->left = left;
		f->won = won;
		status = join_functions(&j);
	}
	if (status) {
		status = cg_fail_nomem(err);
	} else {
		drop_unnamed(&j);
		qsort_r(f->rows, f->count, sizeof *f->rows, compare_fix_rows, f);
		status = check_fix_sums(f, err);
	}
	free(j.parent);
	free(j.sides);
	free(j.row);
	if (status)
		fix_free(f);
	else
		*out = f;
	return status;
}

void fix_free(struct fix_diff *f)
{
	if (!f)
		return;
	for (enum fix_side s = FIX_MAIN; s < FIX_SIDES; s++) {
		free(f->self[s]);
		cg_inclusive_free(f->inclusive[s]);
	}
	free(f->rows);
	free(f);
}
