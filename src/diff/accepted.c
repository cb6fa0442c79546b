#include "src/diff/accepted.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"

/* head / base against head0 / base0, all above 0: -1, 0 or 1. */
static int compare_growth(int64_t base, int64_t head, int64_t base0, int64_t head0)
{
	__int128 left = (__int128)head * base0, right = (__int128)head0 * base;
	return (left > right) - (left < right);
}

static bool grew_no_more(const struct acceptance *a, const struct limit *limit,
			 const struct limit_counts *c)
{
	int growth = compare_growth(c->base, c->head, a->base, a->head);

	if (limit->kind != LIMIT_EQUAL)
		return growth <= 0;
	return a->head >= a->base ? c->head >= c->base && growth <= 0 :
				    c->head < c->base && growth >= 0;
}

bool acceptance_holds(const struct acceptance *a, const struct limit *limit,
		      const struct limit_counts *counts, uint64_t environment)
{
	if (cg_distance(counts->head, a->head) <= counts->tolerance)
		return true;
	if (!environment || !a->environment || environment == a->environment)
		return false;
	if (!a->has_base || !counts->has_base)
		return false;
	if (a->base <= 0 || a->head <= 0 || counts->base <= 0 || counts->head <= 0)
		return false;
	return grew_no_more(a, limit, counts);
}

bool acceptance_concerns(const struct acceptance *a, const struct limit_verdict *v,
			 const char *function)
{
	static const char inclusive[] = "incl.";
	const struct limit *limit = v->rule.limit;
	const char *metric = a->metric;

	if ((a->function == NULL) != (v->subject == NULL) ||
	    (a->function && strcmp(a->function, function) != 0))
		return false;
	if (limit->inclusive) {
		if (strncmp(metric, inclusive, sizeof inclusive - 1) != 0)
			return false;
		metric += sizeof inclusive - 1;
	}
	return strcmp(metric, limit->metric) == 0;
}

/* One that holds, else the first that does not. */
static void accept_one(const struct accepting *a, const char *function, struct limit_verdict *v)
{
	for (size_t i = 0; i < a->count; i++) {
		const struct acceptance *item = &a->items[i];
		if (strcmp(item->benchmark, a->benchmark) != 0 ||
		    !acceptance_concerns(item, v, function))
			continue;
		if (acceptance_holds(item, v->rule.limit, &v->counts, a->environment)) {
			v->acceptance = item;
			v->status = LIMIT_ACCEPTED;
			return;
		}
		if (!v->acceptance)
			v->acceptance = item;
	}
}

int accept_verdicts(const struct accepting *a, struct judgement *j)
{
	for (size_t i = 0; i < j->count; i++) {
		struct limit_verdict *v = &j->verdicts[i];
		char *function = NULL;
		if (v->status != LIMIT_BROKEN || !a->count)
			continue;
		if (v->subject && !(function = a->shown(v->subject)))
			return CG_ENOMEM;
		accept_one(a, function, v);
		free(function);
		j->broken -= v->status == LIMIT_ACCEPTED;
	}
	return CG_OK;
}
