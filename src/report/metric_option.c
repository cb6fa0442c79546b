#include "src/report/metric_option.h"

#include <string.h>

#include "src/diff/metric.h"
#include "src/text/shell.h"

void print_metric_option(const struct diff *d, FILE *to)
{
	const char *metric = d->options.metric;

	if (strcmp(metric, metric_default(d->base)) == 0)
		return;
	fputs(" --metric=", to);
	shell_print_word(to, metric);
}
