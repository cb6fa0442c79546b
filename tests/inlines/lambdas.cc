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

/* Several of the same parameters, generic ones, one that another function is called with. No two do the same. */
template <class F> __attribute__((noinline)) static long apply(F f, long n)
{
	long sum = 0;
	for (long i = 0; i < n; i++)
		sum += f(i) + seed;
	return sum;
}

__attribute__((noinline)) long third(long n)
{
	auto one = [](long x) COMPILED { return x * seed + 5; };
	auto two = [](int x) COMPILED { return x + seed; };
	auto three = [](long x) COMPILED { return x - seed; };
	auto four = [](auto x, int y) COMPILED { return x * y + seed; };
	auto five = [](long x) COMPILED { return x * x * seed; };
	long sum = 0;
	for (long i = 0; i < n; i++)
		sum += one(i) + two((int)i) + three(i) + four(i, 3) + four((char)i, 4);
	return sum + apply(five, n) + apply([n](long x) COMPILED { return x * seed + n; }, n);
}

/* Outside of functions. */
static auto global = [](long x) COMPILED { return x * seed + 1; };
namespace second
{
auto other = [](long x) COMPILED { return x * seed + 2; };
}

int main()
{
	holder<long> h = { 4 };
	long sum = third(100);
	for (long i = 0; i < 100; i++)
		sum += global(i) + second::other(i);
	printf("%ld\n", sum + first::work(100) + second::work(100) + apart(100) + h.work(100));
	return 0;
}
