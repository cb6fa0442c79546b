#include "src/diff/tolerance.h"

#include "callgrind/support/number.h"
#include "src/diff/limit.h"
#include "src/diff/metric.h"

const struct tolerance *tolerance_find(const struct tolerance *all, size_t count,
				       const char *metric)
{
	for (size_t i = 0; i < count; i++)
		if (metric_is_same(all[i].metric, metric))
			return &all[i];
	return NULL;
}

uint64_t tolerance_events(const struct tolerance *t, int64_t total)
{
	unsigned __int128 share = (unsigned __int128)cg_magnitude(total) * t->share / LIMIT_WHOLE;
	uint64_t events = share > UINT64_MAX ? UINT64_MAX : (uint64_t)share;

	return events > t->amount ? events : t->amount;
}
