#include "src/compare/choose_paths.h"

#include <stdlib.h>

#include "callgrind/support/number.h"

/* Of a row of the tree. */
struct choice {
	bool picked;   /* changed itself, or is what the filter asks for: not folded */
	bool shown;    /* that, or leads to one that is */
	uint32_t next; /* rows that are shown just below it */
};

struct choosing {
	const struct tree_diff *t;
	const struct pattern *filter, *ignore;
	uint32_t *candidates; /* rows that changed and match */
	struct choice *choices;
	struct chosen_paths result;
};

static bool self_changed(const struct tree_diff *t, const struct tree_row *r)
{
	const struct diff *d = t->diff;
	return diff_classify_change(d, diff_base_value(d, r->base.self),
				    diff_head_value(d, r->head.self)) != DIFF_UNCHANGED;
}

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
		if (!chosen)
			continue;
		c->choices[i].picked = c->filter || self_changed(c->t, &c->t->rows[i]);
		c->candidates[c->result.filtered++] = i;
	}
	return CG_OK;
}

static int64_t inclusive_delta(const struct tree_diff *t, uint32_t row)
{
	return cg_delta(diff_base_value(t->diff, t->rows[row].base.inclusive),
			diff_head_value(t->diff, t->rows[row].head.inclusive));
}

static int64_t self_delta(const struct tree_diff *t, uint32_t row)
{
	return cg_delta(diff_base_value(t->diff, t->rows[row].base.self),
			diff_head_value(t->diff, t->rows[row].head.self));
}

static int compare_ranks(const void *left, const void *right, void *context)
{
	const struct choosing *c = context;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	int order = c->choices[b].picked - c->choices[a].picked;

	if (!order && c->choices[a].picked)
		order = cg_compare_sizes(self_delta(c->t, a), self_delta(c->t, b));
	if (!order)
		order = cg_compare_sizes(inclusive_delta(c->t, a), inclusive_delta(c->t, b));
	return order ? order : (a > b) - (a < b);
}

/* ---- lines ---- */

/* Whether a row has no line if it leads to just one that is shown. Where base or head leaves the
 * path, it has one. */
static bool may_fold(const struct choosing *c, uint32_t row)
{
	const struct tree_row *r = &c->t->rows[row], *above = &c->t->rows[r->parent];
	bool stays = !r->parent || (r->base.present == above->base.present &&
				    r->head.present == above->head.present);

	return c->t->diff->options.threshold_ppb && stays && !c->choices[row].picked;
}

static bool is_folded(const struct choosing *c, uint32_t row)
{
	return may_fold(c, row) && c->choices[row].next == 1;
}

/* How many lines the tree would have more if a row that is not shown were. */
static int64_t lines_to_show(const struct choosing *c, uint32_t row)
{
	int64_t lines = 1;
	uint32_t above = c->t->rows[row].parent;

	for (; above && !c->choices[above].shown; above = c->t->rows[above].parent)
		lines += !may_fold(c, above);
	if (above && may_fold(c, above))
		lines += c->choices[above].next == 0 ? -1 : c->choices[above].next == 1;
	return lines;
}

/* Shows a row and those above it. */
static void show_row_and_callers(struct choosing *c, uint32_t row)
{
	for (uint32_t i = row; i && !c->choices[i].shown; i = c->t->rows[i].parent) {
		c->choices[i].shown = true;
		c->choices[c->t->rows[i].parent].next++;
		c->result.count++;
	}
}

/* The first of them that fit in `top` lines. Returns how many these are. */
static size_t take_candidates(struct choosing *c, size_t top)
{
	int64_t lines = 0;
	size_t taken = 0;

	for (; taken < c->result.filtered; taken++) {
		uint32_t row = c->candidates[taken];
		int64_t more = c->choices[row].shown ? 0 : lines_to_show(c, row);
		if (top && lines && (uint64_t)(lines + more) > top)
			break;
		lines += more;
		show_row_and_callers(c, row);
	}
	return taken;
}

static int choose_filtered_paths(struct choosing *c, size_t top, struct cg_error *err)
{
	size_t done = 0;
	int status = find_candidates(c, err);
	if (status)
		return status;

	qsort_r(c->candidates, c->result.filtered, sizeof *c->candidates, compare_ranks, c);
	size_t taken = take_candidates(c, top);
	for (uint32_t i = 1; i < c->t->count; i++) {
		if (!c->choices[i].shown)
			continue;
		c->result.rows[done] = i;
		c->result.folded[done++] = is_folded(c, i);
	}
	for (; taken < c->result.filtered; taken++)
		c->result.hidden += !c->choices[c->candidates[taken]].shown;
	return CG_OK;
}

int choose_paths(const struct tree_diff *t, const struct pattern *filter,
		 const struct pattern *ignore, size_t top, struct chosen_paths *out,
		 struct cg_error *err)
{
	struct choosing c = { .t = t, .filter = filter, .ignore = ignore };
	c.candidates = calloc((size_t)t->count + 1, sizeof *c.candidates);
	c.choices = calloc((size_t)t->count + 1, sizeof *c.choices);
	c.result.folded = calloc((size_t)t->count + 1, sizeof *c.result.folded);
	c.result.rows = calloc((size_t)t->count + 1, sizeof *c.result.rows);

	bool allocated = c.candidates && c.choices && c.result.rows && c.result.folded;
	int status = allocated ? choose_filtered_paths(&c, top, err) : cg_fail_nomem(err);
	free(c.candidates);
	free(c.choices);
	if (status)
		chosen_paths_free(&c.result);
	else
		*out = c.result;
	return status;
}

void chosen_paths_free(struct chosen_paths *c)
{
	free(c->rows);
	free(c->folded);
	*c = (struct chosen_paths){ 0 };
}
