#include "src/formats/time_unit.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

double time_unit_ns(const char *unit)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {
		{ "nanoseconds", 1 }, { "ns", 1 },   { "microseconds", 1e3 }, { "µs", 1e3 },
		{ "us", 1e3 },        { "μs", 1e3 }, { "milliseconds", 1e6 }, { "ms", 1e6 },
		{ "seconds", 1e9 },   { "s", 1e9 },
	};
	for (size_t i = 0; unit && i < sizeof units / sizeof *units; i++)
		if (strcmp(units[i].name, unit) == 0)
			return units[i].ns;
	return 0;
}

bool time_unit_cost(const struct json_value *value, double scale, int64_t *cost)
{
	const double most = 9.2e18; /* below 2^63 */
	double n;

	if ((scale == 0 || scale == 1) && json_cost_of(value, cost))
		return true;
	if (!json_number_of(value, &n))
		return false;
	n *= scale == 0 ? 1 : scale;
	if (!(fabs(n) < most) || (scale == 0 && n != floor(n)))
		return false;
	*cost = llround(n);
	return true;
}
