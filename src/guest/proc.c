/* What a traced program reads below /proc and /sys: of itself, and of the machine. */
#include "src/guest/visit.h"

#ifdef REGISTERS_ARCH

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define TEXT(n) TEXT_OF(n)
#define TEXT_OF(n) #n

#define MAPPING_PATH 73 /* the column in which the path of a mapping begins */

long visit_status(pid_t tid, const char *key)
{
	char path[64], *line = NULL;
	size_t cap = 0, len = strlen(key);
	long value = -1;

	snprintf(path, sizeof path, "/proc/%d/status", (int)tid);
	FILE *status = fopen(path, "re");
	while (status && value < 0 && getline(&line, &cap, status) >= 0)
		if (!strncmp(line, key, len) && line[len] == ':')
			value = strtol(line + len + 1, NULL, 10);
	free(line);
	if (status)
		fclose(status);
	return value;
}

/* ---- files of the machine ---- */

struct known_file {
	const char *path, *text;
};

/* Of the machine; and below /proc/PID. */
static const struct known_file machine_files[] = {
	{ "/sys/devices/system/cpu/online", "0\n" },
	{ "/sys/devices/system/cpu/possible", "0\n" },
	{ "/sys/devices/system/cpu/present", "0\n" },
	{ "/sys/fs/cgroup/cpu.max", "max 100000\n" },
	{ "/sys/fs/cgroup/memory.max", "max\n" },
	{ "/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n" },
	{ "/proc/loadavg", "0.00 0.00 0.00 1/1 " TEXT(GUEST_PARENT) "\n" },
	{ "/proc/uptime", TEXT(GUEST_UPTIME) ".00 " TEXT(GUEST_UPTIME) ".00\n" },
	{ "/proc/sys/kernel/hostname", GUEST_HOST "\n" },
	{ "/proc/sys/kernel/osrelease", GUEST_RELEASE "\n" },
	{ "/proc/sys/vm/overcommit_memory", "0\n" },
	{ "/proc/meminfo",
	  "MemTotal:       " TEXT(GUEST_MEMORY_KB) " kB\n"
						   "MemFree:         8388608 kB\n"
						   "MemAvailable:   12582912 kB\n"
						   "Buffers:               0 kB\n"
						   "Cached:          4194304 kB\n"
						   "SwapTotal:             0 kB\n"
						   "SwapFree:              0 kB\n" },
};

static const struct known_file process_files[] = {
	{ "cgroup", "0::/\n" },
	{ "mounts", "/dev/root / ext4 rw,relatime 0 0\n" },
	{ "mountinfo", "1 1 8:1 / / rw,relatime - ext4 /dev/root rw\n" },
};

static const char *known_text(const struct known_file *files, size_t count, const char *path)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(files[i].path, path))
			return files[i].text;
	return NULL;
}

/* ---- the CPU ---- */

#ifdef __x86_64__

#define CPU_FILE "/proc/cpuinfo"

/* The features of the machine's CPU that Valgrind shows, whoever made it. */
static const char cpu_features[] =
	" fpu tsc cx8 cmov mmx fxsr sse sse2 ht syscall nx rdtscp lm constant_tsc rep_good nopl pni "
	"pclmulqdq ssse3 fma cx16 sse4_1 sse4_2 movbe popcnt aes xsave avx f16c rdrand lahf_lm abm "
	"bmi1 avx2 bmi2 rdseed ";

static bool is_feature(const char *word)
{
	char sought[40];

	return snprintf(sought, sizeof sought, " %s ", word) < (int)sizeof sought &&
	       strstr(cpu_features, sought);
}

static void put_cpu(const struct visit *visit, char *line, FILE *to)
{
	char *next = NULL;

	(void)visit;
	if (strncmp(line, "flags\t", 6))
		return;
	fputs("processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 60\n"
	      "model name\t: Intel(R) Core(TM) i7-4910MQ CPU @ 2.90GHz\nstepping\t: 3\n"
	      "cpu MHz\t\t: 2900.000\ncache size\t: 8192 KB\nphysical id\t: 0\nsiblings\t: 1\n"
	      "core id\t\t: 0\ncpu cores\t: 1\nflags\t\t:",
	      to);
	for (const char *word = strtok_r(strchr(line, ':') + 1, " \n", &next); word;
	     word = strtok_r(NULL, " \n", &next))
		if (is_feature(word))
			fprintf(to, " %s", word);
	fputs("\nbogomips\t: 5800.00\nclflush size\t: 64\n"
	      "address sizes\t: 39 bits physical, 48 bits virtual\n\n",
	      to);
}

#endif

/* ---- files of a process, made from the kernel's ---- */

static void put_mapping(const struct visit *visit, char *line, FILE *to)
{
	char range[64], rights[8], offset[32], seen[PATH_MAX];
	int path = 0;

	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, "%63s %7s %31s %*s %*s %n", range, rights, offset, &path) != 3 || !path)
		return;
	const char *name = line + path;
	int n = fprintf(to, "%s %s %s 00:00 %d ", range, rights, offset, *name == '/');
	if (*name == '/') {
		visit_seen(visit, name, seen);
		name = seen;
	}
	if (*name)
		fprintf(to, "%*s%s", n < MAPPING_PATH ? MAPPING_PATH - n : 0, "", name);
	putc('\n', to);
}

/* Lines of /proc/PID/status that are told: as they are, or the number of a process, or always the
 * same text. Other lines depend on the kernel, and on the rights of a container. */
static const struct status_line {
	const char *key, *text;
	bool number;
} status_lines[] = {
	{ "Name", NULL, false },
	{ "Umask", NULL, false },
	{ "State", "R (running)", false },
	{ "Tgid", NULL, true },
	{ "Pid", NULL, true },
	{ "PPid", NULL, true },
	{ "TracerPid", "0", false },
	{ "Uid", NULL, false },
	{ "Gid", NULL, false },
	{ "FDSize", "64", false },
	{ "VmPeak", "0 kB", false },
	{ "VmSize", "0 kB", false },
	{ "VmHWM", "0 kB", false },
	{ "VmRSS", "0 kB", false },
	{ "VmData", "0 kB", false },
	{ "VmStk", "0 kB", false },
	{ "VmSwap", "0 kB", false },
	{ "Threads", NULL, false },
	{ "SigPnd", NULL, false },
	{ "ShdPnd", NULL, false },
	{ "SigBlk", NULL, false },
	{ "SigIgn", NULL, false },
	{ "SigCgt", NULL, false },
	{ "Cpus_allowed", "1", false },
	{ "Cpus_allowed_list", "0", false },
	{ "voluntary_ctxt_switches", "0", false },
	{ "nonvoluntary_ctxt_switches", "0", false },
};

static void put_status(const struct visit *visit, char *line, FILE *to)
{
	size_t len = strcspn(line, ":");
	const char *value = line + len + 1;

	for (size_t i = 0; i < sizeof status_lines / sizeof status_lines[0]; i++) {
		const struct status_line *told = &status_lines[i];
		if (line[len] != ':' || strncmp(told->key, line, len) || told->key[len])
			continue;
		if (told->number)
			fprintf(to, "%s:\t%d\n", told->key,
				(int)pids_shown(&visit->traced->pids, (pid_t)atoi(value)));
		else if (told->text)
			fprintf(to, "%s:\t%s\n", told->key, told->text);
		else
			fputs(line, to);
	}
}

/* "PID (NAME) STATE PPID PGRP SESSION TTY …": only numbers follow, told as 0 except the number of
 * threads. A process that asks for its own state is running. */
static void put_stat(const struct visit *visit, char *line, FILE *to)
{
	const struct pids *pids = &visit->traced->pids;
	char *name = strchr(line, '('), *end = strrchr(line, ')');
	int parent, group, session, read = 0;
	char state;

	if (!name || !end ||
	    sscanf(end + 1, " %c %d %d %d %n", &state, &parent, &group, &session, &read) != 4)
		return;
	fprintf(to, "%d %.*s %c %d %d %d", (int)pids_shown(pids, (pid_t)atoi(line)),
		(int)(end + 1 - name), name, state == 't' ? 'R' : state,
		(int)pids_shown(pids, parent), (int)pids_shown(pids, group),
		(int)pids_shown(pids, session));
	char *next = NULL;
	int field = 7;
	for (const char *word = strtok_r(end + 1 + read, " \n", &next); word;
	     word = strtok_r(NULL, " \n", &next), field++)
		fprintf(to, " %s", field == 20 ? word : "0");
	putc('\n', to);
}

static const struct {
	const char *name;
	void (*put)(const struct visit *, char *line, FILE *to);
} made_files[] = {
	{ "maps", put_mapping },
	{ "status", put_status },
	{ "stat", put_stat },
};

/* Makes a file in memory, open in the tracer until the call ends; the program opens it by the path
 * `real`. */
static bool give(struct visit *visit, FILE *to, char *real)
{
	int fd = fileno(to);

	if (!fflush(to) && !ferror(to))
		visit->task->made = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	snprintf(real, PATH_MAX, "/proc/%d/fd/%d", (int)getpid(), visit->task->made);
	visit->traced->failed |= visit->task->made < 0;
	return visit->task->made >= 0;
}

static FILE *open_made(struct visit *visit)
{
	int fd = memfd_create("irdiff", MFD_CLOEXEC);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");

	if (fd >= 0 && !file)
		close(fd);
	visit->traced->failed |= !file;
	return file;
}

static bool give_text(struct visit *visit, const char *text, char *real)
{
	FILE *to = open_made(visit);
	bool given = to && fputs(text, to) >= 0 && give(visit, to, real);

	if (to)
		fclose(to);
	return given;
}

typedef void put_line(const struct visit *, char *line, FILE *to);

/* Makes a file from the kernel's own one at `path`, line by line. `once`: stops after the first
 * line that gave something. */
static bool give_made(struct visit *visit, put_line *put, bool once, const char *path, char *real)
{
	FILE *from = fopen(path, "re"), *to = from ? open_made(visit) : NULL;
	char *line = NULL;
	size_t cap = 0;

	while (to && !(once && ftell(to) > 0) && getline(&line, &cap, from) >= 0)
		put(visit, line, to);
	bool given = to && give(visit, to, real);
	free(line);
	if (to)
		fclose(to);
	if (from)
		fclose(from);
	return given;
}

/* ---- paths ---- */

/* Translates a component that is a number told to the program into the kernel's. */
static const char *real_number(const struct visit *visit, const char *at, pid_t *number)
{
	char *end;
	long told = isdigit((unsigned char)*at) ? strtol(at, &end, 10) : 0;

	if (told <= 0 || told > INT_MAX || (*end && *end != '/'))
		return NULL;
	*number = pids_real(&visit->traced->pids, (pid_t)told);
	return end;
}

/* Translates "self/maps", "4194306/task/4194307/stat" and so on into the kernel's absolute path;
 * *name is where the name of the file begins in it. False: it is no path of a process. */
static bool process_path(const struct visit *visit, const char *rest, char *path, const char **name)
{
	const struct pids *pids = &visit->traced->pids;
	pid_t process = 0, thread = 0;
	const char *after;

	if (path_below(rest, "self")) {
		process = pids_real(pids, visit->task->process);
		after = rest + strlen("self");
	} else if (path_below(rest, "thread-self")) {
		process = pids_real(pids, visit->task->process);
		thread = visit->task->tid;
		after = rest + strlen("thread-self");
	} else {
		after = real_number(visit, rest, &process);
	}
	if (!after)
		return false;
	if (!strncmp(after, "/task/", 6)) {
		const char *end = real_number(visit, after + 6, &thread);
		after = end ? end : after;
	}
	int n = thread ? snprintf(path, PATH_MAX, "/proc/%d/task/%d%s", process, thread, after)
		       : snprintf(path, PATH_MAX, "/proc/%d%s", process, after);
	*name = path + (n - (int)strlen(after)) + (*after == '/');
	return n < PATH_MAX;
}

bool visit_proc_path(struct visit *visit, const char *path, bool opens, char *real)
{
	const char *name, *text;
	char kernels[PATH_MAX];

	if (strncmp(path, "/proc/", 6) && strncmp(path, "/sys/", 5))
		return false;
	if (opens && (text = known_text(machine_files,
					sizeof machine_files / sizeof machine_files[0], path)))
		return give_text(visit, text, real);
	if (strncmp(path, "/proc/", 6))
		return false;
#ifdef CPU_FILE
	if (opens && !strcmp(path, CPU_FILE))
		return give_made(visit, put_cpu, true, path, real);
#endif
	if (!strcmp(path, "/proc/mounts"))
		path = "/proc/self/mounts";
	if (!process_path(visit, path + 6, kernels, &name))
		return false;
	if (opens && (text = known_text(process_files,
					sizeof process_files / sizeof process_files[0], name)))
		return give_text(visit, text, real);
	for (size_t i = 0; opens && i < sizeof made_files / sizeof made_files[0]; i++)
		if (!strcmp(name, made_files[i].name))
			return give_made(visit, made_files[i].put, false, kernels, real);
	memcpy(real, kernels, strlen(kernels) + 1);
	return strcmp(kernels, path) != 0;
}

#else
typedef int proc_unknown; /* a translation unit is not empty */
#endif
