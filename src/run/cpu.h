/*
 * CPUs for runs at the same time: two on one CPU would wait for each other.
 */
#ifndef IRDIFF_RUN_CPU_H
#define IRDIFF_RUN_CPU_H

/* How many CPUs the caller may use; at least 1. */
unsigned cpu_count(void);

/* Claims a CPU that is not claimed by others on this machine, until *claim, a descriptor, is
 * closed or the process ends; if all are claimed, any CPU (*claim is -1). Returns its number;
 * -1: unknown. */
int cpu_claim(int *claim);

#endif
