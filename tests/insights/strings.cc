/* Allocation by way of the C++ library, for tests/insights.sh. */
#include <chrono>
#include <string>
#include <vector>

#ifndef ROUNDS
#define ROUNDS 20
#endif

__attribute__((noinline)) static std::vector<std::string> split(unsigned n)
{
	std::vector<std::string> parts;
	for (unsigned i = 0; i < n; i++)
		parts.push_back(std::string(50, static_cast<char>('a' + i % 26)));
	return parts;
}

__attribute__((noinline)) static long elapsed()
{
	return std::chrono::steady_clock::now().time_since_epoch().count();
}

int main()
{
	std::size_t sum = 0;
	for (int i = 0; i < ROUNDS; i++)
		sum += split(50).size();
#ifdef CLOCK
	for (int i = 0; i < 2000; i++)
		sum += static_cast<std::size_t>(elapsed()) & 1;
#else
	(void)elapsed;
#endif
	return sum == 1;
}
