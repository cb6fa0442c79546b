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

static int compare_rows(const void *left, const void *right, void *context)
{
	const struct flat_row *a = left, *b = right;
	const struct ranking *r = context;

	for (size_t i = 0; i < r->options->nsort; i++) {
		uint32_t e = r->options->sort[i];
		int64_t x = r->options->by_inclusive ? a->inclusive[e] : a->self[e];
		int64_t y = r->options->by_inclusive ? b->inclusive[e] : b->self[e];
		int order = cg_compare_sizes(x, y);
		if (order)
			return order;
	}
	int order = strcmp(view_function(r->p, a->function), view_function(r->p, b->function));
	return order ? order : cg_compare_functions(r->p, a->function, b->function);
}

static int sum_self(const struct cg_profile *p, int64_t **out)
{
	uint32_t n = p->nevents;
	int64_t *self = calloc(((size_t)p->nfunctions + 1) * n, sizeof *self);
	if (!self)
		return CG_ENOMEM;
	for (uint32_t r = 1; r < p->nrecords; r++)
		/* Cannot overflow: the sum of all is p->total. */
		cg_add_costs(self + (size_t)p->records[r].function * n,
			     p->record_self + (size_t)r * n, n);
	*out = self;
	return CG_OK;
}

static bool has_cost(const struct flat_row *row, uint32_t n)
{
	for (uint32_t e = 0; e < n; e++)
		if (row->self[e] || row->inclusive[e])
			return true;
	return false;
}

static int is_chosen(const struct cg_profile *p, uint32_t function, const struct flat_options *o,
		     bool *chosen, struct cg_error *err)
{
	const char *object = view_object(p, function), *file = view_file(p, function);
	const char *name = view_function(p, function);
	bool matches = true, ignored = false;
	int status = CG_OK;

	if (o->filter)
		status = pattern_matches_name(o->filter, object, file, name, &matches, err);
	if (!status && matches && o->ignore)
		status = pattern_matches_name(o->ignore, object, file, name, &ignored, err);
	*chosen = matches && !ignored;
	return status;
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

static size_t cut_at_threshold(const struct flat *f, const struct flat_options *o)
{
	if (o->threshold >= 100 || o->nsort == 0)
		return f->count;

	uint32_t e = o->sort[0];
	double total = total_size(f, e), seen = 0;
	size_t i;
	for (i = 0; i < f->count; i++) {
		double inclusive = (double)cg_magnitude(f->rows[i].inclusive[e]);
		double self = (double)cg_magnitude(f->rows[i].self[e]);
		if (o->by_inclusive ? inclusive * 100 < total * (100 - o->threshold)
				    : seen * 100 >= total * o->threshold || self == 0)
			break;
		seen += self;
	}
	return i;
}

static int fill(struct flat *f, const struct flat_options *o, struct cg_error *err)
{
	const struct cg_profile *p = f->profile;
	uint32_t n = p->nevents;

	for (uint32_t fn = 1; fn < p->nfunctions; fn++) {
		struct flat_row row = { fn, f->self + (size_t)fn * n,
					f->inclusive->cost + (size_t)fn * n,
					f->inclusive->calls[fn], f->inclusive->bound[fn] };
		if (!has_cost(&row, n))
			continue;
		f->total++;
		bool chosen = true;
		int status = is_chosen(p, fn, o, &chosen, err);
		if (status)
			return status;
		if (chosen)
			f->rows[f->count++] = row;
	}
	struct ranking ranking = { p, o };
	qsort_r(f->rows, f->count, sizeof *f->rows, compare_rows, &ranking);
	f->count = cut_at_threshold(f, o);
	return CG_OK;
}

int flat_make(const struct cg_profile *p, const struct flat_options *options, struct flat **out,
	      struct cg_error *err)
{
	struct flat *f = calloc(1, sizeof *f);
	int status = CG_ENOMEM;

	if (f) {
		f->profile = p;
		f->rows = calloc((size_t)p->nfunctions + 1, sizeof *f->rows);
		if (f->rows && !sum_self(p, &f->self))
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
	cg_inclusive_free(f->inclusive);
	free(f);
}
