/*
 * Traces one program and all that it starts, as guest.h says. The tracer is a process of its own,
 * the program's parent, and does nothing else until all of them are over:
 *
 *	tracer ─ program ─ …
 *
 * With the tracer everything that it traces dies, even by SIGKILL.
 */
#ifndef IRDIFF_GUEST_TRACER_H
#define IRDIFF_GUEST_TRACER_H

#include <stdbool.h>
#include <sys/types.h>

#include "src/guest/guest.h"

/* A process that has ended. */
struct tracer_process {
	pid_t pid, parent; /* as it was told; parent 0: not known */
	int status;        /* as from waitpid(2) */
	bool executed;     /* it became another program after it was made */
	bool left;         /* it still ran when the program ended, and was killed */
	bool random;       /* it has asked the kernel for random numbers */
};

struct tracer_end {
	int status;     /* of the program, as from waitpid(2) */
	unsigned tasks; /* processes and threads that there were in all */
	/* a program for another machine, such as a 32-bit one, was started; it could not be
	 * answered, and was killed */
	bool foreign;
	unsigned changes; /* enum guest_shared: what was changed; if that is shared, it was not yet,
			   * and all were killed */
};

/* Called in the child before it executes the program: waits on `ready` (the tracer's pipe) until it
 * is traced. From then on all calls are looked at. False: errno; ENOSYS: the kernel lacks a call
 * that this needs. */
bool tracer_submit(const struct guest *guest, int ready);

/* Whom the tracer tells, unless only paths are changed. Members may be NULL. */
struct tracer_listener {
	void *context;
	/* a process has ended */
	void (*ended)(void *context, const struct tracer_process *process);
	/* a process has become another program, which does not run yet */
	void (*executed)(void *context, pid_t pid);
};

/* Called in the tracer: follows `program`, its child in tracer_submit(), to its end. Processes that
 * it leaves have a moment to end, and are then killed. Both run on `cpu`, unless it is -1, until a
 * process has two children at a time. False: it cannot be traced (errno), and is dead. All signals
 * should be blocked. */
bool tracer_follow(const struct guest *guest, pid_t program, int cpu, int ready,
		   const struct tracer_listener *listener, struct tracer_end *end);

#endif
