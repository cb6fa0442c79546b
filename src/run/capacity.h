/* How many measurements this machine can do at the same time. */
#ifndef IRDIFF_RUN_CAPACITY_H
#define IRDIFF_RUN_CAPACITY_H

/*
 * As many as there are CPUs for the caller, by its affinity and by the quotas of its control groups
 * (cgroups(7)), and as the memory that is left is likely to hold; at least 1.
 */
unsigned capacity_runs(void);

#endif
