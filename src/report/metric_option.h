/* Private to report/: the options that commands need to show the metric of a report. */
#ifndef IRDIFF_REPORT_METRIC_OPTION_H
#define IRDIFF_REPORT_METRIC_OPTION_H

#include <stdio.h>

#include "src/diff/diff.h"

/* " --metric=EstCycles", for a shell; nothing of the metric that commands show without it. */
void print_metric_option(const struct diff *d, FILE *to);

/* " --show=Dr", for irdiff show, which has no derived metrics; nothing of these. */
void print_show_option(const struct diff *d, FILE *to);

#endif
