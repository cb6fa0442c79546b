// Functions that only this file knows: debug information names them without parameters, the table
// of symbols with them. With APART, mix has machine code of its own, and does more. The first blend
// is called both ways, the other one only inlined.
#include <cstdio>

#ifdef APART
enum { ROUNDS = 30 };
__attribute__((noinline))
#else
enum { ROUNDS = 20 };
#endif
static unsigned mix(unsigned x, unsigned y)
{
	for (unsigned i = 0; i < ROUNDS; i++)
		x = x * 1664525u + (y ^ i);
	return x;
}

static unsigned blend(unsigned x, int y)
{
	for (int i = 0; i < 10; i++)
		x = (x << 5) ^ (x >> 3) ^ (unsigned)(y + i);
	return x;
}

static unsigned blend(unsigned x, const char *text)
{
	while (*text)
		x = x * 31 + (unsigned)*text++;
	return x;
}

static const char *volatile words = "some text";
static unsigned (*volatile indirect)(unsigned, int) = blend;

__attribute__((noinline)) static unsigned each(unsigned x)
{
	return mix(x, 3) + blend(x, 5) + indirect(x, 7) + blend(x, words);
}

int main()
{
	unsigned sum = 0;
	for (unsigned i = 0; i < 1000; i++)
		sum += each(i);
	std::printf("%u\n", sum);
}
