#include "src/commits/revision_ahead.h"

#include <stdio.h>
#include <stdlib.h>

#include "src/commits/revision_build.h"
#include "src/commits/revision_find.h"
#include "src/commits/revision_key.h"
#include "src/commits/revision_plan.h"
#include "src/commits/revision_results.h"
#include "src/commits/unchanged.h"
#include "src/store/cache.h"

/* Benchmarks to be measured, one per job, with the names and keys of their entries. */
struct ahead {
	const struct config_benchmark **benchmarks;
	char **names, **texts;
	struct unchanged_inputs *inputs;
	size_t count;
	struct jobs *jobs;
};

static void free_one_ahead(struct ahead *a, size_t i)
{
	free(a->names[i]);
	free(a->texts[i]);
	unchanged_free(&a->inputs[i]);
}

static void free_ahead(struct ahead *a)
{
	for (size_t i = 0; i < a->count; i++)
		free_one_ahead(a, i);
	free(a->benchmarks);
	free(a->inputs);
	free(a->names);
	free(a->texts);
	jobs_close(a->jobs);
}

/* Adds it if it is not in the cache and can be measured. */
static enum ending add_if_missing(struct build_area *w, struct revision *side,
				  const struct config_benchmark *b, struct ahead *a)
{
	struct cg_error err;
	struct path_list entries = { 0 };
	char *key, *text, *name = NULL;
	int status = revision_key(w, side, b, &key, &text, &err);
	if (status)
		return build_area_failed(w, w->project->notices, &err);

	status = revision_find_entries(w, side, b, key, text, &entries, &err);
	bool there = entries.count && (!w->options.fresh || revision_has_measured(side, &entries));
	enum ending ending = status ? notice_error(w->project->notices, &err) : ENDED_FINE;
	int refused = status || there ? ENDED_FINE : revision_check_command(w, b);
	if (refused)
		revision_lose(side, b, refused, &(struct measured){ 0 });
	else if (!status && !there &&
		 !(name = cache_name(b->name, side->commit.id, side->files.changed, key)))
		ending = build_area_nomem(w);
	if (name) {
		a->benchmarks[a->count] = b;
		a->names[a->count] = name;
		a->texts[a->count++] = text;
	} else {
		free(text);
	}
	path_list_free(&entries);
	free(key);
	return ending;
}

static enum ending list_missing(struct build_area *w, struct revision *side,
				const struct config_benchmark *const *benchmarks, size_t count,
				struct ahead *a)
{
	enum ending ending = ENDED_FINE;

	a->benchmarks = calloc(count + 1, sizeof *a->benchmarks);
	a->names = calloc(count + 1, sizeof *a->names);
	a->texts = calloc(count + 1, sizeof *a->texts);
	a->inputs = calloc(count + 1, sizeof *a->inputs);
	if (!a->benchmarks || !a->names || !a->texts || !a->inputs)
		return build_area_nomem(w);
	for (size_t i = 0; !ending && i < count; i++)
		ending = add_if_missing(w, side, benchmarks[i], a);
	return ending;
}

/* Whether it was measured with the same inputs, so that revision_measure finds it. */
static int find_unchanged_ahead(struct build_area *w, const struct revision *side, struct ahead *a,
				size_t i, bool *found, struct cg_error *err)
{
	struct path_list entries = { 0 };
	int status = unchanged_look(w, side, a->benchmarks[i], &a->inputs[i], err);

	if (!status && !w->options.fresh)
		status = unchanged_find(w, side, a->benchmarks[i], &a->inputs[i], &entries, err);
	*found = entries.count > 0;
	path_list_free(&entries);
	return status;
}

static int drop_unchanged(struct build_area *w, const struct revision *side, struct ahead *a,
			  struct cg_error *err)
{
	const size_t count = a->count;
	size_t kept = 0;
	int status = CG_OK;

	for (size_t i = 0; i < count; i++) {
		bool found = false;
		if (!status)
			status = find_unchanged_ahead(w, side, a, i, &found, err);
		if (found) {
			free_one_ahead(a, i);
			continue;
		}
		a->benchmarks[kept] = a->benchmarks[i];
		a->names[kept] = a->names[i];
		a->texts[kept] = a->texts[i];
		a->inputs[kept++] = a->inputs[i];
	}
	a->count = kept;
	return status;
}

static int add_jobs(struct build_area *w, const struct revision *side, struct ahead *a,
		    struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < a->count; i++) {
		struct revision_plan p;
		const struct config_benchmark *b = a->benchmarks[i];
		char *about = NULL;
		status = revision_plan_entry(w, side, b, a->names[i], a->texts[i], &p, err);
		if (!status && asprintf(&about, "%s of %s", b->name, side->name) < 0)
			status = cg_fail_nomem(err);
		if (!status)
			status = jobs_add(a->jobs, &p.m, about,
					  cache_seconds(w->project->root, b->name), err);
		free(about);
		revision_plan_free(&p);
	}
	return status;
}

static enum ending take_result(struct build_area *w, struct revision *side, const struct ahead *a,
			       size_t i)
{
	struct cg_error err;
	struct path_list entries = { 0 };
	bool whole;
	enum ending ending = jobs_ending(a->jobs, i);

	if (ending) {
		struct measured measured = { 0 };
		jobs_take_measured(a->jobs, i, &measured);
		ending = revision_judge_failure(w, side, &measured, ending);
		revision_lose(side, a->benchmarks[i], ending, &measured);
		measured_free(&measured);
		return ENDED_FINE;
	}
	if (revision_list_entries(w, a->benchmarks[i], a->names[i], &entries, &whole, &err) ||
	    unchanged_remember(w, a->benchmarks[i], &a->inputs[i], &entries, &err))
		ending = notice_error(w->project->notices, &err);
	for (size_t k = 0; !ending && k < entries.count; k++)
		if (revision_remember(side, entries.paths[k]))
			ending = build_area_nomem(w);
	path_list_free(&entries);
	return ending;
}

static enum ending measure_missing(struct build_area *w, struct revision *side, struct ahead *a)
{
	struct cg_error err;
	if (jobs_open(w->project->root, &w->options.jobs, &a->jobs, &err))
		return notice_error(w->project->notices, &err);
	enum ending ending = revision_make(w, side);
	if (ending) /* revision_measure reports it again */
		return ending_is_signal(ending) ? ending : ENDED_FINE;
	if (drop_unchanged(w, side, a, &err) || add_jobs(w, side, a, &err))
		return notice_error(w->project->notices, &err);
	ending = jobs_run(a->jobs, &w->interrupts);
	for (size_t i = 0; !ending && i < a->count; i++)
		ending = take_result(w, side, a, i);
	return ending;
}

enum ending revision_measure_ahead(struct build_area *w, struct revision *side,
				   const struct config_benchmark *const *benchmarks, size_t count)
{
	struct ahead a = { 0 };
	if (!jobs_are_wanted(&w->options.jobs, count))
		return ENDED_FINE;
	enum ending ending = list_missing(w, side, benchmarks, count, &a);
	if (!ending && jobs_are_wanted(&w->options.jobs, a.count))
		ending = measure_missing(w, side, &a);
	free_ahead(&a);
	return ending;
}
