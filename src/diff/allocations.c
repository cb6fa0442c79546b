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

int allocators_make(const struct tree_diff *t, struct allocators *out)
{
	const struct diff *d = t->diff;

	*out = (struct allocators){ .tree = t, .known = metric_is_of_heap(d->options.metric) };
	if (!out->known)
		return CG_OK;
	out->absolute_files = has_absolute_files(d->base) && has_absolute_files(d->head);
	int status = add_installed_objects(out, d->base);
	return status ? status : add_installed_objects(out, d->head);
}

void allocators_free(struct allocators *a)
{
	free(a->installed);
	*a = (struct allocators){ 0 };
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

static bool is_of_project(const struct allocators *a, uint32_t row)
{
	const struct tree_row *r = &a->tree->rows[row];

	if (!row || strcmp(r->file, "???") == 0 || is_installed_path(r->file) ||
	    is_downloaded(r->file) || is_of_unnamed_library(r->object, r->file, a->absolute_files))
		return false;
	for (size_t i = 0; i < a->ninstalled; i++)
		if (strcmp(r->object, a->installed[i]) == 0)
			return false;
	return true;
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

struct allocation find_allocation(const struct allocators *a, uint32_t row)
{
	const struct tree_row *rows = a->tree->rows;
	const uint32_t deepest = find_deepest(a, row);
	uint32_t above = rows[row].parent, callee = row;

	if (deepest)
		return (struct allocation){ deepest, costliest_callee(a->tree, deepest) };
	while (above && !is_of_project(a, above)) {
		callee = above;
		above = rows[above].parent;
	}
	return above ? (struct allocation){ above, callee }
		     : (struct allocation){ row, costliest_callee(a->tree, row) };
}
