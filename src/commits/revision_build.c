#include "src/commits/revision_build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/commits/copied_files.h"
#include "src/commits/kept_files.h"
#include "src/commits/key_text.h"
#include "src/commits/revision_key.h"
#include "src/run/build.h"
#include "src/status/ending.h"
#include "src/status/notice.h"
#include "src/status/progress.h"
#include "src/store/beneath.h"
#include "src/store/cache.h"
#include "src/text/text.h"

/* "building main (1a2b3c4d5e)", "building 1a2b3c4d5e" */
static struct progress *say_building(const struct build_area *w, const struct revision *side)
{
	bool is_id = revision_is_called_by_id(side);
	char *name;

	if (w->options.quiet ||
	    asprintf(&name, "%s%s%.*s%s", side->name, is_id ? "" : " (", is_id ? 0 : GIT_ID_SHORT,
		     side->commit.id, is_id ? "" : ")") < 0)
		return NULL;
	struct progress *p = progress_begin(w->project->notices, "building", name);
	free(name);
	return p;
}

static void mention_binaries(const struct notices *n, const struct snapshot *files)
{
	bool one = files->binaries == 1;
	struct notice m;

	notice_begin(&m, n, NOTICE_WARNING);
	fprintf(m.to, "not copying %zu untracked object file%s or archive%s of the work tree (",
		files->binaries, one ? "" : "s", one ? "" : "s");
	text_print_name(m.to, files->binary_file ? files->binary_file : "", 0);
	fprintf(m.to,
		"%s), which %s built elsewhere; list %s in copy: in " CONFIG_NAME
		", %s in .gitignore",
		one ? "" : " …", one ? "was" : "were", one ? "it" : "those that are needed",
		one ? "or, if it is not needed," : "and the others");
	notice_end(&m);
}

static void mention_pointers(const struct notices *n, const struct revision *side,
			     const struct strings *pointers)
{
	const bool one = pointers->count == 1;
	struct notice m;

	notice_begin(&m, n, NOTICE_WARNING);
	fprintf(m.to, "%zu file%s of %s (", pointers->count, one ? "" : "s", side->name);
	text_print_name(m.to, pointers->items[0], 0);
	fprintf(m.to, "%s) %s; run git lfs install and git lfs fetch origin %.*s", one ? "" : " …",
		one ? "is only a Git LFS pointer" : "are only Git LFS pointers", GIT_ID_SHORT,
		side->commit.id);
	notice_end(&m);
}

static void mention_gaps(const struct notices *n, const struct revision *side,
			 const struct snapshot_gaps *gaps)
{
	struct notice m;

	for (size_t i = 0; i < gaps->submodules.count; i++) {
		notice_begin(&m, n, NOTICE_WARNING);
		fputs("the submodule ", m.to);
		text_print_name(m.to, gaps->submodules.items[i], 0);
		fprintf(m.to,
			" of %s is not checked out here, so its files are missing; run git submodule update --init, or git fetch in it",
			side->name);
		notice_end(&m);
	}
	if (gaps->pointers.count)
		mention_pointers(n, side, &gaps->pointers);
	if (side->files.binaries)
		mention_binaries(n, &side->files);
}

char *revision_project_directory(const struct build_area *w)
{
	char *path;
	size_t len = strlen(w->git->prefix);
	if (asprintf(&path, "%s%s%.*s", w->here.slot.path, len ? "/" : "", len ? (int)len - 1 : 0,
		     w->git->prefix) < 0)
		return NULL;
	return path;
}

/* What is measured without these files is not what the commit counts. */
static int note_gaps(struct revision *side, const struct snapshot_gaps *gaps, struct cg_error *err)
{
	char *buffer = NULL, *text;
	size_t size;
	FILE *to = open_memstream(&buffer, &size);

	if (!to)
		return cg_fail_nomem(err);
	for (size_t i = 0; i < gaps->submodules.count; i++)
		key_put(to, "without", gaps->submodules.items[i]);
	if (gaps->pointers.count)
		key_put_number(to, "pointers", gaps->pointers.count);
	for (size_t i = 0; i < gaps->pointers.count; i++)
		key_put(to, "pointer", gaps->pointers.items[i]);
	int status = key_finish(to, &buffer, &text, err);
	if (status)
		return status;
	free(side->gaps);
	side->gaps = *text ? text : NULL;
	if (!side->gaps)
		free(text);
	return CG_OK;
}

static int write_revision_files(struct build_area *w, struct revision *side, struct cg_error *err)
{
	struct snapshot_gaps gaps = { 0 };
	char *directory = NULL;
	int status = build_area_take_place(w, side, err);

	if (!status)
		status = snapshot_write(w->git, &side->files, w->here.slot.path, &gaps, err);
	if (!status && !(directory = revision_project_directory(w)))
		status = cg_fail_nomem(err);
	if (!status && !path_stays_below(w->here.slot.path, w->git->prefix))
		status = cg_fail(err, CG_EINVAL, NULL, 0,
				 "the project's directory is a symbolic link in %s", side->name);
	if (!status)
		status = make_directories(directory, err);
	if (!status)
		status = copied_files_put(w, directory, side->name, side->files.changed, err);
	if (!status)
		status = kept_files_bring(w, side, directory, err);
	if (!status && !side->written)
		mention_gaps(w->project->notices, side, &gaps);
	if (!status)
		status = note_gaps(side, &gaps, err);
	side->written = side->written || !status;
	snapshot_gaps_free(&gaps);
	free(directory);
	return status;
}

/* Reports how the build failed. Later searches find its log, unless a signal killed the build,
 * which may not be its own fault. */
static enum ending report_failed_build(const struct notices *n, const char *root,
				       const struct revision *side, const struct build_result *r,
				       const char *log, const char *kept)
{
	bool is_id = revision_is_called_by_id(side);
	struct notice m;

	notice_begin(&m, n, NOTICE_MESSAGE);
	fprintf(m.to, "the build of %s (", side->name);
	if (is_id)
		text_print_name(m.to, side->commit.subject, 0);
	else
		fprintf(m.to, "%.*s%s", GIT_ID_SHORT, side->commit.id,
			side->files.changed ? " with changes" : "");
	fputs(") ", m.to);
	if (r->term_signal)
		fprintf(m.to, "was killed by signal %d", r->term_signal);
	else
		fprintf(m.to, "failed with status %d", r->exit_status);
	if (!r->term_signal && beneath_rename(root, log, kept) == 0) {
		fputs("; its log is ", m.to);
		text_print_name(m.to, kept, 0);
	}
	notice_end(&m);
	notice_output(n, r->tail);
	return ENDED_BENCHMARK_FAILED;
}

/* A build that removes what it could not write leaves space again, but has said why. */
static bool has_filled_disk(const struct build_area *w, const struct build_result *r)
{
	return build_area_is_full(w) || (r->tail && strstr(r->tail, "No space left on device"));
}

/* It may succeed next time, so its log is not kept. */
static enum ending report_full_disk(const struct notices *n, const struct revision *side,
				    const struct build_result *r)
{
	notice_message(n, "%s could not be built: the disk is full", side->name);
	notice_output(n, r->tail);
	return ENDED_BENCHMARK_FAILED;
}

static void report_earlier_failure(const struct notices *n, const struct revision *side,
				   const char *log)
{
	struct notice m;

	notice_begin(&m, n, NOTICE_MESSAGE);
	fprintf(m.to,
		"%.*s failed to build before and is not tried again before 'irdiff cache prune --failed'; its log is ",
		GIT_ID_SHORT, side->commit.id);
	text_print_name(m.to, log, 0);
	notice_end(&m);
}

/* A file in the scratch directory for what the build at the place tells. NULL: out of memory. */
static char *build_file(struct build_area *w, const char *name)
{
	char *path;

	return asprintf(&path, "%s/%s-%zu", w->scratch.path, name, w->taken++) < 0 ? NULL : path;
}

static enum ending run_command(struct build_area *w, struct revision *side, const char *kept)
{
	struct cg_error err;
	struct build_result result = { 0 };
	char *cwd = revision_project_directory(w), *log = build_file(w, "build.log");
	char *names = build_file(w, "names");

	if (!cwd || !log || !names) {
		free(cwd);
		free(log);
		free(names);
		cg_fail_nomem(&err);
		return notice_error(w->project->notices, &err);
	}
	const struct build_request request = {
		.argv = (const char *const *)side->build->argv,
		.root = w->here.slot.path,
		.cwd = cwd,
		.log = log,
		.names = names,
	};
	struct progress *progress = say_building(w, side);
	enum ending ending = ENDED_FINE;
	int status = run_build(&request, &w->interrupts, &result, &err);
	progress_end(progress);
	if (status) {
		notice_error(w->project->notices, &err);
		ending = ENDED_BENCHMARK_FAILED;
	} else if (result.interrupted_by) {
		ending = ended_by_signal(result.interrupted_by);
	} else if (!result.built && has_filled_disk(w, &result)) {
		w->here.was_full = true;
		ending = report_full_disk(w->project->notices, side, &result);
	} else if (!result.built) {
		ending = report_failed_build(w->project->notices, w->project->root, side, &result,
					     log, kept);
	} else {
		beneath_unlink(w->project->root, kept); /* of an earlier try */
	}
	if (!status)
		kept_files_note_end(w, &result);
	build_area_note_names(w, names);
	if (!result.traced)
		build_area_note_names(w, NULL);
	unlink(log);
	build_result_free(&result);
	free(log);
	free(cwd);
	return ending;
}

/* Where the log of a failed build is kept; the caller's. */
static int find_failure_log(const struct build_area *w, const struct revision *side, char **log,
			    struct cg_error *err)
{
	char *key, *text;
	int status = revision_key(w, side, NULL, &key, &text, err);

	if (status)
		return status;
	status = cache_failure_path(w->project->root, key, log, err);
	free(key);
	free(text);
	return status;
}

/* The build that fails as files are missing may not fail when they are there. */
static enum ending write_and_build(struct build_area *w, struct revision *side)
{
	struct cg_error err;
	char *log = NULL;
	int status = write_revision_files(w, side, &err);

	if (!status)
		status = find_failure_log(w, side, &log, &err);
	if (status == CG_EFULL)
		w->here.was_full = true;
	if (status)
		return build_area_failed(w, w->project->notices, &err);
	enum ending ending = side->build->argc ? run_command(w, side, log) : ENDED_FINE;
	if (!side->build->argc && !(w->here.build_names = strdup("")))
		ending = build_area_nomem(w);
	free(log);
	return ending;
}

enum ending revision_look_for_gaps(struct build_area *w, struct revision *side)
{
	struct cg_error err;

	if (side->written || !write_revision_files(w, side, &err))
		return ENDED_FINE;
	return build_area_failed(w, w->project->notices, &err);
}

bool revision_is_made(const struct build_area *w, const struct revision *side)
{
	return w->here.occupant == side && w->here.is_built;
}

enum ending revision_make(struct build_area *w, struct revision *side)
{
	struct cg_error err;
	char *log;

	if (revision_is_made(w, side))
		return ENDED_FINE;
	if (build_area_return(w, side))
		return ENDED_FINE;
	if (side->failed)
		return side->failed;
	if (find_failure_log(w, side, &log, &err))
		return notice_error(w->project->notices, &err);
	enum ending ending;
	if (w->options.trust_failures && beneath_is_there(w->project->root, log)) {
		report_earlier_failure(w->project->notices, side, log);
		ending = ENDED_BENCHMARK_FAILED;
	} else {
		ending = write_and_build(w, side);
	}
	free(log);
	side->failed = ending_is_signal(ending) ? ENDED_FINE : ending;
	if (w->here.occupant == side)
		w->here.is_built = ending == ENDED_FINE;
	return ending;
}
