/*
 * What a program is told of where it runs. It and all that it starts are traced, and the few system
 * calls that tell a program of its place are answered so that the answers are the same everywhere:
 *
 *	pids, thread ids     GUEST_FIRST, and the next ones in the order in which they are made
 *	paths                as `places` has them: in arguments, getcwd(), links in /proc, mappings
 *	directories          listed in the order of names, as far as one call lists them; numbers of
 *	                     their inodes (inodes.h); all are of one size, and have one link
 *	CPUs                 one, number 0; /proc/self/status, cgroup, mounts … as on an idle
 *	                     machine
 *	kernel, host, memory GUEST_RELEASE and so on
 *	random bytes         the 16 that each program gets at its start; getrandom() is only noted
 *	times of files       as they are, but for the last read, which is told to be the last change
 *	limits               none, but those that irdiff sets (process.h) and the program's own
 *	auxiliary vector     what all kernels since 3.0 put there
 *
 * Nothing of it needs a privilege: neither namespaces nor capabilities, only ptrace(2) of a child
 * and a seccomp(2) filter, which picks these calls out. All others go to the kernel as they are,
 * and no call is made or left out that a program could count: the cost of tracing is time. A
 * program that is traced cannot trace another one, nor become another user, nor use io_uring(7);
 * that it may not be dumped is promised, and not done.
 *
 * Runs at the same time may disturb each other by what they write. So a program that is not alone
 * is killed before it changes anything that others may see (`shared`), and can be run again by
 * itself.
 *
 * Numbers of processes are above all that a kernel gives, so that no number is both. Outside of
 * what is traced numbers stay what they are.
 */
#ifndef IRDIFF_GUEST_GUEST_H
#define IRDIFF_GUEST_GUEST_H

#include <stddef.h>

#include "src/guest/seen_paths.h"

#define GUEST_PARENT 4194305 /* the parent of the program: the kernel's limit, 2^22, plus one */
#define GUEST_FIRST 4194306  /* the program's own */

/* What uname(2) and sysinfo(2) tell. */
#define GUEST_HOST "irdiff"
#define GUEST_RELEASE "6.1.0"
#define GUEST_UPTIME 86400
#define GUEST_MEMORY_KB 16777216

/* A file in place of which another one is read. */
struct guest_cover {
	char *covered; /* canonical path of the host */
	char *with;    /* host path of what is read instead */
};

/* What other runs at the same time may see. */
enum guest_shared {
	GUEST_SHARES_ROOT = 1 << 0, /* the files below guest.root */
	GUEST_SHARES_REST = 1 << 1, /* all others, sockets, and other means to meet */
};

/* All strings belong to whoever fills it, and outlive the run. */
struct guest {
	struct seen_paths places; /* the first one is a directory that does not exist on the host */
	struct guest_cover *covers;
	size_t ncovers, covers_cap;
	char **hidden; /* canonical paths of directories of the host that are shown as empty … */
	size_t nhidden, hidden_cap;
	/* of the above only paths are changed, as for a build, which may use all CPUs */
	bool only_paths;
	/* enum guest_shared: a program that is about to change this is killed before it does, with
	 * all that is traced. What is below places other than the root is its own. */
	unsigned shared;
	const char *root;  /* host path of the project */
	const char *empty; /* … by showing this one instead; may be NULL if there are none */
	const char *own;   /* a directory of the host that is only for this run, as places are */
	const char *names; /* file to tell which paths programs name (names.h); NULL: none */
	/* A directory of the host in place of /tmp for files that are named by the pid of what is
	 * traced: perf-PID.map, in which programs describe the code that they generate, and
	 * Valgrind's valgrind_proc_PID_… NULL: /tmp. */
	const char *files;
};

#endif
