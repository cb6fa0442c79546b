#include "src/compare/choose_paths.h"

#include <stdlib.h>

#include "callgrind/support/number.h"

struct choosing {
	const struct tree_diff *t;
	const struct pattern *filter, *ignore;
	uint32_t *candidates; /* rows that differ and match */
	bool *shown;          /* per row */
	struct chosen_paths result;
};

/* By the cost of the path or of its end; within the tolerance it is shown, and no change. */
static bool is_large_path(const struct tree_diff *t, const struct tree_row *r, bool *changed)
{
	const struct diff *d = t->diff;
	enum diff_class all = diff_classify_change(d, diff_base_value(d, r->base.inclusive),
						   diff_head_value(d, r->head.inclusive));
	enum diff_class own = diff_classify_change(d, diff_base_value(d, r->base.self),
						   diff_head_value(d, r->head.self));

	*changed = diff_is_change(all) || diff_is_change(own);
	return all != DIFF_UNCHANGED || own != DIFF_UNCHANGED;
}

static int matches_path(const struct choosing *c, const struct tree_row *r, bool *chosen,
			struct cg_error *err)
{
	bool found = true, ignored = false;
	int status = CG_OK;

	if (c->filter)
		status = pattern_matches_name(c->filter, r->object, r->file, r->name, &found, err);
	if (!status && found && c->ignore)
		status = pattern_matches_name(c->ignore, r->object, r->file, r->name, &ignored,
					      err);
	*chosen = found && !ignored;
	return status;
}

static int find_candidates(struct choosing *c, struct cg_error *err)
{
	for (uint32_t i = 1; i < c->t->count; i++) {
		bool chosen, changed;
		if (!is_large_path(c->t, &c->t->rows[i], &changed))
			continue;
		c->result.changed += changed;
		int status = matches_path(c, &c->t->rows[i], &chosen, err);
		if (status)
			return status;
		if (chosen)
			c->candidates[c->result.filtered++] = i;
	}
	return CG_OK;
}

static int64_t delta(const struct tree_diff *t, uint32_t row)
{
	return cg_delta(diff_base_value(t->diff, t->rows[row].base.inclusive),
			diff_head_value(t->diff, t->rows[row].head.inclusive));
}

static int compare_deltas(const void *left, const void *right, void *context)
{
	const struct tree_diff *t = context;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	int order = cg_compare_sizes(delta(t, a), delta(t, b));
	return order ? order : (a > b) - (a < b);
}

/* Shows a row and those above it. */
static void show_row_and_callers(struct choosing *c, uint32_t row)
{
	for (uint32_t i = row; i && !c->shown[i]; i = c->t->rows[i].parent) {
		c->shown[i] = true;
		c->result.count++;
	}
}

static int choose_filtered_paths(struct choosing *c, size_t top, struct cg_error *err)
{
	size_t taken = 0, done = 0;
	int status = find_candidates(c, err);
	if (status)
		return status;

	qsort_r(c->candidates, c->result.filtered, sizeof *c->candidates, compare_deltas,
		(void *)(uintptr_t)c->t);
	for (; taken < c->result.filtered && (!top || taken < top); taken++)
		show_row_and_callers(c, c->candidates[taken]);
	for (uint32_t i = 1; i < c->t->count; i++)
		if (c->shown[i])
			c->result.rows[done++] = i;
	for (; taken < c->result.filtered; taken++)
		c->result.hidden += !c->shown[c->candidates[taken]];
	return CG_OK;
}

int choose_paths(const struct tree_diff *t, const struct pattern *filter,
		 const struct pattern *ignore, size_t top, struct chosen_paths *out,
		 struct cg_error *err)
{
	struct choosing c = { .t = t, .filter = filter, .ignore = ignore };
	c.candidates = calloc((size_t)t->count + 1, sizeof *c.candidates);
	c.shown = calloc((size_t)t->count + 1, sizeof *c.shown);
	c.result.rows = calloc((size_t)t->count + 1, sizeof *c.result.rows);

	int status = c.candidates && c.shown && c.result.rows ? choose_filtered_paths(&c, top, err)
							      : cg_fail_nomem(err);
	free(c.candidates);
	free(c.shown);
	if (status)
		chosen_paths_free(&c.result);
	else
		*out = c.result;
	return status;
}

void chosen_paths_free(struct chosen_paths *c)
{
	free(c->rows);
	*c = (struct chosen_paths){ 0 };
}
