/* How many measurements this machine can do at the same time. */
#ifndef IRDIFF_RUN_CAPACITY_H
#define IRDIFF_RUN_CAPACITY_H

#include <stdint.h>

/*
 * As many as there are CPUs for the caller, by its affinity and by the quotas of its control groups
 * (cgroups(7)), and as the memory that is left is likely to hold; at least 1.
 */
unsigned capacity_runs(void);

/* Lowers both to what the control groups of a process allow, and those that they are in, of
 * version 1 and 2: those in the file `groups` (/proc/self/cgroup), mounted at /sys/fs/cgroup or
 * elsewhere. */
void capacity_limit(const char *groups, const char *mounted, uint64_t *cpus, uint64_t *memory);

#endif
