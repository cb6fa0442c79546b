/*
 * std::chrono::steady_clock, which libstdc++ and libc++ have in their shared libraries.
 *
 * Benchmark libraries of C++ first measure how fine the clock is, by reading it again and again in
 * one place, and then repeat what they time until it takes many times as long. For those the time
 * hardly passes in a loop that only reads it, and by a second until it is read in another place:
 * then one iteration is enough. Only such reads are marks of the driver (src/run/harness.h), as the
 * others are tens of thousands.
 */
#include "freeze/frozen.h"
#include "freeze/time.h"

#include <stdatomic.h>
#include <time.h>

#define SECOND INT64_C(1000000000)
#define MICROSECOND INT64_C(1000)

static _Atomic uintptr_t last_place;

REPLACES_LIBC __attribute__((noinline)) void irdiff_steady_clock_is_read(void)
{
	__asm__ volatile("");
}

REPLACES_LIBC __attribute__((noinline)) void irdiff_steady_clock_was_read(void)
{
	__asm__ volatile("");
}

int64_t steady_clock_now(void) __asm__("_ZNSt6chrono3_V212steady_clock3nowEv");
int64_t steady_clock_now_of_llvm(void) __asm__("_ZNSt3__16chrono12steady_clock3nowEv");

static int64_t read_steady_clock(uintptr_t place)
{
	struct timespec t;

	if (!frozen.rounds) {
		clock_gettime(CLOCK_MONOTONIC, &t);
		return t.tv_sec * SECOND + t.tv_nsec;
	}
	if (atomic_exchange(&last_place, place) == place) {
		time_advance(MICROSECOND);
		return time_uptime();
	}
	irdiff_steady_clock_is_read();
	time_advance(SECOND);
	int64_t now = time_uptime();
	irdiff_steady_clock_was_read();
	return now;
}

REPLACES_LIBC int64_t steady_clock_now(void)
{
	return read_steady_clock((uintptr_t)__builtin_return_address(0));
}

REPLACES_LIBC int64_t steady_clock_now_of_llvm(void)
{
	return read_steady_clock((uintptr_t)__builtin_return_address(0));
}
