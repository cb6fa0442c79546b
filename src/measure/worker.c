#include "src/measure/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "src/measure/measure.h"
#include "src/measure/task.h"
#include "src/run/cpu.h"
#include "src/status/ending.h"

/* Directories of other machines are seen as they were up to a minute before. */
enum { LOOK_S = 1, PATIENCE_S = 180 };

static void set_variables(const struct strings *variables)
{
	for (size_t i = 0; i < variables->count; i++) {
		char *name = variables->items[i], *value = strchr(name, '=');
		if (!value) {
			unsetenv(name);
			continue;
		}
		*value = '\0';
		setenv(name, value + 1, 1);
		*value = '=';
	}
}

/* A launcher may do anything with standard error. */
static int redirect(const char *task, struct cg_error *err)
{
	char *path;
	if (asprintf(&path, "%s" TASK_MESSAGES, task) < 0)
		return cg_fail_nomem(err);
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600),
	    status = CG_OK;
	if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0 || dup2(fd, STDERR_FILENO) < 0)
		status = cg_fail(err, CG_EIO, path, 0, "cannot write messages");
	if (fd > STDERR_FILENO)
		close(fd);
	free(path);
	return status;
}

/* ---- detecting that the waiting irdiff is gone ----------------------------- */

/* A worker on another machine cannot see that irdiff was killed, and not every launcher can tell
 * it. */
static void *watch_pulse(void *context)
{
	const char *pulse = context;
	const struct timespec pause = { .tv_sec = LOOK_S };
	struct timespec last = { 0 };
	int silent = 0;

	for (;;) {
		struct stat st;
		nanosleep(&pause, NULL);
		bool there = stat(pulse, &st) == 0, gone = !there && errno == ENOENT;
		bool beats = there && (st.st_mtim.tv_sec != last.tv_sec ||
				       st.st_mtim.tv_nsec != last.tv_nsec);
		last = there ? st.st_mtim : last;
		silent = beats ? 0 : silent + LOOK_S;
		if (gone || silent >= PATIENCE_S)
			kill(getpid(), SIGTERM);
	}
	return NULL;
}

/* Does nothing if irdiff itself is the parent. The pulse stays allocated as long as the thread
 * runs: until the process ends. */
static int start_watch(const char *task, struct cg_error *err)
{
	pthread_t thread;
	sigset_t all, before;
	const char *slash = strrchr(task, '/');
	char *pulse;

	if (asprintf(&pulse, "%.*s" WORKER_PULSE, slash ? (int)(slash - task + 1) : 0, task) < 0)
		return cg_fail_nomem(err);
	if (access(pulse, F_OK) != 0) {
		free(pulse);
		return CG_OK;
	}
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int error = pthread_create(&thread, NULL, watch_pulse, pulse);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (error) {
		free(pulse);
		return cg_fail(err, CG_EIO, NULL, 0, "cannot start a thread: %s", strerror(error));
	}
	pthread_detach(thread);
	return CG_OK;
}

/* ---- the whole ------------------------------------------------------------ */

static enum ending work(struct task *t, const struct notices *notices, struct measured *measured)
{
	int claim;

	set_variables(&t->variables);
	t->measurement.notices = notices;
	t->measurement.request.cpu = cpu_claim(&claim);
	enum ending ending = measure(&t->measurement, measured);
	if (claim >= 0)
		close(claim);
	return ending;
}

static int read_worker_number(const char *text, unsigned *out, struct cg_error *err)
{
	char *end;
	unsigned long number = strtoul(text, &end, 10);

	if (end == text || *end || number > UINT_MAX)
		return cg_fail(err, CG_EINVAL, NULL, 0, "not a number: %s", text);
	*out = (unsigned)number;
	return CG_OK;
}

static int set_worker_numbers(struct task *t, const char *const *numbers, struct cg_error *err)
{
	unsigned runs = 1;
	int status = read_worker_number(numbers[0], &t->measurement.request.shared, err);

	if (!status)
		status = read_worker_number(numbers[1], &runs, err);
	t->measurement.beside = t->measurement.beside && runs > 1;
	return status;
}

enum ending worker_main(const char *path, const char *const *numbers, const struct notices *notices)
{
	struct task t;
	struct measured measured = { 0 };
	struct cg_error err = { 0 };
	int status = task_read(path, &t, &err);

	if (!status)
		status = redirect(path, &err);
	if (!status)
		status = set_worker_numbers(&t, numbers, &err);
	if (!status)
		status = start_watch(path, &err);
	enum ending ending = status ? notice_error(notices, &err) : work(&t, notices, &measured);
	if (!status && task_write_result(path, ending, &measured, &err))
		ending = notice_error(notices, &err);
	measured_free(&measured);
	task_free(&t);
	return ending;
}
