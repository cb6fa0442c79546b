namespace ns {
template <typename T> struct Box {
	T value;
	template <typename F> void each(F f) { value = f(value); f(1); }
	[[gnu::always_inline]] void grow(int by) const;
};
template <typename T> void Box<T>::grow(int by) const
{
	auto add = [by](int x) __attribute__((always_inline)) { return x + by; };
	const_cast<Box *>(this)->value = add(value);
}
namespace { struct Local { int operator()(int x) const { return x * 3; } }; }
volatile int sink;
__attribute__((noinline)) int run(int x)
{
	struct Here { [[gnu::always_inline]] static int go(int y) { return y * 5 + sink; } };
	Box<int> b{x};
	b.grow(x);
	b.each([x](int y) __attribute__((noinline)) { return y - x + sink; });
	b.each([](auto y) { return y + sink; });
	return Here::go(b.value) + Local()(x);
}
auto global = [](unsigned long long x, const char *) { return (int)x + sink; };
}
extern "C" void _start(void)
{
	ns::sink = ns::run(ns::sink) + ns::global(3, "a");
	for (;;)
		;
}
