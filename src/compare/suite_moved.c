/* Work that moved into a process or thread that base does not have. A benchmark whose processes or
 * threads are compared one by one would show it as new, and the others as faster. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "src/compare/suite.h"
#include "src/diff/environment.h"
#include "src/store/label.h"
#include "src/text/text.h"

#define PER_CENT 100

static bool has_fact(const struct cg_profile *p, const char *fact)
{
	const char *value = cg_desc_value(p, fact);
	return value && strcmp(value, "each") == 0;
}

/* What the cases of a benchmark are, if they are not the project's own. */
static const struct division {
	const char *fact, *part, *advice;
} divisions[] = {
	{ ENVIRONMENT_PREFIX "processes", "process",
	  "To judge all processes together, set processes: all in irdiff.yml" },
	{ ENVIRONMENT_PREFIX "threads", "thread",
	  "To judge all threads together, remove threads: each from irdiff.yml" },
};

static const struct division *division_of(const struct cg_profile *p)
{
	for (size_t i = 0; i < sizeof divisions / sizeof *divisions; i++)
		if (has_fact(p, divisions[i].fact))
			return &divisions[i];
	return NULL;
}

static bool is_same_benchmark(const char *a, const char *b)
{
	size_t len = label_benchmark_length(a);
	return label_benchmark_length(b) == len && strncmp(a, b, len) == 0;
}

static int64_t add_saturated_count(int64_t sum, int64_t value)
{
	int64_t result;
	return __builtin_add_overflow(sum, value, &result) ? INT64_MAX : result;
}

/* What all cases of a benchmark cost. False: base has none of them. */
static bool sum_cases(const struct suite *suite, const char *name, int64_t *base, int64_t *head)
{
	bool any = false;

	*base = *head = 0;
	for (size_t i = 0; i < suite->count; i++) {
		const struct comparison *c = &suite->benches[i]->c;
		const struct diff *d = c->diff;
		if (!is_same_benchmark(comparison_bench_name(c), name))
			continue;
		if (d->options.missing != DIFF_NO_BASE)
			*base = add_saturated_count(*base, diff_base_value(d, d->base->total));
		if (d->options.missing != DIFF_NO_HEAD)
			*head = add_saturated_count(*head, diff_head_value(d, d->head->total));
		any |= d->options.missing != DIFF_NO_BASE;
	}
	return any;
}

static int remark_new_case(const struct suite *suite, struct comparison *c, struct cg_error *err)
{
	const char *name = comparison_bench_name(c);
	const struct division *by = division_of(c->head.profile);
	char before[TEXT_NUMBER], now[TEXT_NUMBER], *text = NULL;
	int64_t base, head;

	if (!by || !sum_cases(suite, name, &base, &head) || head <= base ||
	    cg_distance(base, head) <= (uint64_t)(base > 0 ? base : 0) / PER_CENT)
		return CG_OK;
	char *advice = strdup(by->advice);
	if (!advice)
		return cg_fail_nomem(err);
	if (asprintf(
		    &text,
		    "base has no such %s, and all of %.*s cost %s %s in base and %s in head; work may have moved into it",
		    by->part, (int)label_benchmark_length(name), name, text_cost(base, before),
		    c->diff->options.metric, text_cost(head, now)) < 0)
		text = NULL;
	return remarks_add(&c->remarks, REMARK_UNSEEN, "moved", text, advice, err);
}

int suite_remark_moved(struct suite *suite, struct cg_error *err)
{
	int status = CG_OK;

	for (size_t i = 0; !status && i < suite->count; i++)
		if (suite->benches[i]->c.diff->options.missing == DIFF_NO_BASE &&
		    !suite->benches[i]->alone)
			status = remark_new_case(suite, &suite->benches[i]->c, err);
	return status;
}
