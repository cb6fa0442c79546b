/* Reports which of several processes was measured. */
#ifndef IRDIFF_MEASURE_PROCESSES_H
#define IRDIFF_MEASURE_PROCESSES_H

#include "src/run/run.h"
#include "src/status/notice.h"

/* A warning that names what was measured and what was not, if there was more than
 * one to choose from and the request did not ask for it, and one if it has counts that are not its
 * own; nothing otherwise. */
void tell_processes(const struct notices *n, const struct run_result *result);

#endif
