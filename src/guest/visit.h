/*
 * One system call of a traced thread. Private to src/guest: tracer.c stops the thread, calls.c
 * decides what to do, and one file for each subject does it.
 */
#ifndef IRDIFF_GUEST_VISIT_H
#define IRDIFF_GUEST_VISIT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "src/guest/guest.h"
#include "src/guest/inodes.h"
#include "src/guest/names.h"
#include "src/guest/pids.h"
#include "src/guest/registers.h"

#ifdef REGISTERS_ARCH

struct guest_call;

/* A thread that is traced. */
struct guest_task {
	pid_t tid; /* the kernel's */
	/* its numbers as the program sees them; 0: its maker is not known yet */
	pid_t shown, process;
	bool stopped;    /* it waits until that is known … */
	bool group_stop; /* … and after that as its process does */
	pid_t maker;     /* the parent of its process, as the program sees it; 0: not known */
	bool executed;   /* its process has executed another program since … */
	bool random;     /* … and has asked for random numbers … */
	bool has_heap;   /* … and for that of the heap: all three of its first thread */
	const struct guest_call *call; /* the call whose end is awaited; NULL: none */
	struct registers before;       /* at its begin, as the program made it */
	bool changed;                  /* its arguments were changed */
	int made; /* descriptor of a made-up file, closed when the call ends; -1: none */
};

/* What is known of all that is traced. */
struct traced {
	const struct guest *guest;
	struct pids pids;
	struct inodes devices, inodes;
	struct guest_task *tasks;
	size_t ntasks, tasks_cap;
	bool failed;              /* an answer could not be given: the program cannot be traced */
	unsigned long own_limits; /* bit n: a program has set its limit number n */
	bool own_times;           /* a program has set the times of a file */
	unsigned changes;         /* enum guest_shared: what programs were about to change */
	struct names names;       /* paths that they have named */
};

struct visit {
	struct traced *traced;
	struct guest_task *task;
	struct registers now;
	unsigned long pushed; /* bytes below the thread's stack that hold texts of ours */
};

enum turn {
	TURN_GO,       /* the kernel makes the call */
	TURN_ANSWERED, /* the call is answered already */
	TURN_RETURN,   /* the kernel makes the call, which is handled again at its end */
};

/* ---- what a handler may do ---- */

unsigned long visit_argument(const struct visit *visit, unsigned i);
void visit_set_argument(struct visit *visit, unsigned i, unsigned long value);
enum turn visit_answer(struct visit *visit, long result);

/* Answers with `result` when `size` bytes have been written to the address, else with EFAULT. */
enum turn visit_answer_with(struct visit *visit, unsigned long address, const void *from,
			    size_t size, long result);

/* Copies bytes into the program for the duration of the call, and returns their address. 0: there
 * is no room. */
unsigned long visit_put(struct visit *visit, const void *bytes, size_t size);

/* The same, and makes argument i point to them. */
bool visit_push(struct visit *visit, unsigned i, const void *bytes, size_t size);

/* ---- paths.c ---- */

/* Translates a path of the program, relative to `at` (a descriptor or AT_FDCWD), into the one for
 * the kernel. False: it stays as it is. `opens`: the call reads what the path names. */
bool visit_path(struct visit *visit, int at, const char *path, bool opens, char *real);

/* The whole path of the host; `joined` has PATH_MAX bytes. False: it is too long, or of no file. */
bool visit_joined_path(const struct visit *visit, int at, const char *path, char *joined);

/* Translates a path of the host into the one to tell; both have PATH_MAX bytes. */
void visit_seen(const struct visit *visit, const char *real, char *seen);

/* The call gives another name to what this one names. */
void visit_move(struct visit *visit, int at, const char *path);

/* The call renames what this one names. If that is a directory that the program has not made, there
 * may be links in it; see visit_remove_link. */
void visit_move_directory(struct visit *visit, int at, const char *path);

/* The call removes or replaces what this one names. If that is a link, later nobody can tell where
 * it led when paths were named. */
void visit_remove_link(struct visit *visit, int at, const char *path);

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

/* A program sets the times of a file. */
void visit_set_times(struct visit *visit);
void leave_stat(struct visit *visit);
void leave_fstatat(struct visit *visit);
void leave_statx(struct visit *visit);

/* ---- start.c ---- */

/* A program has been executed, and none of it has run yet. */
void visit_start(pid_t tid);

/* ---- proc.c: paths below /proc and /sys ---- */

/* As visit_path. */
bool visit_proc_path(struct visit *visit, const char *path, bool opens, char *real);

/* A number from /proc/TID/status; -1: the thread is gone. */
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

/* ---- changes.c ---- */

/* Whether what this absolute path of the host names is only for this run. */
bool visit_is_own(const struct guest *guest, const char *path);

/* Whether it is a device of which, what one program writes, no other reads. */
bool visit_is_plain_device(const char *path);

/* A program is about to change what this path of the host names, relative to `at`. If that is
 * shared, the call must not be made (visit_may_go_on). */
void visit_change(struct visit *visit, int at, const char *path);

/* The same for what has no path. */
void visit_change_rest(struct visit *visit);

/* Whether only what nobody shares is about to be changed. */
bool visit_may_go_on(const struct traced *traced);

/* Calls through which runs may meet. */
enum turn enter_shared_call(struct visit *visit);
enum turn enter_socket(struct visit *visit);
enum turn enter_lock(struct visit *visit);
enum turn enter_keyed_call(struct visit *visit);

/* ---- random.c ---- */

enum turn enter_getrandom(struct visit *visit);

/* A file is opened by this path of the program's. */
void visit_random(struct visit *visit, const char *path);

/* ---- machine.c ---- */

/* Answers that the kernel does not have the call. */
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
