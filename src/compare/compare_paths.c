#include "src/compare/compare_paths.h"

#include "src/status/progress.h"

static const struct loaded *side_without_calls(const struct comparison *c)
{
	const struct cg_profile *base = c->base.profile, *head = c->head.profile;

	return diff_self_only(base) || diff_lacks_calls(base, head) ? &c->base : &c->head;
}

#define WITHOUT_CALLS "no calls, so the causes of the change are unknown"
#define OTHER_THAN_TEXT " (irdiff compare, which compares with a commit, finds them)"
#define OTHER_THAN_COSTS " (profiles that callgrind writes have calls)"

static void warn_about_calls(const struct comparison *c)
{
	static const struct warning_kind text = { "", "has " WITHOUT_CALLS OTHER_THAN_TEXT,
						  "have " WITHOUT_CALLS OTHER_THAN_TEXT };
	static const struct warning_kind costs = { "", "has " WITHOUT_CALLS OTHER_THAN_COSTS,
						   "have " WITHOUT_CALLS OTHER_THAN_COSTS };

	const struct diff *d = c->diff;
	bool changed = diff_base_value(d, d->base->total) != diff_head_value(d, d->head->total);

	if (changed && comparison_has_both(c) && !comparison_knows_calls(c))
		warnings_add(c->options->warnings, c->notices,
			     diff_self_only(side_without_calls(c)->profile) ? &text : &costs,
			     side_without_calls(c)->name);
}

/* The text of a baseline has no lines either. */
int comparison_check_calls(const struct comparison *c, struct cg_error *err)
{
	static const char *const words[] = { "summary", "flat", "tree", "causes", "source", "asm" };
	enum diff_view view = c->options->view;

	if (!comparison_has_both(c) || comparison_knows_calls(c))
		return CG_OK;
	bool text = diff_self_only(side_without_calls(c)->profile);
	if (c->options->only_paths)
		return cg_fail(
			err, CG_EINVAL, NULL, 0,
			"%s has no calls, so there are no call paths to show; use irdiff diff to compare functions",
			side_without_calls(c)->name);
	if (view == DIFF_VIEW_FLAT || view == DIFF_VIEW_SUMMARY)
		return CG_OK;
	if (!text && (view == DIFF_VIEW_SOURCE || view == DIFF_VIEW_ASM))
		return CG_OK;
	if (!text)
		return cg_fail(err, CG_EINVAL, NULL, 0,
			       "%s has no calls, which --view=%s needs; use --view=flat",
			       side_without_calls(c)->name, words[view]);
	return cg_fail(
		err, CG_EINVAL, NULL, 0,
		"%s has no calls and lines, which --view=%s needs; use --view=flat, or compare with a commit (irdiff compare)",
		side_without_calls(c)->name, words[view]);
}

int comparison_make_tree(struct comparison *c, enum tree_rows rows, struct cg_error *err)
{
	struct progress *progress = progress_begin(c->notices, "comparing call paths", NULL);
	tree_diff_free(c->tree);
	c->tree = NULL;
	int status = tree_diff_make(c->diff, TREE_ALL, rows, &c->tree, err);

	progress_end(progress);
	return status;
}

int comparison_compare_paths(struct comparison *c, struct cg_error *err)
{
	const struct comparison_options *o = c->options;
	warn_about_calls(c);
	if (comparison_has_both(c) && !comparison_knows_calls(c))
		return CG_OK;
	int status = comparison_make_tree(c, o->tree ? TREE_EVERY_ROW : TREE_CHANGED_ROWS, err);

	if (!status && o->tree)
		status = choose_paths(c->tree, c->filter, c->ignore, comparison_top(o), &c->paths,
				      err);
	if (status || !comparison_knows_calls(c))
		return status;
	if (!status && o->depth && depth_change_make(c->tree, &c->depth))
		status = cg_fail_nomem(err);
	return status;
}
