/*
 * One system call of a traced thread, while it is looked at. Private to src/guest: tracer.c stops the
 * thread, calls.c finds out what is to be done, and one file per subject does it.
 */
#ifndef IRDIFF_GUEST_VISIT_H
#define IRDIFF_GUEST_VISIT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "src/guest/guest.h"
#include "src/guest/inodes.h"
#include "src/guest/pids.h"
#include "src/guest/registers.h"

#ifdef REGISTERS_ARCH

struct guest_call;

/* A thread that is traced. */
struct guest_task {
	pid_t tid;            /* the kernel's */
	pid_t shown, process; /* what it is told of itself; 0: not known yet who has made it */
	bool stopped;         /* it waits until that is known … */
	bool group_stop;      /* … and after that as its process does */
	pid_t maker;          /* the process that has made its own, as that is told; 0: not known */
	bool executed;        /* its process has become another program since … */
	bool random;          /* … and has asked for random numbers: both of its first thread */
	const struct guest_call *call; /* whose end is to be looked at; NULL: none's */
	struct registers before;       /* at its begin, as the program made it */
	bool changed;                  /* its arguments were changed */
	int made;                      /* file made up for it, to be closed at its end; -1: none */
};

/* What is known of all that is traced. */
struct traced {
	const struct guest *guest;
	struct pids pids;
	struct inodes devices, inodes;
	struct guest_task *tasks;
	size_t ntasks, tasks_cap;
	bool failed;              /* something is not told as it is to be: it cannot be traced */
	unsigned long own_limits; /* bit n: a program has set its limit number n */
};

struct visit {
	struct traced *traced;
	struct guest_task *task;
	struct registers now;
	unsigned long pushed; /* bytes below the thread's stack that hold texts of ours */
};

enum turn {
	TURN_GO,       /* the kernel makes it, as it is now */
	TURN_ANSWERED, /* it need not be made */
	TURN_RETURN,   /* it is made, and looked at again at its end */
};

/* ---- what a handler may do ---- */

unsigned long visit_argument(const struct visit *visit, unsigned i);
void visit_set_argument(struct visit *visit, unsigned i, unsigned long value);
enum turn visit_answer(struct visit *visit, long result);

/* Answers with `result` when `size` bytes have been written to the address, else with EFAULT. */
enum turn visit_answer_with(struct visit *visit, unsigned long address, const void *from,
			    size_t size, long result);

/* Where the program has these bytes for as long as the call lasts. 0: there is no room for them. */
unsigned long visit_put(struct visit *visit, const void *bytes, size_t size);

/* Has argument i point to such bytes. */
bool visit_push(struct visit *visit, unsigned i, const void *bytes, size_t size);

/* ---- paths.c ---- */

/* The path that the kernel is to be given for one of the program's, relative to `at`, a descriptor
 * or AT_FDCWD. False: as it is. `opens`: what is in it is asked for. */
bool visit_path(struct visit *visit, int at, const char *path, bool opens, char *real);

/* The path to tell for one of the host, of PATH_MAX bytes. */
void visit_seen(const struct visit *visit, const char *real, char *seen);

enum turn enter_getcwd(struct visit *visit);
enum turn enter_readlink(struct visit *visit);
enum turn enter_readlinkat(struct visit *visit);
enum turn enter_symlink(struct visit *visit);
enum turn enter_symlinkat(struct visit *visit);
enum turn enter_socket_address(struct visit *visit);
void leave_getdents64(struct visit *visit);

/* ---- exec.c ---- */

enum turn enter_execve(struct visit *visit);
enum turn enter_execveat(struct visit *visit);

/* ---- stat.c ---- */

void leave_stat(struct visit *visit);
void leave_fstatat(struct visit *visit);
void leave_statx(struct visit *visit);

/* ---- start.c ---- */

/* A program has been started: nothing of it has run. */
void visit_start(pid_t tid);

/* ---- proc.c: paths below /proc and /sys ---- */

/* As visit_path. */
bool visit_proc_path(struct visit *visit, const char *path, bool opens, char *real);

/* A number in /proc/TID/status; -1: it is gone. */
long visit_status(pid_t tid, const char *key);

/* ---- processes.c ---- */

enum turn enter_getpid(struct visit *visit);
enum turn enter_gettid(struct visit *visit);
enum turn enter_getppid(struct visit *visit);
enum turn enter_kill(struct visit *visit);
enum turn enter_waitid(struct visit *visit);
enum turn enter_clone(struct visit *visit);
enum turn enter_clone3(struct visit *visit);
enum turn enter_capabilities(struct visit *visit);
enum turn enter_timer_create(struct visit *visit);
enum turn enter_set_dumpable(struct visit *visit);
void leave_waitid(struct visit *visit);

/* ---- random.c ---- */

enum turn enter_getrandom(struct visit *visit);

/* A file is opened, whose path is as the program has it. */
void visit_random(struct visit *visit, const char *path);

/* ---- machine.c ---- */

/* A call that this kernel has not. */
enum turn enter_unknown(struct visit *visit);
enum turn enter_uname(struct visit *visit);
enum turn enter_sysinfo(struct visit *visit);
enum turn enter_getcpu(struct visit *visit);
enum turn enter_getaffinity(struct visit *visit);
enum turn enter_setaffinity(struct visit *visit);
enum turn enter_getrlimit(struct visit *visit);
enum turn enter_setrlimit(struct visit *visit);
enum turn enter_prlimit(struct visit *visit);

#endif
#endif
