#include "src/run/background.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/run/process.h"
#include "src/run/signals.h"

enum { WITHOUT_PIDFD_MS = 20 }; /* before Linux 5.3 */

static _Noreturn void execute_in_background(const char *path, const char *const *argv, int out,
					    pid_t parent)
{
	int null = open("/dev/null", O_RDONLY);
	sigset_t none;

	setsid();
	signals_reset();
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL); /* what irdiff's own starter has blocked */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() == parent && null >= 0 && dup2(null, 0) >= 0 && dup2(out, 1) >= 0 &&
	    dup2(out, 2) >= 0) {
		if (null > 2)
			close(null);
		execv(path, (char *const *)argv);
		dprintf(2, "irdiff: cannot execute %s: %s\n", path, strerror(errno));
	}
	_exit(127);
}

int background_start(const char *path, const char *const *argv, const char *log,
		     struct background *out, struct cg_error *err)
{
	int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return cg_fail(err, cg_io_status(errno), log, 0, "cannot write: %s",
			       strerror(errno));
	pid_t parent = getpid(), pid = fork();
	if (pid == 0)
		execute_in_background(path, argv, fd, parent);
	int error = errno;
	close(fd);
	if (pid < 0)
		return cg_fail(err, CG_EIO, NULL, 0, "cannot start a process: %s", strerror(error));
	*out = (struct background){ pid, process_pidfd(pid) };
	return CG_OK;
}

bool background_is_over(const struct background *b)
{
	siginfo_t info = { 0 };

	return waitid(P_PID, (id_t)b->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	       info.si_pid == b->pid;
}

int background_end(struct background *b)
{
	int status = 0;

	kill(-b->pid, SIGKILL); /* the pid is not free yet */
	while (waitpid(b->pid, &status, 0) < 0 && errno == EINTR)
		;
	if (b->pidfd >= 0)
		close(b->pidfd);
	*b = (struct background){ 0, -1 };
	return status;
}

void background_signal(const struct background *b, int signal)
{
	if (b->pid > 0 && kill(-b->pid, signal))
		kill(b->pid, signal); /* the child has not called setsid() yet */
}

void background_wait(const struct background *const *list, size_t count,
		     const struct interrupts *interrupts, int milliseconds)
{
	struct pollfd *fds = calloc(count + 1, sizeof *fds);
	nfds_t used = 0;

	if (!fds) {
		poll(NULL, 0, WITHOUT_PIDFD_MS);
		return;
	}
	fds[used++] = (struct pollfd){ .fd = interrupts->fd, .events = POLLIN };
	for (size_t i = 0; i < count; i++) {
		if (list[i]->pid > 0 && list[i]->pidfd < 0 && milliseconds > WITHOUT_PIDFD_MS)
			milliseconds = WITHOUT_PIDFD_MS;
		else if (list[i]->pid > 0)
			fds[used++] = (struct pollfd){ .fd = list[i]->pidfd, .events = POLLIN };
	}
	poll(fds, used, milliseconds);
	free(fds);
}
