/* Usage: tells WHAT...
 *
 * Asks for what a program can know of where it runs, and says it; or does what must work although it is
 * told something else: then it ends with a status other than 0, and the line where that went wrong.
 * Run in the directory of a project, which it may write to. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MUST(condition)                                                                            \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			printf("line %d: %s (%s)\n", __LINE__, #condition, strerror(errno));       \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)

/* Leaks are looked for by tracing, which only one can do. */
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
	return 1;
}

static pid_t own_thread(void)
{
	return (pid_t)syscall(SYS_gettid);
}

static void say_link(const char *path)
{
	char text[PATH_MAX];
	ssize_t n = readlink(path, text, sizeof text - 1);

	text[n > 0 ? n : 0] = '\0';
	printf("%s -> %s\n", path, text);
}

static void say_file(const char *path)
{
	char text[4096];
	FILE *file = fopen(path, "r");

	printf("%s:\n", path);
	while (file && fgets(text, sizeof text, file))
		fputs(text, stdout);
	if (file)
		fclose(file);
}

static void say_directory(const char *path)
{
	DIR *dir = opendir(path);

	printf("%s:", path);
	for (struct dirent *entry; dir && (entry = readdir(dir));)
		printf(" %s", entry->d_name);
	puts("");
	if (dir)
		closedir(dir);
}

/* Of directories, and of files with several names. */
static void say_inodes(void)
{
	static const char *const names[] = { ".", "many", "hidden", "/", ".", "two", "many/../two" };
	struct stat one, file;
	struct statx other;

	MUST(!link("tells", "two"));
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		MUST(!stat(names[i], &one) && !statx(AT_FDCWD, names[i], 0, STATX_ALL, &other));
		MUST(one.st_ino == other.stx_ino && minor(one.st_dev) == other.stx_dev_minor);
		printf("%s: %lu\n", names[i], (unsigned long)one.st_ino);
	}
	MUST(!stat("tells", &one) && !unlink("two"));
	int fd = open("tells", O_RDONLY);
	MUST(fd >= 0 && !fstat(fd, &file) && file.st_dev == one.st_dev && !close(fd));
}

static void say_sizes(const char *path)
{
	struct stat one;
	struct statx other;

	MUST(!stat(path, &one) && !statx(AT_FDCWD, path, 0, STATX_ALL, &other));
	MUST((uint64_t)one.st_size == other.stx_size && one.st_nlink == other.stx_nlink);
	MUST((uint64_t)one.st_blocks == other.stx_blocks);
	MUST((uint64_t)one.st_blksize == other.stx_blksize);
	printf("%s: %ld bytes, %ld blocks of %ld, %ld links\n", path, (long)one.st_size,
	       (long)one.st_blocks, (long)one.st_blksize, (long)one.st_nlink);
}

/* ---- what it is told ---- */

static void numbers(void)
{
	pid_t child = fork();
	int status;

	if (!child) {
		printf("child %d of %d\n", getpid(), getppid());
		fflush(stdout);
		_exit(3);
	}
	MUST(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 3);
	printf("pid %d thread %d parent %d group %d session %d forked %d\n", getpid(), own_thread(),
	       getppid(), getpgrp(), getsid(0), child);
	say_link("/proc/self");
	say_link("/proc/thread-self");
	say_file("/proc/self/stat");
	say_file("/proc/self/status");
}

static void paths(void)
{
	char text[PATH_MAX];

	printf("cwd %s\n", getcwd(text, sizeof text));
	printf("real %s\n", realpath(".", text));
	say_link("/proc/self/cwd");
	say_link("/proc/self/exe");
	say_directory(".");
	say_directory("many");
	say_directory("hidden");
	say_directory("/irdiff-run");
	say_directory("/irdiff-run/o");
	say_inodes();
	say_sizes("many");
	say_sizes("hidden");
	say_sizes("/proc/self/status");
	MUST(getcwd(text, 5) == NULL && errno == ERANGE);
	MUST(readlink("/proc/self/cwd", text, 4) == 4 && !memcmp(text, "/ird", 4));
}

/* That each program gets at its start. */
static unsigned long long random_bytes(void)
{
	unsigned long long bytes[2];

	memcpy(bytes, (const void *)getauxval(AT_RANDOM), sizeof bytes);
	return bytes[0] ^ bytes[1];
}

/* Of a file that was read after its last change: that it was is not told. */
static void say_times(void)
{
	struct stat st;
	struct statx x;

	MUST(!stat("/usr", &st) && st.st_atim.tv_sec == st.st_mtim.tv_sec);
	MUST(!statx(AT_FDCWD, "/usr", 0, STATX_ALL, &x) && x.stx_atime.tv_sec == x.stx_mtime.tv_sec);
	MUST(x.stx_atime.tv_nsec == x.stx_mtime.tv_nsec);
}

static void machine(void)
{
	struct utsname names;
	struct sysinfo info;
	struct rlimit limit;
	cpu_set_t set;
	unsigned cpu = 99, node = 99;

	say_times();
	MUST(!uname(&names) && !sysinfo(&info) && !getrlimit(RLIMIT_NPROC, &limit));
	printf("%s %s %s, %lu x %u\n", names.nodename, names.release, names.version, info.totalram,
	       info.mem_unit);
	printf("processes %lu %lu\n", (unsigned long)limit.rlim_cur, (unsigned long)limit.rlim_max);
	MUST(!syscall(SYS_getcpu, &cpu, &node, NULL));
	MUST(!sched_getaffinity(0, sizeof set, &set));
	printf("cpu %u of node %u, %d of them, %ld online\n", cpu, node, CPU_COUNT(&set),
	       sysconf(_SC_NPROCESSORS_ONLN));
	MUST(CPU_ISSET(0, &set) && !sched_setaffinity(0, sizeof set, &set));
	CPU_ZERO(&set);
	CPU_SET(1, &set);
	MUST(sched_setaffinity(0, sizeof set, &set) && errno == EINVAL);
	say_file("/proc/cpuinfo");
	say_file("/proc/self/cgroup");
	printf("kernel's entry: %s\n", getauxval(51) ? "told" : "not told"); /* AT_MINSIGSTKSZ of 5.14 */
	printf("rights: %s\n", getauxval(AT_SECURE) ? "more" : "the caller's");
	printf("random bytes: %016llx\n", random_bytes());
	say_file("/proc/self/mountinfo");
	say_file("/proc/mounts");
	say_file("/proc/meminfo");
	say_file("/sys/fs/cgroup/cpu.max");
	/* What it sets itself is told as it is. */
	limit.rlim_cur = limit.rlim_max = 64 * 1024;
	MUST(!setrlimit(RLIMIT_MEMLOCK, &limit));
	limit.rlim_cur = 0;
	MUST(!getrlimit(RLIMIT_MEMLOCK, &limit) && limit.rlim_cur == 64 * 1024);
}

/* ---- what must work ---- */

static volatile pid_t sender;
static volatile sig_atomic_t arrived;

static void note(int signo, siginfo_t *info, void *context)
{
	(void)signo, (void)context;
	sender = info->si_pid;
	arrived++;
}

static void *in_thread(void *arg)
{
	pid_t *numbers_of = arg;

	numbers_of[0] = getpid();
	numbers_of[1] = own_thread();
	numbers_of[2] = (pid_t)syscall(SYS_tgkill, getpid(), own_thread(), SIGUSR1);
	return NULL;
}

static void processes(void)
{
	struct sigaction action = { .sa_sigaction = note, .sa_flags = SA_SIGINFO | SA_RESTART };
	siginfo_t info = { 0 };
	pthread_t thread;
	pid_t seen[3] = { 0 }, child;
	int status, ends[2];
	char byte;

	MUST(!sigaction(SIGUSR1, &action, NULL));
	MUST(!kill(getpid(), SIGUSR1) && arrived == 1 && sender == getpid());
	MUST(!raise(SIGUSR1) && arrived == 2 && sender == getpid());
	MUST(!pthread_create(&thread, NULL, in_thread, seen) && !pthread_join(thread, NULL));
	MUST(seen[0] == getpid() && seen[1] == getpid() + 1 && !seen[2] && arrived == 3);
	MUST(kill(getpid() + 100, 0) && errno == ESRCH);

	/* A child that is stopped, goes on, and is killed. */
	MUST(!pipe(ends));
	child = fork();
	if (!child) {
		MUST(write(ends[1], "x", 1) == 1);
		for (;;)
			pause();
	}
	MUST(child == getpid() + 2 && read(ends[0], &byte, 1) == 1);
	MUST(!kill(child, SIGSTOP) && waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status));
	MUST(!kill(child, SIGCONT) && waitpid(child, &status, WCONTINUED) == child &&
	     WIFCONTINUED(status));
	MUST(getpgid(child) == getpgrp() && !kill(child, SIGKILL));
	MUST(!waitid(P_PID, (id_t)child, &info, WEXITED) && info.si_pid == child &&
	     info.si_status == SIGKILL);

	/* A group of its own, and everybody. */
	child = fork();
	if (!child) {
		MUST(!setpgid(0, 0) && getpgrp() == getpid());
		MUST(write(ends[1], "x", 1) == 1);
		for (;;)
			pause();
	}
	MUST(read(ends[0], &byte, 1) == 1 && getpgid(child) == child && !kill(-child, SIGTERM));
	MUST(waitpid(-1, &status, 0) == child && WTERMSIG(status) == SIGTERM);
	child = fork();
	if (!child)
		for (;;)
			pause();
	MUST(!kill(-1, SIGKILL) && wait(&status) == child && WTERMSIG(status) == SIGKILL);

	/* A child's own /proc, by its number, and vfork. */
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/status", getpid());
	MUST(!access(path, R_OK));
	child = vfork();
	if (!child)
		execl("/bin/sh", "sh", "-c", "exit 9", (char *)NULL);
	MUST(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 9);
	puts("processes: fine");
}

static void *execute(void *arg)
{
	execv("/proc/self/exe", arg);
	return NULL;
}

/* Numbers that are in memory, or in calls that few make. */
static void rare(void)
{
	struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, getpid() };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR1 };
	uint64_t attributes[16] = { 0 };
	timer_t timer;
	int ends[2], status;

	const pid_t own = own_thread();
	memcpy((char *)&event + 16, &own, sizeof own); /* C libraries do not agree on its name */
	MUST(!timer_create(CLOCK_MONOTONIC, &event, &timer) && !timer_delete(timer));
	MUST(!memcmp((char *)&event + 16, &own, sizeof own));
	MUST(!syscall(SYS_capget, &header, data) && header.pid == getpid());
	MUST(!syscall(SYS_sched_getattr, getpid(), attributes, sizeof attributes, 0));
	MUST(syscall(SYS_ioprio_get, 1, getpid()) >= 0);
	MUST(!pipe(ends) && !fcntl(ends[0], F_SETOWN, getpid()) && !fcntl(ends[0], F_SETOWN, -getpgrp()));
	MUST(kill(INT_MIN, 0) && errno == ESRCH);

	/* It stays traced however it is made, and whatever it makes of itself. */
	long child = syscall(SYS_clone, CLONE_UNTRACED | SIGCHLD, NULL, NULL, NULL, NULL);
	if (!child)
		_exit(syscall(SYS_getpid) != getppid() + 1 || prctl(PR_SET_DUMPABLE, 0) ||
		      access("/irdiff-run/w/many", F_OK));
	MUST(child == getpid() + 1 && waitpid((pid_t)child, &status, 0) == child && !status);
	puts("rare: fine");
}

/* What is executed by another thread than the first one is the process all the same. */
static void threads(char **argv)
{
	static char numbers_of[] = "numbers";
	char *const words[] = { argv[0], numbers_of, NULL };
	pthread_t thread;

	MUST(!pthread_create(&thread, NULL, execute, (void *)words));
	pthread_join(thread, NULL);
	MUST(!"executed");
}

static void files(void)
{
	static const char text[] = "text";
	struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = "/irdiff-run/w/files.d/s" };
	char path[PATH_MAX], back[8] = "";
	struct stat one, other;

	MUST(!mkdir("/irdiff-run/w/files.d", 0755) && !stat("files.d", &one));
	MUST(!stat("//irdiff-run/./w//files.d/", &other) && one.st_ino == other.st_ino);
	MUST(!stat("/irdiff-run/w/files.d/../files.d", &other) && one.st_ino == other.st_ino);
	MUST(!stat("/irdiff-run/../irdiff-run/w/files.d", &other) && one.st_ino == other.st_ino);
	MUST(stat("/irdiff-run/x", &other) && errno == ENOENT);
	MUST(stat("/irdiff-run/w/../x", &other) && errno == ENOENT);
	MUST(!stat("/irdiff-run/w/../../usr", &other));

	int dir = open("/irdiff-run/w/files.d", O_RDONLY | O_DIRECTORY);
	int fd = openat(dir, "a", O_RDWR | O_CREAT | O_EXCL, 0644);
	MUST(dir >= 0 && fd >= 0 && write(fd, text, sizeof text) == sizeof text && !close(fd));
	MUST(!rename("/irdiff-run/w/files.d/a", "files.d/b") && access("files.d/a", F_OK));
	MUST(!link("files.d/b", "/irdiff-run/w/files.d/c"));
	MUST(!symlink("/irdiff-run/w/files.d/b", "files.d/link"));
	MUST(readlink("files.d/link", path, sizeof path) == 23 &&
	     !memcmp(path, "/irdiff-run/w/files.d/b", 23));
	fd = open("files.d/link", O_RDONLY);
	MUST(fd >= 0 && read(fd, back, sizeof back) == sizeof text && !strcmp(back, text));
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	say_link(path);
	close(fd);
	MUST(realpath("files.d/link", path) && !strcmp(path, "/irdiff-run/w/files.d/b"));
	MUST(!chdir("/irdiff-run/w/files.d") && getcwd(path, sizeof path) &&
	     !strcmp(path, "/irdiff-run/w/files.d") && !chdir(".."));

	int bound = socket(AF_UNIX, SOCK_STREAM, 0), joined = socket(AF_UNIX, SOCK_STREAM, 0);
	MUST(!bind(bound, (struct sockaddr *)&address, sizeof address) && !listen(bound, 1));
	MUST(!connect(joined, (struct sockaddr *)&address, sizeof address));
	close(joined);
	close(bound);
	MUST(!unlinkat(dir, "s", 0) && !unlink("/irdiff-run/w/files.d/link") &&
	     !unlink("/irdiff-run/w/files.d/b") && !unlinkat(dir, "c", 0));
	close(dir);
	MUST(!rmdir("/irdiff-run/w/files.d") && access("files.d", F_OK));

	/* A directory that is seen empty is so in whatever way it is reached. */
	MUST(access("hidden/secret", F_OK) && access("many/../hidden/secret", F_OK));
	MUST(access("/irdiff-run/w/hidden/secret", F_OK) && !access("hidden", F_OK));
	MUST(!chdir("many") && access("../hidden/secret", F_OK) && !chdir(".."));
	MUST(!chdir("hidden") && !mkdir("made", 0755) && !chdir("made"));
	MUST(getcwd(path, sizeof path) && !strcmp(path, "/irdiff-run/w/hidden/made"));
	MUST(!access("../../many", F_OK) && access("../secret", F_OK) && !chdir("../.."));
	MUST(getcwd(path, sizeof path) && !strcmp(path, "/irdiff-run/w"));

	fd = open("/proc/self/status", O_RDONLY | O_NOFOLLOW);
	MUST(fd >= 0 && !close(fd));

	/* Who read a file last is not told, but what the program has set itself is. */
	const struct timespec set[] = { { 5, 6 }, { 7, 8 } };
	fd = open("dated", O_RDWR | O_CREAT | O_EXCL, 0644);
	MUST(fd >= 0 && !fstat(fd, &one) && one.st_atim.tv_nsec == one.st_mtim.tv_nsec);
	MUST(!futimens(fd, set) && !fstat(fd, &one) && one.st_atime == 5 && one.st_mtime == 7);
	MUST(!close(fd) && !unlink("dated"));
	puts("files: fine");
}

static void *make_others(void *arg)
{
	for (;;)
		if (!fork())
			_exit(0);
	return arg;
}

static void *execute_true(void *arg)
{
	usleep(*(unsigned *)arg);
	execl("/bin/true", "true", (char *)NULL);
	return NULL;
}

static void make_and_execute(unsigned microseconds)
{
	pthread_t threads[2];

	MUST(!pthread_create(&threads[0], NULL, make_others, NULL));
	MUST(!pthread_create(&threads[1], NULL, execute_true, &microseconds));
	pthread_join(threads[1], NULL);
}

/* What is killed while it starts others leaves none that waits for ever; nor does a thread that ends as
 * another one executes something else. */
static void orphans(void)
{
	char byte;

	for (int i = 0; i < 50; i++) {
		int ends[2], status;
		MUST(!pipe(ends));
		pid_t maker = fork();
		while (!maker)
			if (!fork())
				_exit(0);
		MUST(maker > 0 && !close(ends[1]) && !usleep(300 + (unsigned)i * 30));
		MUST(!kill(maker, SIGKILL) && waitpid(maker, &status, 0) == maker);
		MUST(read(ends[0], &byte, 1) == 0 && !close(ends[0]));

		MUST(!pipe(ends));
		maker = fork();
		if (!maker)
			make_and_execute(300 + (unsigned)i * 30);
		MUST(!close(ends[1]) && read(ends[0], &byte, 1) == 0 && !close(ends[0]));
		MUST(waitpid(maker, &status, 0) == maker);
	}
	puts("orphans: fine");
}

/* Numbers and arguments of 32-bit programs are other ones. */
static void foreign(void)
{
#ifdef __x86_64__
	long result = 20; /* getpid */

	__asm__ volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
	printf("%ld\n", result);
#endif
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*say)(void);
	} all[] = {
		{ "numbers", numbers }, { "paths", paths }, { "machine", machine },
		{ "processes", processes }, { "files", files }, { "foreign", foreign },
		{ "orphans", orphans }, { "rare", rare },
	};

	for (int i = 1; i < argc; i++) {
		for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
			if (!strcmp(argv[i], all[k].name))
				all[k].say();
		if (!strcmp(argv[i], "threads"))
			threads(argv);
	}
	return 0;
}
