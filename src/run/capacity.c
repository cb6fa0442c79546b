#include "src/run/capacity.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/run/cpu.h"

#define CGROUPS "/sys/fs/cgroup"

/* Valgrind and irdiff's own reading of a profile, for a program of average size. */
#define MEMORY_OF_RUN (512ull << 20)

enum { LINE = 4096 };

/* Reads the first line of a file of a control group (cgroup v2). False: it cannot be read. */
static bool read_setting(const char *group, const char *name, char *line)
{
	char path[2 * LINE];

	snprintf(path, sizeof path, CGROUPS "%s/%s", group, name);
	FILE *from = fopen(path, "re");
	bool found = from && fgets(line, LINE, from);
	if (from)
		fclose(from);
	return found;
}

static uint64_t at_most(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* "max 100000", or microseconds of processor time in each period of so many. */
static uint64_t cpus_of_group(const char *group)
{
	char line[LINE];
	unsigned long long quota, period;

	if (!read_setting(group, "cpu.max", line) ||
	    sscanf(line, "%llu %llu", &quota, &period) != 2 || !period)
		return UINT64_MAX;
	return quota / period;
}

/* What the kernel gives back at once: contents of files that were read long ago. */
static uint64_t memory_of_old_files(const char *group)
{
	char path[2 * LINE], line[LINE];
	unsigned long long bytes, found = 0;

	snprintf(path, sizeof path, CGROUPS "%s/memory.stat", group);
	FILE *from = fopen(path, "re");
	while (from && fgets(line, sizeof line, from))
		if (sscanf(line, "inactive_file %llu", &bytes) == 1)
			found = bytes;
	if (from)
		fclose(from);
	return found;
}

static uint64_t memory_left_in_group(const char *group)
{
	char line[LINE];
	unsigned long long limit, used;

	if (!read_setting(group, "memory.max", line) || sscanf(line, "%llu", &limit) != 1 ||
	    !read_setting(group, "memory.current", line) || sscanf(line, "%llu", &used) != 1)
		return UINT64_MAX;
	used -= at_most(used, memory_of_old_files(group));
	return limit > used ? limit - used : 0;
}

/* What is free, or could be freed. */
static uint64_t memory_left(void)
{
	char line[LINE];
	unsigned long long kilobytes;
	uint64_t left = UINT64_MAX;
	FILE *from = fopen("/proc/meminfo", "re");

	while (from && fgets(line, sizeof line, from))
		if (sscanf(line, "MemAvailable: %llu kB", &kilobytes) == 1)
			left = kilobytes << 10;
	if (from)
		fclose(from);
	return left;
}

/* Limits what fits by the caller's control group and all that it is in. */
static void limit_by_groups(uint64_t *cpus, uint64_t *memory)
{
	char line[LINE], *group = NULL;
	FILE *from = fopen("/proc/self/cgroup", "re");

	while (from && !group && fgets(line, sizeof line, from))
		if (!strncmp(line, "0::/", 4))
			group = line + 3;
	if (from)
		fclose(from);
	if (!group)
		return;
	group[strcspn(group, "\n")] = '\0';
	for (char *end = group + strlen(group); end; end = strrchr(group, '/')) {
		*end = '\0';
		*cpus = at_most(*cpus, cpus_of_group(group));
		*memory = at_most(*memory, memory_left_in_group(group));
	}
}

unsigned capacity_runs(void)
{
	uint64_t cpus = cpu_count(), memory = memory_left();

	limit_by_groups(&cpus, &memory);
	uint64_t runs = at_most(cpus, memory / MEMORY_OF_RUN);
	return runs ? (unsigned)runs : 1;
}
