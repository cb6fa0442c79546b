#include "src/compare/comparison.h"

#include <stdlib.h>
#include <string.h>

#include "src/diff/either_name.h"
#include "src/store/baselines.h"

void without_inlined_free(struct without_inlined *w)
{
	if (w)
		comparison_free(&w->c);
	free(w);
}

void comparison_free(struct comparison *c)
{
	free(c->rows);
	changed_sources_free(&c->sources);
	changed_instructions_free(&c->instructions);
	other_code_free(&c->other_code);
	shown_events_free(&c->shown);
	judging_free(&c->judging);
	remarks_free(&c->remarks);
	found_insights_free(&c->insights);
	diff_free(c->asked.diff);
	loaded_free(&c->asked.base);
	loaded_free(&c->asked.head);
	environment_diff_free(&c->environment);
	depth_change_free(&c->depth);
	cause_places_free(&c->places);
	chosen_causes_free(&c->chosen_causes);
	causes_free(c->causes);
	code_edits_free(&c->edits);
	without_inlined_free(c->without_inlined);
	chosen_paths_free(&c->paths);
	tree_diff_free(c->tree);
	diff_free(c->diff);
	diff_free(c->judged);
	pattern_free(c->filter);
	pattern_free(c->ignore);
	part_selection_free(&c->selection);
	loaded_free(&c->base);
	loaded_free(&c->head);
	*c = (struct comparison){ 0 };
}

/* A group has nothing but its name. */
static int matches_compared_row(const struct comparison *c, const struct pattern *p,
				const char *object, const char *file, const char *name,
				bool *matches, struct cg_error *err)
{
	return c->options->by == CG_BY_FUNCTION
		       ? pattern_matches_name(p, object, file, name, matches, err)
		       : pattern_matches(p, name, matches, err);
}

int comparison_matches(const struct comparison *c, const char *object, const char *file,
		       const char *name, bool *matches, struct cg_error *err)
{
	*matches = true;
	return c->filter ? matches_compared_row(c, c->filter, object, file, name, matches, err)
			 : CG_OK;
}

int comparison_chooses(const struct comparison *c, const char *object, const char *file,
		       const char *name, bool *chosen, struct cg_error *err)
{
	bool matches, ignored = false;
	int status = comparison_matches(c, object, file, name, &matches, err);

	if (!status && matches && c->ignore)
		status = matches_compared_row(c, c->ignore, object, file, name, &ignored, err);
	*chosen = matches && !ignored;
	return status;
}

int comparison_find_unmatched(struct comparison *c, struct cg_error *err)
{
	bool matches = !c->filter || c->filtered > 0;
	int status = CG_OK;

	for (size_t i = 0; !status && !matches && i < c->diff->count; i++) {
		const struct diff_row *row = &c->diff->rows[i];
		status = comparison_matches(c, row->object, row->file, row->name, &matches, err);
	}
	c->unmatched = !matches;
	return status;
}

bool comparison_needs_paths(const struct comparison_options *o)
{
	return o->tree || o->causes || o->depth;
}

/* A profile without the other side has no causes. */
bool comparison_has_both(const struct comparison *c)
{
	return c->diff->options.missing == DIFF_BOTH_THERE;
}

/* The text of a baseline has no calls to remark on. */
bool comparison_knows_calls(const struct comparison *c)
{
	return comparison_has_both(c) && diff_knows_calls(c->diff);
}

enum diff_view diff_view_of(const char *word)
{
	return strcmp(word, "tree") == 0     ? DIFF_VIEW_TREE
	       : strcmp(word, "causes") == 0 ? DIFF_VIEW_CAUSES
	       : strcmp(word, "source") == 0 ? DIFF_VIEW_SOURCE
	       : strcmp(word, "asm") == 0    ? DIFF_VIEW_ASM
	       : strcmp(word, "flat") == 0   ? DIFF_VIEW_FLAT
					     : DIFF_VIEW_SUMMARY;
}

struct load_options comparison_load_options(const struct comparison *c)
{
	const struct comparison_options *o = c->options;
	const struct cg_detail detail = { .contexts = comparison_needs_paths(o),
					  .lines = o->view == DIFF_VIEW_SOURCE,
					  .addresses = o->view == DIFF_VIEW_ASM,
					  .jumps = o->view == DIFF_VIEW_ASM };
	struct load_options load = load_options_from(&o->reading, &c->selection.chosen, detail);

	load.warnings = o->warnings;
	load.sources = o->view == DIFF_VIEW_FLAT || o->view == DIFF_VIEW_TREE;
	return load;
}

struct load_options comparison_reload_options(const struct comparison *c, struct cg_detail detail)
{
	struct load_options load = load_options_from(&c->options->reading, &c->selection.chosen,
						     detail);

	load.silent = true;
	return load;
}

bool comparison_is_lasting(const struct comparison *c)
{
	return loaded_is_lasting(&c->base) && loaded_is_lasting(&c->head);
}

static bool exceeds_compared_limit(const struct comparison *c)
{
	const struct judgement *j = &c->judging.judgement;

	for (size_t i = 0; i < j->count; i++) {
		const struct limit_verdict *v = &j->verdicts[i];
		if (v->fails && v->status == LIMIT_EXCEEDED &&
		    metric_is_same(metric_event_name(v->rule.limit->metric),
				   c->diff->options.metric))
			return true;
	}
	return false;
}

void comparison_show_small_changes(struct comparison *c)
{
	struct diff_options *o = &c->diff->options;

	if (!exceeds_compared_limit(c))
		return;
	o->rows_below_threshold |= o->threshold_ppb == DIFF_DEFAULT_THRESHOLD_PPB;
	o->rows_below_min_delta |= !o->min_delta_given;
}

int comparison_add_names(const struct comparison *c, struct pattern *p, struct cg_error *err)
{
	int status = p ? pattern_add_clones(p, c->base.profile, err) : CG_OK;
	if (p && !status)
		status = pattern_add_clones(p, c->head.profile, err);
	return p && !status ? either_name_add(c->diff, true, p, err) : status;
}

size_t comparison_top(const struct comparison_options *o)
{
	return o->top == DIFF_TOP_AUTO ? COMPARISON_TOP : o->top;
}

struct diff_report comparison_report(const struct comparison *c)
{
	const struct comparison_options *o = c->options;

	return (struct diff_report){
		.diff = c->diff,
		.root = c->root,
		.base = c->base.origin,
		.head = c->head.origin,
		.environment = &c->environment,
		.insights = c->insights.list,
		.judgement = o->judging.check ? &c->judging.judgement : NULL,
		.remarks = &c->remarks,
		.untrusted = o->judging.check && c->environment.moving &&
			     !o->judging.allow_env_change,
		.not_run = c->not_run,
		.rows = c->rows,
		.nrows = c->nrows,
		.by_size = !o->sort || strcmp(o->sort, "delta") == 0,
		.changed = c->changed,
		.filtered = c->filtered,
		.filter = o->filter,
		.unmatched = c->unmatched,
		.top = o->top,
		.top_limit = comparison_top(o),
		.fixed_threshold = o->fixed_threshold,
		.tree = c->tree,
		.paths = c->paths.rows,
		.paths_folded = c->paths.folded,
		.npaths = c->paths.count,
		.paths_changed = c->paths.changed,
		.paths_hidden = c->paths.hidden,
		.causes = c->causes,
		.without_inlined = c->without_inlined != NULL,
		.chosen_causes = c->chosen_causes.items,
		.ncauses = c->chosen_causes.count,
		.places = c->places.items,
		.nplaces = c->places.count,
		.causes_large = c->chosen_causes.large,
		.causes_hidden = c->chosen_causes.hidden,
		.causes_smaller = c->chosen_causes.smaller,
		.smaller_delta = c->chosen_causes.smaller_delta,
		.depth = o->depth && comparison_knows_calls(c) && c->base.profile->has_calls &&
					 c->head.profile->has_calls
				 ? &c->depth
				 : NULL,
		.view = o->view,
		.events = c->shown.items,
		.nevents = c->shown.count,
		.sources = c->sources.items,
		.nsources = c->sources.count,
		.sources_hidden = c->sources_hidden,
		.instructions = c->instructions.items,
		.ninstructions = c->instructions.count,
		.instructions_hidden = c->instructions_hidden,
		.context = o->context,
		.with_source = c->with_source,
		.only_inclusive = c->only_inclusive,
	};
}

struct judged_bench comparison_judged(struct comparison *c, bool whole)
{
	const char *bench = comparison_bench_name(c);
	const bool gone = c->diff->options.missing == DIFF_NO_HEAD;
	return (struct judged_bench){ .judgement = &c->judging.judgement,
				      .name = bench,
				      .diff = c->judged ? c->judged : c->diff,
				      .whole = whole || !strchr(bench, '/'),
				      .heap = metric_is_heap(gone ? c->base.profile
								  : c->head.profile) };
}

enum ending comparison_ending(const struct comparison *c)
{
	return judging_ending(c->notices, &c->options->judging,
			      remarks_judge(&c->remarks, c->diff, &c->judging.judgement),
			      comparison_has_both(c) ? &c->environment : NULL, &c->base, &c->head,
			      c->options->warnings);
}

const char *comparison_bench_name(const struct comparison *c)
{
	const struct loaded *l = c->diff->options.missing == DIFF_NO_HEAD ? &c->base : &c->head;
	const char *bench = cg_desc_value(l->profile, SUBJECT_PREFIX "benchmark");
	const char *slash = baseline_is_operand(l->name) ? strchr(l->name, '/') : NULL;
	return c->options->judging.benchmark ? c->options->judging.benchmark
	       : bench                       ? bench
	       : c->called                   ? c->called
	       : slash                       ? slash + 1
					     : l->name;
}
