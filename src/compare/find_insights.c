#include "src/compare/find_insights.h"

#include "src/compare/files_between.h"
#include "src/compare/remarking.h"
#include "src/diff/same_code.h"

static bool has_other_work(const struct comparison *c)
{
	for (size_t i = 0; i < c->environment.nsubject; i++)
		if (environment_changes_arguments(&c->environment.subject[i]))
			return true;
	return false;
}

/* Of profiles that irdiff measured: it keeps their sources and code. */
static int find_other_code(struct comparison *c, const struct project *project, const char *base,
			   const char *head, struct cg_error *err)
{
	const struct cg_detail detail = { .lines = true, .addresses = true };
	const struct load_options load = comparison_reload_options(c, detail);
	struct loaded base_code = { 0 }, head_code = { 0 };

	if (!comparison_has_both(c) || !insights_wanted(c->options->insights) ||
	    has_other_work(c) || !other_code_possible(c->diff) || !comparison_is_lasting(c))
		return CG_OK;
	int status = load_profiles(project, base, head, &load, &base_code, &head_code, err);
	if (!status)
		status = other_code_find(c->diff, &base_code, &head_code, c->options->dirs,
					 &c->other_code, err);
	loaded_free(&base_code);
	loaded_free(&head_code);
	return status;
}

/* Which files a program that is the same may have read. */
static int find_read_files(const struct comparison *c, const struct project *project,
			   struct files_between *f, struct cg_error *err)
{
	return same_builds(c->diff) ? files_between_find(c, project, f, err) : CG_OK;
}

/* Whether base and head were read without the contexts of calls, by which it is known who asked for
 * something, and can be so. */
static bool lacks_contexts(const struct comparison *c)
{
	return !comparison_needs_paths(c->options) && comparison_is_lasting(c);
}

static int load_contexts(struct comparison *c, const struct project *project, const char *base,
			 const char *head, struct cg_error *err)
{
	const struct cg_detail detail = { .contexts = true };
	const struct load_options load = comparison_reload_options(c, detail);
	struct asked_contexts *to = &c->asked;
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

/* What is said of paths is for whoever sees paths. */
static bool insights_see_paths(const struct comparison_options *o)
{
	return o->tree || o->depth || (o->view == DIFF_VIEW_SUMMARY && o->causes) ||
	       o->view == DIFF_VIEW_CAUSES;
}

static int match_insights(struct comparison *c, const struct project *project, const char *base,
			  const char *head, struct cg_error *err)
{
	const struct comparison_options *o = c->options;
	struct files_between between = { 0 };
	int status = find_read_files(c, project, &between, err);
	struct insight_diff data = {
		.diff = c->diff,
		.tree = insights_see_paths(o) ? c->tree : NULL,
		.environment = &c->environment,
		.changed_files = between.files,
		.recompiled = c->other_code.items,
		.nrecompiled = c->other_code.count,
		.files_are_said = remarks_find(&c->remarks, REMARK_OF_INPUT) != NULL,
		.whole_names = o->whole_names,
	};

	if (!status)
		status = insights_for_diff(o->insights, o->rules, &data, &c->insights, err);
	if (!status && c->insights.list && c->insights.list->count && lacks_contexts(c))
		status = say_with_contexts(c, project, base, head, &data, err);
	changed_files_free(&between.files);
	return status;
}

int comparison_find_insights(struct comparison *c, const struct project *project, const char *base,
			     const char *head, struct cg_error *err)
{
	const struct comparison_options *o = c->options;
	int status = find_other_code(c, project, base, head, err);

	if (!status)
		status = comparison_find_unmatched(c, err);
	if (status || c->unmatched)
		return status;
	if (!comparison_knows_calls(c) || o->by != CG_BY_FUNCTION || !insights_wanted(o->insights))
		return CG_OK;
	return match_insights(c, project, base, head, err);
}
