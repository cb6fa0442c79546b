#include "src/run/cpu.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

unsigned cpu_count(void)
{
	cpu_set_t set;
	int count = sched_getaffinity(0, sizeof set, &set) ? 0 : CPU_COUNT(&set);
	return count > 0 ? (unsigned)count : 1;
}

/* An abstract socket address is not a file, and is free again when its process has ended. */
static int claim_name(int cpu)
{
	struct sockaddr_un name = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int length = snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "irdiff-cpu-%d", cpu);
	socklen_t size = (socklen_t)(sizeof name.sun_family + 1 + (size_t)length);

	if (fd >= 0 && bind(fd, (struct sockaddr *)&name, size)) {
		close(fd);
		return -1;
	}
	return fd;
}

int cpu_claim(int *claim)
{
	cpu_set_t set;
	unsigned chosen = (unsigned)getpid() % cpu_count(), seen = 0;
	int any = -1;

	*claim = -1;
	if (sched_getaffinity(0, sizeof set, &set))
		return -1;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &set))
			continue;
		*claim = claim_name(cpu);
		if (*claim >= 0)
			return cpu;
		if (seen++ == chosen)
			any = cpu;
	}
	return any;
}
