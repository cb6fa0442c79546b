#include "src/view/flat.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/order.h"
#include "callgrind/support/number.h"

static const char *known(const struct cg_profile *p, cg_str id)
{
	return id ? cg_string(p, id) : "???";
}

const char *view_function(const struct cg_profile *p, uint32_t function)
{
	return known(p, p->functions[function].name);
}

const char *view_file(const struct cg_profile *p, uint32_t function)
{
	return known(p, p->functions[function].file);
}

const char *view_object(const struct cg_profile *p, uint32_t function)
{
	return known(p, p->functions[function].object);
}

struct ranking {
	const struct cg_profile *p;
	const struct flat_options *options;
};

static int64_t cost_of(const struct flat_row *row, const struct flat_options *o, size_t i)
{
	return (o->by_inclusive ? row->inclusive : row->self)[o->sort[i]];
}

static int compare_rows(const void *left, const void *right, void *context)
{
	const struct flat_row *a = left, *b = right;
	const struct ranking *r = context;

	for (size_t i = 0; i < r->options->nsort; i++) {
		int order = cg_compare_sizes(cost_of(a, r->options, i), cost_of(b, r->options, i));
		if (order)
			return order;
	}
	int order = strcmp(view_function(r->p, a->function), view_function(r->p, b->function));
	return order ? order : cg_compare_functions(r->p, a->function, b->function);
}

/* A row and what most comparisons need of it, side by side in memory. */
struct key {
	int64_t cost;
	size_t row;
};

static int compare_keys(const void *left, const void *right)
{
	const struct key *a = left, *b = right;
	int order = cg_compare_sizes(a->cost, b->cost);
	return order ? order : (a->row > b->row) - (a->row < b->row);
}

/* What the sizes of all self costs add up to: the total, unless costs of both
 * signs cancel out. */
static double total_size(const struct flat *f, uint32_t event)
{
	double size = 0;
	for (uint32_t fn = 1; fn < f->profile->nfunctions; fn++)
		size += (double)cg_magnitude(f->self[(size_t)fn * f->profile->nevents + event]);
	return size;
}

/* How many rows are shown; they are ordered by the first event. */
static size_t cut_at_threshold(const struct flat *f, const struct flat_options *o)
{
	if (o->threshold >= 100 || o->nsort == 0)
		return f->count;

	double total = total_size(f, o->sort[0]), seen = 0;
	size_t i;
	for (i = 0; i < f->count; i++) {
		double cost = (double)cg_magnitude(cost_of(&f->rows[i], o, 0));
		if (o->by_inclusive ? cost * 100 < total * (100 - o->threshold)
				    : seen * 100 >= total * o->threshold || cost == 0)
			break;
		seen += cost;
	}
	return i;
}

/* Sorts by the first event, then rows of one cost, if they are shown, by all that
 * orders them. */
static int sort_and_cut(struct flat *f, const struct flat_options *o)
{
	struct ranking ranking = { f->profile, o };
	struct key *keys = malloc((f->count + 1) * sizeof *keys);
	struct flat_row *rows = malloc((f->count + 1) * sizeof *rows);
	if (!keys || !rows) {
		free(keys);
		free(rows);
		return CG_ENOMEM;
	}
	for (size_t i = 0; i < f->count; i++)
		keys[i] = (struct key){ o->nsort ? cost_of(&f->rows[i], o, 0) : 0, i };
	qsort(keys, f->count, sizeof *keys, compare_keys);
	for (size_t i = 0; i < f->count; i++)
		rows[i] = f->rows[keys[i].row];
	free(f->rows);
	f->rows = rows;
	size_t shown = cut_at_threshold(f, o);
	for (size_t i = 0, end; i < shown; i = end) {
		for (end = i + 1; end < f->count && keys[end].cost == keys[i].cost;)
			end++;
		qsort_r(rows + i, end - i, sizeof *rows, compare_rows, &ranking);
	}
	free(keys);
	f->count = shown;
	return CG_OK;
}

static int sum_self(const struct cg_profile *p, int64_t **out)
{
	uint32_t n = p->nevents;
	int64_t *self = calloc(((size_t)p->nfunctions + 1) * n, sizeof *self);
	if (!self)
		return CG_ENOMEM;
	for (uint32_t r = 1; r < p->nrecords; r++)
		/* Cannot overflow, as any sum of self costs (cg_build_self_fits). */
		cg_add_costs(self + (size_t)p->records[r].function * n,
			     p->record_self + (size_t)r * n, n);
	*out = self;
	return CG_OK;
}

static bool has_cost(const int64_t *costs, uint32_t n)
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

static int find_code(const struct cg_profile *p, enum flat_code **out)
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

static struct flat_row make_row(const struct flat *f, uint32_t function)
{
	size_t first = (size_t)function * f->profile->nevents;
	struct flat_row row = { .function = function, .self = f->self + first,
				.code = f->code[function] };
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

static int fill(struct flat *f, const struct flat_options *o, struct cg_error *err)
{
	const struct cg_profile *p = f->profile;
	uint32_t n = p->nevents;

	for (uint32_t fn = 1; fn < p->nfunctions; fn++) {
		struct flat_row row = make_row(f, fn);
		if (!has_cost(o->by_inclusive ? row.inclusive : row.self, n))
			continue;
		f->total++;
		bool chosen = true;
		int status = view_choose(p, fn, o->filter, o->ignore, &chosen, err);
		if (status)
			return status;
		if (chosen)
			f->rows[f->count++] = row;
	}
	return sort_and_cut(f, o) ? cg_fail_nomem(err) : CG_OK;
}

int flat_make(const struct cg_profile *p, const struct flat_options *options, struct flat **out,
	      struct cg_error *err)
{
	struct flat *f = calloc(1, sizeof *f);
	int status = CG_ENOMEM;

	if (f) {
		f->profile = p;
		f->rows = calloc((size_t)p->nfunctions + 1, sizeof *f->rows);
		if (f->rows)
			status = sum_self(p, &f->self);
		if (!status)
			status = find_code(p, &f->code);
		if (!status && p->has_calls)
			status = cg_inclusive_compute(p, NULL, 0, &f->inclusive);
	}
	status = status ? cg_fail_nomem(err) : fill(f, options, err);
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
	cg_inclusive_free(f->inclusive);
	free(f);
}
