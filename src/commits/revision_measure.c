#include "src/commits/revision_measure.h"

#include <stdlib.h>
#include <string.h>

#include "src/commits/key_text.h"
#include "src/commits/other_key.h"
#include "src/commits/revision_build.h"
#include "src/commits/revision_find.h"
#include "src/commits/revision_key.h"
#include "src/commits/revision_plan.h"
#include "src/commits/revision_results.h"
#include "src/commits/same_run.h"
#include "src/measure/measure.h"
#include "src/record/record_run.h"
#include "src/store/cache.h"
#include "src/text/suggest.h"
#include "src/text/text.h"

/* A commit that was built by --build, or without some of its files, is not for the history; neither
 * is a command of the command line. */
static bool is_for_history(const struct build_area *w, const struct revision *side,
			   const struct config_benchmark *b)
{
	return !side->files.changed && !side->gaps && !w->options.build && b->line &&
	       !b->unrecorded;
}

static enum ending measure_entry(struct build_area *w, struct revision *side,
				 const struct config_benchmark *b, bool again, const char *name,
				 const char *text)
{
	void (*const record)(const struct notices *, const char *, const struct cg_profile *,
			     int64_t) = again ? record_repeat : record_run;
	struct revision_plan p;
	struct measured measured = { 0 };
	struct cg_error err;
	int status = revision_plan_entry(w, side, b, name, text, &p, &err);

	enum ending ending = status ? notice_error(w->project->notices, &err)
				    : measure(&p.m, &measured);
	for (size_t i = 0; i < measured.count && is_for_history(w, side, b); i++)
		record(w->project->notices, w->project->root, measured.items[i].profile,
		       cache_measured(w->project->root, measured.items[i].label));
	int judged = revision_judge_failure(w, side, b, &measured, ending);
	if (measured.lost.count)
		revision_lose(side, b, ending, &measured);
	measured_free(&measured);
	revision_plan_free(&p);
	return judged;
}

/* Measures, keeps the profile as `name`, instead of one that has that name, and appends its
 * entries. */
static enum ending measure_entries(struct build_area *w, struct revision *side,
				   const struct config_benchmark *b, bool again, const char *name,
				   const char *text, struct path_list *entries)
{
	struct cg_error err;
	bool whole;
	enum ending ending = measure_entry(w, side, b, again, name, text);

	if (!ending && revision_list_entries(w, b, name, entries, &whole, &err))
		ending = notice_error(w->project->notices, &err);
	for (size_t i = 0; !ending && i < entries->count; i++)
		if (revision_remember(side, entries->paths[i]))
			ending = build_area_nomem(w);
	return ending;
}

/* The profile records whether files were missing when it was measured. */
static void remember_found(struct build_area *w, const struct revision *side,
			   const struct config_benchmark *b, const struct path_list *entries)
{
	char definition[HISTORY_DIGEST];

	if (!is_for_history(w, side, b) || definition_of(b, definition, NULL))
		return;
	for (size_t i = 0; i < entries->count; i++)
		record_later(&w->found, entries->paths[i], definition, side->commit.id,
			     cache_is_same_run(w->project->root, entries->paths[i]));
}

static int take_same_run(struct build_area *w, struct revision *side,
			 const struct config_benchmark *b, const char *name, const char *text,
			 struct path_list *entries, struct cg_error *err)
{
	int status = same_run_share(w, side, b, name, text, entries, err);

	if (!status && !path_list_has(&side->not_run, b->name))
		status = path_list_add(&side->not_run, b->name, err);
	if (!status)
		remember_found(w, side, b, entries);
	return status;
}

/* Finds the entries of an earlier run that would be the same, and makes them those of this one. */
static enum ending find_same_run(struct build_area *w, struct revision *side,
				 const struct config_benchmark *b, const char *key,
				 const char *text, struct path_list *entries)
{
	struct cg_error err;
	char *name = NULL;
	int status = same_run_find(w, side, b, text, entries, &err);

	if (!status && entries->count) {
		name = cache_name(b->name, side->commit.id, side->files.changed, key);
		status = name ? take_same_run(w, side, b, name, text, entries, &err)
			      : cg_fail_nomem(&err);
	}
	free(name);
	return status ? notice_error(w->project->notices, &err) : ENDED_FINE;
}

/* Whether what is in the cache is good enough. */
enum cache_use { CACHE_TAKEN, CACHE_OF_THIS_RUN, CACHE_REPLACED };

/* Measures where it was built, unless an earlier run was the same. */
static enum ending make_entries(struct build_area *w, struct revision *side,
				const struct config_benchmark *b, enum cache_use use,
				const char *key, const char *text, struct path_list *entries)
{
	enum ending ending = use == CACHE_TAKEN ? find_same_run(w, side, b, key, text, entries)
						: ENDED_FINE;
	if (ending || entries->count)
		return ending;
	char *name = cache_name(b->name, side->commit.id, side->files.changed, key);
	ending = name ? measure_entries(w, side, b, use == CACHE_REPLACED, name, text, entries)
		      : build_area_nomem(w);
	free(name);
	return ending;
}

static enum ending add_measured_entries(const struct notices *n, const struct path_list *entries,
					struct path_list *out)
{
	struct cg_error err;
	int status = CG_OK;

	for (size_t i = 0; !status && out && i < entries->count; i++)
		status = path_list_add(out, entries->paths[i], &err);
	return status ? notice_error(n, &err) : ENDED_FINE;
}

/* What is left of it. */
static enum ending give_loss(const struct build_area *w, const struct revision_loss *loss,
			     struct path_list *out)
{
	enum ending ending = add_measured_entries(w->project->notices, &loss->entries, out);
	return ending ? ending : loss->ending;
}

/* The entry has the counts of all files of the revision, and those now would be others. */
static enum ending fail_files_are_gone(const struct build_area *w, const struct revision *side,
				       const struct config_benchmark *b)
{
	notice_message(
		w->project->notices,
		"%s of %s was measured with all files of the commit, and cannot be measured again without some of them",
		b->name, side->name);
	return ENDED_BENCHMARK_FAILED;
}

/* Builds it and measures there. *other: files are missing, as is known only now, and so the key is
 * another one. */
static enum ending build_entries(struct build_area *w, struct revision *side,
				 const struct config_benchmark *b, enum cache_use use,
				 const char *key, const char *text, struct path_list *entries,
				 bool *other)
{
	const bool knew = side->gaps != NULL;
	enum ending ending = revision_make(w, side);

	*other = !ending && side->gaps && !knew;
	if (!ending && !*other && revision_lose_new(w, side, b))
		return ENDED_BENCHMARK_FAILED;
	return ending || *other ? ending : make_entries(w, side, b, use, key, text, entries);
}

/* The same, unless an earlier run is known to be the same without a build. */
static enum ending make_unless_same(struct build_area *w, struct revision *side,
				    const struct config_benchmark *b, enum cache_use use,
				    const char *key, const char *text, struct path_list *entries,
				    bool *other)
{
	enum ending ending = revision_check_command(w, b);

	if (!ending && use == CACHE_TAKEN && !revision_is_made(w, side))
		ending = find_same_run(w, side, b, key, text, entries);
	if (!ending && use == CACHE_TAKEN && !entries->count)
		other_key_tell(w, side, b, text);
	return ending || entries->count ? ending
					: build_entries(w, side, b, use, key, text, entries, other);
}

/* `out` NULL: the entry is to be replaced by one of the same name. */
static enum ending find_or_make(struct build_area *w, struct revision *side,
				const struct config_benchmark *b, enum cache_use use,
				struct path_list *out)
{
	bool again = false;
	struct cg_error err;
	struct path_list entries = { 0 };
	char *key, *text;
	const struct revision_loss *loss = revision_find_loss(side, b);
	enum ending ending = ENDED_FINE;
	if (loss)
		return give_loss(w, loss, out);
	int status = revision_key(w, side, b, &key, &text, &err);
	if (status)
		return build_area_failed(w, w->project->notices, &err);

	status = revision_find_entries(w, side, b, key, text, &entries, &err);
	if (status) {
		ending = notice_error(w->project->notices, &err);
	} else if (!entries.count || use == CACHE_REPLACED ||
		   (use == CACHE_OF_THIS_RUN && !revision_has_measured(side, &entries))) {
		const bool was_there = entries.count > 0;
		path_list_free(&entries);
		ending = make_unless_same(w, side, b, use, key, text, &entries, &again);
		if (again && was_there && !out)
			ending = fail_files_are_gone(w, side, b);
	} else {
		remember_found(w, side, b, &entries);
	}
	if (!ending)
		ending = add_measured_entries(w->project->notices, &entries, out);
	else if ((loss = revision_find_loss(side, b)))
		ending = give_loss(w, loss, out);
	path_list_free(&entries);
	free(key);
	free(text);
	return again && !ending ? find_or_make(w, side, b, use, out) : ending;
}

enum ending revision_measure(struct build_area *w, struct revision *side,
			     const struct config_benchmark *benchmark, struct path_list *entries)
{
	return find_or_make(w, side, benchmark, w->options.fresh ? CACHE_OF_THIS_RUN : CACHE_TAKEN,
			    entries);
}

enum ending revision_measure_again(struct build_area *w, struct revision *side,
				   const struct config_benchmark *benchmark)
{
	const struct revision_loss *loss = revision_find_loss(side, benchmark);
	/* Losses were found by this command, as were the entries that they have. */
	enum ending ending = loss && loss->entries.count
				     ? ENDED_FINE
				     : find_or_make(w, side, benchmark, CACHE_OF_THIS_RUN, NULL);

	loss = revision_find_loss(side, benchmark);
	return loss && loss->entries.count && !ending_is_signal(ending) ? ENDED_FINE : ending;
}

enum ending revision_repeat(struct build_area *w, struct revision *side,
			    const struct config_benchmark *benchmark)
{
	return find_or_make(w, side, benchmark, CACHE_REPLACED, NULL);
}

static enum ending fail_no_case_of_revision(const struct notices *n, const struct revision *side,
					    const char *name, const struct path_list *entries)
{
	struct cg_error err;
	struct path_list names = { 0 };
	char *known = NULL;
	int status = CG_OK;

	for (size_t i = 0; !status && i < entries->count; i++) {
		char *of = cache_benchmark(entries->paths[i]);
		status = of ? path_list_add(&names, of, &err) : cg_fail_nomem(&err);
		free(of);
	}
	if (!status && !(known = suggest_known(name, (const char *const *)names.paths, names.count,
					       "irdiff cache list")))
		status = cg_fail_nomem(&err);
	if (!status)
		cg_fail(&err, CG_EINVAL, NULL, 0, "no benchmark or case '%s' in %s%s", name,
			side->name, known);
	free(known);
	path_list_free(&names);
	return notice_error(n, &err);
}

enum ending revision_measure_one(struct build_area *w, struct revision *side,
				 const struct config_benchmark *benchmark, const char *name,
				 char **entry)
{
	struct path_list entries = { 0 };

	w->options.only = strchr(name, '/') ? name : NULL;
	enum ending ending = revision_measure(w, side, benchmark, &entries);
	w->options.only = NULL;
	*entry = NULL;
	for (size_t i = 0; !*entry && i < entries.count; i++) {
		char *of = cache_benchmark(entries.paths[i]);
		if (of && strcmp(of, name) == 0)
			ending = (*entry = strdup(entries.paths[i])) ? ENDED_FINE
								     : build_area_nomem(w);
		free(of);
	}
	if (!ending && !*entry)
		ending = fail_no_case_of_revision(w->project->notices, side, name, &entries);
	path_list_free(&entries);
	return ending;
}
