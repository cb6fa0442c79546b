/*
 * A benchmark in variants, for tests/insights.sh: all do the same work on items; macros add what
 * insights are about.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

#ifndef ITEMS
#define ITEMS 2000
#endif
#ifndef STEPS
#define STEPS 100
#endif

struct large {
	unsigned values[64];
};

struct output {
	FILE *file;
	int fd;
};

/* What an item costs without any pattern. */
NOINLINE static unsigned work(unsigned item)
{
	for (unsigned i = 0; i < STEPS; i++)
		item = item * 1664525 + 1013904223;
	return item;
}

#ifdef LAYERS
/* Not only jumps: each of them adds something after the call. */
NOINLINE static unsigned layer1(unsigned item) { return work(item) ^ 1; }
NOINLINE static unsigned layer2(unsigned item) { return layer1(item) ^ 2; }
NOINLINE static unsigned layer3(unsigned item) { return layer2(item) ^ 3; }
#define WORK layer3
#else
#define WORK work
#endif

NOINLINE static unsigned use_memory(unsigned item, unsigned times)
{
	for (unsigned i = 0; i < times; i++) {
		/* Or else the compiler does without it. */
		char *volatile memory = malloc(100 + item % 100);
		memory[0] = (char)item;
		item += (unsigned char)memory[0];
		free(memory);
	}
	return item;
}

/* The compiler must not see that nobody needs the copies. */
NOINLINE static struct large move_around(struct large value, unsigned item)
{
	value.values[item % 64] = item;
	return value;
}

NOINLINE static unsigned read_clock(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (unsigned)now.tv_nsec;
}

#ifndef WIDTH
#define WIDTH 1
#endif

NOINLINE static void print_item(const struct output *to, unsigned item)
{
	fprintf(to->file, "item %*u\n", WIDTH, item);
}

NOINLINE static void write_item(const struct output *to, unsigned item)
{
	if (write(to->fd, &item, sizeof item) < 0)
		exit(1);
}

NOINLINE static unsigned one_item(unsigned item, const struct output *to, struct large *state)
{
	unsigned sum = WORK(item);

	(void)to;
	(void)state;
	(void)use_memory;
	(void)move_around;
	(void)read_clock;
	(void)print_item;
	(void)write_item;
#ifdef ALLOCATE
	sum += use_memory(item, ALLOCATE);
#endif
#ifdef COPY
	for (int i = 0; i < COPY; i++)
		*state = move_around(*state, item);
#endif
#ifdef CLOCK
	sum += read_clock() & 1;
#endif
#ifdef PRINT
	print_item(to, item);
#endif
#ifdef WRITE
	write_item(to, item);
#endif
	return sum;
}

/* How often the work is done; a file can say so. */
static unsigned rounds(void)
{
	char text[20] = "";
	int fd = open("rounds", O_RDONLY);
	if (fd < 0)
		return 1;
	ssize_t n = read(fd, text, sizeof text - 1);
	close(fd);
	return n > 0 ? (unsigned)atoi(text) : 1;
}

static void *run(void *result)
{
	struct output to = { fopen("/dev/null", "w"), open("/dev/null", O_WRONLY) };
	static struct large state;
	unsigned sum = 0;

	for (unsigned round = rounds(); round; round--)
		for (unsigned i = 0; i < ITEMS; i++)
			sum += one_item(i, &to, &state);
	*(unsigned *)result = sum + state.values[0];
	return result;
}

int main(void)
{
	unsigned result = 0;
#ifdef THREAD
	pthread_t thread;
	if (pthread_create(&thread, NULL, run, &result) == 0)
		pthread_join(thread, NULL);
#elif !defined NOTHING
	run(&result);
#endif
	return result == 1;
}
