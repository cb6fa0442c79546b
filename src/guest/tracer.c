#include "src/guest/tracer.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "callgrind/support/grow.h"
#include "src/guest/calls.h"
#include "src/guest/one_cpu.h"

#ifdef REGISTERS_ARCH

#define KILL_ROUNDS 2000           /* milliseconds to wait for killed processes before giving up */
#define GRACE_ROUNDS 1000          /* milliseconds for processes left by it to end by themselves */
#define CALL_STOP (SIGTRAP | 0x80) /* PTRACE_O_TRACESYSGOOD */

struct tracer {
	struct traced traced;
	pid_t program;
	struct tracer_end *end;
	const struct tracer_listener *listener; /* its members are NULL if only paths are changed */
	struct one_cpu cpu;
	bool over;  /* the program is */
	bool kills; /* the processes that it has left are being killed */
};

/* ---- threads ---- */

static struct guest_task *find_task(const struct traced *traced, pid_t tid)
{
	for (size_t i = 0; i < traced->ntasks; i++)
		if (traced->tasks[i].tid == tid)
			return &traced->tasks[i];
	return NULL;
}

static struct guest_task *add_task(struct tracer *tracer, pid_t tid)
{
	struct traced *traced = &tracer->traced;

	if (cg_grow(&traced->tasks, &traced->tasks_cap, traced->ntasks + 1,
		    sizeof *traced->tasks)) {
		tracer->traced.failed = true;
		return NULL;
	}
	struct guest_task *task = &traced->tasks[traced->ntasks++];
	*task = (struct guest_task){ .tid = tid, .made = -1 };
	return task;
}

static void drop_task(struct traced *traced, pid_t tid)
{
	struct guest_task *task = find_task(traced, tid);

	if (!task)
		return;
	calls_forget(task);
	*task = traced->tasks[--traced->ntasks];
}

/* Gives a new thread its number. That is done when its maker reports it, as its own first stop may
 * come earlier. If only paths are changed, the kernel's numbers are kept. */
static void name_task(struct tracer *tracer, struct guest_task *task)
{
	if (tracer->traced.guest->only_paths) {
		task->shown = task->process = task->tid;
		return;
	}
	long process = visit_status(task->tid, "Tgid");
	task->shown = pids_add(&tracer->traced.pids, task->tid);
	tracer->traced.failed = tracer->traced.failed || !task->shown;
	task->process = process > 0 ? pids_shown(&tracer->traced.pids, (pid_t)process)
				    : task->shown;
}

/* Whether a process's maker was killed before it could report it, so that the process would wait
 * for ever: its parent has changed or gone. A thread is killed with its maker. */
static bool is_orphan(struct tracer *tracer, const struct guest_task *task)
{
	return !task->shown && task->stopped && visit_status(task->tid, "Tgid") == task->tid &&
	       !find_task(&tracer->traced, (pid_t)visit_status(task->tid, "PPid"));
}

/* Lets a new thread run once its number is known, unless its process is stopped. */
static void begin_task(struct tracer *tracer, struct guest_task *task)
{
	int request = task->group_stop ? PTRACE_LISTEN : PTRACE_CONT;

	if (!task->shown)
		name_task(tracer, task);
	one_cpu_free(&tracer->cpu, task->tid);
	if (task->stopped)
		ptrace(request, task->tid, NULL, NULL);
	task->stopped = false;
}

static void begin_orphans(struct tracer *tracer)
{
	for (size_t i = 0; i < tracer->traced.ntasks; i++)
		if (is_orphan(tracer, &tracer->traced.tasks[i]))
			begin_task(tracer, &tracer->traced.tasks[i]);
}

static void go_on(const struct guest_task *task, int signal)
{
	if (!task)
		return;
	int request = task->call ? PTRACE_SYSCALL : PTRACE_CONT;

	ptrace(request, task->tid, NULL, (void *)(long)signal); /* ESRCH: it was killed */
}

/* ---- stops ---- */

static void at_call(struct tracer *tracer, struct guest_task *task)
{
	unsigned long kind = CALLS_NATIVE;

	ptrace(PTRACE_GETEVENTMSG, task->tid, NULL, &kind);
	if (kind == CALLS_FOREIGN) {
		tracer->end->foreign = true;
		return;
	}
	calls_enter(&tracer->traced, task);
	if (visit_may_go_on(&tracer->traced))
		go_on(task, 0);
}

/* Whether a thread was killed before it was first seen: it has a number, but cannot be followed. */
static bool is_task_gone(pid_t tid)
{
	siginfo_t info;

	return waitid(P_PID, (id_t)tid, &info, WEXITED | WSTOPPED | WNOHANG | WNOWAIT | __WALL) &&
	       errno == ECHILD;
}

/* Whether the maker of this process has another one. Then both may compute at the same time. */
static bool has_sibling(const struct traced *traced, const struct guest_task *task)
{
	for (size_t i = 0; i < traced->ntasks; i++) {
		const struct guest_task *other = &traced->tasks[i];
		if (other != task && other->maker == task->maker && other->shown == other->process)
			return task->shown == task->process;
	}
	return false;
}

static void use_all_cpus(struct tracer *tracer)
{
	one_cpu_release(&tracer->cpu);
	for (size_t i = 0; i < tracer->traced.ntasks; i++)
		one_cpu_free(&tracer->cpu, tracer->traced.tasks[i].tid);
}

static void at_birth(struct tracer *tracer, pid_t maker)
{
	unsigned long tid = 0;
	const struct guest_task *making = find_task(&tracer->traced, maker);
	pid_t process = making ? making->process : 0;

	if (ptrace(PTRACE_GETEVENTMSG, maker, NULL, &tid))
		return; /* it has been killed: its child is an orphan */
	struct guest_task *task = find_task(&tracer->traced, (pid_t)tid);
	bool over = !task && is_task_gone((pid_t)tid);
	if (!task)
		task = add_task(tracer, (pid_t)tid); /* which may move all of them */
	if (!task)
		return;
	begin_task(tracer, task);
	task->maker = process;
	if (tracer->cpu.shared && process && has_sibling(&tracer->traced, task))
		use_all_cpus(tracer);
	if (over)
		drop_task(&tracer->traced, (pid_t)tid);
}

/* After an exec all other threads are dead. Some may have been starting a process without reporting
 * it; such processes begin now. */
static void begin_children(struct tracer *tracer, pid_t maker)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)maker, (int)maker);
	FILE *children = fopen(path, "re");
	int tid;
	while (children && fscanf(children, "%d", &tid) == 1) {
		struct guest_task *task = find_task(&tracer->traced, tid);
		if (!task && !is_task_gone(tid))
			task = add_task(tracer, tid);
		if (task && !task->shown)
			begin_task(tracer, task);
	}
	if (children)
		fclose(children);
}

static void tell_exec(const struct tracer *tracer, const struct guest_task *task)
{
	const struct tracer_listener *listener = tracer->listener;

	if (listener->executed && task->process)
		listener->executed(listener->context, task->process);
}

/* A thread that executes another program becomes the first one of its process. */
static void at_exec(struct tracer *tracer, struct guest_task *task)
{
	unsigned long before = 0;
	pid_t tid = task->tid;

	calls_forget(task);
	ptrace(PTRACE_GETEVENTMSG, tid, NULL, &before);
	if ((pid_t)before != tid)
		drop_task(&tracer->traced, (pid_t)before); /* which may move all of them */
	task = find_task(&tracer->traced, tid);
	if (task) {
		task->executed = true;
		task->has_heap = false;
		tell_exec(tracer, task);
	}
	begin_children(tracer, tid);
	if (!tracer->traced.guest->only_paths)
		visit_start(tid);
}

static bool is_stop(int signal)
{
	return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

/* Translates the sender of a signal, or the child that has ended. */
static void at_signal(struct tracer *tracer, struct guest_task *task, int signal)
{
	siginfo_t info;

	if (!ptrace(PTRACE_GETSIGINFO, task->tid, NULL, &info) &&
	    (signal == SIGCHLD || info.si_code == SI_USER || info.si_code == SI_TKILL ||
	     info.si_code == SI_QUEUE)) {
		info.si_pid = pids_shown(&tracer->traced.pids, info.si_pid);
		ptrace(PTRACE_SETSIGINFO, task->tid, NULL, &info);
	}
	go_on(task, signal);
}

static void at_event(struct tracer *tracer, pid_t tid, int event, int signal)
{
	struct traced *traced = &tracer->traced;
	struct guest_task *task = find_task(traced, tid);

	switch (event) {
	case PTRACE_EVENT_SECCOMP:
		at_call(tracer, task);
		break;
	case PTRACE_EVENT_FORK:
	case PTRACE_EVENT_VFORK:
	case PTRACE_EVENT_CLONE:
		at_birth(tracer, tid);
		go_on(find_task(traced, tid), 0);
		break;
	case PTRACE_EVENT_EXEC:
		at_exec(tracer, task);
		go_on(find_task(traced, tid), 0);
		break;
	case PTRACE_EVENT_STOP:
		if (is_stop(signal)) {
			ptrace(PTRACE_LISTEN, tid, NULL, NULL);
			break;
		} /* fall through */
	default:
		go_on(task, 0);
	}
}

static void at_stop(struct tracer *tracer, pid_t tid, int status)
{
	int signal = WSTOPSIG(status), event = status >> 16;
	struct guest_task *task = find_task(&tracer->traced, tid);

	if (!task)
		task = add_task(tracer, tid);
	if (!task)
		return;
	if (!task->shown && event == PTRACE_EVENT_EXEC)
		name_task(tracer, task); /* its process' first thread had ended */
	if (!task->shown) {
		task->stopped = true;
		task->group_stop = event == PTRACE_EVENT_STOP && is_stop(signal);
		if (is_orphan(tracer, task))
			begin_task(tracer, task);
	} else if (event) {
		at_event(tracer, tid, event, signal);
	} else if (signal == CALL_STOP) {
		calls_leave(&tracer->traced, task);
		go_on(task, 0);
	} else {
		at_signal(tracer, task, signal);
	}
}

/* A process has ended when its first thread has; the kernel reports that one last. */
static void tell_end(const struct tracer *tracer, pid_t tid, int status)
{
	const struct guest_task *task = find_task(&tracer->traced, tid);

	if (!tracer->listener->ended || !task || !task->shown || task->shown != task->process)
		return;
	/* It may have ended by itself just before. */
	bool left = tracer->kills && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
	tracer->listener->ended(tracer->listener->context,
				&(struct tracer_process){ .pid = task->shown,
							  .parent = task->maker,
							  .status = status,
							  .executed = task->executed,
							  .random = task->random,
							  .left = left });
}

static void at_end(struct tracer *tracer, pid_t tid, int status)
{
	tell_end(tracer, tid, status);
	drop_task(&tracer->traced, tid);
	begin_orphans(tracer);
	if (tid == tracer->program) {
		tracer->over = true;
		tracer->end->status = status;
	}
}

static void take_status(struct tracer *tracer, pid_t tid, int status)
{
	if (WIFSTOPPED(status))
		at_stop(tracer, tid, status);
	else
		at_end(tracer, tid, status);
}

/* ---- the whole ---- */

/* Whether all that is traced must be killed, whatever it does. */
static bool must_stop(const struct tracer *tracer)
{
	return tracer->traced.failed || tracer->end->foreign || !visit_may_go_on(&tracer->traced);
}

/* Waits a moment for processes that are about to end, which then need not be killed. */
static void wait_for_rest(struct tracer *tracer)
{
	const struct timespec pause = { 0, 1000000 };
	int status;

	for (int i = 0; i < GRACE_ROUNDS && tracer->traced.ntasks && !must_stop(tracer); i++) {
		pid_t tid;
		while ((tid = waitpid(-1, &status, __WALL | WNOHANG)) > 0)
			take_status(tracer, tid, status);
		if (tid < 0)
			return;
		nanosleep(&pause, NULL);
	}
}

/* Kills the rest. Orphans become children of the tracer, so it can wait for all of them. */
static void kill_rest(struct tracer *tracer)
{
	const struct timespec pause = { 0, 1000000 };
	pid_t tid = 0;
	int status;

	tracer->kills = true;
	for (int i = 0; i < KILL_ROUNDS && tid >= 0; i++) {
		for (size_t k = 0; k < tracer->traced.ntasks; k++)
			kill(tracer->traced.tasks[k].tid, SIGKILL);
		while ((tid = waitpid(-1, &status, __WALL | WNOHANG)) > 0)
			if (!WIFSTOPPED(status))
				at_end(tracer, tid, status);
			else if (!find_task(&tracer->traced, tid))
				add_task(tracer, tid);
		if (!tid)
			nanosleep(&pause, NULL);
	}
}

static bool attach(pid_t program)
{
	long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
		       PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_TRACESECCOMP |
		       PTRACE_O_EXITKILL;

	return !ptrace(PTRACE_SEIZE, program, NULL, (void *)options);
}

bool tracer_follow(const struct guest *guest, pid_t program, int cpu, int ready,
		   const struct tracer_listener *listener, struct tracer_end *end)
{
	static const struct tracer_listener nobody;
	struct tracer tracer = { .traced.guest = guest,
				 .program = program,
				 .end = end,
				 .listener = guest->only_paths ? &nobody : listener };
	struct pids *pids = &tracer.traced.pids;
	int status;

	*end = (struct tracer_end){ .status = SIGKILL };
	if (!attach(program)) {
		int error = errno;
		kill(program, SIGKILL);
		waitpid(program, &status, 0);
		errno = error;
		return false;
	}
	if (!guest->only_paths)
		tracer.traced.failed = !pids_add(pids, getpid());
	one_cpu_share(&tracer.cpu, cpu, program);
	names_begin(&tracer.traced.names, guest->names);
	struct guest_task *task = add_task(&tracer, program);
	if (task)
		name_task(&tracer, task);
	if (!tracer.traced.failed && write(ready, "", 1) != 1)
		tracer.traced.failed = true;
	while (!tracer.over && !must_stop(&tracer)) {
		pid_t tid = waitpid(-1, &status, __WALL);
		if (tid > 0)
			take_status(&tracer, tid, status);
		else if (errno != EINTR)
			break;
	}
	if (tracer.listener->ended && tracer.over)
		wait_for_rest(&tracer);
	kill_rest(&tracer);
	end->tasks = pids_count(pids);
	end->changes = tracer.traced.changes;
	names_end(&tracer.traced.names);
	pids_free(pids);
	inodes_free(&tracer.traced.devices);
	inodes_free(&tracer.traced.inodes);
	free(tracer.traced.tasks);
	if (tracer.traced.failed)
		errno = ENOMEM;
	return !tracer.traced.failed;
}

/* Whether tracing works: a directory that only traced programs see is found, or the pid is one that
 * only they have. */
static bool is_answered(const struct guest *guest)
{
	return guest->only_paths ? !access(guest->places.items[0].seen, F_OK)
				 : syscall(SYS_getpid) == GUEST_FIRST;
}

bool tracer_submit(const struct guest *guest, int ready)
{
	ssize_t n;
	char byte;

	do
		n = read(ready, &byte, 1);
	while (n < 0 && errno == EINTR);
	if (n != 1 || !calls_filter(guest))
		return false;
	if (!is_answered(guest)) {
		errno = ENOSYS;
		return false;
	}
	return true;
}

#else

bool tracer_submit(const struct guest *guest, int ready)
{
	(void)guest, (void)ready;
	errno = ENOSYS;
	return false;
}

bool tracer_follow(const struct guest *guest, pid_t program, int cpu, int ready,
		   const struct tracer_listener *listener, struct tracer_end *end)
{
	int status;

	(void)guest, (void)cpu, (void)ready, (void)listener, (void)end;
	kill(program, SIGKILL);
	waitpid(program, &status, 0);
	errno = ENOSYS;
	return false;
}

#endif
