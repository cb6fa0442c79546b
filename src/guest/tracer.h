/*
 * Traces one program and all that it starts, as guest.h says. The tracer is a process of its own, the
 * program's parent, and does nothing else until all of them are over:
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

/* A process that is over. */
struct tracer_process {
	pid_t pid, parent; /* as it was told; parent 0: not known */
	int status;        /* as from waitpid(2) */
	bool executed;     /* it became another program after it was made */
	bool left;         /* it was killed because the program had ended */
	bool random;       /* it has asked the kernel for random numbers */
};

struct tracer_end {
	int status;     /* of the program, as from waitpid(2) */
	unsigned tasks; /* processes and threads that there were in all */
	bool foreign; /* a program for another machine, as of 32 bits, was started: it was not told
			  * what it is to be told, and was killed */
};

/* In the program, before it becomes what it is to be: waits on `ready` (the tracer's pipe) until it is
 * traced. From then on all calls are looked at. False: errno; ENOSYS: where no call is. */
bool tracer_submit(const struct guest *guest, int ready);

/* Told of each process as it ends, unless the guest has only paths. */
typedef void tracer_hear(void *context, const struct tracer_process *process);

/* In the tracer: follows `program`, its child that is in tracer_submit(), to its end, gives what it has
 * started a moment to end as well, and kills the rest. False: it cannot be traced (errno); it is dead.
 * All signals should be blocked. */
bool tracer_follow(const struct guest *guest, pid_t program, int ready, tracer_hear *hear,
		   void *context, struct tracer_end *end);

#endif
