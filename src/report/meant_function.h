/* What a limit means that matches no function. */
#ifndef IRDIFF_REPORT_MEANT_FUNCTION_H
#define IRDIFF_REPORT_MEANT_FUNCTION_H

#include "src/diff/diff.h"
#include "src/diff/limit.h"

/* The most likely name (src/text/suggest.h): of a function of either side; for a module, also of a
 * file, a directory or an object, with as many parts of the path as the pattern has; or of a
 * namespace. free() it. NULL: none is near, the pattern is not a single name, there are so many
 * functions that it takes long, or out of memory: it is only a hint. */
char *limit_meant_function(const struct diff *d, const struct limit *limit);

#endif
