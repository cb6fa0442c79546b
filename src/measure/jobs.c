#include "src/measure/jobs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "callgrind/support/grow.h"
#include "src/config/command_line.h"
#include "src/measure/task.h"
#include "src/measure/worker.h"
#include "src/run/background.h"
#include "src/run/capacity.h"
#include "src/run/command.h"
#include "src/run/process.h"
#include "src/run/tail.h"
#include "src/status/countdown.h"
#include "src/status/progress.h"
#include "src/store/files.h"
#include "src/store/publish.h"
#include "src/text/text.h"

enum {
	LOOK_MS = 200,
	LOOK_FOR_RESULT_MS = 100,
	LOST_MOST = 10, /* if the launcher loses so many and none else, it is given up */
};

/* A directory of another machine may become visible a little after the launcher ends. */
#define RESULT_SECONDS 2.0

struct job {
	char *about, *task, *log; /* log: of the launcher, or of a worker that has failed to work */
	char *place;              /* the directory that it shares with others */
	unsigned alone;           /* enum run_shared: what it must not share */
	unsigned shared;          /* the same: what it shares while it runs */
	unsigned tries;           /* that are over */
	double seconds;           /* expected, < 0: not known */
	double begun, taken;
	double ended; /* when its process was seen to be over; 0: it is not */
	enum { JOB_WAITS, JOB_RUNS, JOB_IS_OVER } state;
	bool again; /* as its launcher has left no result */
	bool said;  /* its messages were printed … */
	int status; /* … or are still to be, with how its process has ended: as from waitpid(2) */
	bool lost;  /* which left no result */
	struct background process;
	enum ending ending;
	struct measured measured;
};

struct jobs {
	const struct jobs_options *options;
	struct work_directory work;   /* where tasks and results are */
	struct command_line launcher; /* argc 0: none */
	char *starter;                /* path of what is started: the launcher, or irdiff */
	char *irdiff;
	char *pulse; /* file that launched workers watch; NULL: no launcher */
	double beat; /* when it was touched */
	unsigned at_once;
	struct job *items;
	size_t count, cap;
	size_t lost, measured; /* jobs that left no result, launched ones tried twice; and others */
	bool shown;            /* the line of progress is on the terminal */
};

unsigned jobs_at_once(const struct jobs_options *o)
{
	uint64_t n = o->at_once ? o->at_once : capacity_runs();
	return n < JOBS_AT_ONCE_MAX ? (unsigned)n : JOBS_AT_ONCE_MAX;
}

bool jobs_have_launcher(const struct jobs_options *o)
{
	return o->launcher && *o->launcher;
}

/* On a terminal also one after the other, to show the progress of all. */
bool jobs_are_wanted(const struct jobs_options *o, size_t count)
{
	bool watched = !o->quiet && progress_is_watched(o->notices);
	bool several = count > 1 && (watched || jobs_at_once(o) > 1);
	return count > 0 && (several || jobs_have_launcher(o));
}

/* ---- preparation ----------------------------------------------------------- */

/* Another machine finds it by its path; here it may have been replaced meanwhile. */
static int find_irdiff(struct jobs *j, struct cg_error *err)
{
	static const char self[] = "/proc/self/exe";
	j->irdiff = jobs_have_launcher(j->options) ? realpath(self, NULL) : strdup(self);
	return j->irdiff ? CG_OK
			 : cg_fail(err, CG_EIO, self, 0, "cannot determine the path of irdiff");
}

static int find_launcher(struct jobs *j, struct cg_error *err)
{
	const char *text = j->options->launcher;
	char *cwd = getcwd(NULL, 0);
	int status = command_line_split(text, &j->launcher, err);

	if (!status)
		status = command_which(j->launcher.argv[0], cwd ? cwd : "/", getenv("PATH"),
				       &j->starter, err);
	if (status)
		cg_error_context(err, "the launcher '%s'", text);
	free(cwd);
	return status;
}

/* irdiff touches the file again and again; launched workers end when that stops, or the file is
 * gone. */
static int begin_pulse(struct jobs *j, struct cg_error *err)
{
	if (asprintf(&j->pulse, "%s/" WORKER_PULSE, j->work.path) < 0) {
		j->pulse = NULL;
		return cg_fail_nomem(err);
	}
	int fd = open(j->pulse, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return cg_fail(err, cg_io_status(errno), j->pulse, 0, "cannot write: %s",
			       strerror(errno));
	close(fd);
	return CG_OK;
}

int jobs_open(const char *root, const struct jobs_options *options, struct jobs **out,
	      struct cg_error *err)
{
	struct jobs *j = calloc(1, sizeof *j);
	if (!j)
		return cg_fail_nomem(err);
	j->options = options;
	j->at_once = jobs_at_once(options);
	int status = find_irdiff(j, err);
	if (!status && jobs_have_launcher(options))
		status = find_launcher(j, err);
	if (!status)
		status = store_work_begin(root, &j->work, err);
	if (!status && j->launcher.argc)
		status = begin_pulse(j, err);
	if (status)
		jobs_close(j);
	else
		*out = j;
	return status;
}

void jobs_close(struct jobs *j)
{
	if (!j)
		return;
	for (size_t i = 0; i < j->count; i++) {
		free(j->items[i].about);
		free(j->items[i].task);
		free(j->items[i].log);
		free(j->items[i].place);
		measured_free(&j->items[i].measured);
	}
	free(j->items);
	if (j->launcher.argc)
		command_line_free(&j->launcher);
	free(j->starter);
	free(j->irdiff);
	free(j->pulse);
	store_work_end(&j->work);
	free(j);
}

int jobs_add(struct jobs *j, const struct measurement *m, const char *about, struct meta_run last,
	     struct cg_error *err)
{
	struct job job = { .about = strdup(about),
			   .place = strdup(m->checkout ? m->checkout->top : m->root),
			   .seconds = last.seconds,
			   .alone = (unsigned)last.changes & (RUN_SHARES_ROOT | RUN_SHARES_REST),
			   .ending = ENDED_BENCHMARK_FAILED };

	if (asprintf(&job.task, "%s/%03zu.task", j->work.path, j->count) < 0)
		job.task = NULL;
	if (asprintf(&job.log, "%s/%03zu.log", j->work.path, j->count) < 0)
		job.log = NULL;
	int status = job.about && job.place && job.task && job.log &&
				     !cg_grow(&j->items, &j->cap, j->count + 1, sizeof *j->items)
			     ? task_write(m, job.task, err)
			     : cg_fail_nomem(err);
	if (!status) {
		j->items[j->count++] = job;
		return CG_OK;
	}
	free(job.about);
	free(job.task);
	free(job.log);
	free(job.place);
	return status;
}

/* ---- progress ------------------------------------------------------------- */

static void erase_progress(struct jobs *j)
{
	if (j->shown)
		progress_erase_line(j->options->notices);
	j->shown = false;
}

static void show_progress(struct jobs *j, double begun)
{
	struct countdown_step *steps = calloc(j->count, sizeof *steps);
	if (!steps)
		return;
	for (size_t i = 0; i < j->count; i++) {
		const struct job *job = &j->items[i];
		steps[i] = (struct countdown_step){
			.name = job->about,
			.seconds = job->seconds,
			.since = job->state == JOB_RUNS ? monotonic_seconds() - job->begun
							: job->taken,
			.state = job->state == JOB_RUNS    ? STEP_RUNS
				 : job->state == JOB_WAITS ? STEP_WAITS
							   : STEP_IS_OVER,
		};
	}
	char *line = countdown_line(steps, j->count, j->at_once, monotonic_seconds() - begun);
	if (line)
		progress_show_line(j->options->notices, line);
	j->shown = true;
	free(line);
	free(steps);
}

/* ---- the end of one ------------------------------------------------------- */

static void relay_messages(const struct notices *n, const char *path)
{
	char *text;
	size_t size;

	if (file_read(path, &text, &size, NULL))
		return;
	notice_relayed(n, text, size);
	free(text);
}

static void relay_messages_of(const struct jobs *j, const struct job *job)
{
	char *path;
	if (asprintf(&path, "%s" TASK_MESSAGES, job->task) < 0)
		return;
	relay_messages(j->options->notices, path);
	free(path);
}

static void report_lost(const struct jobs *j, const struct job *job, int status, bool again)
{
	char *tail = tail_of(job->log);
	bool launched = j->launcher.argc > 0;
	struct notice m;

	notice_begin(&m, j->options->notices, NOTICE_MESSAGE);
	text_print_name(m.to, job->about, 0);
	fputs(" was not measured: ", m.to);
	if (launched)
		text_print_name(m.to, j->options->launcher, 0);
	else
		fputs("its process", m.to);
	if (WIFSIGNALED(status))
		fprintf(m.to, " was killed by signal %d", WTERMSIG(status));
	else
		fprintf(m.to, " ended with status %d", WEXITSTATUS(status));
	/* A worker that was interrupted has said so. */
	fprintf(m.to, "%s%s", ending_is_signal(job->ending) ? "" : " and left no result",
		again ? "; it is started again"
		: launched
			? "; it must wait for the command that follows it, and run it where this directory is the same"
			: "");
	notice_end(&m);
	notice_output(j->options->notices, tail);
	free(tail);
}

static void report_not_repeated(const struct jobs *j, const struct job *job, const char *why)
{
	struct notice m;

	notice_begin(&m, j->options->notices, NOTICE_MESSAGE);
	text_print_name(m.to, job->about, 0);
	fputs(" must be measured once more, but cannot be started again: cannot link ", m.to);
	text_print_name(m.to, job->task, 0);
	fprintf(m.to, ": %s", why);
	notice_end(&m);
}

/* A machine may have died, or was taken away. Whatever still runs there writes the result of a task
 * that nobody reads. */
static bool make_job_wait_again(const struct jobs *j, struct job *job)
{
	char *task = NULL;

	if (asprintf(&task, "%s/again-%u-%03zu.task", j->work.path, ++job->tries,
		     (size_t)(job - j->items)) < 0) {
		report_not_repeated(j, job, "out of memory");
		return false;
	}
	/* Some file systems have no hard links. */
	if (link(job->task, task) && rename(job->task, task)) {
		report_not_repeated(j, job, strerror(errno));
		free(task);
		return false;
	}
	free(job->task);
	job->task = task;
	job->state = JOB_WAITS;
	job->ended = 0;
	return true;
}

/* Whether it has ended, or failed, only because of others. Nobody else sees its messages. */
static bool run_with_less_company(const struct jobs *j, struct job *job)
{
	const unsigned changes = job->measured.changes & job->shared;

	if (!job->shared || (job->ending == ENDED_FINE && !changes))
		return false;
	job->alone |= changes ? changes : job->shared;
	measured_free(&job->measured);
	job->ending = ENDED_BENCHMARK_FAILED;
	return make_job_wait_again(j, job);
}

/* A machine that is taken away may interrupt the worker first, which then says so. */
static bool start_lost_job_again(struct jobs *j, struct job *job)
{
	bool interrupted = ending_is_signal(job->ending);

	if ((!job->lost && !interrupted) || !j->launcher.argc || job->again)
		return false;
	relay_messages_of(j, job);
	measured_free(&job->measured);
	job->again = make_job_wait_again(j, job);
	report_lost(j, job, job->status, job->again);
	if (job->again)
		job->ending = ENDED_BENCHMARK_FAILED;
	job->said = !job->again;
	return job->again;
}

static void say_finished(struct jobs *j)
{
	for (size_t i = 0; i < j->count && j->items[i].state == JOB_IS_OVER; i++) {
		struct job *job = &j->items[i];
		if (job->said)
			continue;
		erase_progress(j);
		relay_messages_of(j, job);
		if (job->lost)
			report_lost(j, job, job->status, false);
		job->said = true;
	}
}

/* While the result of a launcher that was killed is awaited, what it has left may clean up: a
 * second process of srun cancels the job. */
static bool is_finished(const struct jobs *j, struct job *job)
{
	if (job->state != JOB_RUNS || !background_is_over(&job->process))
		return false;
	if (!job->ended)
		job->ended = monotonic_seconds();
	job->lost = !task_read_result(job->task, &job->ending, &job->measured);
	return !job->lost || !j->launcher.argc ||
	       monotonic_seconds() >= job->ended + RESULT_SECONDS;
}

static void finish_job(struct jobs *j, struct job *job)
{
	job->state = JOB_IS_OVER;
	job->taken = job->ended - job->begun;
	job->status = background_end(&job->process);
	erase_progress(j);
	if (run_with_less_company(j, job) || start_lost_job_again(j, job))
		return;
	*(job->lost ? &j->lost : &j->measured) += 1;
	/* A signal to one of them ends only that one. */
	if (job->lost || ending_is_signal(job->ending))
		job->ending = ENDED_BENCHMARK_FAILED;
	say_finished(j);
}

/* ---- who runs beside whom -------------------------------------------------- */

static bool share_place(const struct job *a, const struct job *b)
{
	return strcmp(a->place, b->place) == 0;
}

static bool exclude_each_other(const struct job *a, const struct job *b)
{
	const unsigned alone = a->alone | b->alone;

	return (alone & RUN_SHARES_REST) || ((alone & RUN_SHARES_ROOT) && share_place(a, b));
}

/* Those that write come after those that do not, in their order: so it never depends on the speed
 * of the others what they find. */
static bool comes_before(const struct job *a, const struct job *b)
{
	return a->alone ? b->alone && a < b : b->alone != 0;
}

static bool may_start(const struct jobs *j, const struct job *job)
{
	for (size_t i = 0; i < j->count; i++) {
		const struct job *other = &j->items[i];
		if (other != job && other->state != JOB_IS_OVER && exclude_each_other(job, other) &&
		    (other->state == JOB_RUNS || comes_before(other, job)))
			return false;
	}
	return true;
}

/* What it shares with those that may run until it is over. */
static unsigned shared_by_job(const struct jobs *j, const struct job *job)
{
	unsigned shared = 0;

	if (j->at_once == 1 || j->launcher.argc)
		return 0;
	for (size_t i = 0; i < j->count; i++) {
		const struct job *other = &j->items[i];
		if (other == job || other->state == JOB_IS_OVER || exclude_each_other(job, other))
			continue;
		shared |= RUN_SHARES_REST | (share_place(job, other) ? RUN_SHARES_ROOT : 0u);
	}
	return shared;
}

/* ---- all of them ---------------------------------------------------------- */

/* How many runs it may make at the same time. */
static const char *runs_of_job(const struct jobs *j)
{
	size_t left = 0;

	for (size_t i = 0; i < j->count; i++)
		left += j->items[i].state != JOB_IS_OVER;
	return !j->launcher.argc && 2 * left <= j->at_once ? "2" : "1";
}

static int start_job(struct jobs *j, struct job *job, struct cg_error *err)
{
	size_t words = j->launcher.argc, n = 0;
	const char **argv = calloc(words + 6, sizeof *argv);
	char shared[16];
	if (!argv)
		return cg_fail_nomem(err);
	job->shared = shared_by_job(j, job);
	snprintf(shared, sizeof shared, "%u", job->shared);
	for (; n < words; n++)
		argv[n] = j->launcher.argv[n];
	argv[n++] = words ? j->irdiff : "irdiff";
	argv[n++] = WORKER_OPTION;
	argv[n++] = job->task;
	argv[n++] = shared;
	argv[n] = runs_of_job(j);
	int status = background_start(words ? j->starter : j->irdiff, argv, job->log, &job->process,
				      err);
	free(argv);
	if (!status) {
		job->state = JOB_RUNS;
		job->begun = monotonic_seconds();
	}
	return status;
}

static void beat(struct jobs *j)
{
	enum { BEAT_S = 5 };
	if (!j->pulse || monotonic_seconds() < j->beat + BEAT_S)
		return;
	j->beat = monotonic_seconds();
	utimensat(AT_FDCWD, j->pulse, NULL, 0);
}

static size_t count_running(const struct jobs *j)
{
	size_t n = 0;
	for (size_t i = 0; i < j->count; i++)
		n += j->items[i].state == JOB_RUNS;
	return n;
}

/* Then nothing new is started until it is known what becomes of what runs. */
static bool is_launcher_in_doubt(const struct jobs *j)
{
	return j->launcher.argc && j->lost >= LOST_MOST && !j->measured;
}

/* One that cannot be started has failed. */
static void start_next(struct jobs *j)
{
	size_t running = count_running(j);
	bool in_doubt = is_launcher_in_doubt(j);

	for (size_t i = 0; i < j->count && running < j->at_once; i++) {
		struct cg_error err;
		struct job *job = &j->items[i];
		if (job->state != JOB_WAITS || !may_start(j, job) || (in_doubt && !job->again))
			continue;
		if (start_job(j, job, &err)) {
			erase_progress(j);
			cg_error_context(&err, "%s", job->about);
			notice_error(j->options->notices, &err);
			job->state = JOB_IS_OVER;
			job->said = true;
		} else {
			running++;
		}
	}
}

static void wait_a_little(const struct jobs *j, const struct interrupts *interrupts)
{
	const struct background **list = calloc(j->count + 1, sizeof *list);
	size_t n = 0;
	int milliseconds = LOOK_MS;

	for (size_t i = 0; list && i < j->count; i++) {
		if (j->items[i].state == JOB_RUNS && j->items[i].ended)
			milliseconds = LOOK_FOR_RESULT_MS;
		else
			list[n++] = &j->items[i].process;
	}
	background_wait(list, n, interrupts, milliseconds);
	free(list);
}

static void signal_all(const struct jobs *j, int signal)
{
	for (size_t i = 0; i < j->count; i++)
		if (j->items[i].state == JOB_RUNS)
			background_signal(&j->items[i].process, signal);
}

/* The signal lets workers clean up; some launchers need it twice. A second signal to irdiff ends
 * the wait. */
static void end_all(struct jobs *j, struct interrupts *interrupts)
{
	enum { AGAIN_S = 4, KILL_S = 8 };
	double begun = monotonic_seconds();
	int asked = 0;

	for (;;) {
		double since = monotonic_seconds() - begun;
		if (interrupts_take(interrupts) && asked)
			since = KILL_S;
		if (asked < 1 || (asked < 2 && since >= AGAIN_S) || since >= KILL_S)
			signal_all(j, since >= KILL_S ? SIGKILL : SIGTERM), asked++;
		for (size_t i = 0; i < j->count; i++) {
			struct job *job = &j->items[i];
			if (job->state == JOB_RUNS && background_is_over(&job->process)) {
				background_end(&job->process);
				job->state = JOB_IS_OVER;
			}
		}
		if (!count_running(j))
			return;
		wait_a_little(j, interrupts);
	}
}

static void finish_those_over(struct jobs *j)
{
	for (size_t i = 0; i < j->count; i++) {
		if (is_finished(j, &j->items[i]))
			finish_job(j, &j->items[i]);
	}
}

static bool is_any_unfinished(const struct jobs *j)
{
	for (size_t i = 0; i < j->count; i++)
		if (j->items[i].state == JOB_RUNS ||
		    (j->items[i].state == JOB_WAITS && j->items[i].again))
			return true;
	return false;
}

/* A launcher that never works is not asked a thousand times. */
static void give_up_launcher(struct jobs *j)
{
	size_t left = 0;
	struct notice m;

	if (!is_launcher_in_doubt(j) || is_any_unfinished(j))
		return;
	for (size_t i = 0; i < j->count; i++) {
		struct job *job = &j->items[i];
		if (job->state != JOB_WAITS)
			continue;
		job->state = JOB_IS_OVER;
		job->said = true;
		left++;
	}
	if (!left)
		return;
	say_finished(j);
	notice_begin(&m, j->options->notices, NOTICE_MESSAGE);
	text_print_name(m.to, j->options->launcher, 0);
	fprintf(m.to,
		" left no result for the first %zu benchmarks, so %zu more %s not started; "
		"try it with a short command",
		j->lost, left, left == 1 ? "was" : "were");
	notice_end(&m);
}

enum ending jobs_run(struct jobs *j, struct interrupts *interrupts)
{
	bool watched = !j->options->quiet && progress_is_watched(j->options->notices);
	double begun = monotonic_seconds();

	while (!interrupts->signal) {
		start_next(j);
		if (!count_running(j))
			break;
		if (watched)
			show_progress(j, begun);
		wait_a_little(j, interrupts);
		beat(j);
		finish_those_over(j);
		give_up_launcher(j);
		interrupts_take(interrupts);
	}
	erase_progress(j);
	if (!interrupts->signal) {
		give_up_launcher(j);
		return ENDED_FINE;
	}
	end_all(j, interrupts);
	return ended_by_signal(interrupts->signal);
}

enum ending jobs_ending(const struct jobs *j, size_t i)
{
	return j->items[i].ending;
}

void jobs_take_measured(struct jobs *j, size_t i, struct measured *out)
{
	*out = j->items[i].measured;
	j->items[i].measured = (struct measured){ 0 };
}
