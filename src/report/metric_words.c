#include "src/report/metric_words.h"

#include "src/diff/metric.h"
#include "src/text/text.h"

static void print_metric_in(const char *metric, const char *unit, FILE *to)
{
	text_print_name(to, metric, 0);
	if (!*unit)
		return;
	fputs(" in ", to);
	text_print_name(to, unit, 0);
}

void print_metric_of(const struct cg_profile *p, const char *metric, FILE *to)
{
	print_metric_in(metric, metric_unit(p, metric), to);
}

const char *compared_unit(const struct diff *d)
{
	const char *head = metric_unit(d->head, d->options.metric);

	return *head ? head : metric_unit(d->base, d->options.metric);
}

void print_compared_metric(const struct diff *d, FILE *to)
{
	print_metric_in(d->options.metric, compared_unit(d), to);
}
