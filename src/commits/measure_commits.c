#include "src/commits/measure_commits.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/commits/alike.h"
#include "src/commits/new_commits.h"
#include "src/commits/revision_ahead.h"
#include "src/commits/revision_measure.h"
#include "src/commits/revision_results.h"
#include "src/measure/plan.h"
#include "src/status/ending.h"
#include "src/status/notice.h"
#include "src/status/progress.h"
#include "src/store/cache.h"

static int find_benchmark_to_measure(const struct project *project, const char *name,
				     const struct config_benchmark **out, struct cg_error *err)
{
	*out = project->config ? config_benchmark(project->config, name) : NULL;
	return *out ? CG_OK : no_benchmark(project->config, name, err);
}

/* ---- one commit ----------------------------------------------------------- */

static int add_entry_of_bench(const struct build_area *w, const char *entry,
			      struct path_list *benches, struct path_list *operands,
			      struct cg_error *err)
{
	char *operand = NULL, *name = cache_benchmark(entry);
	int status = name ? path_list_add(benches, name, err) : cg_fail_nomem(err);

	if (!status)
		status = cache_operand(w->project->root, entry, &operand, err);
	if (!status)
		status = path_list_add(operands, operand, err);
	free(operand);
	free(name);
	return status;
}

/* Measures all cases of a benchmark, unless the name is that of one. */
static enum ending measure_wanted(struct build_area *w, struct revision *side, const char *name,
				  struct path_list *benches, struct path_list *operands)
{
	const struct config_benchmark *b;
	struct path_list entries = { 0 };
	struct cg_error err;
	char *entry;

	if (find_benchmark_to_measure(w->project, name, &b, &err))
		return notice_error(w->project->notices, &err);
	enum ending ending = strchr(name, '/') ? revision_measure_one(w, side, b, name, &entry)
					       : revision_measure(w, side, b, &entries);
	if (!ending && strchr(name, '/')) {
		if (path_list_add(&entries, entry, &err))
			ending = notice_error(w->project->notices, &err);
		free(entry);
	}
	for (size_t i = 0; !ending && i < entries.count; i++)
		if (add_entry_of_bench(w, entries.paths[i], benches, operands, &err))
			ending = notice_error(w->project->notices, &err);
	path_list_free(&entries);
	return ending;
}

enum ending measure_at(const struct project *project, const char *ref,
		       const struct path_list *wanted, const struct build_area_options *options,
		       struct path_list *benches, struct path_list *operands)
{
	struct build_area w;
	struct revision side = { 0 };
	struct cg_error err;
	char *id = NULL;
	int status = build_area_open(&w, project, options, &err);

	if (!status)
		status = git_resolve(w.git, ref, &id, &err);
	if (!status)
		status = revision_of_commit(&w, ref, id, &side, &err);
	enum ending ending = status ? build_area_failed(&w, project->notices, &err) : ENDED_FINE;
	for (size_t i = 0; !ending && i < wanted->count; i++)
		ending = measure_wanted(&w, &side, wanted->paths[i], benches, operands);
	free(id);
	build_area_leave(&w, &side);
	revision_free(&side);
	build_area_close(&w);
	return ending;
}

/* ---- a range -------------------------------------------------------------- */

static int empty_range(const char *range, const char *last, const char *first, struct cg_error *err)
{
	return cg_fail(err, CG_EINVAL, NULL, 0,
		       "the range '%s' is empty: %s is not later than %s; did you mean '%s..%s'?",
		       range, last, first, last, first);
}

/* Git runs at the top, and takes absolute paths, too. What has magic, ":!x", is relative to the
 * top. */
static int add_changed_paths(const char *const *paths, struct strings *args, struct cg_error *err)
{
	char *here = getcwd(NULL, 0);
	int status = here ? strings_add(args, "--", err)
			  : cg_fail(err, CG_EIO, NULL, 0, "cannot find the current directory: %s",
				    strerror(errno));

	for (; !status && *paths; paths++) {
		char *whole;
		if (**paths == '/' || **paths == ':')
			status = strings_add(args, *paths, err);
		else if (asprintf(&whole, "%s/%s", here, *paths) < 0)
			status = cg_fail_nomem(err);
		else {
			status = strings_add(args, whole, err);
			free(whole);
		}
	}
	free(here);
	return status;
}

/* The commits after `first` up to `last` that change one of the paths. */
static int list_commits_between(const struct git *git, const char *first, const char *last,
				const char *const *paths, struct strings *out, struct cg_error *err)
{
	struct strings args = { 0 };
	char *without = NULL;
	int status = asprintf(&without, "^%s", first) < 0 ? cg_fail_nomem(err) : CG_OK;

	if (!status)
		status = strings_add(&args, "--first-parent", err);
	if (!status)
		status = strings_add(&args, last, err);
	if (!status)
		status = strings_add(&args, without, err);
	if (!status && paths && *paths)
		status = add_changed_paths(paths, &args, err);
	if (!status)
		status = git_list(git, (const char *const *)args.items, out, err);
	free(without);
	strings_free(&args);
	return status;
}

/* None is listed: tells a range without commits from one whose commits change no path. */
static int check_any_commit(const struct git *git, const struct wanted_range *wanted,
			    const char *first, const char *last, struct cg_error *err)
{
	const char *range = wanted->text, *dots = strstr(range, "..");
	const size_t len = dots ? (size_t)(dots - range) : strlen(range);
	struct strings all = { 0 };
	char *from = len ? strndup(range, len) : strdup("HEAD");
	int status = from ? list_commits_between(git, first, last, NULL, &all, err)
			  : cg_fail_nomem(err);

	if (!status && all.count)
		status = cg_fail(err, CG_EINVAL, NULL, 0,
				 "no commit of the range '%s' changes %s%s", range,
				 wanted->paths[0], wanted->paths[1] ? " or the other paths" : "");
	else if (!status && strcmp(first, last) != 0)
		status = empty_range(range, dots && dots[2] ? dots + 2 : "HEAD", from, err);
	strings_free(&all);
	free(from);
	return status;
}

/* "A..B" as two ids that git is given. */
static int list_commits_of_range(const struct git *git, const struct wanted_range *wanted,
				 struct strings *out, struct cg_error *err)
{
	char *from = strdup(wanted->text), *dots = from ? strstr(from, "..") : NULL;
	char *first = NULL, *last = NULL;
	if (!from)
		return cg_fail_nomem(err);
	if (dots)
		*dots = '\0';
	int status = git_resolve(git, *from ? from : "HEAD", &first, err);
	if (!status)
		status = git_resolve(git, dots && dots[2] ? dots + 2 : "HEAD", &last, err);
	if (!status)
		status = list_commits_between(git, first, last, wanted->paths, out, err);
	if (!status && !out->count)
		status = check_any_commit(git, wanted, first, last, err);
	if (!status)
		status = strings_add(out, first, err); /* what the first change is held against */
	free(from);
	free(first);
	free(last);
	return status;
}

/* The commits that are not in the history yet. */
static int list_wanted_new(const struct build_area *w, const struct wanted_range *wanted,
			   const char *bench, struct strings *out, struct cg_error *err)
{
	struct strings paths = { 0 };
	int status = wanted->paths && *wanted->paths ? add_changed_paths(wanted->paths, &paths, err)
						     : CG_OK;
	const struct wanted_new new = { bench, (const char *const *)paths.items, wanted->newest };

	if (!status)
		status = list_new_commits(w->git, w->project, &new, out, err);
	strings_free(&paths);
	return status;
}

struct counting {
	size_t benches, heaps;           /* of each commit */
	size_t measured, known, skipped; /* known: from the cache */
	size_t same;                     /* not run (same_run.h) */
	size_t left;                     /* commits that were not tried */
};

static void count_benches(const struct config *config, struct counting *counting)
{
	counting->benches = config->benchmark_count;
	for (size_t i = 0; i < config->benchmark_count; i++)
		counting->heaps += config_benchmark_counts_heap(&config->benchmarks[i]);
}

static enum ending measure_commit_ahead(struct build_area *w, struct revision *side,
					const char *bench)
{
	const struct config *config = w->project->config;
	const struct config_benchmark **all = calloc(config->benchmark_count + 1, sizeof *all);
	size_t count = 0;

	for (size_t i = 0; all && i < config->benchmark_count; i++)
		if (!bench || config_benchmark(config, bench) == &config->benchmarks[i])
			all[count++] = &config->benchmarks[i];
	enum ending ending = revision_measure_ahead(w, &(struct ahead_side){ side, all, count }, 1);
	free(all);
	return ending;
}

/* Counts failures; returns another exit code than 0 only after a signal. */
static enum ending count_benchmark(struct build_area *w, struct revision *side,
				   const struct config_benchmark *b, struct counting *counting)
{
	struct path_list entries = { 0 };
	enum ending code = revision_measure(w, side, b, &entries);

	if (code == ENDED_FINE && revision_has_measured(side, &entries))
		counting->measured++;
	else if (code == ENDED_FINE && path_list_has(&side->not_run, b->name))
		counting->same++;
	else if (code == ENDED_FINE)
		counting->known++;
	else if (!ending_is_signal(code))
		counting->skipped++;
	path_list_free(&entries);
	return ending_is_signal(code) ? code : ENDED_FINE;
}

static enum ending measure_side(struct build_area *w, const char *id, const char *bench,
				struct alike *alike, struct counting *counting)
{
	const struct config *config = w->project->config;
	const size_t skipped = counting->skipped;
	struct revision side;
	struct cg_error err;
	char name[GIT_ID_SHORT + 1];

	snprintf(name, sizeof name, "%s", id);
	int status = revision_of_commit(w, name, id, &side, &err);
	enum ending ending = status ? build_area_failed(w, w->project->notices, &err) : ENDED_FINE;
	if (!ending)
		ending = measure_commit_ahead(w, &side, bench);
	for (size_t i = 0; !ending && i < config->benchmark_count; i++) {
		const struct config_benchmark *b = &config->benchmarks[i];
		if (bench && config_benchmark(config, bench) != b)
			continue;
		ending = count_benchmark(w, &side, b, counting);
	}
	alike_end(alike, side.commit.subject, counting->skipped > skipped);
	build_area_leave(w, &side);
	revision_free(&side);
	return ending;
}

/* Where no progress is shown, as in the log of a CI job, a commit that was built or measured gets a
 * line: many minutes may lie between them. Failures have messages of their own. */
static void tell_commit(const struct notices *n, const char *id, size_t i, size_t count,
			const struct counting *before, const struct counting *now)
{
	const struct {
		const char *what;
		size_t count;
	} parts[] = {
		{ "measured", now->measured - before->measured },
		{ "not run", now->same - before->same },
		{ "already known", now->known - before->known },
		{ "skipped", now->skipped - before->skipped },
	};
	struct notice m;
	bool any = false;

	if (count < 2 || progress_is_watched(n) || !(parts[0].count + parts[1].count))
		return;
	notice_begin(&m, n, NOTICE_MESSAGE);
	fprintf(m.to, "commit %zu of %zu, %.*s: ", i + 1, count, GIT_ID_SHORT, id);
	for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
		if (parts[k].count) {
			fprintf(m.to, "%s%zu %s", any ? ", " : "", parts[k].count, parts[k].what);
			any = true;
		}
	notice_end(&m);
}

/* On standard error, which need be no terminal: it takes long. */
static void sum_up_commits(const struct notices *n, const struct counting *counting,
			   bool interrupted, const struct build_area_options *o)
{
	char same[80] = "", of[160] = "", heaps[80] = "";

	if (counting->same)
		snprintf(same, sizeof same, "%zu not run, as no file that they use has changed, ",
			 counting->same);

	if (counting->benches > 1 && counting->heaps)
		snprintf(heaps, sizeof heaps, ", %zu of them with %s", counting->heaps,
			 counting->heaps == 1 ? "its heap" : "their heaps");
	if (counting->benches > 1)
		snprintf(of, sizeof of, "; each commit has %zu benchmarks%s", counting->benches,
			 heaps);
	if (!o->quiet)
		notice_message(n, "%zu measured, %s%zu already known, %zu skipped%s",
			       counting->measured, same, counting->known, counting->skipped, of);
	if (counting->left)
		notice_message(
			n,
			"stopped, as the first commits all failed in the same way: %zu more %s "
			"not tried; start the range where it is built and measured in another "
			"way, or mend build: in " CONFIG_NAME,
			counting->left, counting->left == 1 ? "was" : "were");
	if (interrupted)
		notice_message(n, "interrupted; run the same command again to continue");
}

/* Measures commits, the newest first. Stops if the first ones all fail in the same way, as the
 * others probably would, too. */
static enum ending measure_commits(struct build_area *w, const struct strings *commits,
				   const char *bench, struct alike *alike,
				   struct counting *counting)
{
	enum { ALIKE_MOST = 10 };
	enum ending ending = ENDED_FINE;

	for (size_t i = 0; !ending && i < commits->count; i++) {
		const struct counting before = *counting;
		ending = measure_side(w, commits->items[i], bench, alike, counting);
		if (!ending && !w->options.quiet)
			tell_commit(alike->outer, commits->items[i], i, commits->count, &before,
				    counting);
		if (!ending && i + 1 == ALIKE_MOST && alike->failed == ALIKE_MOST &&
		    !counting->measured && !counting->same && !counting->known) {
			counting->left = commits->count - ALIKE_MOST;
			break;
		}
	}
	return ending;
}

enum ending measure_range(const struct project *user, const struct wanted_range *wanted,
			  const char *bench, const struct build_area_options *options)
{
	struct alike alike;
	struct project watched = *user, *project = &watched;
	struct build_area w = { 0 };
	struct strings commits = { 0 };
	struct counting counting = { 0 };
	const struct config_benchmark *b;
	const bool is_new = strcmp(wanted->text, WANTED_NEW) == 0;
	struct cg_error err;
	int status = CG_OK;

	alike_init(&alike, user->notices);
	project->notices = &alike.notices;
	if (!project->config || bench)
		status = find_benchmark_to_measure(project, bench ? bench : "", &b, &err);
	if (!status)
		status = build_area_open(&w, project, options, &err);
	if (!status)
		status = is_new ? list_wanted_new(&w, wanted, bench, &commits, &err)
				: list_commits_of_range(w.git, wanted, &commits, &err);
	enum ending ending = status ? build_area_failed(&w, project->notices, &err) : ENDED_FINE;
	if (!status && !bench)
		count_benches(project->config, &counting);
	if (!ending)
		ending = measure_commits(&w, &commits, bench, &alike, &counting);
	build_area_close(&w);
	alike_free(&alike);
	const bool nothing = !commits.count && is_new;
	if (commits.count && !status)
		sum_up_commits(user->notices, &counting, ending_is_signal(ending), options);
	strings_free(&commits);
	if (ending || nothing)
		return ending;
	return counting.measured || counting.same || counting.known ? ENDED_FINE
								    : ENDED_BENCHMARK_FAILED;
}
