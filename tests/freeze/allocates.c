/*
 * Usage: allocates check | PAST
 *
 * check: whether the functions that allocate memory keep their promises, also in a child that is
 * forked while threads allocate. PAST: allocates so many blocks of many sizes, frees every other
 * one, then does in a case of irdiff.h what is always the same.
 */
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/client/irdiff.h"

#define REQUIRE(condition) \
	((condition) ? (void)0 : (printf("line %d: %s\n", __LINE__, #condition), exit(1)))

static void check_size(size_t size)
{
	unsigned char *one = malloc(size), *two = malloc(size);

	REQUIRE(one && two && one != two);
	REQUIRE((uintptr_t)one % 16 == 0 && (uintptr_t)two % 16 == 0);
	REQUIRE(malloc_usable_size(one) >= size);
	memset(one, 1, malloc_usable_size(one));
	memset(two, 2, malloc_usable_size(two));
	for (size_t i = 0; i < size; i++)
		REQUIRE(one[i] == 1);
	one = realloc(one, size + size / 2 + 1);
	REQUIRE(one && malloc_usable_size(one) > size + size / 2);
	for (size_t i = 0; i < size; i++)
		REQUIRE(one[i] == 1 && two[i] == 2);
	free(one);
	one = calloc(size, 1);
	for (size_t i = 0; i < size; i++)
		REQUIRE(one[i] == 0 && two[i] == 2);
	free(one);
	free(two);
}

static void check_aligned(size_t alignment, size_t size)
{
	void *bytes = NULL;

	REQUIRE(posix_memalign(&bytes, alignment, size) == 0);
	REQUIRE((uintptr_t)bytes % alignment == 0 && malloc_usable_size(bytes) >= size);
	memset(bytes, 7, malloc_usable_size(bytes));
	bytes = realloc(bytes, size + 5000);
	REQUIRE(bytes);
	for (size_t i = 0; i < size; i++)
		REQUIRE(((unsigned char *)bytes)[i] == 7);
	free(bytes);
}

static void *allocate_forever(void *unused)
{
	for (size_t n = 1;; n = n % 5000 + 7)
		free(malloc(n));
	return unused;
}

static void check_forks(void)
{
	pthread_t thread;

	REQUIRE(pthread_create(&thread, NULL, allocate_forever, NULL) == 0);
	for (int i = 0; i < 200; i++) {
		int status;
		pid_t child = fork();
		REQUIRE(child >= 0);
		if (!child) {
			alarm(20);
			free(malloc(100));
			_exit(0);
		}
		REQUIRE(waitpid(child, &status, 0) == child && status == 0);
	}
}

static int check(void)
{
	volatile size_t huge = SIZE_MAX / 2;
	void *bytes = NULL;

	for (size_t size = 0; size < 3000000; size += size / 7 + 1)
		check_size(size);
	for (size_t alignment = sizeof(void *); alignment <= 65536; alignment *= 2)
		for (size_t size = 0; size < 100000; size = size * 3 + 1)
			check_aligned(alignment, size);
	errno = 0;
	REQUIRE(!malloc(huge) && errno == ENOMEM);
	REQUIRE(!calloc(huge, 4) && !realloc(NULL, huge));
	REQUIRE(posix_memalign(&bytes, 24, 8) == EINVAL && posix_memalign(&bytes, 64, huge) == ENOMEM);
	REQUIRE(malloc_usable_size(NULL) == 0);
	check_forks();
	puts("kept");
	return 0;
}

enum { BLOCKS = 20000 };
static void *past[BLOCKS], *now[500];

static void live(size_t count)
{
	for (size_t i = 0; i < count && i < BLOCKS; i++)
		past[i] = malloc(i * 7919 % 9973 + 1);
	for (size_t i = 0; i < count && i < BLOCKS; i += 2)
		free(past[i]);
}

static void work(void)
{
	for (size_t round = 0; round < 8; round++) {
		for (size_t i = 0; i < 500; i++)
			now[i] = malloc(i * 6007 % 8009 + 1);
		for (size_t i = 0; i < 500; i++)
			free(now[i * 7 % 500]);
	}
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	if (strcmp(argv[1], "check") == 0)
		return check();
	live(strtoul(argv[1], NULL, 10));
	irdiff_begin();
	work();
	irdiff_end("work");
	return 0;
}
