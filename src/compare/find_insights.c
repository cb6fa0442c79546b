#include "src/compare/find_insights.h"

#include "src/compare/files_between.h"
#include "src/compare/remarking.h"
#include "src/diff/same_code.h"

/* Which files a program that is the same may have read. */
static int find_read_files(const struct comparison *c, const struct project *project,
			   struct files_between *f, struct cg_error *err)
{
	return same_builds(c->diff) ? files_between_find(c, project, f, err) : CG_OK;
}

/* Whether base and head were read without the contexts of calls, by which it is known who asked for
 * something. What came through a pipe cannot be read again. */
static bool lacks_contexts(const struct comparison *c)
{
	return !comparison_needs_paths(c->options) && loaded_is_lasting(&c->base) &&
	       loaded_is_lasting(&c->head);
}

static int load_contexts(struct comparison *c, const struct project *project, const char *base,
			 const char *head, struct cg_error *err)
{
	const struct cg_detail detail = { .contexts = true };
	struct load_options load = load_options_from(&c->options->reading, &c->selection.chosen,
						     detail);
	struct asked_contexts *to = &c->asked;

	load.silent = true;
	int status = load_profiles(project, base, head, &load, &to->base, &to->head, err);
	return status ? status
		      : diff_make(to->base.profile, to->head.profile, &c->diff->options, &to->diff,
				  err);
}

/* Contexts take longer to read than all else of some views, so only an insight needs them. */
static int say_with_contexts(struct comparison *c, const struct project *project, const char *base,
			     const char *head, struct insight_diff *data, struct cg_error *err)
{
	int status = load_contexts(c, project, base, head, err);

	/* The first ones are true, too. */
	if (status)
		return status == CG_ENOMEM ? status : CG_OK;
	found_insights_free(&c->insights);
	c->insights = (struct found_insights){ 0 };
	data->diff = c->asked.diff;
	return insights_for_diff(c->options->insights, c->options->rules, data, &c->insights, err);
}

int comparison_find_insights(struct comparison *c, const struct project *project, const char *base,
			     const char *head, struct cg_error *err)
{
	struct files_between between = { 0 };
	const struct comparison_options *o = c->options;
	/* What is said of paths is for whoever sees paths. */
	bool summary = o->view == DIFF_VIEW_SUMMARY && o->causes;
	bool paths = o->tree || o->depth || summary || o->view == DIFF_VIEW_CAUSES;
	struct insight_diff data = {
		.diff = c->diff,
		.tree = paths ? c->tree : NULL,
		.environment = &c->environment,
		.recompiled = c->other_code.items,
		.nrecompiled = c->other_code.count,
		.files_are_said = remarks_find(&c->remarks, REMARK_OF_INPUT) != NULL,
		.whole_names = o->whole_names,
	};
	int status = comparison_find_unmatched(c, err);
	if (status || c->unmatched)
		return status;
	if (!comparison_knows_calls(c) || o->by != CG_BY_FUNCTION || !insights_wanted(o->insights))
		return CG_OK;
	status = find_read_files(c, project, &between, err);
	data.changed_files = between.files;
	if (!status)
		status = insights_for_diff(o->insights, o->rules, &data, &c->insights, err);
	if (!status && c->insights.list && c->insights.list->count && lacks_contexts(c))
		status = say_with_contexts(c, project, base, head, &data, err);
	changed_files_free(&between.files);
	return status;
}
