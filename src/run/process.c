#include "src/run/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define GRACE_MS 2000          /* between SIGTERM and SIGKILL */
#define HELPER_SECONDS 60
#define HELPER_BYTES (1024 * 1024)

/* What the child tells the parent through a pipe. */
struct report {
	enum { REPORT_FAILED, REPORT_ENDED } kind;
	int value;              /* errno, or a wait status */
	char what[64];
};

static void send_report(int fd, const struct report *report)
{
	ssize_t ignored = write(fd, report, sizeof *report);
	(void)ignored; /* nobody left to tell */
}

static void __attribute__((noreturn)) give_up(int fd, const char *what, int error)
{
	struct report report = { .kind = REPORT_FAILED, .value = error };

	snprintf(report.what, sizeof report.what, "%s", what);
	send_report(fd, &report);
	_exit(127);
}

static int write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	size_t len = strlen(text);
	ssize_t written = write(fd, text, len);
	int saved = errno;
	close(fd);
	errno = saved;
	return written == (ssize_t)len ? 0 : -1;
}

/* Without the privilege namespaces need a user namespace around them, in which
 * the user stays who he is. */
static void enter_namespaces(const struct process *process, int report_fd)
{
	int flags = CLONE_NEWNS;
	uid_t uid = geteuid();
	gid_t gid = getegid();

	if (process->own_pids)
		flags |= CLONE_NEWPID;
	if (!unshare(flags))
		return;
	if (errno != EPERM)
		give_up(report_fd, "make namespaces", errno);
	if (unshare(flags | CLONE_NEWUSER))
		give_up(report_fd, "make a user namespace", errno);
	char map[64];
	snprintf(map, sizeof map, "%u %u 1", (unsigned)uid, (unsigned)uid);
	if (write_text("/proc/self/uid_map", map))
		give_up(report_fd, "map the user id", errno);
	if (write_text("/proc/self/setgroups", "deny"))
		give_up(report_fd, "set the group policy", errno);
	snprintf(map, sizeof map, "%u %u 1", (unsigned)gid, (unsigned)gid);
	if (write_text("/proc/self/gid_map", map))
		give_up(report_fd, "map the group id", errno);
}

static void set_signals(bool ignore_ends)
{
	struct sigaction action;
	sigset_t none;

	memset(&action, 0, sizeof action);
	action.sa_handler = SIG_DFL;
	for (int signo = 1; signo < NSIG; signo++)
		sigaction(signo, &action, NULL);
	if (ignore_ends) {
		action.sa_handler = SIG_IGN;
		sigaction(SIGTERM, &action, NULL);
		sigaction(SIGINT, &action, NULL);
		sigaction(SIGHUP, &action, NULL);
	}
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

static void prepare(const struct process *process, int report_fd)
{
	struct process_step step = { "prepare", 0 };

	if (process->prepare && process->prepare(process->prepare_arg, &step))
		give_up(report_fd, step.what, step.error);
}

static void __attribute__((noreturn)) execute(const struct process *process, int report_fd)
{
	static const struct rlimit no_core = { 0, 0 };

	if (!process->path)
		_exit(0);
	if (process->cwd && chdir(process->cwd))
		give_up(report_fd, "enter the working directory", errno);
	umask(022);
	setrlimit(RLIMIT_CORE, &no_core);
	/* A sandbox may refuse this; Valgrind lays out the address space anyway. */
	if (process->fixed_layout)
		personality(PER_LINUX | ADDR_NO_RANDOMIZE);
	set_signals(false);
	execve(process->path, (char *const *)process->argv, (char *const *)process->envp);
	give_up(report_fd, "execute", errno);
}

/* The first process of a pid namespace: starts the program, buries orphans,
 * reports how the program ended. With its own end everything else dies. */
static void __attribute__((noreturn)) be_init(const struct process *process, int report_fd)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prepare(process, report_fd);

	pid_t pid = fork();
	if (pid < 0)
		give_up(report_fd, "fork", errno);
	if (pid == 0)
		execute(process, report_fd);

	struct report report = { .kind = REPORT_ENDED };
	for (;;) {
		int status;
		pid_t ended = wait(&status);
		if (ended == pid) {
			report.value = status;
			break;
		}
		if (ended < 0 && errno != EINTR)
			give_up(report_fd, "wait", errno);
	}
	send_report(report_fd, &report);
	_exit(0);
}

static void __attribute__((noreturn))
be_child(const struct process *process, int report_fd, pid_t parent)
{
	setsid();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);

	int null = open("/dev/null", O_RDWR);
	if (null < 0)
		give_up(report_fd, "open /dev/null", errno);
	int out = process->stdout_fd < 0 ? null : process->stdout_fd;
	int error = process->stderr_fd < 0 ? null : process->stderr_fd;

	/* The caller may have closed some of 0 … 2: lift all above them first. */
	int lifted_null = fcntl(null, F_DUPFD_CLOEXEC, 3);
	int lifted_out = fcntl(out, F_DUPFD_CLOEXEC, 3);
	int lifted_error = fcntl(error, F_DUPFD_CLOEXEC, 3);
	int lifted_report = fcntl(report_fd, F_DUPFD_CLOEXEC, 3);
	if (lifted_null < 0 || lifted_out < 0 || lifted_error < 0 || lifted_report < 0)
		give_up(report_fd, "duplicate descriptors", errno);
	if (dup2(lifted_null, 0) < 0 || dup2(lifted_out, 1) < 0 || dup2(lifted_error, 2) < 0)
		give_up(lifted_report, "duplicate descriptors", errno);
	report_fd = lifted_report;
	close_others(report_fd);

	if (process->own_mounts)
		enter_namespaces(process, report_fd);
	if (process->own_mounts && process->own_pids) {
		set_signals(true);
		pid_t init = fork();
		if (init < 0)
			give_up(report_fd, "fork", errno);
		if (init == 0)
			be_init(process, report_fd);
		close(report_fd);
		while (waitpid(init, NULL, 0) < 0 && errno == EINTR)
			;
		_exit(0);
	}
	prepare(process, report_fd);
	execute(process, report_fd);
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static int open_pidfd(pid_t pid)
{
#ifdef SYS_pidfd_open
	return (int)syscall(SYS_pidfd_open, pid, 0u);
#else
	(void)pid;
	errno = ENOSYS;
	return -1;
#endif
}

static bool is_over(pid_t pid)
{
	siginfo_t info = { 0 };

	if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT))
		return errno != EINTR;
	return info.si_pid == pid;
}

/* Waits until `pid` is a zombie; kills its group when time is up or a signal
 * says so, politely first. */
static void supervise(const struct process *process, pid_t pid,
		      struct interrupts *interrupts, struct process_end *end)
{
	double begin = now(), kill_at = 0;
	bool killed = false;
	int pidfd = open_pidfd(pid);

	while (!is_over(pid)) {
		double t = now(), wake = t + 3600;

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
				kill(-pid, SIGKILL);
				killed = true;
			} else {
				wake = kill_at;
			}
		}

		double ms = (wake - t) * 1e3 + 1;
		if (pidfd < 0 && ms > 20)
			ms = 20; /* before Linux 5.3 */
		if (ms > 3600e3)
			ms = 3600e3;
		struct pollfd fds[] = {
			{ .fd = interrupts->fd, .events = POLLIN },
			{ .fd = pidfd, .events = POLLIN },
		};
		poll(fds, 2, (int)ms);
		if (interrupts_take(interrupts) && kill_at)
			kill_at = now(); /* asked twice: no more patience */
	}

	kill(-pid, SIGKILL); /* whatever of the group is left; pid is not reaped yet */
	if (pidfd >= 0)
		close(pidfd);
	end->seconds = now() - begin;
}

static int run_supervised(const struct process *process, struct interrupts *interrupts,
			  struct process_end *end, struct cg_error *err)
{
	/* SIGCHLD ignored would take the status away from us. */
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
		be_child(process, ends[1], parent);
	int fork_error = errno;
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		status = cg_fail(err, CG_EIO, NULL, 0, "cannot start a process: %s",
				 strerror(fork_error));
		goto done;
	}

	supervise(process, pid, interrupts, end);

	int wait_status = 0;
	while (waitpid(pid, &wait_status, 0) < 0 && errno == EINTR)
		;
	end->started = true;
	end->status = wait_status;

	/* Everybody who could write is dead (or has executed something): what is
	 * in the pipe is all there will be. */
	struct report report;
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	if (read(ends[0], &report, sizeof report) == (ssize_t)sizeof report) {
		if (report.kind == REPORT_FAILED) {
			end->started = false;
			end->error = report.value;
			snprintf(end->failed_step, sizeof end->failed_step, "%.*s",
				 (int)sizeof report.what - 1, report.what);
		} else {
			end->status = report.value;
		}
	} else if (process->own_mounts && process->own_pids && process->path &&
		   WIFEXITED(wait_status)) {
		/* The init was killed, and with it the program. */
		end->status = SIGKILL;
	}
	close(ends[0]);
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

/* All of a memory file, or its first HELPER_BYTES, as text. */
static char *text_of(int fd)
{
	struct stat st;
	if (fstat(fd, &st))
		return NULL;
	size_t len = st.st_size > HELPER_BYTES ? HELPER_BYTES : (size_t)st.st_size;
	char *text = malloc(len + 1);
	if (!text)
		return NULL;

	size_t have = 0;
	while (have < len) {
		ssize_t n = pread(fd, text + have, len - have, (off_t)have);
		if (n <= 0)
			break;
		have += (size_t)n;
	}
	text[have] = '\0';
	return text;
}

int process_output(const char *path, const char *const *argv,
		   const char *const *envp, const char *cwd,
		   struct interrupts *interrupts, char **output,
		   struct cg_error *err)
{
	struct process process = {
		.path = path, .argv = argv, .envp = envp, .cwd = cwd,
		.timeout = HELPER_SECONDS,
	};
	struct process_end end;
	char *text = NULL, *complaint = NULL;
	int status;

	int out = memfd_create("stdout", MFD_CLOEXEC);
	int error = memfd_create("stderr", MFD_CLOEXEC);
	if (out < 0 || error < 0) {
		status = cg_fail(err, CG_EIO, NULL, 0, "cannot make a memory file: %s",
				 strerror(errno));
		goto done;
	}
	process.stdout_fd = out;
	process.stderr_fd = error;
	status = process_run(&process, interrupts, &end, err);
	if (status)
		goto done;

	text = text_of(out);
	complaint = text_of(error);
	if (!text || !complaint) {
		status = cg_fail_nomem(err);
	} else if (!end.started) {
		status = cg_fail(err, CG_EIO, path, 0, "cannot %s: %s", end.failed_step,
				 strerror(end.error));
	} else if (end.interrupted_by) {
		status = cg_fail(err, CG_EIO, path, 0, "interrupted");
	} else if (end.timed_out) {
		status = cg_fail(err, CG_EIO, path, 0, "takes more than %d seconds",
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
