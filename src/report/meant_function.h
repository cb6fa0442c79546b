/* Which function a limit means that matches none. */
#ifndef IRDIFF_REPORT_MEANT_FUNCTION_H
#define IRDIFF_REPORT_MEANT_FUNCTION_H

#include "src/diff/diff.h"
#include "src/diff/limit.h"

/* The function of either side whose name is the most likely one (src/text/suggest.h). It belongs to
 * the diff. NULL: none is near, the pattern is not a single name, it is on a module, there are so
 * many functions that it takes long, or out of memory: it is only a hint. */
const char *limit_meant_function(const struct diff *d, const struct limit *limit);

#endif
