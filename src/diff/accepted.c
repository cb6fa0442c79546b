#include "src/diff/accepted.h"

#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"

bool acceptance_holds(const struct acceptance *a, const struct limit *limit,
		      const struct limit_counts *counts)
{
	uint64_t tolerance = counts->tolerance < a->tolerance ? counts->tolerance : a->tolerance;

	if (cg_distance(counts->head, a->head) > tolerance)
		return false;
	if (limit->kind == LIMIT_CEILING && counts->head)
		return true;
	/* What is missing, and was not counted in base. */
	if (!a->has_base && !counts->has_base)
		return !a->head && !counts->head;
	return a->has_base && counts->has_base && cg_distance(counts->base, a->base) <= tolerance;
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
	if (v->inclusive) {
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
		if (acceptance_holds(item, v->rule.limit, &v->counts)) {
			v->acceptance = item;
			v->status = LIMIT_ACCEPTED;
			v->fails = false;
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
		if ((v->status != LIMIT_EXCEEDED && v->status != LIMIT_MISSING) || !a->count)
			continue;
		if (v->subject && !(function = a->shown(v->subject)))
			return CG_ENOMEM;
		accept_one(a, function, v);
		free(function);
		j->failing -= v->status == LIMIT_ACCEPTED;
	}
	return CG_OK;
}
