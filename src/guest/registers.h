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

/* Of a thread at the beginning of a call. */
long registers_number(const struct registers *registers);
unsigned long registers_argument(const struct registers *registers, unsigned i);
void registers_set_argument(struct registers *registers, unsigned i, unsigned long value);
unsigned long registers_stack(
	const struct registers *registers);                     /* memory below it is not in use */
unsigned long registers_top(const struct registers *registers); /* the stack's last word */

/* Keeps the kernel from making the call, and sets its result. */
void registers_answer(struct registers *registers, long result);

/* Of a thread at the end of a call. */
long registers_result(const struct registers *registers);
void registers_set_result(struct registers *registers, long value);

/* Restores the arguments as they were before the call, as a program may rely on them. */
void registers_restore(struct registers *registers, const struct registers *before);

#endif
#endif
