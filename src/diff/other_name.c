#include "src/diff/other_name.h"

#include "callgrind/support/number.h"

int64_t diff_calls(const struct diff *d, const struct diff_row *row, bool head)
{
	const struct diff_side *side = head ? &row->head : &row->base;
	const struct cg_inclusive *inclusive = head ? d->head_inclusive : d->base_inclusive;
	const uint64_t count = side->present ? inclusive->calls[diff_group(d, row, head)] : 0;

	return count > INT64_MAX ? INT64_MAX : (int64_t)count;
}

static bool is_candidate(const struct wanted_name *w, const struct diff_row *row)
{
	const struct diff_side *side = w->in_head ? &row->head : &row->base;

	/* Not all calls of inlined code are counted. */
	return row->base.present != w->in_head && row->head.present == w->in_head &&
	       (w->metric || !side->inlined);
}

static int64_t value_of_diff_side(const struct metric *m, const struct diff_side *side,
				  bool inclusive)
{
	return metric_value(m, inclusive ? side->inclusive : side->self);
}

static int64_t cost_of_candidate(const struct diff *d, const struct wanted_name *w,
				 const struct diff_row *row)
{
	return w->metric ? value_of_diff_side(w->metric, w->in_head ? &row->head : &row->base,
					      w->inclusive)
			 : diff_calls(d, row, w->in_head);
}

/* Many functions are called equally often, such as once; their work tells which is meant. */
static uint64_t work_apart(const struct diff *d, const struct wanted_name *w,
			   const struct diff_row *row)
{
	const struct cg_profile *there = w->in_head ? d->head : d->base;
	const struct cg_profile *here = w->in_head ? d->base : d->head;
	struct metric of_candidate, of_function;

	if (!metric_find(there, metric_default(there), &of_candidate) ||
	    !metric_find(here, metric_default(there), &of_function))
		return 0;
	return cg_distance(
		value_of_diff_side(&of_candidate, w->in_head ? &row->head : &row->base, false),
		value_of_diff_side(&of_function, w->in_head ? &w->row->base : &w->row->head,
				   false));
}

static bool is_about(int64_t cost, int64_t wanted)
{
	return (__int128)cost * 2 >= wanted && cost <= (__int128)wanted * 2;
}

const char *find_other_name(const struct diff *d, const struct wanted_name *wanted,
			    uint64_t *looked_at, int64_t *cost)
{
	enum { MOST_LOOKED_AT = 20000000 };
	uint64_t nearest = UINT64_MAX, least_apart = UINT64_MAX;
	const char *name = NULL;

	if (*looked_at > MOST_LOOKED_AT)
		return NULL;
	*looked_at += d->count;
	for (size_t i = 0; i < d->count; i++) {
		const struct diff_row *row = &d->rows[i];
		if (!is_candidate(wanted, row))
			continue;
		int64_t its = cost_of_candidate(d, wanted, row);
		uint64_t distance = cg_distance(its, wanted->cost);
		if (!is_about(its, wanted->cost) || distance > nearest)
			continue;
		uint64_t apart = wanted->metric ? 0 : work_apart(d, wanted, row);
		if (distance == nearest && apart >= least_apart)
			continue;
		nearest = distance;
		least_apart = apart;
		name = row->name;
		*cost = its;
	}
	return name;
}
