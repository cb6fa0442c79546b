#include "src/compare/find_causes.h"

#include "src/compare/compare_paths.h"
#include "src/load/commit_source.h"
#include "src/load/keep_sources.h"

/* Paths are compared in calling contexts, without lines; what was edited, and where, is known by
 * lines. Empty if they were not loaded. */
struct lines_of_sides {
	struct loaded base, head;
};

static int load_lines(const struct comparison *c, const struct project *project, const char *base,
		      const char *head, struct lines_of_sides *out, struct cg_error *err)
{
	const struct cg_detail detail = { .lines = true };
	const struct load_options load = comparison_reload_options(c, detail);

	return comparison_is_lasting(c)
		       ? load_profiles(project, base, head, &load, &out->base, &out->head, err)
		       : CG_OK;
}

/* The same source costs something else if it is compiled or measured otherwise. */
static bool edits_explain(const struct comparison *c)
{
	for (size_t i = 0; i < c->environment.nsubject; i++) {
		const struct environment_difference *d = &c->environment.subject[i];
		if (d->kind->shape == FACT_BUILT || environment_changes_arguments(d))
			return false;
	}
	return c->environment.moving == 0;
}

/* Whether something else than source may explain what changed. */
static int find_other_files(const struct project *project, const struct lines_of_sides *lines,
			    bool *otherwise, struct cg_error *err)
{
	struct used_files used[CODE_SIDES] = { 0 };
	int status = loaded_used_files(project, &lines->base, &used[CODE_BASE], err);

	if (!status)
		status = loaded_used_files(project, &lines->head, &used[CODE_HEAD], err);
	if (!status && commit_sources_differ_otherwise(lines->base.at_commit, lines->head.at_commit,
						       used, otherwise))
		status = cg_fail_nomem(err);
	for (int side = 0; side < CODE_SIDES; side++)
		used_files_free(&used[side]);
	return status;
}

/* Base decides: its source is never taken for what it is now. */
static int find_edits(struct comparison *c, const struct project *project, const char *base,
		      const char *head, struct lines_of_sides *lines, struct cg_error *err)
{
	bool known = false, otherwise = false;
	int status = loaded_may_know_source(project, base, &c->base, &known, err);

	if (status || !known)
		return status;
	status = load_lines(c, project, base, head, lines, err);
	if (status || !lines->base.profile)
		return status;
	status = find_other_files(project, lines, &otherwise, err);
	if (!status)
		status = edited_code_find(c->tree, &lines->base, &lines->head, c->options->dirs,
					  &c->edits, err);
	c->edits.explain = !otherwise && edits_explain(c);
	return status;
}

static int find_cause_places(struct comparison *c, const struct project *project, const char *base,
			     const char *head, struct lines_of_sides *lines, struct cg_error *err)
{
	int status = CG_OK;

	if (!c->chosen_causes.count)
		return CG_OK;
	if (!lines->base.profile)
		status = load_lines(c, project, base, head, lines, err);
	if (status || !lines->base.profile)
		return status;
	return cause_places_find(c->causes, &c->chosen_causes, &lines->base, &lines->head,
				 project->root, c->options->dirs, &c->places, err);
}

static uint8_t *edits_of_causes(const struct comparison *c)
{
	return c->edits.explain ? c->edits.of : NULL;
}

static int make_causes_again(struct comparison *c, struct cg_error *err)
{
	causes_free(c->causes);
	c->causes = NULL;
	int status = comparison_make_tree(c, TREE_EVERY_ROW, err);
	return status ? status : causes_make(c->tree, edits_of_causes(c), &c->causes, err);
}

static int choose_causes_to_show(struct comparison *c, struct cg_error *err)
{
	const size_t top = comparison_top(c->options);
	int status = choose_causes(c->causes, c->filter, c->ignore, top, &c->chosen_causes, err);

	if (status || c->chosen_causes.large)
		return status;
	comparison_show_small_changes(c);
	chosen_causes_free(&c->chosen_causes);
	return choose_causes(c->causes, c->filter, c->ignore, top, &c->chosen_causes, err);
}

int comparison_find_causes(struct comparison *c, const struct project *project, const char *base,
			   const char *head, struct cg_error *err)
{
	const struct comparison_options *o = c->options;
	struct lines_of_sides lines = { 0 };

	if (!o->causes || !c->tree || !comparison_knows_calls(c))
		return CG_OK;
	int status = tree_diff_differs(c->tree) ? find_edits(c, project, base, head, &lines, err)
						: CG_OK;
	if (!status)
		status = causes_make(c->tree, edits_of_causes(c), &c->causes, err);
	if (!status && c->causes->wants_every_row)
		status = make_causes_again(c, err);
	if (!status)
		code_edits_mark(&c->edits, c->causes);
	if (!status)
		status = choose_causes_to_show(c, err);
	if (!status)
		status = find_cause_places(c, project, base, head, &lines, err);
	loaded_free(&lines.base);
	loaded_free(&lines.head);
	return status;
}
