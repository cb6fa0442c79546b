/*
 * Preloaded into irdiff by tests/faults.sh: counts the calls by which it changes files, starts
 * processes and takes resources, and lets one of them be its last, or fail.
 *
 *     INJECT=list:FILE        appends a line "NAME PATH" for each call
 *     INJECT=before:N         SIGKILL instead of the N-th call (from 1)
 *     INJECT=after:N          SIGKILL when the N-th call has been made
 *     INJECT=fail:N:ERRNO     the N-th call fails, with the number of an error
 *     INJECT=from:N:ERRNO     the N-th call fails, and all that follow, but those that remove
 *     INJECT=clock:N:SECONDS  from the N-th reading of the clock on it is that much later (or earlier)
 *
 * Only a program that is called as INJECT_PROGRAM says counts, and not what it forks.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum mode { OFF, LIST, BEFORE, AFTER, FAIL, FROM, CLOCK };

static struct {
	enum mode mode;
	unsigned long at;
	long value; /* of an error, or seconds */
	int list;
	pid_t pid;
	unsigned long calls, readings;
} plan;

__attribute__((constructor)) static void begin(void)
{
	static const char *const names[] = { "list", "before", "after", "fail", "from", "clock" };
	const char *text = getenv("INJECT"), *program = getenv("INJECT_PROGRAM");
	const char *colon = text ? strchr(text, ':') : NULL;
	char *end = NULL;

	if (!colon || !program || strcmp(program, program_invocation_short_name) != 0)
		return;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strncmp(text, names[i], (size_t)(colon - text)) == 0)
			plan.mode = (enum mode)(i + 1);
	plan.pid = getpid();
	if (plan.mode == LIST) {
		plan.list = (int)syscall(SYS_openat, AT_FDCWD, colon + 1,
					 O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
		/* Out of the way of limits, and of whoever looks at what is open. */
		plan.list = fcntl(plan.list, F_DUPFD_CLOEXEC, 900);
	} else {
		plan.at = strtoul(colon + 1, &end, 10);
		plan.value = *end == ':' ? strtol(end + 1, NULL, 10) : 0;
	}
}

static void die(void)
{
	syscall(SYS_kill, plan.pid, SIGKILL);
	for (;;)
		pause();
}

/* What it may do to one call: `frees` if it gives something back, which a full disk allows. */
static bool refuses(const char *name, const char *path, bool frees, unsigned long *number)
{
	if (plan.mode == OFF || plan.mode == CLOCK || getpid() != plan.pid)
		return false;
	*number = __atomic_add_fetch(&plan.calls, 1, __ATOMIC_SEQ_CST);
	if (plan.mode == LIST)
		dprintf(plan.list, "%s %s\n", name, path);
	if (plan.mode == BEFORE && *number == plan.at)
		die();
	if ((plan.mode == FAIL && *number == plan.at) ||
	    (plan.mode == FROM && *number >= plan.at && !frees)) {
		errno = (int)plan.value;
		return true;
	}
	return false;
}

static void done(unsigned long number)
{
	int saved = errno;
	if (plan.mode == AFTER && number && number == plan.at && getpid() == plan.pid)
		die();
	errno = saved;
}

#define REAL(type, name, ...)                                                                      \
	static type (*real)(__VA_ARGS__);                                                          \
	if (!real)                                                                                 \
		real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

/* A call of the C library's, with what is passed on to it. */
#define WRAP(type, failure, name, path, frees, params, ...)                                        \
	type name params;                                                                          \
	type name params                                                                           \
	{                                                                                          \
		static type(*real) params;                                                         \
		unsigned long number = 0;                                                          \
		if (!real)                                                                         \
			real = (type(*) params)dlsym(RTLD_NEXT, #name);                            \
		if (refuses(#name, path, frees, &number))                                          \
			return failure;                                                            \
		type result = real(__VA_ARGS__);                                                   \
		done(number);                                                                      \
		return result;                                                                     \
	}

WRAP(int, -1, rename, to, false, (const char *from, const char *to), from, to)
WRAP(int, -1, renameat2, to, false,
     (int at, const char *from, int at_to, const char *to, unsigned flags), at, from, at_to, to, flags)
WRAP(int, -1, renameat, to, false, (int at, const char *from, int at_to, const char *to), at, from, at_to, to)
WRAP(int, -1, linkat, to, false,
     (int at, const char *from, int at_to, const char *to, int flags), at, from, at_to, to, flags)
WRAP(int, -1, link, to, false, (const char *from, const char *to), from, to)
WRAP(int, -1, symlink, to, false, (const char *from, const char *to), from, to)
WRAP(int, -1, symlinkat, to, false, (const char *from, int at, const char *to), from, at, to)
WRAP(int, -1, unlink, path, true, (const char *path), path)
WRAP(int, -1, unlinkat, path, true, (int at, const char *path, int flags), at, path, flags)
WRAP(int, -1, remove, path, true, (const char *path), path)
WRAP(int, -1, rmdir, path, true, (const char *path), path)
WRAP(int, -1, mkdir, path, false, (const char *path, mode_t mode), path, mode)
WRAP(int, -1, mkdirat, path, false, (int at, const char *path, mode_t mode), at, path, mode)
WRAP(char *, NULL, mkdtemp, path, false, (char *path), path)
WRAP(int, -1, mkostemp, path, false, (char *path, int flags), path, flags)
WRAP(int, -1, mkostemp64, path, false, (char *path, int flags), path, flags)
WRAP(int, -1, fsync, "", false, (int fd), fd)
WRAP(int, -1, fdatasync, "", false, (int fd), fd)
WRAP(int, -1, ftruncate, "", false, (int fd, off_t size), fd, size)
WRAP(int, -1, ftruncate64, "", false, (int fd, off64_t size), fd, size)
WRAP(ssize_t, -1, pwrite, "", false, (int fd, const void *from, size_t n, off_t at), fd, from, n, at)
WRAP(ssize_t, -1, pwrite64, "", false, (int fd, const void *from, size_t n, off64_t at), fd, from, n,
     at)
WRAP(ssize_t, -1, write, "", false, (int fd, const void *from, size_t n), fd, from, n)
WRAP(int, -1, flock, "", false, (int fd, int how), fd, how)
WRAP(int, -1, fchmod, "", false, (int fd, mode_t mode), fd, mode)
WRAP(int, -1, chmod, path, false, (const char *path, mode_t mode), path, mode)
WRAP(int, -1, memfd_create, name, false, (const char *name, unsigned flags), name, flags)
WRAP(int, -1, pipe2, "", false, (int fds[2], int flags), fds, flags)
WRAP(pid_t, -1, fork, "", false, (void))
WRAP(int, -1, utimensat, "", false,
     (int at, const char *path, const struct timespec times[2], int flags), at, path, times, flags)

/* Of streams only those count that are written. */
int fclose(FILE *f)
{
	REAL(int, "fclose", FILE *);
	unsigned long number = 0;
	if (__fwritable(f) && refuses("fclose", "", false, &number)) {
		int saved = errno;
		real(f);
		errno = saved;
		return EOF;
	}
	int result = real(f);
	done(number);
	return result;
}

int fflush(FILE *f)
{
	REAL(int, "fflush", FILE *);
	unsigned long number = 0;
	if (refuses("fflush", "", false, &number))
		return EOF;
	int result = real(f);
	done(number);
	return result;
}

static FILE *open_stream(FILE *(*real)(const char *, const char *), const char *path,
			 const char *mode)
{
	unsigned long number = 0;
	if (strpbrk(mode, "wa+") && refuses("fopen", path, false, &number))
		return NULL;
	FILE *result = real(path, mode);
	done(number);
	return result;
}

FILE *fopen(const char *path, const char *mode)
{
	REAL(FILE *, "fopen", const char *, const char *);
	return open_stream(real, path, mode);
}

FILE *fopen64(const char *path, const char *mode)
{
	REAL(FILE *, "fopen64", const char *, const char *);
	return open_stream(real, path, mode);
}

static mode_t mode_of(int flags, va_list ap)
{
	return flags & (O_CREAT | __O_TMPFILE) ? va_arg(ap, mode_t) : 0;
}

static bool writes(int flags)
{
	return (flags & O_ACCMODE) != O_RDONLY || flags & O_CREAT;
}

#define OPEN(name)                                                                                 \
	int name(const char *path, int flags, ...)                                                 \
	{                                                                                          \
		REAL(int, #name, const char *, int, ...);                                          \
		unsigned long number = 0;                                                          \
		va_list ap;                                                                        \
		va_start(ap, flags);                                                               \
		mode_t mode = mode_of(flags, ap);                                                  \
		va_end(ap);                                                                        \
		if (writes(flags) && refuses(#name, path, false, &number))                         \
			return -1;                                                                 \
		int result = real(path, flags, mode);                                              \
		done(number);                                                                      \
		return result;                                                                     \
	}

OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                               \
	int name(int at, const char *path, int flags, ...)                                         \
	{                                                                                          \
		REAL(int, #name, int, const char *, int, ...);                                     \
		unsigned long number = 0;                                                          \
		va_list ap;                                                                        \
		va_start(ap, flags);                                                               \
		mode_t mode = mode_of(flags, ap);                                                  \
		va_end(ap);                                                                        \
		if (writes(flags) && !(flags & O_PATH) && refuses(#name, path, false, &number))    \
			return -1;                                                                 \
		int result = real(at, path, flags, mode);                                          \
		done(number);                                                                      \
		return result;                                                                     \
	}

OPENAT(openat)
OPENAT(openat64)

/* ---- the clock ---- */

static time_t shift(void)
{
	if (plan.mode != CLOCK)
		return 0;
	return __atomic_add_fetch(&plan.readings, 1, __ATOMIC_SEQ_CST) >= plan.at ? plan.value : 0;
}

int clock_gettime(clockid_t clock, struct timespec *out)
{
	REAL(int, "clock_gettime", clockid_t, struct timespec *);
	int result = real(clock, out);
	if (result == 0 && clock == CLOCK_REALTIME)
		out->tv_sec += shift();
	return result;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone)
{
	REAL(int, "gettimeofday", struct timeval *, void *);
	int result = real(out, zone);
	if (result == 0)
		out->tv_sec += shift();
	return result;
}

time_t time(time_t *out)
{
	REAL(time_t, "time", time_t *);
	time_t now = real(NULL) + shift();
	if (out)
		*out = now;
	return now;
}
