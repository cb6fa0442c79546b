#include "src/report/cancelled.h"

#include "callgrind/support/number.h"

/* Paths of which all that is below counts, too; 0: none. */
struct extremes {
	uint32_t grew, fell;
};

static int64_t path_delta(const struct tree_diff *t, uint32_t row)
{
	const struct tree_row *r = &t->rows[row];
	return cg_delta(diff_base_value(t->diff, r->base.inclusive),
			diff_head_value(t->diff, r->head.inclusive));
}

/* Of equal ones the first, which is above the others. What is an estimate may be no change. */
static struct extremes find_extremes(const struct tree_diff *t)
{
	struct extremes e = { 0, 0 };
	int64_t most = 0, least = 0;

	for (uint32_t i = 1; i < t->count; i++) {
		int64_t delta = path_delta(t, i);
		if (t->rows[i].base.estimated || t->rows[i].head.estimated)
			continue;
		if (delta > most) {
			most = delta;
			e.grew = i;
		}
		if (delta < least) {
			least = delta;
			e.fell = i;
		}
	}
	return e;
}

/* Also of the parts that a cause names. */
static uint64_t largest_cause(const struct causes *c)
{
	uint64_t largest = cg_magnitude(c->delta);

	for (size_t i = 0; i < c->count; i++)
		if (cg_magnitude(c->items[i].delta) > largest)
			largest = cg_magnitude(c->items[i].delta);
	for (size_t i = 0; i < c->nparts; i++)
		if (cg_magnitude(c->parts[i].delta) > largest)
			largest = cg_magnitude(c->parts[i].delta);
	return largest;
}

bool cancelled_find(const struct diff_report *r, struct cancelled_change out[CANCELLED_CHANGES])
{
	enum { MOST_TIMES = 10 };

	if (!r->causes || r->filter || r->causes->self_only)
		return false;
	const struct tree_diff *t = r->causes->tree;
	const uint64_t most = largest_cause(r->causes);
	const struct extremes e = find_extremes(t);
	const uint32_t rows[CANCELLED_CHANGES] = { e.fell, e.grew };

	for (size_t i = 0; i < CANCELLED_CHANGES; i++) {
		int64_t delta = path_delta(t, rows[i]);
		if (!rows[i] || cg_magnitude(delta) / MOST_TIMES < most ||
		    !diff_is_change(diff_classify_change(t->diff, 0, delta)))
			return false;
		out[i] = (struct cancelled_change){ &t->rows[rows[i]], delta };
	}
	return true;
}

const char *cancelled_how(const struct diff_report *r, const struct cancelled_change *c)
{
	return diff_class_name(tree_diff_classify(r->causes->tree, c->row));
}
