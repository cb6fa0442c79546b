/*
 * The time: a clock that goes on by a step whenever it is read, as one that stands still would
 * keep a loop that waits for it for ever. All clocks are this one, from other beginnings. Both lie
 * in the past of the kernel's: to wait until a moment by its clock then ends at once, not never.
 */
#include "freeze/time.h"
#include "freeze/frozen.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#define SECOND INT64_C(1000000000)
#define STEP (SECOND / 1000)
#define EPOCH (INT64_C(1767225600) * SECOND) /* 2026-01-01T00:00:00Z */
#define UPTIME SECOND                        /* earlier than any run of a benchmark */
#define TIMES_PER_SECOND 100                 /* of times(2), as on every Linux */

static _Atomic int64_t elapsed;

void time_advance(int64_t ns)
{
	if (ns > 0)
		atomic_fetch_add(&elapsed, ns);
}

static int64_t tick(void)
{
	return atomic_fetch_add(&elapsed, STEP) + STEP;
}

int64_t time_uptime(void)
{
	return UPTIME + atomic_load(&elapsed);
}

/* ---- reading ---- */

/* What a clock shows at the beginning; -1: none that is frozen. */
static int64_t beginning(clockid_t clock)
{
	if (frozen.rounds && clock == CLOCK_MONOTONIC)
		return -1; /* steady_clock.c has a frozen one, if the program calls it */
	switch (clock) {
	case CLOCK_REALTIME:
	case CLOCK_REALTIME_COARSE:
	case CLOCK_REALTIME_ALARM:
	case CLOCK_TAI:
		return EPOCH;
	case CLOCK_MONOTONIC:
	case CLOCK_MONOTONIC_RAW:
	case CLOCK_MONOTONIC_COARSE:
	case CLOCK_BOOTTIME:
	case CLOCK_BOOTTIME_ALARM:
		return UPTIME;
	default: /* processor time; negative: of a certain process or thread */
		return clock < 0 || clock == CLOCK_PROCESS_CPUTIME_ID ||
				       clock == CLOCK_THREAD_CPUTIME_ID
			       ? 0
			       : -1;
	}
}

static struct timespec as_timespec(int64_t ns)
{
	return (struct timespec){ .tv_sec = ns / SECOND, .tv_nsec = ns % SECOND };
}

static struct timeval as_timeval(int64_t ns)
{
	return (struct timeval){ .tv_sec = ns / SECOND, .tv_usec = ns % SECOND / 1000 };
}

REPLACES_LIBC __attribute__((noinline)) void irdiff_clock_was_read(void)
{
	__asm__ volatile("");
}

REPLACES_LIBC int clock_gettime(clockid_t clock, struct timespec *now)
{
	int64_t begin = frozen.time ? beginning(clock) : -1;

	if (begin < 0)
		return (int)call(SYS_clock_gettime, clock, (long)now, 0, 0, 0, 0);
	*now = as_timespec(begin + tick());
	irdiff_clock_was_read();
	return 0;
}

REPLACES_LIBC int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
	if (!frozen.time)
		return (int)call(SYS_gettimeofday, (long)now, (long)zone, 0, 0, 0, 0);
	*now = as_timeval(EPOCH + tick());
	if (zone)
		*(struct timezone *)zone = (struct timezone){ 0 };
	return 0;
}

REPLACES_LIBC int timespec_get(struct timespec *now, int base)
{
	return base == TIME_UTC && !clock_gettime(CLOCK_REALTIME, now) ? base : 0;
}

REPLACES_LIBC time_t time(time_t *now)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	if (now)
		*now = t.tv_sec;
	return t.tv_sec;
}

REPLACES_LIBC clock_t clock(void)
{
	struct timespec t;

	if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t))
		return -1;
	return t.tv_sec * CLOCKS_PER_SEC + t.tv_nsec / (SECOND / CLOCKS_PER_SEC);
}

REPLACES_LIBC clock_t times(struct tms *spent)
{
	if (!frozen.time)
		return call(SYS_times, (long)spent, 0, 0, 0, 0, 0);
	clock_t now = tick() / (SECOND / TIMES_PER_SECOND);
	if (spent)
		*spent = (struct tms){ .tms_utime = now };
	return UPTIME / (SECOND / TIMES_PER_SECOND) + now;
}

#ifndef __GLIBC__
typedef int __rusage_who_t; /* glibc has a type for it */
#endif

REPLACES_LIBC int getrusage(__rusage_who_t who, struct rusage *usage)
{
	int status = (int)call(SYS_getrusage, (long)who, (long)usage, 0, 0, 0, 0);

	if (frozen.time && !status) {
		usage->ru_utime = as_timeval(tick());
		usage->ru_stime = (struct timeval){ 0 };
	}
	return status;
}

/* ---- sleeping: others may have to get on meanwhile, so it is done, but it takes what was asked
 * ---- */

static int64_t length(const struct timespec *t)
{
	return t->tv_sec > INT64_MAX / SECOND - 1 ? INT64_MAX / 2 : t->tv_sec * SECOND + t->tv_nsec;
}

/* Returns 0 or -errno; *left is set when it is EINTR. */
static long rest(clockid_t clock, const struct timespec *wanted, struct timespec *left)
{
	long status = kernel_wait(SYS_clock_nanosleep, clock, 0, (long)wanted, (long)left, 0, 0);

	if (frozen.time && !status)
		time_advance(length(wanted));
	else if (frozen.time && status == -EINTR)
		time_advance(length(wanted) - length(left));
	return status;
}

REPLACES_LIBC int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted,
				  struct timespec *left)
{
	struct timespec until, unused;
	int64_t begin = frozen.time ? beginning(clock) : -1;

	if (begin < 0)
		return (int)-kernel_wait(SYS_clock_nanosleep, clock, flags, (long)wanted,
					 (long)left, 0, 0);
	if (!(flags & TIMER_ABSTIME))
		return (int)-rest(clock, wanted, left ? left : &unused);
	int64_t ns = length(wanted) - begin - atomic_load(&elapsed);
	until = as_timespec(ns > 0 ? ns : 0); /* the thread can be cancelled then, too */
	return (int)-rest(clock, &until, &unused);
}

REPLACES_LIBC int nanosleep(const struct timespec *wanted, struct timespec *left)
{
	struct timespec unused;
	long status = rest(CLOCK_MONOTONIC, wanted, left ? left : &unused);

	if (!status)
		return 0;
	errno = (int)-status;
	return -1;
}

REPLACES_LIBC int usleep(useconds_t us)
{
	struct timespec wanted = as_timespec((int64_t)us * 1000);

	return nanosleep(&wanted, NULL);
}

REPLACES_LIBC unsigned sleep(unsigned seconds)
{
	struct timespec wanted = { .tv_sec = seconds }, left = { 0 };

	if (!nanosleep(&wanted, &left))
		return 0;
	return (unsigned)left.tv_sec + (left.tv_nsec >= SECOND / 2);
}
