#include "src/compare/choose_causes.h"

#include <stdlib.h>

#include "callgrind/support/number.h"

static int find_in_path(const struct pattern *pattern, const struct tree_row *row, bool *found,
			struct cg_error *err)
{
	return pattern_matches_name(pattern, row->object, row->file, row->name, found, err);
}

/* Whether one of the functions that do the work of a cause, or are parts of it, matches. */
static int find_in_parts(const struct causes *causes, const struct cause *c,
			 const struct pattern *pattern, bool *found, struct cg_error *err)
{
	const struct tree_row *rows = causes->tree->rows;
	int status = CG_OK;

	for (uint32_t i = 0; !status && !*found && i < c->nshares; i++)
		status = find_in_path(pattern, &rows[causes->shares[c->first_share + i].row], found,
				      err);
	for (uint32_t i = 0; !status && !*found && i < c->nparts; i++)
		status = find_in_path(pattern, &rows[causes->parts[c->first_part + i].row], found,
				      err);
	return status;
}

static int matches_cause(const struct causes *causes, const struct cause *c,
			 const struct pattern *filter, const struct pattern *ignore, bool *chosen,
			 struct cg_error *err)
{
	const struct tree_row *function = &causes->tree->rows[c->row];
	const struct tree_row *caller = &causes->tree->rows[c->caller];
	bool found = true, ignored = false;
	int status = CG_OK;

	if (filter)
		status = find_in_path(filter, function, &found, err);
	if (!status && !found && c->caller)
		status = find_in_path(filter, caller, &found, err);
	if (!status && !found)
		status = find_in_parts(causes, c, filter, &found, err);
	if (!status && found && ignore)
		status = find_in_path(ignore, function, &ignored, err);
	*chosen = found && !ignored;
	return status;
}

static int64_t clip_sum_of_causes(__int128 n)
{
	return n > INT64_MAX ? INT64_MAX : n < INT64_MIN ? INT64_MIN : (int64_t)n;
}

/* The size that decides whether a cause is listed. What an edited function does in another way may
 * cost nearly the same in all, and is large all the same; of estimates only the sum is sure. */
static int64_t size_to_list(const struct causes *causes, const struct cause *c)
{
	int64_t size = c->delta;

	if (c->kind != CAUSE_TOGETHER || c->estimated || !cause_is_of_edit(c))
		return size;
	for (uint32_t i = 0; i < c->nparts; i++) {
		int64_t part = causes->parts[c->first_part + i].delta;
		if (cg_magnitude(part) > cg_magnitude(size))
			size = part;
	}
	return size;
}

/* Beyond the threshold, which refers to base, and, unless it is 0, more than a trifle of the
 * change, which may be many times base. `tolerated`: also within the tolerance. */
static bool is_large_cause(const struct causes *causes, const struct cause *c, bool tolerated)
{
	enum { TRIFLES = 2000 }; /* of the change: 0.05 % each */
	const struct diff *d = causes->tree->diff;
	const int64_t size = size_to_list(causes, c);
	const enum diff_class class = diff_classify_change(d, 0, size);
	bool trifle = d->options.threshold_ppb && !d->options.rows_below_threshold &&
		      cg_magnitude(size) < cg_magnitude(causes->delta) / TRIFLES;

	return !trifle && (diff_is_change(class) || (tolerated && class == DIFF_TOLERATED));
}

/* Whether a change beyond the tolerance has only causes within it: then these are what it is. */
static bool is_of_tolerated_causes(const struct causes *causes)
{
	bool beyond = !diff_tolerates(causes->tree->diff, 0, causes->delta);

	for (size_t i = 0; beyond && i < causes->count; i++)
		beyond = !is_large_cause(causes, &causes->items[i], false);
	return beyond;
}

static int choose_filtered_causes(const struct causes *causes, const struct pattern *filter,
				  const struct pattern *ignore, size_t top, struct chosen_causes *c,
				  struct cg_error *err)
{
	const bool tolerated = is_of_tolerated_causes(causes);
	__int128 rest = 0;

	for (size_t i = 0; i < causes->count; i++) {
		const struct cause *cause = &causes->items[i];
		bool large = is_large_cause(causes, cause, tolerated), chosen;
		int status = matches_cause(causes, cause, filter, ignore, &chosen, err);
		if (status)
			return status;
		c->large += large;
		if (large && chosen && (!top || c->count < top)) {
			c->items[c->count++] = (uint32_t)i;
		} else if (chosen) {
			c->hidden += large;
			c->smaller++;
			rest += cause->delta;
		}
	}
	c->smaller_delta = clip_sum_of_causes(rest);
	return CG_OK;
}

int choose_causes(const struct causes *causes, const struct pattern *filter,
		  const struct pattern *ignore, size_t top, struct chosen_causes *out,
		  struct cg_error *err)
{
	struct chosen_causes c = { .items = calloc(causes->count + 1, sizeof *c.items) };
	int status = c.items ? choose_filtered_causes(causes, filter, ignore, top, &c, err)
			     : cg_fail_nomem(err);

	if (status)
		chosen_causes_free(&c);
	else
		*out = c;
	return status;
}

void chosen_causes_free(struct chosen_causes *c)
{
	free(c->items);
	*c = (struct chosen_causes){ 0 };
}
