/*
 * Functions that begin with code inlined from another file, which Valgrind then says to be theirs.
 */
#include "tests/inlines/first.h"

#include <stdio.h>

__attribute__((noinline)) unsigned sum(const struct rows *r)
{
	unsigned total = 0;
	for (unsigned *at = begin(r); at < end(r); at++)
		total += *at;
	return total;
}

__attribute__((noinline)) unsigned product(const struct rows *r)
{
	unsigned total = 1;
	for (unsigned *at = begin(r); at < end(r); at++)
		total *= *at | 1;
	return total;
}

int main(void)
{
	unsigned values[100], total = 0;
	struct rows r = { values, 100 };
	for (unsigned i = 0; i < 100; i++)
		values[i] = i;
	for (unsigned i = 0; i < 50; i++)
		values[i] += sum(&r) + product(&r) + rest(&r);
	for (unsigned i = 0; i < 100; i++)
		total += values[i];
	printf("%u\n", total);
	return 0;
}
