/* What compilers do to C: chains of inlined functions, code split off and cloned, recursion that is
 * inlined into itself, functions that are the same, blocks. */
#include <stdio.h>
#include <stdlib.h>

unsigned mix(unsigned x);

static volatile unsigned sink;

static inline unsigned innermost(unsigned x)
{
	return (x ^ (x >> 7)) * 2654435761u;
}

static inline unsigned middle(unsigned x)
{
	unsigned sum = 0;
	for (unsigned i = 0; i < 8; i++) {
		unsigned y = innermost(x + i);
		if (y & 1) {
			unsigned z = innermost(y);
			sum += z;
		}
	}
	return sum;
}

static inline unsigned outer(unsigned x)
{
	return middle(x) + middle(x * 3);
}

__attribute__((cold, noinline)) static void complain(unsigned x)
{
	fprintf(stderr, "odd number %u\n", x);
}

/* The unlikely half becomes work.cold. */
__attribute__((noinline)) unsigned work(unsigned x)
{
	unsigned sum = outer(x);
	if (__builtin_expect(sum % 64 == 5, 0)) {
		for (unsigned i = 0; i < 10; i++)
			sum += innermost(i);
		complain(sum);
	}
	return sum;
}

/* The check is inlined, the rest is part.0. */
static unsigned rarely(unsigned *table, unsigned n)
{
	if (!table)
		return 0;
	for (unsigned i = 0; i < n; i++)
		table[i] += mix(i) + innermost(table[i]);
	for (unsigned i = 1; i < n; i++)
		table[i] ^= table[i - 1] % 7 + innermost(i);
	return table[n - 1];
}

unsigned first_user(unsigned *t, unsigned n) { return rarely(t, n) + 1; }
unsigned second_user(unsigned *t, unsigned n) { return rarely(t, n) * 3; }
unsigned third_user(unsigned *t) { return rarely(t, 16) + rarely(t, 17); }

/* Identical code. */
__attribute__((noinline)) unsigned same_one(unsigned x) { return outer(x) + 1; }
__attribute__((noinline)) unsigned same_two(unsigned x) { return outer(x) + 1; }

static unsigned fib(unsigned n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

__attribute__((noinline)) static unsigned cloned(unsigned x, unsigned constant)
{
	unsigned sum = 0;
	while (x--)
		sum += innermost(x) / constant;
	return sum;
}

static int compare(const void *a, const void *b)
{
	unsigned x = innermost(*(const unsigned *)a), y = innermost(*(const unsigned *)b);
	return (x > y) - (x < y);
}

static unsigned choose(unsigned x)
{
	switch (x % 5) {
	case 0: return outer(x);
	case 1: return mix(x);
	case 2: return innermost(x) + 1;
	case 3: return fib(x % 11);
	default: return cloned(x % 100, 7);
	}
}

int main(int argc, char **argv)
{
	unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 300, table[64];
	for (unsigned i = 0; i < 64; i++)
		table[i] = i;
	for (unsigned i = 0; i < n; i++)
		sink += work(i) + choose(i) + cloned(i % 50, 7);
	qsort(table, 64, sizeof *table, compare);
	sink += first_user(table, n % 64 + 1) + second_user(table, 9) + third_user(table);
	sink += same_one(n) + same_two(n);
	return 0;
}
