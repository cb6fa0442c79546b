/* Two runs at the same time. */
#ifndef IRDIFF_RUN_BESIDE_H
#define IRDIFF_RUN_BESIDE_H

#include "src/run/run.h"

struct run_beside {
	const struct run_request *request;
	struct run_result *result; /* as run_benchmark() leaves it, and … */
	struct cg_error *err;
	int status; /* … returns; -1 and an empty result: it was not begun */
};

/* Runs both. If the first one fails, the second one is ended, too. A signal for irdiff ends both.
 * Both requests should say that they share everything. */
void run_beside(struct run_beside *first, struct run_beside *second);

#endif
