/* Private to report/: the options that commands need to show the metric of a report. */
#ifndef IRDIFF_REPORT_METRIC_OPTION_H
#define IRDIFF_REPORT_METRIC_OPTION_H

#include <stdio.h>

#include "src/diff/diff.h"

/* " --metric=EstCycles", for a shell; nothing of the metric that commands show without it, nor of
 * a name that no shell can be given as it is shown. */
void print_metric_option(const struct diff *d, FILE *to);

/* " --sort=Dr" of 'irdiff show', which knows only events of its profile: nothing of the first one,
 * by which it sorts anyway, nor of what is computed from several. */
void print_sort_option(const struct diff *d, const struct cg_profile *p, FILE *to);

#endif
