/* What may have been meant by a root that was not called. */
#ifndef IRDIFF_MEASURE_MISSED_ROOT_H
#define IRDIFF_MEASURE_MISSED_ROOT_H

#include "src/run/run.h"

/* Nothing was counted below the root of `request`, as `err` says. Runs the program again, to find a
 * function with a similar name that it does call, and adds this to `err`. `project`: the directory
 * whose store has room for the run. Returns the signal that ended it, or 0. */
int suggest_called_root(const struct run_request *request, const char *project,
			struct cg_error *err);

#endif
