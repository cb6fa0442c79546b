#include "src/view/flat.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/order.h"
#include "callgrind/support/number.h"

static const char *known_name_of(const struct cg_profile *p, cg_str id)
{
	return id ? cg_string(p, id) : "???";
}

const char *view_function(const struct cg_profile *p, uint32_t function)
{
	return known_name_of(p, p->functions[function].name);
}

const char *view_file(const struct cg_profile *p, uint32_t function)
{
	return known_name_of(p, p->functions[function].file);
}

const char *view_object(const struct cg_profile *p, uint32_t function)
{
	return known_name_of(p, p->functions[function].object);
}

const char *flat_row_name(const struct flat *f, const struct flat_row *row)
{
	return f->rollup.of ? cg_strings_get(&f->rollup.strings, row->function)
			    : view_function(f->profile, row->function);
}

struct flat_ranking {
	const struct flat *flat;
	const struct flat_options *options;
};

static int64_t flat_cost_of(const struct flat_row *row, const struct flat_options *o, size_t i)
{
	return (o->by_inclusive ? row->inclusive : row->self)[o->sort[i]];
}

static int compare_flat_rows(const void *left, const void *right, void *context)
{
	const struct flat_row *a = left, *b = right;
	const struct flat_ranking *r = context;

	for (size_t i = 0; i < r->options->nsort; i++) {
		int order = cg_compare_sizes(flat_cost_of(a, r->options, i),
					     flat_cost_of(b, r->options, i));
		if (order)
			return order;
	}
	int order = strcmp(flat_row_name(r->flat, a), flat_row_name(r->flat, b));
	return order || r->flat->rollup.of
		       ? order
		       : cg_compare_functions(r->flat->profile, a->function, b->function);
}

/* A row and what most comparisons need of it, side by side in memory. */
struct flat_key {
	int64_t cost;
	size_t row;
};

static int compare_flat_keys(const void *left, const void *right)
{
	const struct flat_key *a = left, *b = right;
	int order = cg_compare_sizes(a->cost, b->cost);
	return order ? order : (a->row > b->row) - (a->row < b->row);
}

/* The sum of the sizes of all self costs: the total, unless costs of both signs cancel out. */
static double total_size(const struct flat *f, uint32_t event)
{
	double size = 0;
	for (uint32_t fn = 1; fn < f->ngroups; fn++)
		size += (double)cg_magnitude(f->self[(size_t)fn * f->profile->nevents + event]);
	return size;
}

/* Whether a row reaches the threshold of a total. */
static bool is_flat_row_shown(const struct flat_row *row, const struct flat_options *o,
			      double total)
{
	if (o->threshold <= 0 || o->nsort == 0)
		return true;
	double cost = (double)cg_magnitude(flat_cost_of(row, o, 0));
	return cost != 0 && cost * 100 >= total * o->threshold;
}

/* Sorts the rows that are shown by the first event, as most of them differ there, then rows of one
 * cost by all that orders them. */
static int sort_and_cut(struct flat *f, const struct flat_options *o)
{
	struct flat_ranking ranking = { f, o };
	const double total = o->nsort ? total_size(f, o->sort[0]) : 0;
	struct flat_key *keys = malloc((f->count + 1) * sizeof *keys);
	struct flat_row *rows = malloc((f->count + 1) * sizeof *rows);
	size_t shown = 0;
	if (!keys || !rows) {
		free(keys);
		free(rows);
		return CG_ENOMEM;
	}
	for (size_t i = 0; i < f->count; i++)
		if (is_flat_row_shown(&f->rows[i], o, total))
			keys[shown++] = (struct flat_key){
				o->nsort ? flat_cost_of(&f->rows[i], o, 0) : 0, i
			};
	qsort(keys, shown, sizeof *keys, compare_flat_keys);
	for (size_t i = 0; i < shown; i++)
		rows[i] = f->rows[keys[i].row];
	free(f->rows);
	f->rows = rows;
	for (size_t i = 0, end; i < shown; i = end) {
		for (end = i + 1; end < shown && keys[end].cost == keys[i].cost;)
			end++;
		qsort_r(rows + i, end - i, sizeof *rows, compare_flat_rows, &ranking);
	}
	free(keys);
	f->count = shown;
	return CG_OK;
}

static uint32_t flat_group_of(const struct flat *f, uint32_t function)
{
	return f->rollup.of ? f->rollup.of[function] : function;
}

static int sum_flat_self(struct flat *f)
{
	const struct cg_profile *p = f->profile;
	uint32_t n = p->nevents;

	f->self = calloc(((size_t)f->ngroups + 1) * n, sizeof *f->self);
	if (!f->self)
		return CG_ENOMEM;
	for (uint32_t r = 1; r < p->nrecords; r++)
		/* Cannot overflow, as any sum of self costs (cg_build_self_fits). */
		cg_add_costs(f->self + (size_t)flat_group_of(f, p->records[r].function) * n,
			     p->record_self + (size_t)r * n, n);
	return CG_OK;
}

static bool has_flat_cost(const int64_t *costs, uint32_t n)
{
	for (uint32_t e = 0; e < n; e++)
		if (costs[e])
			return true;
	return false;
}

const char *flat_code_name(enum flat_code code)
{
	static const char *const names[] = {
		[FLAT_CODE_OWN] = "",
		[FLAT_CODE_INLINED] = "inlined",
		[FLAT_CODE_BOTH] = "partly inlined",
	};
	return names[code];
}

static int find_function_code(const struct cg_profile *p, enum flat_code **out)
{
	bool *own = calloc((size_t)p->nfunctions + 1, sizeof *own);
	enum flat_code *code = calloc((size_t)p->nfunctions + 1, sizeof *code);
	if (!own || !code) {
		free(own);
		free(code);
		return CG_ENOMEM;
	}
	for (uint32_t r = 1; r < p->nrecords; r++)
		own[p->records[r].function] |= !p->records[r].inlined_into;
	for (uint32_t r = 1; r < p->nrecords; r++)
		if (p->records[r].inlined_into)
			code[p->records[r].function] = own[p->records[r].function]
							       ? FLAT_CODE_BOTH
							       : FLAT_CODE_INLINED;
	free(own);
	*out = code;
	return CG_OK;
}

/* Functions with a cost of their own: the others are only names. */
static int count_group_functions(struct flat *f)
{
	const struct cg_profile *p = f->profile;
	bool *costs = calloc((size_t)p->nfunctions + 1, sizeof *costs);

	f->functions = calloc((size_t)f->ngroups + 1, sizeof *f->functions);
	if (!costs || !f->functions) {
		free(costs);
		return CG_ENOMEM;
	}
	for (uint32_t r = 1; r < p->nrecords; r++)
		costs[p->records[r].function] |= has_flat_cost(
			p->record_self + (size_t)r * p->nevents, p->nevents);
	for (uint32_t fn = 1; fn < p->nfunctions; fn++)
		f->functions[flat_group_of(f, fn)] += costs[fn];
	free(costs);
	return CG_OK;
}

static struct flat_row make_flat_row(const struct flat *f, uint32_t function)
{
	size_t first = (size_t)function * f->profile->nevents;
	struct flat_row row = { .function = function,
				.self = f->self + first,
				.functions = f->functions ? f->functions[function] : 1,
				.code = f->code ? f->code[function] : FLAT_CODE_OWN };
	if (f->inclusive) {
		row.inclusive = f->inclusive->cost + first;
		row.calls = f->inclusive->calls[function];
		row.bound = f->inclusive->bound[function];
	}
	return row;
}

int view_choose(const struct cg_profile *p, uint32_t function, const struct pattern *filter,
		const struct pattern *ignore, bool *chosen, struct cg_error *err)
{
	const char *object = view_object(p, function), *file = view_file(p, function);
	const char *name = view_function(p, function);
	bool matches = true, ignored = false;
	int status = CG_OK;

	if (filter)
		status = pattern_matches_name(filter, object, file, name, &matches, err);
	if (!status && matches && ignore)
		status = pattern_matches_name(ignore, object, file, name, &ignored, err);
	*chosen = matches && !ignored;
	return status;
}

static int choose_flat_row(const struct flat *f, const struct flat_row *row,
			   const struct flat_options *o, bool *chosen, struct cg_error *err)
{
	const char *name = flat_row_name(f, row);
	bool matches = true, ignored = false;
	int status = o->filter ? pattern_matches(o->filter, name, &matches, err) : CG_OK;

	if (!status && matches && o->ignore)
		status = pattern_matches(o->ignore, name, &ignored, err);
	*chosen = matches && !ignored;
	return status;
}

static int fill(struct flat *f, const struct flat_options *o, struct cg_error *err)
{
	const struct cg_profile *p = f->profile;
	uint32_t n = p->nevents;

	for (uint32_t fn = 1; fn < f->ngroups; fn++) {
		struct flat_row row = make_flat_row(f, fn);
		bool counts = has_flat_cost(o->by_inclusive ? row.inclusive : row.self, n);
		bool chosen = true;
		if (!counts && (!row.inclusive || !has_flat_cost(row.inclusive, n)))
			continue;
		f->total += counts;
		int status = f->rollup.of ? choose_flat_row(f, &row, o, &chosen, err)
					  : view_choose(p, fn, o->filter, o->ignore, &chosen, err);
		if (status)
			return status;
		if (chosen && counts)
			f->rows[f->count++] = row;
		f->only_inclusive += chosen && !counts;
	}
	return sort_and_cut(f, o) ? cg_fail_nomem(err) : CG_OK;
}

static int sum_flat_up(struct flat *f, enum cg_rollup_by by)
{
	const struct cg_profile *p = f->profile;
	bool groups = by != CG_BY_FUNCTION;
	int status = groups ? cg_rollup_make(p, by, &f->rollup) : CG_OK;

	f->ngroups = groups ? f->rollup.count : p->nfunctions;
	if (!status)
		status = sum_flat_self(f);
	if (!status)
		status = groups ? count_group_functions(f) : find_function_code(p, &f->code);
	if (!status && p->has_calls)
		status = groups ? cg_rollup_inclusive(p, f->rollup.of, f->ngroups, &f->inclusive)
				: cg_inclusive_compute(p, NULL, 0, &f->inclusive);
	if (!status)
		f->rows = calloc((size_t)f->ngroups + 1, sizeof *f->rows);
	return status || !f->rows ? CG_ENOMEM : CG_OK;
}

int flat_make(const struct cg_profile *p, const struct flat_options *options, struct flat **out,
	      struct cg_error *err)
{
	struct flat *f = calloc(1, sizeof *f);
	if (!f)
		return cg_fail_nomem(err);

	f->profile = p;
	int status = sum_flat_up(f, options->by) ? cg_fail_nomem(err) : fill(f, options, err);
	if (status)
		flat_free(f);
	else
		*out = f;
	return status;
}

void flat_free(struct flat *f)
{
	if (!f)
		return;
	free(f->rows);
	free(f->self);
	free(f->code);
	free(f->functions);
	cg_inclusive_free(f->inclusive);
	cg_rollup_free(&f->rollup);
	free(f);
}
