/*
 * CPUs for runs that have company. A run by itself is on the first CPU that it may use (process.h),
 * where two at once would wait for each other.
 */
#ifndef IRDIFF_RUN_CPU_H
#define IRDIFF_RUN_CPU_H

/* How many CPUs the caller may use; at least 1. */
unsigned cpu_count(void);

/* Claims one of them that nobody on this machine has claimed, until *claim, a descriptor, is closed
 * or the process is over; where all are taken, any (*claim is -1). Returns its number; -1: not
 * known. */
int cpu_claim(int *claim);

#endif
