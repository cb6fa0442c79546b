/*
 * What process_run() does in the child, from fork() to the program. Private to
 * process.c. A process in between, if there is one, stays until the program is
 * over and takes everything with it that the program has left:
 *
 *	irdiff ─ outer ─ init of the pid namespace ─ program     own_pids
 *	irdiff ─ reaper ─ program                                reap
 *	irdiff ─ program                                         neither
 */
#ifndef IRDIFF_RUN_CHILD_H
#define IRDIFF_RUN_CHILD_H

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

#include "src/run/process.h"

/* What asks the reaper to kill everything: SIGKILL would leave what is in other
 * sessions. It is queued, and nobody else uses it. */
#define CHILD_KILL SIGRTMAX

/* What the child tells the parent through a pipe: that it is placed as wanted, then how it went
 * on, unless it is the program itself that ends. */
struct child_report {
	enum { CHILD_PLACED, CHILD_FAILED, CHILD_ENDED } kind;
	int value;              /* errno, or a wait status; 0 if placed */
	unsigned tasks;         /* as in struct process_end */
	char what[64];
};

#define CHILD_PIDS 32768 /* that there are at least, where the kernel does not say it */

/* Pids are given one after the other, to threads as well, so that the next one says how many tasks
 * there were from `first` on; unless behind `last` they have begun again, which they may have if the
 * whole machine has started so many tasks meanwhile (`forks`). 0: not known. */
unsigned child_count_tasks(pid_t first, pid_t next, pid_t last, uint64_t forks);

void child_run(const struct process *process, int report_fd, pid_t parent)
	__attribute__((noreturn));

#endif
