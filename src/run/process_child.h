/*
 * What process_run() does in the child, from fork() to the program. Private to
 * process.c. A process in between, if there is one, stays until the program is
 * over and takes everything with it that the program has left:
 *
 *	irdiff ─ tracer ─ program     guest
 *	irdiff ─ reaper ─ program     reap
 *	irdiff ─ program              neither
 */
#ifndef IRDIFF_RUN_PROCESS_CHILD_H
#define IRDIFF_RUN_PROCESS_CHILD_H

#include <signal.h>
#include <sys/types.h>

#include "src/run/process.h"

/* The signal that asks the reaper to kill everything: SIGKILL would leave processes in other
 * sessions. It is queued, and has no other use. */
#define CHILD_KILL SIGRTMAX

/* What the child reports to the parent through a pipe: that it is traced, each process that has
 * ended, then how it continued, unless it is the program itself that ends. */
struct child_report {
	enum { CHILD_TRACED, CHILD_UNTRACED, CHILD_FAILED, CHILD_OVER, CHILD_ENDED } kind;
	int value;               /* errno, or a wait status; 0 if traced */
	unsigned tasks, changes; /* as in struct process_end */
	struct process_over over;
	char what[64];
};

void child_run(const struct process *process, int report_fd, pid_t parent)
	__attribute__((noreturn));

#endif
