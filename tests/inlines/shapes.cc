// What C++ adds: templates, lambdas, local classes, nested and unnamed namespaces, constructors,
// exceptions, operators, functions of C.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

extern "C" unsigned mix(unsigned x);
extern "C" inline int plain(int x) { return x * 17 + 1; }

namespace outside {
inline namespace v1 {
namespace {
struct hidden {
	int value;
	explicit hidden(int v) : value(plain(v)) {}
	~hidden() { value = 0; }
	operator int() const { return value ^ 5; }
};
} // namespace
template <class T, int N> struct ring {
	T items[N] = {};
	unsigned at = 0;
	void push(T x) { items[at++ % N] = x; }
	T &operator[](unsigned i) { return items[i % N]; }
	template <class F> void each(F f) { for (auto &x : items) f(x); }
	static T twice(T x) { return x + x; }
};
inline int hide(int x) { return hidden(x) + hidden(x + 1); }
} // namespace v1
} // namespace outside

enum class kind { one, two };
template <kind K> int by_kind(int x) { return K == kind::one ? plain(x) : outside::hide(x); }
template <class... Ts> auto sum(Ts... xs) { return (0 + ... + xs); }

struct shape {
	virtual ~shape() = default;
	virtual int area() const = 0;
};
struct square final : shape {
	int side;
	square(int s) : side(s) {}
	int area() const override { return side * side; }
};
struct circle final : shape {
	int radius;
	circle(int r) : radius(r) {}
	int area() const override { return 3 * radius * radius + plain(radius); }
};

__attribute__((noinline)) int parse(const std::string &text)
{
	try {
		if (text.size() > 3)
			throw std::runtime_error("too long: " + text);
		return std::stoi(text);
	} catch (const std::invalid_argument &) {
		outside::hidden h(7);
		return h;
	} catch (const std::runtime_error &e) {
		return (int)std::string(e.what()).size();
	}
}

__attribute__((noinline)) int local(int n)
{
	struct counter {
		int count = 0;
		void operator()(int x) { count += outside::ring<int, 8>::twice(x); }
	} c;
	outside::ring<int, 8> r;
	for (int i = 0; i < n; i++)
		r.push(i);
	r.each([&c](int x) { c(x); });
	r.each([&](auto &x) { x = c.count; [&] { x += plain(x); }(); });
	return r[3] + c.count;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? std::atoi(argv[1]) : 40, total = 0;
	std::vector<int> v;
	for (int i = 0; i < n; i++)
		v.push_back((int)mix((unsigned)i) % 1000);
	std::sort(v.begin(), v.end(), [](int a, int b) { return plain(a) < plain(b); });
	std::map<std::string, int> m;
	for (int x : v)
		m[std::to_string(x)] += by_kind<kind::one>(x) + by_kind<kind::two>(x);
	for (auto &[text, count] : m)
		total += parse(text) + count;
	std::vector<std::unique_ptr<shape>> shapes;
	shapes.push_back(std::make_unique<square>(n));
	shapes.push_back(std::make_unique<circle>(n));
	std::function<int(int)> f = [&](int x) { return x + local(n); };
	for (auto &s : shapes)
		total += f(s->area());
	std::printf("%d\n", sum(total, 1, 'a'));
	return 0;
}
