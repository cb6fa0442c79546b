#include "src/report/estimates.h"

#include <stdio.h>
#include <string.h>

#include "cgprofile/tree.h"
#include "src/diff/environment.h"
#include "src/diff/same_code.h"

/* ---- one side ---- */

enum {
	NO_ESTIMATES,
	OF_INLINED, /* of inlined code, and otherwise exact */
	OF_CYCLES,  /* of recursion that is not told apart, as far as callers are recorded */
	OF_CALLERS, /* not all of them are */
};

static const struct cg_tree_node *machine_function(const struct cg_tree *t, uint32_t node)
{
	while (t->nodes[node].inlined)
		node = t->nodes[node].parent;
	return &t->nodes[node];
}

static bool has_inlined_child(const struct cg_tree *t, const struct cg_tree_node *n)
{
	for (const struct cg_tree_node *child = n + 1; child < t->nodes + n->end;
	     child = t->nodes + child->end)
		if (child->inlined)
			return true;
	return false;
}

/* Whether Valgrind took calls by a function and by what is inlined into it for one. */
static bool is_beside_inlined(const struct cg_tree *t, const struct cg_tree_node *n)
{
	return n->parent && has_inlined_child(t, machine_function(t, n->parent));
}

/* Below an estimated path, all are estimated for the same reason. */
static bool begins_estimates(const struct cg_tree *t, const struct cg_tree_node *n)
{
	return n->estimated && !t->nodes[n->parent].estimated;
}

/* Why paths of a tree are estimated. */
static int find_reason(const struct cg_tree *t)
{
	uint32_t frames;
	int reason = NO_ESTIMATES;

	for (uint32_t i = 1; i < t->count && reason != OF_CYCLES; i++)
		if (begins_estimates(t, &t->nodes[i]))
			reason = is_beside_inlined(t, &t->nodes[i]) ? OF_INLINED : OF_CYCLES;
	if (reason && (cg_tree_frames(t->profile, &frames) || frames))
		reason = OF_CALLERS;
	return reason;
}

/* ---- both ---- */

static bool lacks_callers(const struct cg_profile *p)
{
	const char *depth = cg_desc_value(p, ENVIRONMENT_PREFIX "depth");

	return depth && strcmp(depth, "0") == 0;
}

static bool is_of_callgrind(const struct cg_profile *p)
{
	const char *name = "callgrind";

	return !by_irdiff(p) && strncmp(cg_string(p, p->creator), name, strlen(name)) == 0;
}

static const char *advise_paths(const struct diff *d, int base_reason, int head_reason)
{
	const struct cg_profile *base = d->base, *head = d->head;

	if (lacks_callers(base) && lacks_callers(head))
		return " (depth: 10 in irdiff.yml or --depth=10 records more)";
	if ((base_reason == OF_CALLERS || head_reason == OF_CALLERS) &&
	    (base_reason != OF_CALLERS || is_of_callgrind(base)) &&
	    (head_reason != OF_CALLERS || is_of_callgrind(head)))
		return " (irdiff profile or valgrind --separate-callers=100 records them)";
	return "";
}

char *estimates_explain(const struct tree_diff *t)
{
	const int base = find_reason(t->base), head = find_reason(t->head);
	const char *which = !base ? "head lacks" : !head ? "base lacks" : "the profiles lack";
	char *text;

	if (base <= OF_INLINED && head <= OF_INLINED)
		return strdup(
			", as inlined code has no paths of its own; --inlines=no has exact paths");
	return asprintf(&text, ": %s full call paths%s", which, advise_paths(t->diff, base, head)) <
			       0
		       ? NULL
		       : text;
}

const char *estimates_replaced(const struct diff_report *r)
{
	return r->without_inlined     ? "Inlined code counts as part of the function around it, "
					"as it has no call paths of its own"
	       : r->causes->self_only ? "Causes are where the self cost changed"
				      : "";
}
