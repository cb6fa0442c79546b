#include "src/run/process_child.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "src/guest/tracer.h"
#include "src/run/cpu.h"
#include "src/run/signals.h"

#define KILL_ROUNDS 2000 /* milliseconds for which the reaper kills before it gives up */

/* ---- telling the parent ---- */

static void send_report(int fd, const struct child_report *report)
{
	ssize_t ignored = write(fd, report, sizeof *report);
	(void)ignored; /* the parent is gone */
}

static _Noreturn void end_with(int fd, int kind, const char *what, int error)
{
	struct child_report report = { .kind = kind, .value = error };

	snprintf(report.what, sizeof report.what, "%s", what);
	send_report(fd, &report);
	_exit(127);
}

static _Noreturn void give_up(int fd, const char *what, int error)
{
	end_with(fd, CHILD_FAILED, what, error);
}

/* ---- the state of the program ---- */

static void set_signals(void)
{
	sigset_t none;

	signals_reset();
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static void close_others(int keep)
{
#ifdef SYS_close_range
	if ((keep <= 3 || !syscall(SYS_close_range, 3u, (unsigned)keep - 1, 0u)) &&
	    !syscall(SYS_close_range, (unsigned)keep + 1, ~0u, 0u))
		return;
#endif
	long max = sysconf(_SC_OPEN_MAX);
	if (max < 0 || max > 65536)
		max = 65536;
	for (int fd = 3; fd < max; fd++)
		if (fd != keep)
			close(fd);
}

/* Sets the soft and the hard limit, or a program that raises its limit would see another one. A
 * lower hard limit stays; the fingerprint records it. */
static void pin_limit(int which, rlim_t value)
{
	struct rlimit limit;

	if (getrlimit(which, &limit))
		return;
	if (limit.rlim_max > value)
		limit.rlim_max = value;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(which, &limit);
}

/* Programs choose threads and loops by the number of CPUs. It is always the same CPU, unless other
 * runs need it: a loop over the set shows which one it is. A sandbox may refuse this. */
static void pin_cpu(int wanted)
{
	int cpu = wanted >= 0 ? wanted : process_first_cpu();
	cpu_set_t set;

	if (cpu < 0 || cpu >= CPU_SETSIZE)
		return;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof set, &set);
}

static _Noreturn void execute_child(const struct process *process, int report_fd)
{
	if (!process->path)
		_exit(0);
	if (process->cwd && chdir(process->cwd))
		give_up(report_fd, "enter the working directory", errno);
	umask(022);
	pin_limit(RLIMIT_CORE, 0);
	if (process->fixed_limits) {
		pin_limit(RLIMIT_NOFILE, PROCESS_FILES);
		pin_limit(RLIMIT_STACK, PROCESS_STACK);
		if (!process->guest) /* the tracer has done it */
			pin_cpu(process->cpu);
	}
	/* A sandbox may refuse this; Valgrind lays out the address space anyway. */
	if (process->fixed_layout)
		personality(PER_LINUX | ADDR_NO_RANDOMIZE);
	set_signals();
	execve(process->path, (char *const *)process->argv, (char *const *)process->envp);
	give_up(report_fd, "execute", errno);
}

/* ---- processes in between ---- */

/* Kills our own children; only we can reap them, so their pids stay theirs. Children that do not
 * fit into the list are killed in the next round. */
static void kill_children(void)
{
	char list[4096], *at = list, *end;
	int fd = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, list, sizeof list - 1);

	if (fd >= 0)
		close(fd);
	list[n > 0 ? n : 0] = '\0';
	for (long pid; (pid = strtol(at, &end, 10)) > 0 && *end == ' '; at = end)
		kill((pid_t)pid, SIGKILL);
}

/* Reaps all that have ended. Returns whether a child is left. If `program` was among them, sets
 * *over, and *status to its status. */
static bool bury_dead(pid_t program, bool *over, int *status)
{
	for (;;) {
		int ended_with;
		pid_t ended = waitpid(-1, &ended_with, WNOHANG);
		if (ended <= 0)
			return ended == 0;
		if (ended == program) {
			*over = true;
			*status = ended_with;
		}
	}
}

/* Waits until the program has ended, or the parent asks for the end or has ended itself. */
static void watch_program(pid_t program, pid_t parent, const sigset_t *signals, bool *over,
			  int *status)
{
	while (!*over) {
		siginfo_t info;
		int signo = sigwaitinfo(signals, &info);
		if (signo == CHILD_KILL && (info.si_pid == parent || getppid() != parent))
			return;
		bury_dead(program, over, status);
	}
}

/* Becomes the parent of orphans, and blocks all signals, to wait for them. */
static void be_in_between(sigset_t *all)
{
	set_signals();
	sigfillset(all);
	sigprocmask(SIG_SETMASK, all, NULL);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
}

/* Kills all processes that the program has left, in any session. Children of those killed become
 * its own, so it repeats this until no child is left. */
static _Noreturn void be_reaper(const struct process *process, int report_fd, pid_t parent)
{
	struct child_report report = { .kind = CHILD_ENDED, .value = SIGKILL };
	const struct timespec pause = { 0, 1000000 };
	sigset_t all;
	bool over = false;

	be_in_between(&all);
	prctl(PR_SET_PDEATHSIG, CHILD_KILL);
	if (getppid() != parent)
		_exit(127);

	pid_t pid = fork();
	if (pid < 0)
		give_up(report_fd, "fork", errno);
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		execute_child(process, report_fd);
	}
	watch_program(pid, parent, &all, &over, &report.value);
	for (int i = 0; i < KILL_ROUNDS && bury_dead(pid, &over, &report.value); i++) {
		kill_children();
		nanosleep(&pause, NULL);
	}
	send_report(report_fd, &report);
	_exit(0);
}

/* Has the program wait until it is traced; it then runs as it would without a tracer. */
static _Noreturn void be_traced(const struct process *process, int report_fd, int ready)
{
	if (!tracer_submit(process->guest, ready))
		end_with(report_fd, CHILD_UNTRACED, "start tracing it", errno);
	close(ready);
	send_report(report_fd, &(struct child_report){ .kind = CHILD_TRACED });
	execute_child(process, report_fd);
}

/* The CPU of a traced program, which does not see its number: one that no other run has. A build
 * may use all. */
static int choose_cpu(const struct process *process, int *claim)
{
	*claim = -1;
	if (!process->fixed_limits)
		return -1;
	return process->cpu >= 0 ? process->cpu : cpu_claim(claim);
}

/* What a tracer has learned while it follows a program. */
struct hearing {
	const struct process *process;
	int report_fd;
};

static void tell_over(void *context, const struct tracer_process *process)
{
	const struct hearing *hearing = context;

	send_report(hearing->report_fd,
		    &(struct child_report){ .kind = CHILD_OVER,
					    .over = { .pid = process->pid,
						      .parent = process->parent,
						      .status = process->status,
						      .executed = process->executed,
						      .left = process->left,
						      .random = process->random } });
}

static void take_exec(void *context, pid_t pid)
{
	const struct hearing *hearing = context;

	hearing->process->executed(hearing->process->directory, pid);
}

static _Noreturn void be_tracer(const struct process *process, int report_fd)
{
	struct hearing hearing = { process, report_fd };
	const struct tracer_listener listener = { .context = &hearing,
						  .ended = process->over ? tell_over : NULL,
						  .executed = process->executed ? take_exec
										: NULL };
	struct tracer_end end;
	sigset_t all;
	int ready[2], claim;

	be_in_between(&all);
	if (pipe2(ready, O_CLOEXEC))
		give_up(report_fd, "make a pipe", errno);
	pid_t pid = fork();
	if (pid < 0)
		give_up(report_fd, "fork", errno);
	if (pid == 0) {
		close(ready[1]);
		be_traced(process, report_fd, ready[0]);
	}
	close(ready[0]);
	int cpu = choose_cpu(process, &claim);
	if (!tracer_follow(process->guest, pid, cpu, ready[1], &listener, &end))
		end_with(report_fd, CHILD_UNTRACED, "trace it", errno);
	if (end.foreign)
		end_with(report_fd, CHILD_UNTRACED, "trace a program for another machine", ENOSYS);
	send_report(report_fd, &(struct child_report){ .kind = CHILD_ENDED,
						       .value = end.status,
						       .tasks = end.tasks,
						       .changes = end.changes });
	_exit(0);
}

/* ---- the whole ---- */

/* Sets up descriptors 0, 1 and 2 and closes all others but the report's, which is returned. The
 * caller may have closed some of 0 … 2, so all needed ones are first moved above them. */
static int set_descriptors(const struct process *process, int report_fd)
{
	int null = open("/dev/null", O_RDWR);
	if (null < 0)
		give_up(report_fd, "open /dev/null", errno);
	int out = process->stdout_fd < 0 ? null : process->stdout_fd;
	int error = process->stderr_fd < 0 ? null : process->stderr_fd;

	int lifted_in = fcntl(process->stdin_fd > 0 ? process->stdin_fd : null, F_DUPFD_CLOEXEC, 3);
	int lifted_out = fcntl(out, F_DUPFD_CLOEXEC, 3);
	int lifted_error = fcntl(error, F_DUPFD_CLOEXEC, 3);
	int lifted_report = fcntl(report_fd, F_DUPFD_CLOEXEC, 3);
	if (lifted_in < 0 || lifted_out < 0 || lifted_error < 0 || lifted_report < 0)
		give_up(report_fd, "duplicate descriptors", errno);
	if (dup2(lifted_in, 0) < 0 || dup2(lifted_out, 1) < 0 || dup2(lifted_error, 2) < 0)
		give_up(lifted_report, "duplicate descriptors", errno);
	close_others(lifted_report);
	return lifted_report;
}

void child_run(const struct process *process, int report_fd, pid_t parent)
{
	setsid();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	report_fd = set_descriptors(process, report_fd);
	if (process->guest)
		be_tracer(process, report_fd);
	if (process->reap)
		be_reaper(process, report_fd, parent);
	execute_child(process, report_fd);
}
