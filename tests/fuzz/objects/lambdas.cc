/* What is called after where it lies: lambdas, local classes, templates of them. */
#define INLINED __attribute__((always_inline))
#define APART __attribute__((noinline))

namespace deep {
static volatile int seed;

struct point {
	enum kind { NEAR, FAR } of;
	int x;
	APART int far(const point &other, kind k) const;
	int operator()(int y) { return x + y; }
};

template <class T, class U> struct pair {
	T first;
	U second;
};

typedef unsigned long long wide;

int point::far(const point &other, kind k) const
{
	auto by = [this, &other](int y) INLINED { return x * other.x + y + seed; };
	return k == FAR ? by(1) : by(seed);
}

namespace {
union word {
	int i;
	char c;
};

template <class F> APART int apply(F f, int n)
{
	return f(n) + seed;
}

template <class F, class G> struct both {
	F f;
	G g;
	APART int call(int n) { return f(n) + g(n, 'c') + seed; }
};
template <class F, class G> both(F, G) -> both<F, G>;

APART int types(int n)
{
	auto one = [](const point &p, unsigned short *const *q) INLINED { return p.x * **q + seed; };
	auto two = [](word &&w, volatile char *c, wide v, bool b) INLINED { return w.i * *c + (int)v * b + seed; };
	auto three = [](pair<int, point> p, point::kind k, void *v) INLINED { return p.second.x + k + !v + seed; };
	auto four = [](auto x, int y) INLINED { return (int)x * y + seed; };
	auto five = [](int (*f)(int), int (&a)[2]) INLINED { return f(a[1]) + seed; };
	unsigned short value = 7, *at = &value;
	point p = { point::NEAR, n };
	char c = 'c';
	int numbers[] = { n, 3 };
	return one(p, &at) + two(word{ n }, &c, 3, n > 2) + three({ 1, p }, point::FAR, at) + four(n, 3) +
	       four('a', 4) + five([](int x) { return x - seed; }, numbers);
}
} // namespace

APART int blocks(int n)
{
	auto first = [](int x) INLINED { return x * seed; };
	int sum = first(n);
	if (n > 3) {
		auto second = [&sum](int x) INLINED {
			auto inner = [](long y) INLINED { return (int)y * seed; };
			return inner(x) + sum;
		};
		sum += second(n);
		{
			struct local {
				int x;
				INLINED int get(int y) const
				{
					return [=](int z) INLINED { return x + y * seed + z; }(y);
				}
			} l = { n };
			sum += l.get(sum);
		}
	}
	auto last = [](int x) INLINED { return x * x * seed; };
	return sum + last(n) + apply(last, n) + apply([n](int x) INLINED { return x * seed + n; }, n) +
	       both{ first, [](int x, char c) INLINED { return x * c + seed; } }.call(n);
}

inline auto known = [](int x, const char *) INLINED { return x + seed; };
} // namespace deep

static const auto global = [](int x) INLINED { return x * deep::seed + 1; };

extern "C" void _start(void)
{
	deep::point p = { deep::point::FAR, 3 };
	deep::seed = deep::types(deep::seed) + deep::blocks(3) + p.far(p, deep::point::NEAR) + global(1) +
		     deep::known(2, "x") + p(4) + deep::apply(global, 4);
	for (;;)
		;
}
