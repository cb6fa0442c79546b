/*
 * What callgrind counts besides instructions, memory accesses and simulated caches, if asked:
 *
 *     branches   Bc, Bi, and those that a simulated predictor gets wrong, Bcm, Bim
 *     bus        Ge: locked memory accesses ("global bus events")
 *     syscalls   sysCount: system calls, for the function that executes each of them
 *     jumps      how often each jump was made; not with a root, as callgrind also counts them where
 *                it counts nothing else
 *     heap       AllocBytes, AllocBlocks, PeakBytes (when the heap was largest), ReadBytes and
 *                WrittenBytes of it: in a run of its own under DHAT, which makes a profile of its
 *                own, BENCH/heap
 *
 * Callgrind also measures how long system calls take. Times are not kept: they differ in every run.
 */
#ifndef IRDIFF_RUN_COUNT_H
#define IRDIFF_RUN_COUNT_H

#include "src/run/kinds.h"

enum count {
	COUNT_BRANCHES = 1 << 0,
	COUNT_BUS = 1 << 1,
	COUNT_SYSCALLS = 1 << 2,
	COUNT_HEAP = 1 << 3,
	COUNT_JUMPS = 1 << 4,
};

#define COUNT_KINDS "branches, bus, heap, jumps and syscalls" /* for messages */
#define COUNT_TEXT 48                                         /* room for all names */

extern const struct kind count_kinds[];

/* Callgrind's option for one kind; static. NULL: another tool counts it. */
const char *count_option(enum count kind);

/* The events of which no profile is kept, as they are times; ended by NULL. */
extern const char *const count_times[];

#endif
