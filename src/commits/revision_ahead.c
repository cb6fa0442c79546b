#include "src/commits/revision_ahead.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/grow.h"
#include "src/commits/other_key.h"
#include "src/commits/revision_build.h"
#include "src/commits/revision_find.h"
#include "src/commits/revision_key.h"
#include "src/commits/revision_plan.h"
#include "src/commits/revision_results.h"
#include "src/commits/same_run.h"
#include "src/store/cache.h"

/* A benchmark to be measured by a job, with the name and the key of its entry. */
struct ahead_item {
	struct revision *side;
	const struct config_benchmark *benchmark;
	char *name, *text;
	bool knew_gaps; /* the key has which files are missing */
	bool has_job;   /* if not, revision_measure finds it … */
	size_t job;     /* … by the result of this one, or of an older one */
};

/* Those of a side follow each other. */
struct ahead {
	struct ahead_item *items;
	size_t count, cap, jobs_count;
	struct jobs *jobs;
	struct path_list cached;      /* names of what is in the cache before */
	const struct revision *alone; /* beside which there was no space for another side */
};

static void free_ahead(struct ahead *a)
{
	for (size_t i = 0; i < a->count; i++) {
		free(a->items[i].name);
		free(a->items[i].text);
	}
	free(a->items);
	path_list_free(&a->cached);
	jobs_close(a->jobs);
}

/* Whether it need not run. */
static int find_same_run_ahead(struct build_area *w, const struct revision *side,
			       const struct config_benchmark *b, const char *text, bool *found,
			       struct cg_error *err)
{
	struct path_list entries = { 0 };

	if (w->options.fresh)
		return CG_OK;
	int status = same_run_find(w, side, b, text, &entries, err);
	*found = entries.count > 0;
	path_list_free(&entries);
	return status;
}

/* Adds it if it is not in the cache and can be measured. This command may have tried before. */
static enum ending add_if_missing(struct build_area *w, struct revision *side,
				  const struct config_benchmark *b, struct ahead *a)
{
	struct cg_error err;
	struct path_list entries = { 0 };
	char *key, *text, *name = NULL;

	if (revision_find_loss(side, b))
		return ENDED_FINE;
	int status = revision_key(w, side, b, &key, &text, &err);
	if (status)
		return build_area_failed(w, w->project->notices, &err);

	status = revision_find_entries(w, side, b, key, text, &entries, &err);
	bool there = entries.count && (!w->options.fresh || revision_has_measured(side, &entries));
	if (!status && !there)
		status = find_same_run_ahead(w, side, b, text, &there, &err);
	if (!status && !there && !w->options.fresh)
		other_key_tell(w, side, b, text);
	enum ending ending = status ? notice_error(w->project->notices, &err) : ENDED_FINE;
	int refused = status || there ? ENDED_FINE : revision_check_command(w, b);
	if (refused)
		revision_lose(side, b, refused, &(struct measured){ 0 });
	else if (!status && !there &&
		 (cg_grow(&a->items, &a->cap, a->count + 1, sizeof *a->items) ||
		  !(name = cache_name(b->name, side->commit.id, side->files.changed, key))))
		ending = build_area_nomem(w);
	if (name)
		a->items[a->count++] = (struct ahead_item){
			.side = side,
			.benchmark = b,
			.name = name,
			.text = text,
			.knew_gaps = side->gaps != NULL,
		};
	else
		free(text);
	path_list_free(&entries);
	free(key);
	return ending;
}

static enum ending list_missing(struct build_area *w, const struct ahead_side *s, struct ahead *a)
{
	enum ending ending = ENDED_FINE;

	for (size_t i = 0; !ending && i < s->count; i++)
		ending = add_if_missing(w, s->side, s->benchmarks[i], a);
	return ending;
}

/* Files are missing, as is known only where the side was built: so its key is another one, of which
 * the cache may have an entry. */
static int find_with_gaps(struct build_area *w, struct ahead_item *item, bool *found,
			  struct cg_error *err)
{
	struct revision *side = item->side;
	struct path_list entries = { 0 };
	char *key, *text;

	if (!side->gaps || item->knew_gaps)
		return CG_OK;
	int status = revision_key(w, side, item->benchmark, &key, &text, err);
	if (status)
		return status;
	free(item->name);
	free(item->text);
	item->text = text;
	item->knew_gaps = true;
	item->name = cache_name(item->benchmark->name, side->commit.id, side->files.changed, key);
	status = item->name ? CG_OK : cg_fail_nomem(err);
	if (!status && !w->options.fresh)
		status = revision_find_entries(w, side, item->benchmark, key, text, &entries, err);
	*found = entries.count > 0;
	path_list_free(&entries);
	free(key);
	return status;
}

static int add_job(struct build_area *w, const struct ahead_item *item, struct ahead *a,
		   struct cg_error *err)
{
	struct revision_plan p;
	const char *bench = item->benchmark->name;
	char *about = NULL;
	int status = revision_plan_entry(w, item->side, item->benchmark, item->name, item->text, &p,
					 err);

	if (!status && asprintf(&about, "%s of %s", bench, item->side->name) < 0)
		status = cg_fail_nomem(err);
	if (!status)
		status = jobs_add(a->jobs, &p.m, about,
				  cache_last_run_among(w->project->root, &a->cached, bench), err);
	free(about);
	revision_plan_free(&p);
	return status;
}

static enum ending take_result(struct build_area *w, const struct ahead *a, size_t i)
{
	struct revision *side = a->items[i].side;
	const struct config_benchmark *b = a->items[i].benchmark;
	struct cg_error err;
	struct path_list entries = { 0 };
	bool whole;
	const size_t job = a->items[i].job;
	enum ending ending = jobs_ending(a->jobs, job);

	if (ending) {
		struct measured measured = { 0 };
		jobs_take_measured(a->jobs, job, &measured);
		ending = revision_judge_failure(w, side, b, &measured, ending);
		revision_lose(side, b, ending, &measured);
		measured_free(&measured);
		return ENDED_FINE;
	}
	if (revision_list_entries(w, b, a->items[i].name, &entries, &whole, &err))
		ending = notice_error(w->project->notices, &err);
	for (size_t k = 0; !ending && k < entries.count; k++)
		if (revision_remember(side, entries.paths[k]))
			ending = build_area_nomem(w);
	path_list_free(&entries);
	return ending;
}

/* Whether a side could not be built only because what was built of another one needs the space.
 * Then it is built once more, after that one was measured and removed. */
static bool lacks_space_beside(struct build_area *w, struct ahead *a, struct revision *side,
			       const struct revision *built)
{
	if (!built || built == side || !w->here.was_full)
		return false;
	build_area_leave(w, side);
	side->failed = ENDED_FINE;
	a->alone = built;
	notice_message(w->project->notices,
		       "%s is built again after %s has been measured and its files are removed",
		       side->name, built->name);
	return true;
}

/* Builds the sides of all items and adds the jobs. A side that cannot be built is left to
 * revision_measure, which fails for it, and so are those after it. */
static enum ending build_and_add(struct build_area *w, struct ahead *a)
{
	struct cg_error err;
	const struct revision *built = NULL;

	for (size_t i = 0; i < a->count; i++) {
		struct ahead_item *item = &a->items[i];
		if (built && item->side != built && !build_area_return(w, item->side) &&
		    !build_area_set_aside(w))
			break;
		enum ending ending = revision_make(w, item->side);
		if (ending && !ending_is_signal(ending) &&
		    lacks_space_beside(w, a, item->side, built))
			break;
		if (ending)
			return ending_is_signal(ending) ? ending : ENDED_FINE;
		built = item->side;
		bool found = false;
		int status = find_with_gaps(w, item, &found, &err);
		if (!status && !found)
			status = find_same_run_ahead(w, item->side, item->benchmark, item->text,
						     &found, &err);
		found = found || (!status && revision_lose_new(w, item->side, item->benchmark));
		if (!status && !found)
			status = add_job(w, item, a, &err);
		if (status)
			return notice_error(w->project->notices, &err);
		item->has_job = !found;
		item->job = a->jobs_count;
		a->jobs_count += !found;
	}
	return ENDED_FINE;
}

static enum ending measure_missing(struct build_area *w, struct ahead *a)
{
	struct cg_error err;

	if (cache_names_read(w->project->root, &a->cached, &err) ||
	    jobs_open(w->project->root, &w->options.jobs, &a->jobs, &err))
		return notice_error(w->project->notices, &err);
	enum ending ending = build_and_add(w, a);
	if (!ending)
		ending = jobs_run(a->jobs, &w->interrupts);
	for (size_t i = 0; !ending && i < a->count; i++)
		if (a->items[i].has_job)
			ending = take_result(w, a, i);
	if (a->alone)
		build_area_leave(w, a->alone);
	return ending;
}

static enum ending measure_sides(struct build_area *w, const struct ahead_side *sides, size_t count)
{
	struct ahead a = { 0 };
	enum ending ending = ENDED_FINE;

	/* What is measured of the first side may spare runs of the next. */
	for (size_t i = 0; !ending && i < count && a.count < jobs_at_once(&w->options.jobs); i++)
		ending = list_missing(w, &sides[i], &a);
	if (!ending && jobs_are_wanted(&w->options.jobs, a.count))
		ending = measure_missing(w, &a);
	free_ahead(&a);
	return ending;
}

enum ending revision_measure_ahead(struct build_area *w, const struct ahead_side *sides,
				   size_t count)
{
	size_t together = jobs_at_once(&w->options.jobs) > 1 ? count : 1, all = 0;

	for (size_t i = 0; i < together; i++)
		all += sides[i].count;
	return jobs_are_wanted(&w->options.jobs, all) ? measure_sides(w, sides, together)
						      : ENDED_FINE;
}
