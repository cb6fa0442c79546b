/* The workload of fmt: formats numbers, texts and ranges, by formats that are parsed. */
#include <cstdio>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <vector>

#include "tests/bench/planted/random.h"

int main()
{
	fmt::memory_buffer out;
	std::vector<int> few;
	uint32_t state = 1;

	for (int i = 0; i < 400; i++) {
		uint32_t number = next_random(&state);
		fmt::format_to(std::back_inserter(out), "{} {:>8} {:08x} {:+d}\n", i, number, number,
			       -static_cast<long long>(number));
		fmt::format_to(std::back_inserter(out), "{0:.3f} {0:g} {1:<12}|{2:^9}|{3}\n",
			       number / 7.0, "metal", i % 3 ? "tin" : "zinc", number % 2 == 0);
		fmt::format_to(std::back_inserter(out), fmt::runtime("{:{}} {:e} {}\n"), i, 6,
			       number / 3.0, number / 1024.0f);
		few.push_back(static_cast<int>(number % 1000));
		if (few.size() == 10) {
			fmt::format_to(std::back_inserter(out), "{}\n", fmt::join(few, ", "));
			fmt::format_to(std::back_inserter(out), "{}\n", few);
			few.clear();
		}
	}
	fwrite(out.data(), 1, out.size(), stdout);
	return 0;
}
