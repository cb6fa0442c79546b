#include "src/measure/repeat_runs.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "callgrind/support/number.h"
#include "cgprofile/names.h"
#include "cgprofile/writer.h"
#include "src/diff/run_notes.h"
#include "src/diff/threads.h"
#include "src/load/older_program.h"
#include "src/measure/run_result.h"
#include "src/measure/sandbox_root.h"
#include "src/measure/warn_older.h"
#include "src/run/busy.h"
#include "src/run/freeze.h"
#include "src/run/interrupt.h"
#include "src/run/process.h"
#include "src/status/ending.h"
#include "src/status/progress.h"
#include "src/store/files.h"
#include "src/store/profiles.h"
#include "src/store/publish.h"

#define PADDING "IRDIFF_PADDING" /* of our own environment, by so much more per run: */
#define PADDING_STEP 997

struct text {
	char *bytes;
	size_t size;
};

/* Details in which runs may differ although their functions do not. */
static const struct {
	enum verify_detail detail;
	struct cg_detail read;
} details[] = {
	{ VERIFY_LINES, { .lines = true, .no_calls = true, .max_level = 1 } },
	{ VERIFY_SITES, { .lines = true, .max_level = 1 } },
	{ VERIFY_CONTEXTS, { .contexts = true } },
};

enum { NDETAILS = sizeof details / sizeof *details };

struct repetition {
	const struct repeating *how;
	struct repeated *out;
	struct sandbox_root place;
	struct text first, first_details[NDETAILS]; /* of the first run */
	time_t started;                             /* the last one */
	double seconds;                             /* that it took, < 0: there was none */
	struct cg_error err;
	enum ending ending;
};

/* ---- the world around ---- */

/* The directory of one run, whose name has one more letter each time. */
static int make_run_directory(struct repetition *r, const struct work_directory *work, size_t run,
			      char **path)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz";
	int length = (int)(run % (sizeof letters - 1)) + 1;

	if (asprintf(path, "%s/%.*s", work->path, length, letters) < 0) {
		*path = NULL;
		return cg_fail_nomem(&r->err);
	}
	if (mkdir(*path, 0700))
		return cg_fail(&r->err, cg_io_status(errno), *path, 0, "cannot create: %m");
	return CG_OK;
}

static int grow_environment(struct repetition *r, size_t run)
{
	char *padding = malloc(run * PADDING_STEP + 1);
	if (!padding)
		return cg_fail_nomem(&r->err);
	memset(padding, 'x', run * PADDING_STEP);
	padding[run * PADDING_STEP] = '\0';
	int failed = setenv(PADDING, padding, 1);
	free(padding);
	return failed ? cg_fail_nomem(&r->err) : CG_OK;
}

/* What seeds by time(2) must not be given the same second twice. */
static void let_time_pass(struct repetition *r)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	if (now.tv_sec == r->started) {
		const struct timespec rest = { 0, 1000000000 - now.tv_nsec };
		nanosleep(&rest, NULL);
	}
	r->started = time(NULL);
}

/* ---- what came of it ---- */

/* The pid, if it is the host's, is the only thing that may differ. */
static void cut_pid(struct text *t)
{
	char *line = strstr(t->bytes, "\npid: ");
	char *end = line ? strchr(line + 1, '\n') : NULL;

	if (!end)
		return;
	memmove(line, end, t->size - (size_t)(end - t->bytes) + 1);
	t->size -= (size_t)(end - line);
}

static int read_repeated_run(const struct repetition *r, const struct run_result *result,
			     const struct cg_read_options *how, struct cg_profile **out,
			     struct cg_error *err)
{
	const struct repeating *v = r->how;
	size_t *files = calloc(result->nprofiles + 1, sizeof *files), count = 0;
	int status = files ? run_files_of(result, &v->choice, files, &count, err)
			   : cg_fail_nomem(err);

	if (!status)
		status = read_run(result, files, count, how, out, err);
	free(files);
	return status;
}

/* The counts of Valgrind as text in an order that does not depend on the run. */
static int write_counts(struct repetition *r, const struct run_result *result,
			const struct cg_detail *detail, struct text *text)
{
	const struct cg_read_options options = { .detail = *detail };
	const struct cg_write_options plain = { .command = "" };
	struct cg_profile *p = NULL;
	int status = read_repeated_run(r, result, &options, &p, &r->err);
	FILE *to = status ? NULL : open_memstream(&text->bytes, &text->size);

	if (!status && !to)
		status = cg_fail_nomem(&r->err);
	if (to) {
		if (cg_write_callgrind(p, &plain, to))
			status = cg_fail_nomem(&r->err);
		if (fclose(to) && !status)
			status = cg_fail_nomem(&r->err);
	}
	cg_profile_free(p);
	if (!status)
		cut_pid(text);
	return status;
}

/* Compares the counts with those of the first run; the counts of the first run itself are kept as
 * *first. */
static int compare_with_first_run(struct repetition *r, const struct run_result *result,
				  const struct cg_detail *detail, struct text *first, bool *differs)
{
	struct text text = { 0 };
	int status = write_counts(r, result, detail, &text);

	*differs = false;
	if (!status && !first->bytes) {
		*first = text;
		return CG_OK;
	}
	*differs = !status &&
		   (text.size != first->size || memcmp(text.bytes, first->bytes, text.size));
	free(text.bytes);
	return status;
}

static int compare_whole(struct repetition *r, const struct run_result *result)
{
	const struct cg_detail whole = { .addresses = true, .contexts = true };
	bool is_first = !r->first.bytes, differs, detail_differs;
	int status = compare_with_first_run(r, result, &whole, &r->first, &differs);

	r->out->equal &= !differs;
	for (size_t i = 0; !status && !r->how->trial && (is_first || differs) && i < NDETAILS;
	     i++) {
		status = compare_with_first_run(r, result, &details[i].read, &r->first_details[i],
						&detail_differs);
		if (detail_differs)
			r->out->details |= details[i].detail;
	}
	return status;
}

/* Whether it has loaded a library of Qt. */
static bool loads_qt(const struct run_result *result)
{
	bool loads = false;

	for (size_t i = 1; i < result->nobjects; i++)
		loads |= strncmp(cg_base_name(result->objects[i]), "libQt", 5) == 0;
	return loads;
}

/* What it read while it was not counted shows in no function. Go reads the clock by itself. */
static unsigned reads_of_run(const struct repetition *r, const struct run_result *result,
			     enum runtime runtime, const struct cg_profile *p)
{
	unsigned reads = run_notes_reads(p);

	if (result->ncases || r->how->request.function || runtime == RUNTIME_GO)
		return ~0u;
	for (size_t i = 0; i < result->nnotes; i++) {
		if (strcmp(result->notes[i].key, "hidden") == 0 ||
		    strcmp(result->notes[i].key, "off") == 0)
			return ~0u;
		if (strcmp(result->notes[i].key, "reads") == 0)
			reads |= RUN_READS_RANDOM;
	}
	return reads;
}

static unsigned reads_frozen(const struct repeated *runs)
{
	return (runs->frozen & FREEZE_TIME ? RUN_READS_CLOCK : 0) |
	       (runs->frozen & FREEZE_RANDOM ? RUN_READS_RANDOM : 0) |
	       ((runs->frozen & FREEZE_PID) || !runs->untraced ? RUN_READS_PID : 0);
}

static enum ending keep_profile(struct repetition *r, const struct run_result *result)
{
	const struct cg_read_options options = { .detail = { .max_level = 1 } };
	int status = read_repeated_run(r, result, &options, &r->out->profiles[r->out->count],
				       &r->err);

	if (status)
		return status;
	r->out->threads |= result->threads > 1 ||
			   threads_are_several(r->out->profiles[r->out->count]);
	r->out->runtime = runtime_of(result->profiles[result->chosen].image,
				     r->out->profiles[r->out->count]);
	r->out->reads |= reads_of_run(r, result, r->out->runtime, r->out->profiles[r->out->count]);
	r->out->qt |= loads_qt(result);
	r->out->static_image = result->static_image;
	r->out->frozen = result->frozen;
	r->out->untraced = strcmp(result->workspace, "traced") != 0;
	r->out->shown |= run_notes_reads(r->out->profiles[r->out->count]) & ~reads_frozen(r->out);
	r->out->count++;
	return compare_whole(r, result);
}

/* ---- one run ---- */

static int fail_repetition(struct repetition *r, int status)
{
	enum ending ending = ENDED_UNUSABLE;

	if (!r->how->trial)
		ending = notice_error(r->how->notices, &r->err);
	r->ending = ending;
	return status;
}

/* Of the next run; *is_last: by how->until. */
static unsigned run_limit(const struct repeating *how, bool *is_last)
{
	unsigned limit = how->request.timeout;

	*is_last = false;
	if (how->until <= 0)
		return limit;
	double left = how->until - monotonic_seconds();
	unsigned most = left < 1 ? 1 : left > UINT_MAX ? UINT_MAX : (unsigned)left;
	*is_last = !limit || most < limit;
	return *is_last ? most : limit;
}

static void fail_run(struct repetition *r, const struct run_result *result, bool is_last)
{
	bool timed_out = result->failure == RUN_TIMED_OUT;

	r->out->timed_out = timed_out && !is_last;
	r->out->out_of_time = timed_out && is_last;
	if (r->how->trial) {
		r->ending = result->interrupted_by ? ended_by_signal(result->interrupted_by)
						   : ENDED_UNTRUSTED;
		return;
	}
	cg_error_context(&r->err, "%s", r->how->name);
	r->ending = tell_failed_run(r->how->notices, result, &r->err);
}

/* Whoever edits and forgets to build verifies other code. No failure: what cannot be found out. */
static void warn_if_older(const struct repetition *r, const struct run_result *result)
{
	const struct cg_read_options options = {
		.detail = { .lines = true, .no_calls = true, .max_level = 1 }
	};
	struct cg_profile *p = NULL;
	struct cg_error err;
	char *source = NULL;

	if (!read_repeated_run(r, result, &options, &p, &err))
		older_program_source_now(r->how->root, p, &source, &err);
	if (source)
		warn_older_program(r->how->notices, r->how->name, source, "");
	free(source);
	cg_profile_free(p);
}

/* Before the user waits for the rest. */
static void tell_duration(const struct repetition *r)
{
	const size_t others = r->how->runs - 1;
	const double rest = r->seconds * (double)others;

	if (rest >= REPEATING_IS_LONG)
		notice_message(r->how->notices,
			       "the first run took %.0f s; the other %zu will take about %.0f s",
			       r->seconds, others, rest);
}

/* More follow while all are equal. */
static size_t planned_runs(const struct repetition *r)
{
	const struct repeating *how = r->how;

	return how->runs + (r->out->equal && r->out->count >= how->runs ? how->more : 0);
}

static int run_in_directory(struct repetition *r, const char *directory, size_t run)
{
	const char *const hidden[] = { r->place.own, NULL };
	struct run_request request = r->how->request;
	struct run_result result = { 0 };
	const char *doing = r->how->doing ? r->how->doing : "";
	bool is_last;
	char *what;

	if (asprintf(&what, "%s%srun %zu of %zu of", doing, *doing ? ": " : "", run + 1,
		     planned_runs(r)) < 0)
		return fail_repetition(r, cg_fail_nomem(&r->err));
	request.cwd = r->place.cwd;
	request.root = r->place.shown;
	request.workdir = directory;
	request.hidden = hidden;
	request.choose = r->how->choice.wanted ? choose_cases : NULL;
	request.chooser = &r->how->choice;
	request.timeout = run_limit(r->how, &is_last);
	double left = r->seconds < 0 ? -1 : r->seconds * (double)(planned_runs(r) - run);
	double begun = monotonic_seconds();
	struct progress *progress = progress_begin_of(r->how->notices, what, r->how->name, left);
	free(what);
	int status = run_benchmark(&request, &result, &r->err);
	bool measured = !status;
	if (measured)
		status = keep_profile(r, &result);
	progress_end(progress);
	r->seconds = monotonic_seconds() - begun;
	if (run == 0)
		r->out->seconds = r->seconds;
	if (measured && run == 0 && !r->how->trial) {
		tell_preset(r->how->notices, &result);
		warn_if_older(r, &result);
		tell_duration(r);
	}
	if (!measured)
		fail_run(r, &result, is_last);
	else if (status)
		fail_repetition(r, status);
	run_result_free(&result);
	return status;
}

static int run_once(struct repetition *r, size_t run)
{
	struct work_directory work = { 0 };
	char *directory = NULL;
	pid_t busy = -1;

	let_time_pass(r);
	int status = store_work_begin(r->how->root, &work, &r->err);
	if (!status)
		status = make_run_directory(r, &work, run, &directory);
	if (!status)
		status = grow_environment(r, run);
	if (status) {
		fail_repetition(r, status);
	} else {
		if (run % 2)
			busy = busy_begin();
		status = run_in_directory(r, directory, run);
		busy_end(busy);
	}
	unsetenv(PADDING);
	store_work_end(&work);
	free(directory);
	return status;
}

static bool is_over(const struct repetition *r)
{
	if (!r->how->trial || r->out->equal)
		return false;
	struct spread totals = repeated_spread(r->out);
	return cg_distance(totals.min, totals.max) >= r->how->most;
}

static int run_all(struct repetition *r, struct interrupts *interrupts)
{
	int status = CG_OK;

	for (size_t run = 0; !status && run < planned_runs(r); run++) {
		status = run_once(r, run);
		interrupts_take(interrupts);
		if (!status && interrupts->signal) {
			r->ending = ended_by_signal(interrupts->signal);
			status = CG_EIO;
		}
		if (!status && is_over(r))
			break;
	}
	return status;
}

int repeat(const struct repeating *how, struct repeated *out, enum ending *ending)
{
	struct repetition r = { .how = how, .out = out, .seconds = -1, .ending = ENDED_UNTRUSTED };
	struct interrupts interrupts;

	*out = (struct repeated){ .equal = true };
	out->profiles = calloc(how->runs + how->more + 1, sizeof *out->profiles);
	int status = out->profiles ? interrupts_open(&interrupts, &r.err) : cg_fail_nomem(&r.err);
	if (status) {
		*ending = notice_error(how->notices, &r.err);
		return status;
	}
	status = store_prepare(how->root, &r.err);
	if (!status)
		status = sandbox_root_find(how->root, how->request.cwd, how->request.argv, &r.place,
					   &r.err);
	if (status)
		fail_repetition(&r, status);
	else
		status = run_all(&r, &interrupts);
	*ending = r.ending;
	sandbox_root_free(&r.place);
	free(r.first.bytes);
	for (size_t i = 0; i < NDETAILS; i++)
		free(r.first_details[i].bytes);
	interrupts_close(&interrupts);
	return status;
}

struct spread repeated_spread(const struct repeated *r)
{
	struct spread totals = { r->profiles[0]->total[0], r->profiles[0]->total[0] };

	for (size_t i = 1; i < r->count; i++) {
		int64_t total = r->profiles[i]->total[0];
		totals.min = total < totals.min ? total : totals.min;
		totals.max = total > totals.max ? total : totals.max;
	}
	return totals;
}

void repeated_free(struct repeated *r)
{
	for (size_t i = 0; i < r->count; i++)
		cg_profile_free(r->profiles[i]);
	free(r->profiles);
	*r = (struct repeated){ 0 };
}
