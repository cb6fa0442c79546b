/*
 * Pids, where nothing traces the benchmark, which would make them constant: its first process has
 * the pid that it would have then. Those that it starts have the kernel's, by which their parent
 * waits for them.
 */
#include "freeze/frozen.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FIRST 4194306 /* GUEST_FIRST of src/guest/guest.h */

static pid_t shown(long pid)
{
	return frozen.first && pid == frozen.first ? FIRST : (pid_t)pid;
}

REPLACES_LIBC pid_t getpid(void)
{
	return shown(kernel(SYS_getpid, 0, 0, 0, 0, 0, 0));
}

REPLACES_LIBC pid_t gettid(void)
{
	return shown(kernel(SYS_gettid, 0, 0, 0, 0, 0, 0));
}

REPLACES_LIBC pid_t getppid(void)
{
	if (frozen.first && kernel(SYS_getpid, 0, 0, 0, 0, 0, 0) == frozen.first)
		return FIRST - 1;
	return shown(kernel(SYS_getppid, 0, 0, 0, 0, 0, 0));
}

/* A signal to the frozen pid is meant for the process that has it. */
REPLACES_LIBC int kill(pid_t pid, int signal)
{
	if (frozen.first && (pid == FIRST || pid == -FIRST))
		pid = pid < 0 ? -frozen.first : frozen.first;
	return (int)call(SYS_kill, pid, signal, 0, 0, 0, 0);
}
