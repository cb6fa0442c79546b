/*
 * Usage: asks WHAT...
 *
 * Asks for what libirdiff-freeze answers and prints it, or what is wrong with it. tests/freeze.sh and
 * tests/freezing.sh run it.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000ll

static uint64_t early; /* as the first constructor of the program sees it */

__attribute__((constructor)) static void look_early(void)
{
	memcpy(&early, (const void *)getauxval(AT_RANDOM), sizeof early);
}

/* As long as the numbers say, so that counts depend on them. */
__attribute__((noinline)) static void work(uint64_t number)
{
	for (volatile uint64_t i = 0; i < number % 5000; i++)
		;
}

static void show(const char *what, uint64_t number)
{
	work(number);
	printf("%s %llx\n", what, (unsigned long long)number);
}

static uint64_t random_number(void)
{
	uint64_t number = 0;

	assert(getrandom(&number, sizeof number, 0) == sizeof number);
	return number;
}

static void ask_random(void)
{
	uint64_t number, again;
	char many[300];

	memcpy(&number, (const void *)getauxval(AT_RANDOM), sizeof number);
	show("AT_RANDOM", number);
	assert(number == early);
	show("getrandom", random_number());
	number = random_number();
	again = random_number();
	assert(number != again);
	assert(getentropy(&number, sizeof number) == 0);
	show("getentropy", number);
	assert(getentropy(many, sizeof many) == -1 && errno == EIO);
	assert(syscall(SYS_getrandom, &number, sizeof number, 0) == sizeof number);
	show("syscall", number);
#if __GLIBC__ > 2 || __GLIBC_MINOR__ >= 36
	show("arc4random", arc4random());
	for (int i = 0; i < 100; i++)
		assert(arc4random_uniform(7) < 7);
	assert(arc4random_uniform(0) == 0 && arc4random_uniform(1) == 0);
	arc4random_buf(&number, sizeof number);
	show("arc4random_buf", number);
#endif
}

static void ask_device(void)
{
	uint64_t number = 0;
	int fd = open("/dev/urandom", O_RDONLY);

	assert(fd >= 0 && read(fd, &number, sizeof number) == sizeof number);
	close(fd);
	show("/dev/urandom", number);
}

static int64_t now(clockid_t clock)
{
	struct timespec t;

	assert(clock_gettime(clock, &t) == 0);
	assert(t.tv_nsec >= 0 && t.tv_nsec < SECOND);
	return t.tv_sec * SECOND + t.tv_nsec;
}

static void ask_time(void)
{
	struct timespec t;
	struct timeval tv;
	struct tms spent;
	struct rusage usage;
	unsigned reads = 0;

	show("realtime", (uint64_t)now(CLOCK_REALTIME));
	show("monotonic", (uint64_t)now(CLOCK_MONOTONIC));
	show("cpu", (uint64_t)now(CLOCK_PROCESS_CPUTIME_ID));
	show("time", (uint64_t)time(NULL));
	assert(gettimeofday(&tv, NULL) == 0);
	show("gettimeofday", (uint64_t)tv.tv_sec * 1000000 + (uint64_t)tv.tv_usec);
	assert(timespec_get(&t, TIME_UTC) == TIME_UTC && timespec_get(&t, 99) == 0);
	show("timespec_get", (uint64_t)t.tv_nsec);
	show("clock", (uint64_t)clock());
	show("times", (uint64_t)times(&spent));
	assert(getrusage(RUSAGE_SELF, &usage) == 0);
	show("getrusage", (uint64_t)usage.ru_utime.tv_usec);
	assert(clock_gettime(1234, &t) == -1 && errno == EINVAL);

	for (int64_t end = now(CLOCK_MONOTONIC) + SECOND / 50; now(CLOCK_MONOTONIC) < end;)
		reads++;
	show("reads in 20 ms", reads);
}

/* Real and monotonic time go on together, by what was slept and a step per look. */
static void ask_sleep(void)
{
	const struct timespec nap = { .tv_nsec = 2000000 };
	struct timeval limit = { .tv_usec = 2000 };
	int64_t before = now(CLOCK_MONOTONIC), real = now(CLOCK_REALTIME);

	assert(nanosleep(&nap, NULL) == 0);
	assert(usleep(2000) == 0);
	assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, NULL) == 0);
	assert(poll(NULL, 0, 2) == 0);
	assert(select(0, NULL, NULL, NULL, &limit) == 0);
	int64_t at = now(CLOCK_MONOTONIC) + 2000000;
	struct timespec until = { at / SECOND, at % SECOND };
	assert(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == 0);
	assert(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == 0);
	assert(nanosleep(&(struct timespec){ .tv_nsec = SECOND }, NULL) == -1 && errno == EINVAL);
	show("slept", (uint64_t)(now(CLOCK_MONOTONIC) - before));
	show("really", (uint64_t)(now(CLOCK_REALTIME) - real));
}

static void count(int signal)
{
	(void)signal;
	assert(write(STDOUT_FILENO, "signal\n", 7) == 7);
}

static void ask_pid(void)
{
	pid_t own = getpid();
	int status;

	show("pid", (uint64_t)own);
	show("tid", (uint64_t)gettid());
	show("parent", (uint64_t)getppid());
	assert(syscall(SYS_getpid) == own);
	fflush(stdout);
	assert(signal(SIGUSR1, count) != SIG_ERR);
	assert(kill(own, SIGUSR1) == 0 && raise(SIGUSR1) == 0 && kill(getpid(), 0) == 0);
	pid_t child = fork();
	if (child == 0)
		_exit(getpid() != own && getppid() == own && kill(getppid(), 0) == 0 ? 7 : 8);
	assert(waitpid(child, &status, 0) == child);
	assert(WIFEXITED(status) && WEXITSTATUS(status) == 7);
	child = fork();
	if (child == 0)
		abort();
	assert(waitpid(child, &status, 0) == child);
	assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

/* What a child draws that was made by exec, on which the same library works. */
static void ask_child(void)
{
	int status;

	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		execl("./asks", "asks", "random", (char *)NULL);
		_exit(1);
	}
	assert(waitpid(child, &status, 0) == child && status == 0);
}

#define DRAWS 1000

static void *draw(void *numbers)
{
	uint64_t *at = numbers;

	for (int i = 0; i < DRAWS; i++) {
		at[i] = random_number();
		now(CLOCK_MONOTONIC);
	}
	return NULL;
}

static int compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

/* No number is drawn twice, and no look at the clock is lost. */
static void ask_threads(void)
{
	static uint64_t numbers[2 * DRAWS];
	pthread_t other;
	int64_t before = now(CLOCK_MONOTONIC);

	assert(pthread_create(&other, NULL, draw, numbers) == 0);
	draw(numbers + DRAWS);
	assert(pthread_join(other, NULL) == 0);
	show("passed", (uint64_t)(now(CLOCK_MONOTONIC) - before));
	qsort(numbers, 2 * DRAWS, sizeof *numbers, compare);
	for (int i = 1; i < 2 * DRAWS; i++)
		assert(numbers[i] != numbers[i - 1]);
}

/* ---- cancelling ---- */

static void wait_poll(void)
{
	poll(NULL, 0, -1);
}

static void wait_select(void)
{
	select(0, NULL, NULL, NULL, NULL);
}

static void wait_epoll(void)
{
	struct epoll_event event;

	epoll_wait(epoll_create1(EPOLL_CLOEXEC), &event, 1, -1);
}

static void wait_sleep(void)
{
	sleep(1000);
}

static void wait_until(void)
{
	struct timespec until;

	assert(clock_gettime(CLOCK_MONOTONIC, &until) == 0);
	until.tv_sec += 1000;
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

struct waiter {
	void (*wait)(void);
	_Atomic pid_t tid; /* 0: has not come so far */
	bool cleaned;
};

static void clean(void *waiter)
{
	((struct waiter *)waiter)->cleaned = true;
}

static void *run_waiter(void *argument)
{
	struct waiter *w = argument;

	pthread_cleanup_push(clean, w);
	w->tid = gettid();
	w->wait();
	pthread_cleanup_pop(0);
	return NULL;
}

/* Whether the thread waits in the kernel. */
static bool is_asleep(pid_t tid)
{
	char path[64], text[512] = "";

	snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)tid);
	FILE *from = fopen(path, "r");
	assert(from && fgets(text, sizeof text, from));
	fclose(from);
	return strstr(text, ") S ") != NULL;
}

/* Calls that wait are left by who is cancelled in them, by way of its clean-up. */
static void ask_cancel(void)
{
	static void (*const waits[])(void) = { wait_poll, wait_select, wait_epoll, wait_sleep, wait_until };
	int type;

	alarm(300); /* or it would wait for ever */
	for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
		struct waiter w = { .wait = waits[i] };
		pthread_t thread;
		void *end;
		assert(pthread_create(&thread, NULL, run_waiter, &w) == 0);
		while (!w.tid || !is_asleep(w.tid))
			sched_yield();
		assert(pthread_cancel(thread) == 0 && pthread_join(thread, &end) == 0);
		assert(end == PTHREAD_CANCELED && w.cleaned);
	}
	assert(poll(NULL, 0, 0) == 0);
	assert(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &type) == 0 && type == PTHREAD_CANCEL_DEFERRED);
	alarm(0);
	puts("cancelled");
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*ask)(void);
	} questions[] = {
		{ "random", ask_random }, { "device", ask_device }, { "time", ask_time },
		{ "sleep", ask_sleep },	  { "pid", ask_pid },	    { "child", ask_child },
		{ "threads", ask_threads }, { "cancel", ask_cancel },
	};
	int asked = 0;

	for (int i = 1; i < argc; i++)
		for (size_t q = 0; q < sizeof questions / sizeof *questions; q++)
			if (!strcmp(argv[i], questions[q].name)) {
				questions[q].ask();
				asked++;
			}
	assert(asked == argc - 1);
	return 0;
}
