/* Private to report/: a metric in words. */
#ifndef IRDIFF_REPORT_METRIC_WORDS_H
#define IRDIFF_REPORT_METRIC_WORDS_H

#include <stdio.h>

#include "src/diff/diff.h"

/* Prints "Ir", or "cpu in nanoseconds" if the profile names the unit; safe to print. */
void print_metric_of(const struct cg_profile *p, const char *metric, FILE *to);

/* The unit of what is compared, on either side; "": none is known. */
const char *compared_unit(const struct diff *d);

/* Prints what is compared, in the same way. */
void print_compared_metric(const struct diff *d, FILE *to);

#endif
