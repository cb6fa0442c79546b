/*
 * The CPU that a tracer shares with what it traces. The two take turns at each system call that is
 * looked at. On two CPUs each turn wakes an idle one, which takes several times as long as the
 * call, most of all in a virtual machine. Programs see one CPU in any case.
 */
#ifndef IRDIFF_GUEST_ONE_CPU_H
#define IRDIFF_GUEST_ONE_CPU_H

#include <sched.h>
#include <stdbool.h>
#include <sys/types.h>

struct one_cpu {
	cpu_set_t before; /* what the tracer might use until then */
	bool shared;      /* all are on one CPU now … */
	bool released;    /* … or were: they have `before` again */
};

/* Moves the caller and `program` to one CPU; -1: each stays where it is. The kernel may refuse. */
void one_cpu_share(struct one_cpu *one, int cpu, pid_t program);

/* Gives the caller all CPUs again. Each other thread needs one_cpu_free(). */
void one_cpu_release(struct one_cpu *one);

/* Gives a thread all CPUs again if they are released. */
void one_cpu_free(const struct one_cpu *one, pid_t tid);

#endif
