#include "src/measure/count_twice.h"

#include <string.h>

#include "src/measure/plan.h"
#include "src/measure/repeat_runs.h"
#include "src/run/process.h"

bool count_twice(const struct config_benchmark *b, const char *root, const struct notices *notices,
		 double limit, struct spread *totals, enum ending *ending)
{
	struct plan plan = { 0 };
	struct repeated repeated = { 0 };
	struct repeating how = {
		.notices = notices,
		.root = root,
		.name = b->name,
		.choice = { .benchmark = b->name },
		.runs = 2,
		.doing = "counting",
		.trial = true,
		.until = monotonic_seconds() + limit,
	};
	struct cg_error ignored;

	*ending = ENDED_FINE;
	run_request_init(&how.request);
	bool known = !plan_benchmark(&plan, b, &how.request, &ignored);
	how.request.cache_sim = false;
	how.request.depth = 0;
	how.request.count = 0;
	known = known && !repeat(&how, &repeated, ending);
	if (known)
		*totals = repeated_spread(&repeated);
	if (known || !ending_is_signal(*ending))
		*ending = ENDED_FINE;
	repeated_free(&repeated);
	plan_free(&plan);
	return known;
}
