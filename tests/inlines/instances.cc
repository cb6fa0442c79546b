// Functions that debug information names in another way than the table of symbols does: of a
// namespace without a name, of a function, of templates, and a lambda. COMPILED says how.
#include <cstdio>

static volatile unsigned noise;

static inline __attribute__((always_inline)) unsigned work(unsigned rounds)
{
	for (unsigned i = 0; i < rounds; i++)
		noise = noise * 3 + i;
	return noise;
}

namespace app {
namespace {
COMPILED unsigned hidden(unsigned x)
{
	return x + work(50);
}
struct Hidden {
	COMPILED unsigned get(int x) const
	{
		return x + work(60);
	}
};
}
}

template <class T> static COMPILED T instance(T x)
{
	return x + work(70);
}

template <class F> static COMPILED unsigned apply(F f, unsigned x)
{
	return f(x) + work(80);
}

int main()
{
	struct Local {
		COMPILED unsigned get(unsigned x) const
		{
			return x + work(90);
		}
	};
	unsigned sum = 0;
	auto lambda = [&](unsigned x) COMPILED { return x + sum + work(100); };
	for (unsigned i = 0; i < 1000; i++)
		sum += app::hidden(i) + app::Hidden().get(3) + instance<unsigned>(i) +
		       instance<unsigned short>(i) + apply(lambda, i) + Local().get(i);
	std::printf("%u\n", sum);
}
