#include "src/guest/calls.h"

#ifdef REGISTERS_ARCH

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "src/guest/memory.h"

#define NO_PATH 0xf /* in place of an argument's number: the call has no path */
#define BIT(n) (1u << (n))
#define SOME_SIZE 5 /* instructions of a filter for one call with a certain argument */

#define STACK_ALIGNMENT 16ul /* of texts that are put below a stack */

struct guest_call {
	short number;
	unsigned char path, second; /* numbers of arguments that are paths; NO_PATH */
	bool at; /* the argument before each path is the descriptor that it is relative to */
	bool opens, changes;                /* it opens, or changes, what the paths name */
	unsigned char pids;                 /* bit n: argument n is a pid */
	bool tells_pid;                     /* so is the result */
	enum turn (*enter)(struct visit *); /* handles the whole call */
	void (*leave)(struct visit *);
};

#define PATH(name, n) \
	{ \
		SYS_##name, n, NO_PATH, false, false, false, 0, false, NULL, NULL \
	}
#define PATH_AT(name, n) \
	{ \
		SYS_##name, n, NO_PATH, true, false, false, 0, false, NULL, NULL \
	}
#define CHANGE(name, n) \
	{ \
		SYS_##name, n, NO_PATH, false, false, true, 0, false, NULL, NULL \
	}
#define CHANGES(name, n, m) \
	{ \
		SYS_##name, n, m, false, false, true, 0, false, NULL, NULL \
	}
#define CHANGE_AT(name, n) \
	{ \
		SYS_##name, n, NO_PATH, true, false, true, 0, false, NULL, NULL \
	}
#define CHANGES_AT(name, n, m) \
	{ \
		SYS_##name, n, m, true, false, true, 0, false, NULL, NULL \
	}
#define OPENS(name, n, at) \
	{ \
		SYS_##name, n, NO_PATH, at, true, false, 0, false, NULL, NULL \
	}
#define PIDS(name, bits, told) \
	{ \
		SYS_##name, NO_PATH, NO_PATH, false, false, false, bits, told, NULL, NULL \
	}
#define ENTER(name, fn) \
	{ \
		SYS_##name, NO_PATH, NO_PATH, false, false, false, 0, false, fn, NULL \
	}
#define LEAVE(name, fn) \
	{ \
		SYS_##name, NO_PATH, NO_PATH, false, false, false, 0, false, NULL, fn \
	}

/* Calls with paths. */
static const struct guest_call path_calls[] = {
	OPENS(openat, 1, true),
	OPENS(openat2, 1, true),
	{ SYS_newfstatat, 1, NO_PATH, true, false, false, 0, false, NULL, leave_fstatat },
	{ SYS_statx, 1, NO_PATH, true, false, false, 0, false, NULL, leave_statx },
	PATH_AT(faccessat, 1),
	PATH_AT(faccessat2, 1),
	CHANGE_AT(mkdirat, 1),
	CHANGE_AT(mknodat, 1),
	CHANGE_AT(unlinkat, 1),
	CHANGE_AT(fchmodat, 1),
	CHANGE_AT(fchownat, 1),
	CHANGE_AT(utimensat, 1),
	PATH_AT(name_to_handle_at, 1),
	ENTER(execveat, enter_execveat),
	PATH(inotify_add_watch, 1),
	CHANGES_AT(renameat, 1, 3),
	CHANGES_AT(renameat2, 1, 3),
	CHANGES_AT(linkat, 1, 3),
	ENTER(execve, enter_execve),
	PATH(chdir, 0),
	PATH(chroot, 0),
	CHANGE(truncate, 0),
	PATH(statfs, 0),
	CHANGE(setxattr, 0),
	CHANGE(lsetxattr, 0),
	PATH(getxattr, 0),
	PATH(lgetxattr, 0),
	PATH(listxattr, 0),
	PATH(llistxattr, 0),
	CHANGE(removexattr, 0),
	CHANGE(lremovexattr, 0),
#ifdef SYS_fchmodat2
	CHANGE_AT(fchmodat2, 1),
#endif
#ifdef SYS_open /* the calls that newer machines do without */
	OPENS(open, 0, false),
	CHANGE(creat, 0),
	{ SYS_stat, 0, NO_PATH, false, false, false, 0, false, NULL, leave_stat },
	{ SYS_lstat, 0, NO_PATH, false, false, false, 0, false, NULL, leave_stat },
	PATH(access, 0),
	CHANGE(mkdir, 0),
	CHANGE(rmdir, 0),
	CHANGE(mknod, 0),
	CHANGE(unlink, 0),
	CHANGE(chmod, 0),
	CHANGE(chown, 0),
	CHANGE(lchown, 0),
	CHANGE(utime, 0),
	CHANGE(utimes, 0),
	CHANGE_AT(futimesat, 1),
	CHANGES(rename, 0, 1),
	CHANGES(link, 0, 1),
	ENTER(readlink, enter_readlink),
	ENTER(symlink, enter_symlink),
#endif
	CHANGES(mount, 0, 1),
	CHANGE(umount2, 0),
	CHANGES(pivot_root, 0, 1),
	ENTER(readlinkat, enter_readlinkat),
	ENTER(symlinkat, enter_symlinkat),
	ENTER(getcwd, enter_getcwd),
	ENTER(bind, enter_socket_address),
	ENTER(connect, enter_socket_address),
#ifdef SYS_move_mount
	ENTER(move_mount, enter_shared_call),
#endif
#ifdef SYS_io_uring_setup
	ENTER(io_uring_setup, enter_unknown),
#endif
	ENTER(flock, enter_lock),
	ENTER(mq_open, enter_shared_call),
	ENTER(shmget, enter_keyed_call),
	ENTER(semget, enter_keyed_call),
	ENTER(msgget, enter_keyed_call),
};

/* Calls that tell where a program runs in other ways. */
static const struct guest_call place_calls[] = {
	LEAVE(getdents64, leave_getdents64),
	LEAVE(fstat, leave_stat),
	ENTER(getpid, enter_getpid),
	ENTER(gettid, enter_gettid),
	ENTER(getppid, enter_getppid),
	ENTER(kill, enter_kill),
	{ SYS_clone, NO_PATH, NO_PATH, false, false, false, 0, true, enter_clone, NULL },
#ifdef SYS_clone3
	{ SYS_clone3, NO_PATH, NO_PATH, false, false, false, 0, true, enter_clone3, NULL },
#endif
	PIDS(wait4, BIT(0), true),
	{ SYS_waitid, NO_PATH, NO_PATH, false, false, false, 0, false, enter_waitid, leave_waitid },
	PIDS(tkill, BIT(0), false),
	PIDS(tgkill, BIT(0) | BIT(1), false),
	PIDS(rt_sigqueueinfo, BIT(0), false),
	PIDS(rt_tgsigqueueinfo, BIT(0) | BIT(1), false),
	PIDS(getpgid, BIT(0), true),
	PIDS(setpgid, BIT(0) | BIT(1), false),
	PIDS(getsid, BIT(0), true),
	PIDS(setsid, 0, true),
	PIDS(getpriority, BIT(1), false),
	PIDS(setpriority, BIT(1), false),
	PIDS(sched_setscheduler, BIT(0), false),
	PIDS(sched_getscheduler, BIT(0), false),
	PIDS(sched_setparam, BIT(0), false),
	PIDS(sched_getparam, BIT(0), false),
	PIDS(sched_rr_get_interval, BIT(0), false),
	PIDS(sched_setattr, BIT(0), false),
	PIDS(sched_getattr, BIT(0), false),
	PIDS(ioprio_set, BIT(1), false),
	PIDS(ioprio_get, BIT(1), false),
	PIDS(kcmp, BIT(0) | BIT(1), false),
	PIDS(move_pages, BIT(0), false),
	PIDS(migrate_pages, BIT(0), false),
	PIDS(perf_event_open, BIT(1), false),
	ENTER(capget, enter_capabilities),
	ENTER(timer_create, enter_timer_create),
	PIDS(process_vm_readv, BIT(0), false),
	PIDS(process_vm_writev, BIT(0), false),
	PIDS(get_robust_list, BIT(0), false),
	PIDS(ptrace, BIT(1), false),
#ifdef SYS_pidfd_open
	PIDS(pidfd_open, BIT(0), false),
#endif

	ENTER(uname, enter_uname),
	ENTER(sysinfo, enter_sysinfo),
	ENTER(getrandom, enter_getrandom),
	ENTER(getcpu, enter_getcpu),
	ENTER(sched_getaffinity, enter_getaffinity),
	ENTER(sched_setaffinity, enter_setaffinity),
#ifdef SYS_fork
	PIDS(fork, 0, true),
	PIDS(vfork, 0, true),
	PIDS(getpgrp, 0, true),
	ENTER(getrlimit, enter_getrlimit),
	ENTER(setrlimit, enter_setrlimit),
#endif
	ENTER(prlimit64, enter_prlimit),
};

/* Calls that are looked at only if an argument has this value, as they are frequent with others. */
static const struct some {
	struct guest_call call;
	unsigned char argument;
	unsigned value;
} some_calls[] = {
	{ ENTER(prctl, enter_set_dumpable), 0, PR_SET_DUMPABLE },
	{ PIDS(fcntl, BIT(2), false), 1, F_SETOWN },
	{ ENTER(socket, enter_socket), 0, AF_UNIX },
	{ ENTER(socket, enter_socket), 0, AF_INET },
	{ ENTER(socket, enter_socket), 0, AF_INET6 },
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const struct guest_call *find_in(const struct guest_call *calls, size_t count, long number)
{
	for (size_t i = 0; i < count; i++)
		if (calls[i].number == number)
			return &calls[i];
	return NULL;
}

static const struct guest_call *find_system_call(long number)
{
	const struct guest_call *call = find_in(path_calls, COUNT(path_calls), number);

	if (!call)
		call = find_in(place_calls, COUNT(place_calls), number);
	for (size_t i = 0; !call && i < COUNT(some_calls); i++)
		if (some_calls[i].call.number == number)
			call = &some_calls[i].call;
	return call;
}

/* ---- the filter ---- */

static struct sock_filter load_field(size_t offset)
{
	return (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offset);
}

static struct sock_filter return_action(unsigned action)
{
	return (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action);
}

static struct sock_filter skip_if(unsigned short comparison, unsigned value, unsigned char count)
{
	return (struct sock_filter)BPF_JUMP(BPF_JMP | comparison | BPF_K, value, count, 0);
}

static struct sock_filter skip_unless(unsigned short comparison, unsigned value,
				      unsigned char count)
{
	return (struct sock_filter)BPF_JUMP(BPF_JMP | comparison | BPF_K, value, 0, count);
}

static struct sock_filter *pick_out(const struct guest_call *calls, size_t count,
				    struct sock_filter *code)
{
	for (size_t i = 0; i < count; i++) {
		*code++ = skip_unless(BPF_JEQ, (unsigned)calls[i].number, 1);
		*code++ = return_action(SECCOMP_RET_TRACE | CALLS_NATIVE);
	}
	return code;
}

/* The filter sees an argument in halves; the lower half holds all of an int. */
static struct sock_filter *pick_out_some(const struct some *some, struct sock_filter *code)
{
	*code++ = skip_unless(BPF_JEQ, (unsigned)some->call.number, SOME_SIZE - 1);
	*code++ = load_field(offsetof(struct seccomp_data, args) +
			     some->argument * sizeof(uint64_t));
	*code++ = skip_unless(BPF_JEQ, some->value, 1);
	*code++ = return_action(SECCOMP_RET_TRACE | CALLS_NATIVE);
	*code++ = load_field(offsetof(struct seccomp_data, nr));
	return code;
}

bool calls_filter(const struct guest *guest)
{
	struct sock_filter code[2 * (COUNT(path_calls) + COUNT(place_calls)) +
				SOME_SIZE * COUNT(some_calls) + 8],
		*end = code;

	*end++ = load_field(offsetof(struct seccomp_data, arch));
	*end++ = skip_if(BPF_JEQ, REGISTERS_ARCH, 1);
	*end++ = return_action(SECCOMP_RET_TRACE | CALLS_FOREIGN);
	*end++ = load_field(offsetof(struct seccomp_data, nr));
	end = pick_out(path_calls, COUNT(path_calls), end);
	if (!guest->only_paths)
		end = pick_out(place_calls, COUNT(place_calls), end);
	for (size_t i = 0; i < COUNT(some_calls); i++)
		end = pick_out_some(&some_calls[i], end);
		/* The x32 ABI has the same machine number, and its calls have numbers from 2^30 on;
		 * -1 is no call. */
#ifdef __x86_64__
	*end++ = skip_if(BPF_JEQ, ~0u, 2);
	*end++ = skip_unless(BPF_JGE, 1u << 30, 1);
	*end++ = return_action(SECCOMP_RET_TRACE | CALLS_FOREIGN);
#endif
	*end++ = return_action(SECCOMP_RET_ALLOW);

	struct sock_fprog program = { .len = (unsigned short)(end - code), .filter = code };
	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* ---- what a handler may do ---- */

unsigned long visit_argument(const struct visit *visit, unsigned i)
{
	return registers_argument(&visit->now, i);
}

void visit_set_argument(struct visit *visit, unsigned i, unsigned long value)
{
	registers_set_argument(&visit->now, i, value);
	visit->task->changed = true;
}

enum turn visit_answer(struct visit *visit, long result)
{
	registers_answer(&visit->now, result);
	return TURN_ANSWERED;
}

enum turn visit_answer_with(struct visit *visit, unsigned long address, const void *from,
			    size_t size, long result)
{
	bool written = memory_write(visit->task->tid, address, from, size);

	return visit_answer(visit, written ? result : -EFAULT);
}

unsigned long visit_put(struct visit *visit, const void *bytes, size_t size)
{
	unsigned long pushed = visit->pushed + size;
	unsigned long address = (registers_stack(&visit->now) - pushed) & ~(STACK_ALIGNMENT - 1);

	if (!memory_write(visit->task->tid, address, bytes, size))
		return 0;
	visit->pushed = registers_stack(&visit->now) - address;
	return address;
}

bool visit_push(struct visit *visit, unsigned i, const void *bytes, size_t size)
{
	unsigned long address = visit_put(visit, bytes, size);

	if (address)
		visit_set_argument(visit, i, address);
	return address != 0;
}

/* ---- a call's begin and end ---- */

/* A made-up file is opened by a link of the tracer's, which the program does not know. */
static void follow_made(struct visit *visit, const struct guest_call *call)
{
	unsigned flags = call->path + 1u;
	struct open_how how;
	unsigned long at = visit_argument(visit, flags), size = visit_argument(visit, flags + 1);

	if (call->number != SYS_openat2) {
		if (at & O_NOFOLLOW)
			visit_set_argument(visit, flags, at & ~(unsigned long)O_NOFOLLOW);
	} else if (size == sizeof how && memory_read(visit->task->tid, at, &how, sizeof how)) {
		how.flags &= ~(uint64_t)O_NOFOLLOW;
		how.resolve = 0;
		visit_push(visit, flags, &how, sizeof how);
	}
}

/* Whether the call opens a file to write to it. One without a name (O_TMPFILE) nobody else sees. */
static bool opens_to_write(const struct visit *visit, const struct guest_call *call)
{
	struct open_how how = { .flags = visit_argument(visit, call->path + 1u) };

	if (call->number == SYS_openat2 &&
	    !memory_read(visit->task->tid, visit_argument(visit, call->path + 1u), &how,
			 sizeof how))
		return true;
	return (how.flags & O_TMPFILE) != O_TMPFILE &&
	       ((how.flags & O_ACCMODE) != O_RDONLY || (how.flags & (O_CREAT | O_TRUNC)));
}

/* Whether paths may mean something else after the call. */
static bool makes_other_paths(const struct guest_call *call)
{
	return call->number == SYS_chroot || call->number == SYS_pivot_root ||
	       call->number == SYS_mount;
}

static bool removes_names(const struct guest_call *call)
{
	static const long numbers[] = {
		SYS_unlinkat, SYS_renameat, SYS_renameat2,
#ifdef SYS_unlink
		SYS_unlink,   SYS_rename,
#endif
	};

	for (size_t i = 0; i < COUNT(numbers); i++)
		if (call->number == numbers[i])
			return true;
	return false;
}

static void pass_path(struct visit *visit, const struct guest_call *call, unsigned i)
{
	char path[PATH_MAX], real[PATH_MAX];

	if (i == NO_PATH)
		return;
	int at = call->at ? (int)visit_argument(visit, i - 1) : AT_FDCWD;
	if (!memory_read_text(visit->task->tid, visit_argument(visit, i), path, sizeof path))
		return;
	if (call->opens)
		visit_random(visit, path);
	if (makes_other_paths(call))
		names_tell(&visit->traced->names, NAMES_MORE, "");
	bool other = visit_path(visit, at, path, call->opens, real);
	if (i == call->path && call->second != NO_PATH) {
		visit_move(visit, at, other ? real : path);
		visit_move_directory(visit, at, other ? real : path);
	}
	if (removes_names(call))
		visit_remove_link(visit, at, other ? real : path);
	if (call->changes || (call->opens && opens_to_write(visit, call)))
		visit_change(visit, at, other ? real : path);
	if (other)
		visit_push(visit, i, real, strlen(real) + 1);
	if (visit->task->made >= 0)
		follow_made(visit, call);
}

static void pass_pids(struct visit *visit, const struct guest_call *call)
{
	for (unsigned i = 0; call->pids >> i; i++) {
		if (!(call->pids & BIT(i)))
			continue;
		pid_t shown = (pid_t)visit_argument(visit, i);
		pid_t real = pids_real(&visit->traced->pids, shown);
		if (real != shown)
			visit_set_argument(visit, i, (unsigned long)(long)real);
	}
}

static bool sets_times(const struct guest_call *call)
{
	static const long numbers[] = {
		SYS_utimensat,
#ifdef SYS_utimes
		SYS_utime,
		SYS_utimes,
		SYS_futimesat,
#endif
	};

	for (size_t i = 0; i < COUNT(numbers); i++)
		if (call->number == numbers[i])
			return true;
	return false;
}

static enum turn enter_call(struct visit *visit, const struct guest_call *call)
{
	if (sets_times(call))
		visit_set_times(visit);
	if (call->enter)
		return call->enter(visit);
	pass_pids(visit, call);
	pass_path(visit, call, call->path);
	pass_path(visit, call, call->second);
	bool told = call->tells_pid || call->leave;
	return visit->task->changed || (told && !visit->traced->guest->only_paths) ? TURN_RETURN
										   : TURN_GO;
}

enum turn calls_enter(struct traced *traced, struct guest_task *task)
{
	struct visit visit = { .traced = traced, .task = task };

	calls_forget(task);
	if (!registers_get(task->tid, &task->before))
		return TURN_GO;
	visit.now = task->before;
	const struct guest_call *call = find_system_call(registers_number(&task->before));
	if (!call)
		return TURN_GO;

	enum turn turn = enter_call(&visit, call);
	if (turn == TURN_RETURN)
		task->call = call;
	if (turn == TURN_ANSWERED && task->changed) {
		registers_restore(&visit.now, &task->before);
		task->changed = false;
	}
	if (turn == TURN_ANSWERED || task->changed)
		registers_put(task->tid, &visit.now);
	return turn;
}

void calls_leave(struct traced *traced, struct guest_task *task)
{
	struct visit visit = { .traced = traced, .task = task };
	const struct guest_call *call = task->call;

	if (!call || !registers_get(task->tid, &visit.now)) {
		calls_forget(task);
		return;
	}
	long result = registers_result(&visit.now);
	bool tells = call->tells_pid && result > 0;

	if (tells)
		registers_set_result(&visit.now, pids_shown(&traced->pids, (pid_t)result));
	if (task->changed)
		registers_restore(&visit.now, &task->before);
	if (tells || task->changed)
		registers_put(task->tid, &visit.now);
	if (call->leave && result >= 0 && !traced->guest->only_paths)
		call->leave(&visit);
	calls_forget(task);
}

void calls_forget(struct guest_task *task)
{
	if (task->made >= 0)
		close(task->made);
	task->made = -1;
	task->call = NULL;
	task->changed = false;
}

#else
typedef int calls_unknown; /* a translation unit is not empty */
#endif
