#include "src/run/capacity.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/run/cpu.h"

/* Valgrind and irdiff's own reading of a profile, for a program of average size. */
#define MEMORY_OF_RUN (512ull << 20)

enum { LINE = 4096 };

static uint64_t at_most(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static FILE *open_setting(const char *group, const char *name)
{
	char path[2 * LINE];
	int len = snprintf(path, sizeof path, "%s/%s", group, name);

	return len < (int)sizeof path ? fopen(path, "re") : NULL;
}

/* The numbers that the first line of a file of a control group begins with, at most two: how many
 * there are. "max" is none, and -1 (version 1) neither. */
static int read_numbers(const char *group, const char *name, unsigned long long numbers[2])
{
	char line[LINE];
	FILE *from = open_setting(group, name);
	bool found = from && fgets(line, sizeof line, from) && *line != '-';

	if (from)
		fclose(from);
	int count = found ? sscanf(line, "%llu %llu", &numbers[0], &numbers[1]) : 0;
	return count > 0 ? count : 0;
}

/* "max 100000", or microseconds of processor time in each period of so many. */
static uint64_t cpus_of_group(const char *group)
{
	unsigned long long quota[2];

	if (read_numbers(group, "cpu.max", quota) != 2 || !quota[1])
		return UINT64_MAX;
	return quota[0] / quota[1];
}

static uint64_t cpus_of_old_group(const char *group)
{
	unsigned long long quota[2], period[2];

	if (!read_numbers(group, "cpu.cfs_quota_us", quota) ||
	    !read_numbers(group, "cpu.cfs_period_us", period) || !period[0])
		return UINT64_MAX;
	return quota[0] / period[0];
}

/* What the kernel gives back at once: contents of files that were read long ago. */
static uint64_t memory_of_old_files(const char *group, const char *name)
{
	char line[LINE];
	unsigned long long found = 0;
	const size_t len = strlen(name);
	FILE *from = open_setting(group, "memory.stat");

	while (from && fgets(line, sizeof line, from))
		if (strncmp(line, name, len) == 0 && line[len] == ' ')
			found = strtoull(line + len, NULL, 10);
	if (from)
		fclose(from);
	return found;
}

/* The names of what a version of control groups calls these. */
struct memory_files {
	const char *limit, *used, *old_files;
};

static uint64_t left_of(const char *group, const struct memory_files *files)
{
	unsigned long long limit[2], used[2];

	if (!read_numbers(group, files->limit, limit) || !read_numbers(group, files->used, used))
		return UINT64_MAX;
	used[0] -= at_most(used[0], memory_of_old_files(group, files->old_files));
	return limit[0] > used[0] ? limit[0] - used[0] : 0;
}

static uint64_t memory_left_in_group(const char *group)
{
	static const struct memory_files files = { "memory.max", "memory.current",
						   "inactive_file" };
	return left_of(group, &files);
}

/* Without a limit, it is a number that no machine has. */
static uint64_t memory_left_in_old_group(const char *group)
{
	static const struct memory_files files = { "memory.limit_in_bytes", "memory.usage_in_bytes",
						   "total_inactive_file" };
	return left_of(group, &files);
}

/* What is limited by the groups of a hierarchy, which of version 1 each controller may have. */
static const struct hierarchy {
	const char *controller, *directory; /* as /proc/self/cgroup and /sys/fs/cgroup call it */
	uint64_t (*cpus)(const char *group), (*memory)(const char *group);
} hierarchies[] = {
	{ "", "", cpus_of_group, memory_left_in_group },
	{ "cpu", "/cpu", cpus_of_old_group, NULL },
	{ "memory", "/memory", NULL, memory_left_in_old_group },
};

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

/* Whether a list "cpu,cpuacct", which ends at a colon, has this controller. */
static bool has_controller(const char *list, const char *controller)
{
	const size_t len = strlen(controller);

	for (;; list++) {
		size_t n = strcspn(list, ",:");
		if (n == len && memcmp(list, controller, len) == 0)
			return true;
		list += n;
		if (*list != ',')
			return false;
	}
}

/* By a group and all that it is in. A container may see its own group as the topmost one, but is
 * told its path in the host. */
static void limit_by_group(const struct hierarchy *h, const char *mounted, const char *path,
			   uint64_t *cpus, uint64_t *memory)
{
	char group[2 * LINE];
	const int top = snprintf(group, sizeof group, "%s%s", mounted, h->directory);
	const int len = snprintf(group, sizeof group, "%s%s%s", mounted, h->directory, path);

	if (len >= (int)sizeof group)
		return;
	for (char *end = group + len; end && end >= group + top; end = strrchr(group, '/')) {
		*end = '\0';
		if (h->cpus)
			*cpus = at_most(*cpus, h->cpus(group));
		if (h->memory)
			*memory = at_most(*memory, h->memory(group));
	}
}

/* "0::/a/b", or "4:cpu,cpuacct:/a/b" */
static void limit_by_line(char *line, const char *mounted, uint64_t *cpus, uint64_t *memory)
{
	char *controllers = strchr(line, ':'), *path;

	line[strcspn(line, "\n")] = '\0';
	path = controllers ? strchr(++controllers, ':') : NULL;
	for (size_t i = 0; path && i < sizeof hierarchies / sizeof *hierarchies; i++)
		if (has_controller(controllers, hierarchies[i].controller))
			limit_by_group(&hierarchies[i], mounted, path + 1, cpus, memory);
}

void capacity_limit(const char *groups, const char *mounted, uint64_t *cpus, uint64_t *memory)
{
	char line[LINE];
	FILE *from = fopen(groups, "re");

	while (from && fgets(line, sizeof line, from))
		limit_by_line(line, mounted, cpus, memory);
	if (from)
		fclose(from);
}

unsigned capacity_runs(void)
{
	uint64_t cpus = cpu_count(), memory = memory_left();

	capacity_limit("/proc/self/cgroup", "/sys/fs/cgroup", &cpus, &memory);
	uint64_t runs = at_most(cpus, memory / MEMORY_OF_RUN);
	return runs ? (unsigned)runs : 1;
}
