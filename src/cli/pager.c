#include "src/cli/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/cli/options.h"

#define IN_USE "IRDIFF_PAGER_IN_USE"

enum { NOT_STARTED = 126, NOT_FOUND = 127, AFTER_SIGNAL = 128 };

/* Told by the variable: commands that irdiff starts have another standard output. */
bool stdout_is_seen(void)
{
	const char *worker = getenv(IN_USE);
	return isatty(STDOUT_FILENO) || (worker && atoi(worker) == getpid());
}

/* ---- which ---- */

/* As with git, an empty one or cat means no pager. */
static const char *choose_pager(void)
{
	const char *pager = getenv("IRDIFF_PAGER");
	const char *term = getenv("TERM");

	if (!pager)
		pager = getenv("PAGER");
	if (!pager)
		pager = "less";
	bool none = !*pager || strcmp(pager, "cat") == 0;
	return none || !term || !*term || strcmp(term, "dumb") == 0 ? NULL : pager;
}

/* ---- the work ---- */

static void set_number(const char *name, unsigned value)
{
	char text[20];

	snprintf(text, sizeof text, "%u", value);
	setenv(name, text, 1);
}

static void set_size(const char *name, unsigned value)
{
	const char *known = getenv(name);

	if (value && (!known || !*known))
		set_number(name, value);
}

/* It writes as to a terminal, whose size it cannot query; it ends with the waiting process. */
static void become_worker(const int pipes[2])
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) {
		set_size("COLUMNS", size.ws_col);
		set_size("LINES", size.ws_row);
	}
	set_number(IN_USE, (unsigned)getpid());
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	dup2(pipes[1], STDOUT_FILENO);
	close(pipes[0]);
	close(pipes[1]);
}

/* ---- the pager ---- */

/* Before it starts, a Ctrl-C is for the work. It does not start without output. */
static void become_pager(const char *pager, const int pipes[2])
{
	struct pollfd input = { .fd = pipes[0], .events = POLLIN };

	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	close(pipes[1]);
	while (poll(&input, 1, -1) < 0 && errno == EINTR)
		;
	if (!(input.revents & POLLIN))
		_exit(EXIT_FINE);
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	if (pipes[0] == STDIN_FILENO)
		fcntl(STDIN_FILENO, F_SETFD, 0);
	else
		dup2(pipes[0], STDIN_FILENO);
	setenv("LESS", "FRX", 0);
	setenv("LV", "-c", 0);
	if (strcmp(pager, "less") == 0)
		execlp("less", "less", (char *)NULL);
	else
		execl("/bin/sh", "sh", "-c", pager, (char *)NULL);
	_exit(NOT_FOUND);
}

/* ---- waiting ---- */

struct children {
	pid_t worker, pager; /* -1: over, or never there */
	int worker_status, pager_status;
	int ended_by; /* signal to the waiting process, or 0 */
};

static void bury(pid_t *pid, int *status)
{
	if (*pid > 0 && waitpid(*pid, status, WNOHANG) != 0)
		*pid = -1;
}

static void pass_on(pid_t pid, int signo)
{
	if (pid > 0)
		kill(pid, signo);
}

/* Until the pager has ended, or both have. Signals that end this process are passed on to them. */
static void wait_for(struct children *c, const sigset_t *signals, bool both)
{
	for (;;) {
		bury(&c->worker, &c->worker_status);
		bury(&c->pager, &c->pager_status);
		if (c->pager < 0 && (!both || c->worker < 0))
			return;
		int signo = sigwaitinfo(signals, NULL);
		if (signo == SIGTERM || signo == SIGHUP) {
			c->ended_by = signo;
			pass_on(c->worker, signo);
			pass_on(c->pager, signo);
		}
	}
}

/* Discards what the pager left unread: nobody wants to see it after quitting. */
static void drain(int from, bool show)
{
	char buffer[1 << 16];
	ssize_t got;

	while ((got = read(from, buffer, sizeof buffer)) > 0 || (got < 0 && errno == EINTR))
		for (ssize_t put = 0, n; show && put < got; put += n)
			if ((n = write(STDOUT_FILENO, buffer + put, (size_t)(got - put))) < 0)
				return;
}

static int end_by(int signo)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(signo, SIG_DFL);
	raise(signo);
	return AFTER_SIGNAL + signo;
}

/* Like the work, unless a signal ended this process, and them with it. */
static int end_as(const struct children *c)
{
	int status = c->worker_status;

	if (c->ended_by)
		return end_by(c->ended_by);
	return WIFSIGNALED(status) ? end_by(WTERMSIG(status)) : WEXITSTATUS(status);
}

static bool has_failed(int status)
{
	return WIFEXITED(status) &&
	       (WEXITSTATUS(status) == NOT_STARTED || WEXITSTATUS(status) == NOT_FOUND);
}

/* A Ctrl-C is for the two, not for the waiting process. */
static int wait_for_both(pid_t worker, pid_t pager, int from)
{
	struct children c = { worker, pager, 0, pager > 0 ? 0 : NOT_STARTED << 8, 0 };
	sigset_t signals;

	signal(SIGINT, SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	sigemptyset(&signals);
	sigaddset(&signals, SIGCHLD);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	wait_for(&c, &signals, false);
	drain(from, has_failed(c.pager_status));
	close(from);
	wait_for(&c, &signals, true);
	return end_as(&c);
}

bool pager_begin(int *exit_code)
{
	const char *pager = isatty(STDOUT_FILENO) ? choose_pager() : NULL;
	int pipes[2];

	if (!pager || pipe2(pipes, O_CLOEXEC))
		return true;
	signal(SIGCHLD, SIG_DFL);
	pid_t worker = fork();
	if (worker == 0) {
		become_worker(pipes);
		return true;
	}
	pid_t reader = worker > 0 ? fork() : -1;
	if (reader == 0)
		become_pager(pager, pipes);
	close(pipes[1]);
	if (worker > 0) {
		*exit_code = wait_for_both(worker, reader, pipes[0]);
		return false;
	}
	close(pipes[0]);
	return true;
}
