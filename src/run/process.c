#include "src/run/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "callgrind/support/grow.h"
#include "src/run/memory_file.h"
#include "src/run/output.h"
#include "src/run/process_child.h"

#define GRACE_MS 2000 /* between SIGTERM and SIGKILL */
#define HELPER_SECONDS 60
#define HELPER_BYTES (1024 * 1024)

double monotonic_seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

int process_first_cpu(void)
{
	cpu_set_t set; /* the kernel refuses it if it has more CPUs than fit */

	if (sched_getaffinity(0, sizeof set, &set))
		return -1;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &set))
			return cpu;
	return -1;
}

static bool has_process_ended(pid_t pid)
{
	siginfo_t info = { 0 };

	if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT))
		return errno != EINTR;
	return info.si_pid == pid;
}

/* Only the reaper reaches all descendants. It may be stopped, so it is continued too. Traced
 * processes die with their tracer. */
static void kill_all(const struct process *process, pid_t pid)
{
	if (process->reap && !process->guest) {
		kill(pid, CHILD_KILL);
		kill(pid, SIGCONT);
	} else {
		kill(-pid, SIGKILL);
	}
}

/* ---- reports of the child ---- */

/* Reports are read while the child runs, or a child with many of them would block for ever. */
struct reports {
	int fd; /* not blocking; -1: all have been read */
	struct process_list *over;
	bool told;  /* how it went on … */
	bool ended; /* … to the program's own end */
	bool no_memory;
};

void process_list_free(struct process_list *list)
{
	free(list->items);
	*list = (struct process_list){ 0 };
}

const struct process_over *process_list_find(const struct process_list *list, pid_t pid)
{
	for (size_t i = list->count; i-- > 0;)
		if (list->items[i].pid == pid)
			return &list->items[i];
	return NULL;
}

static void add_over(struct reports *reports, const struct process_over *over)
{
	struct process_list *list = reports->over;

	if (!list)
		return;
	if (cg_grow(&list->items, &list->cap, list->count + 1, sizeof *list->items))
		reports->no_memory = true;
	else
		list->items[list->count++] = *over;
}

static void take_report(struct reports *reports, const struct child_report *report,
			struct process_end *end)
{
	switch (report->kind) {
	case CHILD_TRACED:
		end->traced = true;
		break;
	case CHILD_UNTRACED:
		end->traced = false; /* fall through */
	case CHILD_FAILED:
		end->started = false;
		end->error = report->value;
		snprintf(end->failed_step, sizeof end->failed_step, "%.*s",
			 (int)sizeof report->what - 1, report->what);
		break;
	case CHILD_OVER:
		add_over(reports, &report->over);
		break;
	case CHILD_ENDED:
		reports->ended = true;
		end->status = report->value;
		end->tasks = report->tasks;
		end->changes = report->changes;
		break;
	}
}

static void take_reports(struct reports *reports, struct process_end *end)
{
	struct child_report report;
	ssize_t n = -1;

	while (reports->fd >= 0 &&
	       (n = read(reports->fd, &report, sizeof report)) == (ssize_t)sizeof report) {
		take_report(reports, &report, end);
		reports->told |= report.kind != CHILD_TRACED && report.kind != CHILD_OVER;
	}
	if (n == 0)
		reports->fd = -1;
}

/* All writers have ended or executed something, so the pipe holds all reports. The tracer may have
 * ended without a report, for example when memory was used up. */
static void take_last_reports(const struct process *process, struct reports *reports,
			      struct process_end *end)
{
	take_reports(reports, end);
	if (!reports->told && process->guest && process->path && WIFEXITED(end->status))
		end->status = SIGKILL;
}

/* Waits until `pid` is a zombie. Kills its group when time is up or a signal asks for it, with
 * SIGTERM first. */
static void supervise(const struct process *process, pid_t pid, struct interrupts *interrupts,
		      struct reports *reports, struct process_end *end)
{
	double begin = monotonic_seconds(), kill_at = 0;
	bool killed = false;
	int pidfd = process_pidfd(pid);

	while (!has_process_ended(pid)) {
		double t = monotonic_seconds(), wake = t + 3600;

		if (interrupts->signal && !end->interrupted_by) {
			end->interrupted_by = interrupts->signal;
			if (!kill_at) {
				kill(-pid, SIGTERM);
				kill_at = t + GRACE_MS / 1e3;
			}
		}
		if (process->timeout && !kill_at) {
			if (t >= begin + process->timeout) {
				end->timed_out = true;
				kill(-pid, SIGTERM);
				kill_at = t + GRACE_MS / 1e3;
			} else {
				wake = begin + process->timeout;
			}
		}
		if (kill_at && !killed) {
			if (t >= kill_at) {
				kill_all(process, pid);
				killed = true;
			} else {
				wake = kill_at;
			}
		}

		if (process->most_output) {
			output_hold(process->stdout_fd, process->most_output);
			output_hold(process->stderr_fd, process->most_output);
			if (wake > t + OUTPUT_WATCH_MS / 1e3)
				wake = t + OUTPUT_WATCH_MS / 1e3;
		}

		double ms = (wake - t) * 1e3 + 1;
		if (pidfd < 0 && ms > 20)
			ms = 20; /* before Linux 5.3 */
		if (ms > 3600e3)
			ms = 3600e3;
		struct pollfd fds[] = {
			{ .fd = interrupts->fd, .events = POLLIN },
			{ .fd = pidfd, .events = POLLIN },
			{ .fd = reports->fd, .events = POLLIN },
		};
		poll(fds, 3, (int)ms);
		take_reports(reports, end);
		if (interrupts_take(interrupts) && kill_at)
			kill_at = monotonic_seconds(); /* a second signal: kill at once */
	}

	kill(-pid, SIGKILL); /* the rest of the group; pid is not reaped yet */
	if (pidfd >= 0)
		close(pidfd);
	end->seconds = monotonic_seconds() - begin;
}

static int run_supervised(const struct process *process, struct interrupts *interrupts,
			  struct process_end *end, struct cg_error *err)
{
	/* If SIGCHLD were ignored, the status would be lost. */
	struct sigaction chld, ignored;
	bool chld_ignored = !sigaction(SIGCHLD, NULL, &chld) && chld.sa_handler == SIG_IGN;
	if (chld_ignored) {
		ignored = chld;
		chld.sa_handler = SIG_DFL;
		sigaction(SIGCHLD, &chld, NULL);
	}

	int status = CG_OK;
	int ends[2];
	if (pipe2(ends, O_CLOEXEC)) {
		status = cg_fail(err, CG_EIO, NULL, 0, "cannot make a pipe: %s", strerror(errno));
		goto done;
	}

	pid_t parent = getpid();
	pid_t pid = fork();
	if (pid == 0)
		child_run(process, ends[1], parent);
	int fork_error = errno;
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		status = cg_fail(err, CG_EIO, NULL, 0, "cannot start a process: %s",
				 strerror(fork_error));
		goto done;
	}

	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	struct reports reports = { .fd = ends[0], .over = process->over };
	end->started = true;
	supervise(process, pid, interrupts, &reports, end);

	int wait_status = 0;
	while (waitpid(pid, &wait_status, 0) < 0 && errno == EINTR)
		;
	if (!reports.ended)
		end->status = wait_status;
	if (process->most_output) {
		output_cut(process->stdout_fd, process->most_output);
		if (process->stderr_fd != process->stdout_fd)
			output_cut(process->stderr_fd, process->most_output);
	}
	take_last_reports(process, &reports, end);
	close(ends[0]);
	if (reports.no_memory)
		status = cg_fail_nomem(err);
done:
	if (chld_ignored)
		sigaction(SIGCHLD, &ignored, NULL);
	return status;
}

int process_run(const struct process *process, struct interrupts *interrupts,
		struct process_end *end, struct cg_error *err)
{
	struct interrupts own;
	struct process_end result = { 0 };
	int status;

	if (!interrupts) {
		status = interrupts_open(&own, err);
		if (status)
			return status;
	}
	status = run_supervised(process, interrupts ? interrupts : &own, &result, err);
	if (!interrupts)
		interrupts_close(&own);
	if (status == CG_OK)
		*end = result;
	return status;
}

int process_output(const char *path, const char *const *argv, const char *const *envp,
		   const char *cwd, struct interrupts *interrupts, char **output,
		   struct cg_error *err)
{
	struct process process = {
		.path = path,
		.argv = argv,
		.envp = envp,
		.cwd = cwd,
		.timeout = HELPER_SECONDS,
	};
	struct process_end end;
	char *text = NULL, *complaint = NULL;
	int out = -1, error = -1;

	int status = memory_file_make("stdout", NULL, 0, &out, err);
	if (!status)
		status = memory_file_make("stderr", NULL, 0, &error, err);
	if (status)
		goto done;
	process.stdout_fd = out;
	process.stderr_fd = error;
	status = process_run(&process, interrupts, &end, err);
	if (status)
		goto done;

	text = memory_file_text(out, HELPER_BYTES, NULL);
	complaint = memory_file_text(error, HELPER_BYTES, NULL);
	if (!text || !complaint) {
		status = cg_fail_nomem(err);
	} else if (!end.started) {
		status = cg_fail(err, CG_EIO, path, 0, "cannot %s: %s", end.failed_step,
				 strerror(end.error));
	} else if (end.interrupted_by) {
		status = cg_fail(err, CG_EIO, path, 0, "interrupted");
	} else if (end.timed_out) {
		status = cg_fail(err, CG_EIO, path, 0, "did not end within %d seconds",
				 HELPER_SECONDS);
	} else if (end.status) {
		complaint[strcspn(complaint, "\n")] = '\0';
		if (WIFSIGNALED(end.status))
			status = cg_fail(err, CG_EIO, path, 0, "killed by signal %d: %s",
					 WTERMSIG(end.status), complaint);
		else
			status = cg_fail(err, CG_EIO, path, 0, "failed with status %d: %s",
					 WEXITSTATUS(end.status), complaint);
	} else {
		*output = text;
		text = NULL;
	}
done:
	free(text);
	free(complaint);
	if (out >= 0)
		close(out);
	if (error >= 0)
		close(error);
	return status;
}

int process_pidfd(pid_t pid)
{
#ifdef SYS_pidfd_open
	return (int)syscall(SYS_pidfd_open, pid, 0u);
#else
	(void)pid;
	errno = ENOSYS;
	return -1;
#endif
}
