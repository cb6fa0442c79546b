/*
 * The registers of a stopped thread, as far as system calls go: the one place that knows how a
 * machine passes their number, arguments and result.
 */
#ifndef IRDIFF_GUEST_REGISTERS_H
#define IRDIFF_GUEST_REGISTERS_H

#include <linux/audit.h>
#include <stdbool.h>
#include <sys/types.h>
#include <sys/user.h>

#if defined(__x86_64__)
#define REGISTERS_ARCH AUDIT_ARCH_X86_64 /* what a filter sees of native calls */
#elif defined(__aarch64__)
#define REGISTERS_ARCH AUDIT_ARCH_AARCH64
#endif

#ifdef REGISTERS_ARCH

struct registers {
	struct user_regs_struct raw;
	bool skip; /* the call is not to be made */
};

/* False: the thread is gone. */
bool registers_get(pid_t tid, struct registers *registers);
bool registers_put(pid_t tid, const struct registers *registers);

/* At a call's begin. */
long registers_number(const struct registers *registers);
unsigned long registers_argument(const struct registers *registers, unsigned i);
void registers_set_argument(struct registers *registers, unsigned i, unsigned long value);
unsigned long registers_stack(const struct registers *registers); /* what is below is not used */
unsigned long registers_top(const struct registers *registers);   /* the stack's last word */

/* The kernel does not make the call, which has this result. */
void registers_answer(struct registers *registers, long result);

/* At its end. */
long registers_result(const struct registers *registers);
void registers_set_result(struct registers *registers, long value);

/* The arguments as they were before it, as a program may rely on them. */
void registers_restore(struct registers *registers, const struct registers *before);

#endif
#endif
