#include "src/browse/measure.h"

#include <math.h>

#include "callgrind/support/number.h"

static struct browse_rank rank_by_show(enum browse_show show, int64_t base, int64_t head)
{
	uint64_t change = cg_distance(base, head), whole = cg_magnitude(base);

	switch (show) {
	case BROWSE_ONLY_BASE:
		return (struct browse_rank){ 0, whole };
	case BROWSE_ONLY_HEAD:
		return (struct browse_rank){ 0, cg_magnitude(head) };
	case BROWSE_DELTA:
		return (struct browse_rank){ 0, change };
	case BROWSE_CHANGE:
		break;
	}
	if (!whole)
		return (struct browse_rank){ change ? HUGE_VAL : 0, change };
	return (struct browse_rank){ (double)change / (double)whole, change };
}

static struct browse_rank rank_of_calls(enum browse_show show, uint64_t base, uint64_t head)
{
	return rank_by_show(show, base > INT64_MAX ? INT64_MAX : (int64_t)base,
			    head > INT64_MAX ? INT64_MAX : (int64_t)head);
}

static const int64_t *costs_to_sort_by(const struct browse_costs *c, enum browse_sort sort)
{
	return sort == BROWSE_BY_INCLUSIVE && c->inclusive ? c->inclusive : c->self;
}

struct browse_rank browse_rank(const struct browse_measure *m, const struct browse_row *row)
{
	const struct browse_costs *base = &row->side[BROWSE_BASE], *head = &row->side[BROWSE_HEAD];

	if (m->sort == BROWSE_BY_NAME || m->sort == BROWSE_AS_LISTED)
		return (struct browse_rank){ 0, 0 };
	if (m->sort == BROWSE_BY_CALLS)
		return rank_of_calls(m->show, base->calls, head->calls);
	return rank_by_show(m->show,
			    browse_value(m->metric, BROWSE_BASE, costs_to_sort_by(base, m->sort)),
			    browse_value(m->metric, BROWSE_HEAD, costs_to_sort_by(head, m->sort)));
}

bool browse_is_blank(const struct browse_measure *m, const struct browse_row *row)
{
	if (m->sort == BROWSE_AS_LISTED)
		return false;
	for (int side = 0; side < BROWSE_SIDES; side++) {
		const struct browse_costs *c = &row->side[side];
		if (m->show == (side == BROWSE_BASE ? BROWSE_ONLY_HEAD : BROWSE_ONLY_BASE))
			continue;
		if (browse_value(m->metric, side, c->self) ||
		    browse_value(m->metric, side, c->inclusive))
			return false;
	}
	return true;
}

static bool side_has_cost(const struct browse_data *d, int side, const struct browse_costs *c)
{
	for (size_t i = 0; i < d->nmetrics; i++)
		if (browse_value(&d->metrics[i], side, c->self) ||
		    browse_value(&d->metrics[i], side, c->inclusive))
			return true;
	return false;
}

bool browse_costs_differ(const struct browse_data *d, const int64_t *base, const int64_t *head)
{
	for (size_t i = 0; i < d->nmetrics; i++)
		if (browse_value(&d->metrics[i], BROWSE_BASE, base) !=
		    browse_value(&d->metrics[i], BROWSE_HEAD, head))
			return true;
	return false;
}

bool browse_has_changed(const struct browse_data *d, const struct browse_row *row)
{
	const struct browse_costs *base = &row->side[BROWSE_BASE], *head = &row->side[BROWSE_HEAD];

	return base->present != head->present || base->calls != head->calls ||
	       browse_costs_differ(d, base->self, head->self) ||
	       browse_costs_differ(d, base->inclusive, head->inclusive);
}

bool browse_has_changed_in(const struct browse_metric *metric, const struct browse_row *row)
{
	const struct browse_costs *base = &row->side[BROWSE_BASE], *head = &row->side[BROWSE_HEAD];

	return base->calls != head->calls ||
	       browse_value(metric, BROWSE_BASE, base->self) !=
		       browse_value(metric, BROWSE_HEAD, head->self) ||
	       browse_value(metric, BROWSE_BASE, base->inclusive) !=
		       browse_value(metric, BROWSE_HEAD, head->inclusive);
}

bool browse_has_cost(const struct browse_data *d, const struct browse_row *row)
{
	return side_has_cost(d, BROWSE_HEAD, &row->side[BROWSE_HEAD]) ||
	       (d->diff && side_has_cost(d, BROWSE_BASE, &row->side[BROWSE_BASE]));
}
