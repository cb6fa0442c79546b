#include "src/guest/registers.h"

#ifdef REGISTERS_ARCH

#include <elf.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

bool registers_get(pid_t tid, struct registers *registers)
{
	struct iovec all = { &registers->raw, sizeof registers->raw };

	registers->skip = false;
	return !ptrace(PTRACE_GETREGSET, tid, (void *)NT_PRSTATUS, &all);
}

#if defined(__x86_64__)

#define ARGUMENTS 6

static unsigned long long *argument(struct registers *r, unsigned i)
{
	unsigned long long *const places[ARGUMENTS] = { &r->raw.rdi, &r->raw.rsi, &r->raw.rdx,
							&r->raw.r10, &r->raw.r8,  &r->raw.r9 };
	return places[i];
}

bool registers_put(pid_t tid, const struct registers *registers)
{
	struct registers copy = *registers;
	struct iovec all = { &copy.raw, sizeof copy.raw };

	return !ptrace(PTRACE_SETREGSET, tid, (void *)NT_PRSTATUS, &all);
}

long registers_number(const struct registers *registers)
{
	return (long)registers->raw.orig_rax;
}

unsigned long registers_argument(const struct registers *registers, unsigned i)
{
	struct registers copy = *registers;

	return *argument(&copy, i);
}

void registers_set_argument(struct registers *registers, unsigned i, unsigned long value)
{
	*argument(registers, i) = value;
}

unsigned long registers_stack(const struct registers *registers)
{
	return registers->raw.rsp - 128; /* what functions may use below it, by the ABI */
}

unsigned long registers_top(const struct registers *registers)
{
	return registers->raw.rsp;
}

void registers_answer(struct registers *registers, long result)
{
	registers->raw.orig_rax = (unsigned long long)-1;
	registers->raw.rax = (unsigned long long)result;
	registers->skip = true;
}

long registers_result(const struct registers *registers)
{
	return (long)registers->raw.rax;
}

void registers_set_result(struct registers *registers, long value)
{
	registers->raw.rax = (unsigned long long)value;
}

void registers_restore(struct registers *registers, const struct registers *before)
{
	for (unsigned i = 0; i < ARGUMENTS; i++)
		registers_set_argument(registers, i, registers_argument(before, i));
}

#elif defined(__aarch64__)

#define ARGUMENTS 6
#define NUMBER_REGISTER 8

bool registers_put(pid_t tid, const struct registers *registers)
{
	struct registers copy = *registers;
	struct iovec all = { &copy.raw, sizeof copy.raw };
	int none = -1;
	struct iovec number = { &none, sizeof none };

	if (registers->skip && ptrace(PTRACE_SETREGSET, tid, (void *)NT_ARM_SYSTEM_CALL, &number))
		return false;
	return !ptrace(PTRACE_SETREGSET, tid, (void *)NT_PRSTATUS, &all);
}

long registers_number(const struct registers *registers)
{
	return (long)registers->raw.regs[NUMBER_REGISTER];
}

unsigned long registers_argument(const struct registers *registers, unsigned i)
{
	return registers->raw.regs[i];
}

void registers_set_argument(struct registers *registers, unsigned i, unsigned long value)
{
	registers->raw.regs[i] = value;
}

unsigned long registers_stack(const struct registers *registers)
{
	return registers->raw.sp;
}

unsigned long registers_top(const struct registers *registers)
{
	return registers->raw.sp;
}

void registers_answer(struct registers *registers, long result)
{
	registers->raw.regs[0] = (unsigned long)result;
	registers->skip = true;
}

long registers_result(const struct registers *registers)
{
	return (long)registers->raw.regs[0];
}

void registers_set_result(struct registers *registers, long value)
{
	registers->raw.regs[0] = (unsigned long)value;
}

/* The first argument shares its register with the result; the kernel keeps its value for a call
 * that it restarts. */
void registers_restore(struct registers *registers, const struct registers *before)
{
	for (unsigned i = 1; i < ARGUMENTS; i++)
		registers_set_argument(registers, i, registers_argument(before, i));
}

#endif
#else
typedef int registers_unknown; /* a translation unit is not empty */
#endif
