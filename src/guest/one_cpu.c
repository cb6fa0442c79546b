#include "src/guest/one_cpu.h"

void one_cpu_share(struct one_cpu *one, int cpu, pid_t program)
{
	cpu_set_t set;

	if (cpu < 0 || cpu >= CPU_SETSIZE || sched_getaffinity(0, sizeof one->before, &one->before))
		return;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof set, &set))
		return;
	one->shared = !sched_setaffinity(program, sizeof set, &set);
	if (!one->shared)
		sched_setaffinity(0, sizeof one->before, &one->before);
}

void one_cpu_release(struct one_cpu *one)
{
	one->released = one->shared;
	one->shared = false;
	one_cpu_free(one, 0);
}

void one_cpu_free(const struct one_cpu *one, pid_t tid)
{
	if (one->released)
		sched_setaffinity(tid, sizeof one->before, &one->before);
}
