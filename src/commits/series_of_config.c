#include "src/commits/series_of_config.h"

#include <string.h>

#include "src/commits/key_text.h"
#include "src/diff/metric.h"

static const struct config_benchmark *find_of_series(const struct config *c, const char *benchmark)
{
	return c ? config_benchmark(c, benchmark) : NULL;
}

int series_definition(const struct config *config, const char *benchmark,
		      char digest[HISTORY_DIGEST], struct cg_error *err)
{
	const struct config_benchmark *b = find_of_series(config, benchmark);

	digest[0] = '\0';
	return b ? definition_of(b, digest, err) : CG_OK;
}

static bool was_measured_by(const struct series *s, const char *definition)
{
	bool found = strcmp(s->definition, definition) == 0;

	for (size_t i = 0; i < s->ndefinitions; i++)
		found |= strcmp(s->definitions[i], definition) == 0;
	return found;
}

int series_set_standing(const struct config *config, struct series *s, struct cg_error *err)
{
	const struct config_benchmark *b = find_of_series(config, s->benchmark);
	char present[HISTORY_DIGEST];

	s->standing = STANDING_DEFINED;
	if (!config || !s->definition)
		return CG_OK;
	if (!b || (metric_is_of_heap(s->metric) && !config_benchmark_counts_heap(b))) {
		s->standing = STANDING_REMOVED;
		return CG_OK;
	}
	int status = definition_of(b, present, err);
	if (!status && !was_measured_by(s, present))
		s->standing = STANDING_REDEFINED;
	return status;
}

void series_set_limits(const struct config *config, const char *benchmark, const char *metric,
		       struct step_limits *limits)
{
	const struct config_benchmark *b = find_of_series(config, benchmark);
	const struct tolerance *t = b ? tolerance_find(b->tolerances, b->ntolerances, metric)
				      : NULL;

	if (limits->min_delta == SERIES_MIN_DELTA)
		limits->min_delta = metric_least_change(metric);
	limits->tolerance = t ? t->amount : 0;
	limits->tolerance_ppb = t ? t->share : 0;
}
