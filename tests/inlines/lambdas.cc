/*
 * Lambdas and classes in functions, which have no symbols where they are inlined. COMPILED is an
 * attribute of theirs.
 */
#include <cstdio>
#include <string>
#include <vector>

#ifndef COMPILED
#define COMPILED __attribute__((always_inline))
#endif

static volatile long seed = 3;

struct point {
	long x;
};

namespace first
{
__attribute__((noinline)) long work(long n)
{
	auto one = [](long x) COMPILED { return x * seed; };
	long sum = 0;
	for (long i = 0; i < n; i++)
		sum += one(i);
	return sum;
}
} // namespace first

namespace second
{
/* Of several lambdas, some in blocks, one in another. */
__attribute__((noinline)) long work(long n)
{
	auto one = [](const point &p, const std::string &s) COMPILED { return p.x * seed + (long)s.size(); };
	long sum = 0;
	if (n > 3) {
		auto two = [](unsigned short *const *p, char c) COMPILED { return **p * seed + c; };
		unsigned short value = 7, *at = &value;
		for (long i = 0; i < n; i++)
			sum += two(&at, (char)i);
	}
	auto three = [](long x) COMPILED {
		auto inner = [](int y) COMPILED { return y * seed; };
		return inner((int)x) + seed;
	};
	struct local {
		long x;
		COMPILED long get(long y) const
		{
			return x + y * seed;
		}
	} l = { 5 };
	std::string text = "x";
	for (long i = 0; i < n; i++)
		sum += one(point{ i }, text) + three(i) + l.get(i);
	return sum;
}
} // namespace second

/* A function that only this file knows, and a template. */
__attribute__((noinline)) static long apart(long n)
{
	auto one = [] COMPILED { return seed + 1; };
	long sum = 0;
	for (long i = 0; i < n; i++)
		sum += one();
	return sum;
}

template <class T> struct holder {
	T value;
	__attribute__((noinline)) long work(long n) const
	{
		auto one = [this](T x) COMPILED { return x * seed + value; };
		long sum = 0;
		for (long i = 0; i < n; i++)
			sum += one((T)i);
		return sum;
	}
};

int main()
{
	holder<long> h = { 4 };
	printf("%ld\n", first::work(100) + second::work(100) + apart(100) + h.work(100));
	return 0;
}
