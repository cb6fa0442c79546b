/* Usage: refuse CALL[,CALL...] COMMAND...
 *
 * Runs a command in a sandbox that refuses these system calls, as containers do: "ptrace", "unshare",
 * "personality" and so on, with EPERM. 77: there are no such filters here. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_openat2
#define SYS_openat2 437
#endif

static const struct {
	const char *name;
	unsigned number;
} calls[] = {
	{ "openat2", SYS_openat2 },
	{ "personality", SYS_personality },
	{ "process_vm_readv", SYS_process_vm_readv },
	{ "process_vm_writev", SYS_process_vm_writev },
	{ "ptrace", SYS_ptrace },
	{ "sched_setaffinity", SYS_sched_setaffinity },
	{ "seccomp", SYS_seccomp },
	{ "unshare", SYS_unshare },
};

static struct sock_filter code[2 * sizeof calls / sizeof calls[0] + 2];
static unsigned short length;

static int add(const char *name)
{
	for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
		if (!strcmp(calls[i].name, name)) {
			code[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
								      calls[i].number, 0, 1);
			code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
								      SECCOMP_RET_ERRNO | EPERM);
			return 1;
		}
	return 0;
}

/* Leaks are looked for by tracing, which may be what is refused. */
static void leave_leaks(void)
{
	const char *before = getenv("ASAN_OPTIONS");
	char options[1024];

	snprintf(options, sizeof options, "%s:detect_leaks=0", before ? before : "");
	setenv("ASAN_OPTIONS", options, 1);
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	leave_leaks();
	code[length++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
						      offsetof(struct seccomp_data, nr));
	for (char *name = strtok(argv[1], ","); name; name = strtok(NULL, ","))
		if (!add(name))
			return 2;
	code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_fprog filter = { length, code };
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter))
		return 77;
	execvp(argv[2], argv + 2);
	return 127;
}
