/* The words for what a cause is, and its weight. */
#include "callgrind/support/number.h"
#include "src/diff/causes.h"

const char *cause_kind_name(enum cause_kind kind)
{
	static const char *const names[] = { "self",      "calls",     "new",
					     "removed",   "work",      "together",
					     "allocates", "allocated", "inlining" };
	return names[kind];
}

static const char *reason_of_root(const struct cause *c)
{
	if (c->kind == CAUSE_CALLS)
		return "other roots";
	return c->kind == CAUSE_NEW ? "new" : "removed";
}

/* The number of calls may stand still, or go the other way, where the caller itself is
 * called more or less often. */
static const char *reason_of_calls(const struct cause *c)
{
	if (!c->base_calls || !c->head_calls)
		return !c->scaled ? "changed calls" : c->delta > 0 ? "more calls" : "fewer calls";
	if (c->delta > 0)
		return c->head_calls > c->base_calls ? "more calls" : "more calls each time";
	return c->head_calls < c->base_calls ? "fewer calls" : "fewer calls each time";
}

static const char *reason_of_allocations(const struct cause *c)
{
	if (c->kind == CAUSE_ALLOCATES)
		return c->also_in_other ? "more allocations" : "new allocations";
	return c->also_in_other ? "fewer allocations" : "removed allocations";
}

static const char *reason_of_work(const struct cause *c)
{
	if (cause_is_possible_work(c))
		return c->delta > 0 ? "costs more" : "costs less";
	return c->delta > 0 ? "more work" : "less work";
}

const char *cause_reason(const struct cause *c)
{
	if (c->kind == CAUSE_SELF)
		return "self";
	if (c->kind == CAUSE_WORK)
		return reason_of_work(c);
	if (c->kind == CAUSE_TOGETHER)
		return "self and calls";
	if (cause_is_allocation(c))
		return reason_of_allocations(c);
	if (c->kind == CAUSE_INLINED)
		return c->now_inlined ? "inlined" : "no longer inlined";
	if (!c->caller)
		return reason_of_root(c);
	return c->kind == CAUSE_NEW       ? "new call"
	       : c->kind == CAUSE_REMOVED ? "removed call"
					  : reason_of_calls(c);
}

/* Paths that are called more often may make calls cheaper on average, while each costs more. */
bool cause_has_per_call(const struct cause *c)
{
	__int128 base = (__int128)c->base_cost * (__int128)c->head_calls;
	__int128 head = (__int128)c->head_cost * (__int128)c->base_calls;

	return c->kind == CAUSE_SELF && !c->uncounted && !c->recursive && !c->estimated &&
	       c->base_calls > 1 && c->head_calls > 1 && (c->delta > 0 ? head > base : head < base);
}

bool cause_is_of_edit(const struct cause *c)
{
	if (c->kind == CAUSE_INLINED)
		return is_edited(c->edit) || is_edited(c->caller_edit);
	return !cause_is_possible_work(c) && is_edited(cause_is_call(c) ? c->caller_edit : c->edit);
}

uint64_t cause_weight(const struct cause *c)
{
	enum { TIMES = 3 };
	uint64_t weight;

	if (__builtin_mul_overflow(cg_magnitude(c->delta), cause_is_of_edit(c) ? TIMES : 1,
				   &weight))
		return UINT64_MAX;
	return weight;
}
