#include "src/diff/allocations.h"

#include <stdlib.h>
#include <string.h>

#include "cgprofile/error.h"
#include "cgprofile/names.h"
#include "src/diff/installed.h"
#include "src/diff/metric.h"

/* ---- what is not the project's ---- */

static int add_installed_objects(struct allocators *a, const struct cg_profile *p)
{
	bool *seen = calloc(p->strings.count + 1, sizeof *seen);
	const char **grown = realloc(a->installed,
				     (a->ninstalled + p->strings.count + 1) * sizeof *grown);

	if (grown)
		a->installed = grown;
	for (uint32_t i = 1; seen && grown && i < p->nfunctions; i++) {
		const cg_str object = p->functions[i].object;
		if (!seen[object] && is_installed_path(cg_string(p, object)))
			a->installed[a->ninstalled++] = cg_base_name(cg_string(p, object));
		seen[object] = true;
	}
	free(seen);
	return seen && grown ? CG_OK : CG_ENOMEM;
}

/* Packages that a tool of a language keeps in the user's home. */
static bool is_downloaded(const char *file)
{
	static const char *const places[] = { "/.cargo/registry/", "/.cargo/git/",
					      "/.rustup/toolchains/", "/pkg/mod/" };

	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		if (strstr(file, places[i]))
			return true;
	return false;
}

/* The object without its directories. */
static bool has_code_of_project(const struct allocators *a, const char *object, const char *file)
{
	if (strcmp(file, "???") == 0 || is_installed_path(file) || is_downloaded(file) ||
	    is_of_unnamed_library(object, file, a->absolute_files))
		return false;
	for (size_t i = 0; i < a->ninstalled; i++)
		if (strcmp(object, a->installed[i]) == 0)
			return false;
	return true;
}

static bool is_of_project(const struct allocators *a, uint32_t row)
{
	const struct tree_row *r = &a->tree->rows[row];

	return row && has_code_of_project(a, r->object, r->file);
}

static bool node_is_of_project(const struct allocators *a, const struct cg_tree *t, uint32_t node)
{
	const struct cg_profile *p = t->profile;
	const struct cg_function *f = &p->functions[t->nodes[node].function];

	return node &&
	       has_code_of_project(a, cg_base_name(cg_string(p, f->object)), cg_string(p, f->file));
}

static bool node_costs_itself(const struct cg_tree *t, uint32_t node)
{
	const int64_t *self = t->self + (size_t)node * t->profile->nevents;

	for (uint32_t e = 0; e < t->profile->nevents; e++)
		if (self[e])
			return true;
	return false;
}

/* `number` is per function of the tree's profile. */
static int find_last(const struct allocators *a, const struct cg_tree *t, const uint32_t *number,
		     bool **out)
{
	uint32_t *nearest = calloc(t->count, sizeof *nearest);

	*out = calloc(a->tree->nfunctions, sizeof **out);
	for (uint32_t n = 1; nearest && *out && n < t->count; n++) {
		nearest[n] = node_is_of_project(a, t, n) ? n : nearest[t->nodes[n].parent];
		if (node_costs_itself(t, n))
			(*out)[number[t->nodes[nearest[n]].function]] = true;
	}
	free(nearest);
	return nearest && *out ? CG_OK : CG_ENOMEM;
}

int allocators_make(const struct tree_diff *t, struct allocators *out)
{
	const struct diff *d = t->diff;

	*out = (struct allocators){ .tree = t, .known = metric_is_of_heap(d->options.metric) };
	if (!out->known)
		return CG_OK;
	out->absolute_files = has_absolute_files(d->base) && has_absolute_files(d->head);
	int status = add_installed_objects(out, d->base);
	if (!status)
		status = add_installed_objects(out, d->head);
	if (!status)
		status = find_last(out, t->base, t->base_function, &out->last_in_base);
	return status ? status : find_last(out, t->head, t->head_function, &out->last_in_head);
}

void allocators_free(struct allocators *a)
{
	free(a->installed);
	free(a->last_in_base);
	free(a->last_in_head);
	*a = (struct allocators){ 0 };
}

/* ---- along a path ---- */

bool is_allocation(const struct allocators *a, uint32_t row)
{
	const struct tree_row *r = &a->tree->rows[row];

	return a->known && row && r->base.present != r->head.present && !r->base.calls &&
	       !r->head.calls;
}

static int64_t cost_of_path(const struct tree_diff *t, uint32_t row)
{
	const struct tree_row *r = &t->rows[row];
	return r->head.present ? diff_head_value(t->diff, r->head.inclusive)
			       : diff_base_value(t->diff, r->base.inclusive);
}

/* The callee that costs most; 0: it calls nothing. */
static uint32_t costliest_callee(const struct tree_diff *t, uint32_t row)
{
	uint32_t best = 0;

	for (uint32_t k = row + 1; k < t->rows[row].end; k = t->rows[k].end)
		if (!best || cost_of_path(t, k) > cost_of_path(t, best))
			best = k;
	return best;
}

static uint32_t find_deepest(const struct allocators *a, uint32_t row)
{
	const int64_t all = cost_of_path(a->tree, row);
	uint32_t found = 0;

	while (row && cost_of_path(a->tree, row) == all) {
		found = is_of_project(a, row) ? row : found;
		row = costliest_callee(a->tree, row);
	}
	return found;
}

/* The number that a row's function has on the other side. */
static uint32_t number_in_other(const struct allocators *a, uint32_t row, bool of_head)
{
	const struct tree_row *r = &a->tree->rows[row];
	return of_head ? r->base_function : r->function;
}

/* The stacks of a heap have no function that does not lead to an allocation. */
static bool is_in_other(const struct allocators *a, uint32_t row, bool of_head)
{
	const struct tree_function *f = &a->tree->functions[number_in_other(a, row, of_head)];
	return of_head ? f->base_name != NULL : f->in_head;
}

static bool is_last_in_other(const struct allocators *a, uint32_t row, bool of_head)
{
	const bool *last = of_head ? a->last_in_base : a->last_in_head;
	return last[number_in_other(a, row, of_head)];
}

struct allocation find_allocation(const struct allocators *a, uint32_t row)
{
	const struct tree_row *rows = a->tree->rows;
	const uint32_t deepest = find_deepest(a, row);
	const bool of_head = rows[row].head.present;
	uint32_t above = rows[row].parent, callee = row;

	if (deepest)
		return (struct allocation){ deepest, costliest_callee(a->tree, deepest),
					    is_in_other(a, deepest, of_head) };
	while (above && !is_of_project(a, above)) {
		callee = above;
		above = rows[above].parent;
	}
	return above ? (struct allocation){ above, callee, is_last_in_other(a, above, of_head) }
		     : (struct allocation){ row, costliest_callee(a->tree, row),
					    is_in_other(a, row, of_head) };
}
