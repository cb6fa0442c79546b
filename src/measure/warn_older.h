/* What is said of a program that is older than its sources (src/load/older_program.h). */
#ifndef IRDIFF_MEASURE_WARN_OLDER_H
#define IRDIFF_MEASURE_WARN_OLDER_H

#include "src/status/notice.h"

/* Warns that the program of the benchmark, or of what else has this name, is older than `source`,
 * and what follows from that, which begins with ". "; "": nothing. */
void warn_older_program(const struct notices *n, const char *name, const char *source,
			const char *consequence);

#endif
