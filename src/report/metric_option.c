#include "src/report/metric_option.h"

#include <string.h>

#include "src/diff/metric.h"
#include "src/text/shell.h"

void print_metric_option(const struct diff *d, FILE *to)
{
	const char *metric = d->options.metric;

	if (strcmp(metric, metric_default(d->base)) == 0 || !shell_is_plain(metric))
		return;
	fputs(" --metric=", to);
	shell_print_word(to, metric);
}

void print_sort_option(const struct diff *d, const struct cg_profile *p, FILE *to)
{
	struct metric m;

	if (!metric_find(p, d->options.metric, &m) || m.nterms != 1 || !m.terms[0].event)
		return;
	const char *event = cg_string(p, p->events[m.terms[0].event].name);
	if (strchr(event, ',') || !shell_is_plain(event))
		return;
	fputs(" --sort=", to);
	shell_print_word(to, event);
}
