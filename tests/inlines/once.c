/*
 * Functions that are inlined where compilers tell little about it: in each call of a function, in
 * some, several times, and in loops that are unrolled. The argument is how often that is called.
 */
#include <stdio.h>
#include <stdlib.h>

static unsigned table[256];

static inline unsigned mix(unsigned key)
{
	key ^= key >> 15;
	key *= 2246822519u;
	key ^= key >> 13;
	table[key & 255] += key;
	return key;
}

static inline unsigned fold(unsigned a, unsigned b)
{
	a += table[b & 255];
	a = a << 7 | a >> 25;
	return a ^ b * 9;
}

__attribute__((noinline)) static unsigned always(unsigned n)
{
	unsigned key = mix(n);

	return n % 3 ? key : key + 1;
}

__attribute__((noinline)) static unsigned twice(unsigned n)
{
	return mix(n) - mix(n + 7);
}

__attribute__((noinline)) static unsigned rarely(unsigned n)
{
	return n % 5 ? n : mix(n);
}

__attribute__((noinline)) static unsigned unrolled(unsigned n)
{
	for (unsigned i = 0; i < 4; i++)
		n = fold(n, i + n);
	return n;
}

__attribute__((noinline)) static unsigned looped(unsigned n)
{
	unsigned sum = 0;

	for (unsigned i = 0; i < n % 3; i++)
		sum += mix(i + n);
	return sum;
}

int main(int argc, char **argv)
{
	unsigned count = argc > 1 ? (unsigned)atoi(argv[1]) : 0, sum = 0;

	for (unsigned i = 0; i < count; i++)
		sum += always(i) + twice(i) + rarely(i) + unrolled(i) + looped(i);
	printf("%u\n", sum);
	return 0;
}
