#include "src/compare/check_limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/diff/metric.h"
#include "src/text/suggest.h"
#include "src/view/pattern.h"

static int check_regex(const struct limit *limit, struct cg_error *err)
{
	struct pattern *pattern;
	int status = limit->function ? pattern_compile(limit_regex(limit), &pattern, err) : CG_OK;

	if (!status && limit->function)
		pattern_free(pattern);
	if (status && err) {
		snprintf(err->file, sizeof err->file, "%s", limit->file ? limit->file : "");
		err->line = limit->line;
	}
	return status;
}

static int fail_unknown_metric(const struct limit *limit, const char *const *known, size_t count,
			       struct cg_error *err)
{
	char *end = suggest_known(limit->metric, known, count, "callgrind's manual");
	int status = end ? cg_fail(err, CG_EINVAL, limit->file, limit->line,
				   "a limit on '%s', which irdiff does not measure%s",
				   limit->metric, end)
			 : cg_fail_nomem(err);

	free(end);
	return status;
}

static int check_metric(const struct limit *limit, struct cg_error *err)
{
	enum { MOST = 64 };
	const char *const *const lists[] = { metric_recorded, metric_other_names, metric_derived,
					     metric_heap };
	const char *known[MOST];
	size_t count = 0;

	known[count++] = METRIC_CALLS;
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		for (const char *const *m = lists[i]; *m && count < MOST; m++)
			known[count++] = *m;
	for (size_t i = 0; i < count; i++)
		if (strcmp(known[i], limit->metric) == 0)
			return CG_OK;
	return fail_unknown_metric(limit, known, count, err);
}

static int check_set(const struct limit_set *set, struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < set->count; i++) {
		status = check_metric(set->items[i], err);
		if (!status)
			status = check_regex(set->items[i], err);
	}
	return status;
}

static int parse_own(const struct text_list *own, struct limit_set *set, struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && own && i < own->count; i++)
		status = limit_set_add_spec(set, own->items[i], LIMIT_COMMAND_LINE, "--limit", err);
	return status;
}

static int check_own(const struct text_list *own, struct cg_error *err)
{
	struct limit_set set = { 0 };
	int status = parse_own(own, &set, err);

	if (!status)
		status = check_set(&set, err);
	limit_set_free(&set);
	return status;
}

int check_limits(const struct config *config, const struct text_list *own, struct cg_error *err)
{
	int status = config ? check_set(&config->limits, err) : CG_OK;

	for (size_t i = 0; !status && config && i < config->benchmark_count; i++)
		status = check_set(&config->benchmarks[i].limits, err);
	return status ? status : check_own(own, err);
}

static bool is_limit_of(const struct limit_set *set, const struct limit *limit)
{
	for (size_t i = 0; set && i < set->count; i++)
		if (set->items[i] == limit)
			return true;
	return false;
}

/* The first limit in force on a metric that `lacks` finds, except those in `others`. NULL if none
 * is left. */
static const struct limit *find_limit_on(const struct limit_rule *rules, size_t count,
					 bool (*lacks)(const char *metric),
					 const struct limit_set *others)
{
	for (size_t i = 0; i < count; i++)
		if (!rules[i].overridden_by && lacks(rules[i].limit->metric) &&
		    !is_limit_of(others, rules[i].limit))
			return rules[i].limit;
	return NULL;
}

/* Sets *remedy if there is such a limit. */
static const struct limit *find_uncounted_limit(const struct config *config,
						const struct config_benchmark *b,
						const struct limit_rule *rules, size_t count,
						const char **remedy)
{
	const struct limit *limit = NULL;

	/* A limit of all benchmarks is one of those that count their heap. */
	*remedy = "count: [heap]";
	if (!config_benchmark_counts_heap(b))
		limit = find_limit_on(rules, count, metric_is_of_heap,
				      config && config_counts_heap(config) ? &config->limits
									   : NULL);
	if (!limit && b->no_caches) {
		*remedy = "cache_sim: true";
		limit = find_limit_on(rules, count, metric_needs_caches, NULL);
	}
	for (size_t i = 0; !limit && i < count; i++)
		if (!rules[i].overridden_by &&
		    (*remedy = config_lacking_counter(b, rules[i].limit->metric)))
			limit = rules[i].limit;
	return limit;
}

int check_counted_limits(const struct config *config, const struct config_benchmark *b,
			 const struct text_list *own, struct cg_error *err)
{
	static const struct limit_set nothing;
	struct limit_set of_command = { 0 };
	const struct limit_set *const sets[] = { config ? &config->limits : &nothing, &b->limits,
						 &of_command };
	struct limit_rule *rules = NULL;
	const char *remedy;
	size_t count = 0;
	int status = parse_own(own, &of_command, err);

	if (!status)
		status = limit_resolve(sets, sizeof sets / sizeof *sets, NULL, &rules, &count, err);
	const struct limit *limit = status ? NULL
					   : find_uncounted_limit(config, b, rules, count, &remedy);
	if (limit)
		status = cg_fail(
			err, CG_EINVAL, limit->file, limit->line,
			"a limit on %s, which %s does not count; %s in the benchmark counts it",
			limit->metric, b->name, remedy);
	free(rules);
	limit_set_free(&of_command);
	return status;
}
