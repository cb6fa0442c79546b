/* Numbers of processes and threads in system calls. */
#include "src/guest/visit.h"

#ifdef REGISTERS_ARCH

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/guest/memory.h"

enum turn enter_getpid(struct visit *visit)
{
	return visit_answer(visit, visit->task->process);
}

enum turn enter_gettid(struct visit *visit)
{
	return visit_answer(visit, visit->task->shown);
}

/* The kernel knows who has adopted an orphan. */
enum turn enter_getppid(struct visit *visit)
{
	long parent = visit_status(visit->task->tid, "PPid");

	return parent < 0 ? TURN_GO
			  : visit_answer(visit, pids_shown(&visit->traced->pids, (pid_t)parent));
}

/* Everybody whom it may reach: in what is traced, and itself not. */
static enum turn kill_everybody(struct visit *visit, int signal)
{
	const struct traced *traced = visit->traced;
	long result = -ESRCH;

	for (size_t i = 0; i < traced->ntasks; i++) {
		const struct task *task = &traced->tasks[i];
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

#else
typedef int processes_unknown; /* a translation unit is not empty */
#endif
