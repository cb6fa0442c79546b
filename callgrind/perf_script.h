/*
 * Private to the library: what `perf script` prints of a perf.data, as text.
 *
 * A sample is a line "COMMAND PID[/TID] [CPU] TIME: PERIOD EVENT:", below it its stack, the
 * innermost frame first, as lines "ADDRESS SYMBOL+OFFSET (OBJECT)", and an empty line. Without
 * stacks, the one frame ends the line of the sample. Each event of perf becomes an event, its
 * periods added up, and after them "samples"; without periods, there is only that.
 */
#ifndef CG_PERF_SCRIPT_H
#define CG_PERF_SCRIPT_H

#include "callgrind/format.h"

extern const struct cg_format cg_perf_script_format;

#endif
