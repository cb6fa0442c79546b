#include "src/report/metric_option.h"

#include <string.h>

#include "src/diff/metric.h"
#include "src/text/shell.h"

/* What is shown without an option. */
static bool is_default(const struct diff *d)
{
	return strcmp(d->options.metric, metric_default(d->base)) == 0;
}

void print_metric_option(const struct diff *d, FILE *to)
{
	if (is_default(d))
		return;
	fputs(" --metric=", to);
	shell_print_word(to, d->options.metric);
}

void print_show_option(const struct diff *d, FILE *to)
{
	if (is_default(d) || cg_event_index(d->head, d->options.metric) < 0)
		return;
	fputs(" --show=", to);
	shell_print_word(to, d->options.metric);
}
