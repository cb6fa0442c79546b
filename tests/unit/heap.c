#include "tests/unit/heap.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_size_t blocks, bytes, peak;
static atomic_size_t until_failure; /* 0: no failure is wanted */
static atomic_bool has_failed, refuses_threads;

/* The linker's names for what the program would call, and for what it calls. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *),
			  void *context);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);
char *__wrap_strdup(const char *text);
int __wrap_asprintf(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));
int __wrap___asprintf_chk(char **text, int flag, const char *format, ...);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *),
			  void *context);

/* ---- what tests ask ---- */

size_t heap_blocks(void)
{
	return blocks;
}

void heap_watch(void)
{
	peak = bytes;
}

size_t heap_peak(void)
{
	return peak;
}

void heap_fail_at(size_t nth)
{
	until_failure = nth;
	has_failed = false;
}

bool heap_has_failed(void)
{
	return has_failed;
}

void heap_refuse_threads(bool refuse)
{
	refuses_threads = refuse;
}

/* ---- what programs call ---- */

static bool must_fail(void)
{
	size_t left = until_failure;

	while (left > 0 && !atomic_compare_exchange_weak(&until_failure, &left, left - 1))
		;
	if (left != 1)
		return false;
	has_failed = true;
	errno = ENOMEM;
	return true;
}

static void *count_in(void *block)
{
	if (!block)
		return NULL;
	blocks++;
	size_t size = malloc_usable_size(block);
	size_t now = atomic_fetch_add(&bytes, size) + size, most = peak;
	while (now > most && !atomic_compare_exchange_weak(&peak, &most, now))
		;
	return block;
}

static void count_out(void *block)
{
	blocks--;
	bytes -= malloc_usable_size(block);
}

void *__wrap_malloc(size_t size)
{
	return must_fail() ? NULL : count_in(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
	return must_fail() ? NULL : count_in(__real_calloc(count, size));
}

void *__wrap_realloc(void *block, size_t size)
{
	if (must_fail())
		return NULL;
	if (!block)
		return count_in(__real_realloc(NULL, size));

	size_t before = malloc_usable_size(block);
	void *moved = __real_realloc(block, size);
	if (!moved)
		return NULL;
	blocks--;
	bytes -= before;
	return count_in(moved);
}

void __wrap_free(void *block)
{
	if (block)
		count_out(block);
	__real_free(block);
}

char *__wrap_strdup(const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = __wrap_malloc(size);

	return copy ? memcpy(copy, text, size) : NULL;
}

static int print(char **text, const char *format, va_list ap)
{
	va_list again;
	va_copy(again, ap);
	int len = vsnprintf(NULL, 0, format, again);
	va_end(again);
	*text = len < 0 ? NULL : __wrap_malloc((size_t)len + 1);
	return *text ? vsnprintf(*text, (size_t)len + 1, format, ap) : -1;
}

int __wrap_asprintf(char **text, const char *format, ...)
{
	va_list ap;
	va_start(ap, format);
	int len = print(text, format, ap);
	va_end(ap);
	return len;
}

/* What a compiler that checks the sizes of buffers makes of it. */
int __wrap___asprintf_chk(char **text, int flag, const char *format, ...)
{
	(void)flag;
	va_list ap;
	va_start(ap, format);
	int len = print(text, format, ap);
	va_end(ap);
	return len;
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *),
			  void *context)
{
	return refuses_threads ? EAGAIN : __real_pthread_create(thread, attr, start, context);
}
