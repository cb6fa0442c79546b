/*
 * libirdiff-freeze: preloaded into a benchmark, it answers with constants where the C library
 * would ask for randomness, the time or a pid. Its instructions are part of what is counted, so
 * there are few.
 *
 * Which of these it does, $IRDIFF_FROZEN says: "random", "time" and "pid", separated by commas.
 * What is not named is passed on to the kernel. $IRDIFF_CLOCK is "rounds" for steady_clock.c.
 * libirdiff-malloc also replaces malloc (malloc.c). Both are no part of irdiff and know nothing of
 * it.
 */
#ifndef IRDIFF_FREEZE_FROZEN_H
#define IRDIFF_FREEZE_FROZEN_H

/* Its wrappers have the names that are defined here. */
#undef _FORTIFY_SOURCE

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* What the C library has under the same name, and the benchmark gets from here. */
#define REPLACES_LIBC __attribute__((visibility("default")))

/* Set before anything else of the program runs, and never again. */
struct frozen {
	bool random, time, pid;
	bool rounds; /* with time: steady_clock is for a harness that works in rounds */
	pid_t first; /* the real pid of the benchmark's first process, 0: this is another one */
};

extern struct frozen frozen;

/* A system call as the kernel answers it: -errno on failure. */
long kernel(long number, long a, long b, long c, long d, long e, long f);

/* The same of a call that waits: meanwhile the thread can be cancelled, as in the C library's
 * own. */
long kernel_wait(long number, long a, long b, long c, long d, long e, long f);

/* Both as the C library answers them. */
long call(long number, long a, long b, long c, long d, long e, long f);
long call_wait(long number, long a, long b, long c, long d, long e, long f);

#endif
