/* How long a benchmark takes without Valgrind, run as it is measured: with the same environment,
 * directory and settings, and each case of a harness once. */
#ifndef IRDIFF_MEASURE_TIME_NATIVELY_H
#define IRDIFF_MEASURE_TIME_NATIVELY_H

#include "src/config/config.h"
#include "src/run/run.h"

/* Runs it for at most `limit` seconds; `root` is the project's, absolute. As run_benchmark():
 * result->seconds or result->failure, to be freed in any case. */
int time_natively(const struct config_benchmark *b, const char *root, unsigned limit,
		  struct run_result *result, struct cg_error *err);

#endif
