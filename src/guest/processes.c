/* Numbers of processes and threads in system calls. */
#include "src/guest/visit.h"

#ifdef REGISTERS_ARCH

#include <errno.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/guest/memory.h"

#define CLONE3_WORDS 16 /* more words than the structure of clone3() has */

enum turn enter_getpid(struct visit *visit)
{
	return visit_answer(visit, visit->task->process);
}

enum turn enter_gettid(struct visit *visit)
{
	return visit_answer(visit, visit->task->shown);
}

/* The kernel is asked, as it knows who has adopted an orphan. */
enum turn enter_getppid(struct visit *visit)
{
	long parent = visit_status(visit->task->tid, "PPid");

	return parent < 0 ? TURN_GO
			  : visit_answer(visit, pids_shown(&visit->traced->pids, (pid_t)parent));
}

/* kill(-1): signals all traced processes except the caller. */
static enum turn kill_everybody(struct visit *visit, int signal)
{
	const struct traced *traced = visit->traced;
	long result = -ESRCH;

	for (size_t i = 0; i < traced->ntasks; i++) {
		const struct guest_task *task = &traced->tasks[i];
		if (task->shown == task->process && task->process != visit->task->process &&
		    !kill(task->tid, signal))
			result = 0;
	}
	return visit_answer(visit, result);
}

enum turn enter_kill(struct visit *visit)
{
	pid_t shown = (pid_t)visit_argument(visit, 0);

	if (shown == -1)
		return kill_everybody(visit, (int)visit_argument(visit, 1));
	pid_t real = pids_real(&visit->traced->pids, shown);
	if (real == shown)
		return TURN_GO;
	visit_set_argument(visit, 0, (unsigned long)(long)real);
	return TURN_RETURN;
}

enum turn enter_waitid(struct visit *visit)
{
	idtype_t type = (idtype_t)visit_argument(visit, 0);
	pid_t shown = (pid_t)visit_argument(visit, 1);
	pid_t real = pids_real(&visit->traced->pids, shown);

	if ((type == P_PID || type == P_PGID) && real != shown)
		visit_set_argument(visit, 1, (unsigned long)real);
	return TURN_RETURN;
}

void leave_waitid(struct visit *visit)
{
	unsigned long info = registers_argument(&visit->task->before, 2);
	unsigned long at = info + offsetof(siginfo_t, si_pid);
	pid_t real;

	if (!info || !memory_read(visit->task->tid, at, &real, sizeof real))
		return;
	pid_t shown = pids_shown(&visit->traced->pids, real);
	if (shown != real)
		memory_write(visit->task->tid, at, &shown, sizeof shown);
}

/* Takes CLONE_UNTRACED away, so that the new process is traced as well. */
enum turn enter_clone(struct visit *visit)
{
	unsigned long flags = visit_argument(visit, 0);

	if (flags & CLONE_UNTRACED)
		visit_set_argument(visit, 0, flags & ~(unsigned long)CLONE_UNTRACED);
	return TURN_RETURN;
}

enum turn enter_clone3(struct visit *visit)
{
	uint64_t words[CLONE3_WORDS]; /* of which the flags are the first */
	size_t size = visit_argument(visit, 1);

	if (size < sizeof *words || size > sizeof words ||
	    !memory_read(visit->task->tid, visit_argument(visit, 0), words, size) ||
	    !(words[0] & CLONE_UNTRACED))
		return TURN_RETURN;
	words[0] &= ~(uint64_t)CLONE_UNTRACED;
	visit_push(visit, 0, words, size);
	return TURN_RETURN;
}

/* The pid is in memory. */
enum turn enter_capabilities(struct visit *visit)
{
	struct __user_cap_header_struct header;

	if (!memory_read(visit->task->tid, visit_argument(visit, 0), &header, sizeof header))
		return TURN_GO;
	pid_t real = pids_real(&visit->traced->pids, header.pid);
	if (real == header.pid)
		return TURN_GO;
	header.pid = real;
	return visit_push(visit, 0, &header, sizeof header) ? TURN_RETURN : TURN_GO;
}

/* The receiver of a timer's signal is in memory too. */
enum turn enter_timer_create(struct visit *visit)
{
	union {
		struct sigevent all;
		struct { /* C libraries do not agree on names */
			uint64_t value;
			int32_t number, notify, thread;
		} known;
	} event;
	unsigned long address = visit_argument(visit, 1);

	if (!address || !memory_read(visit->task->tid, address, &event, sizeof event) ||
	    !(event.known.notify & SIGEV_THREAD_ID))
		return TURN_GO;
	pid_t real = pids_real(&visit->traced->pids, event.known.thread);
	if (real == event.known.thread)
		return TURN_GO;
	event.known.thread = real;
	return visit_push(visit, 1, &event, sizeof event) ? TURN_RETURN : TURN_GO;
}

/* A program that may not be dumped could not be read by the tracer either. The call is answered
 * without being made; traced programs leave no core dumps anyway. */
enum turn enter_set_dumpable(struct visit *visit)
{
	return visit_answer(visit, visit_argument(visit, 1) > 1 ? -EINVAL : 0);
}

#else
typedef int processes_unknown; /* a translation unit is not empty */
#endif
