/* Randomness: numbers that are the same in every run, but not the same again and again, or who
 * tries until two differ would never end. */
#include "freeze/random.h"
#include "freeze/frozen.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic uint64_t drawn;

/* SplitMix64, by Steele, Lea and Flood. */
static uint64_t draw_random(void)
{
	uint64_t z = atomic_fetch_add(&drawn, 1) * UINT64_C(0x9e3779b97f4a7c15) +
		     UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

void random_fill(void *buffer, size_t size)
{
	unsigned char *to = buffer;

	while (size) {
		uint64_t bytes = draw_random();
		size_t n = size < sizeof bytes ? size : sizeof bytes;
		memcpy(to, &bytes, n);
		to += n;
		size -= n;
	}
}

REPLACES_LIBC ssize_t getrandom(void *buffer, size_t size, unsigned flags)
{
	if (!frozen.random)
		return call(SYS_getrandom, (long)buffer, (long)size, (long)flags, 0, 0, 0);
	random_fill(buffer, size);
	return (ssize_t)size;
}

REPLACES_LIBC int getentropy(void *buffer, size_t size)
{
	if (size > 256) {
		errno = EIO;
		return -1;
	}
	return getrandom(buffer, size, 0) == (ssize_t)size ? 0 : -1;
}

/* ---- what glibc has had since 2.36 ---- */

void arc4random_buf(void *buffer, size_t size);
uint32_t arc4random(void);
uint32_t arc4random_uniform(uint32_t bound);

REPLACES_LIBC void arc4random_buf(void *buffer, size_t size)
{
	for (unsigned char *to = buffer; size;) {
		size_t wanted = size < 256 ? size : 256; /* as much as is never cut short */
		ssize_t n = getrandom(to, wanted, 0);
		if (n > 0) {
			to += n;
			size -= (size_t)n;
		}
	}
}

REPLACES_LIBC uint32_t arc4random(void)
{
	uint32_t number;

	arc4random_buf(&number, sizeof number);
	return number;
}

REPLACES_LIBC uint32_t arc4random_uniform(uint32_t bound)
{
	/* Of 2^32 numbers the first are left out, so that the rest is a multiple. */
	uint32_t left_out = bound ? -bound % bound : 0, number;

	if (bound < 2)
		return 0;
	do
		number = arc4random();
	while (number < left_out);
	return number % bound;
}
