/* Whether counts keep a limit. */
#include "callgrind/support/number.h"
#include "src/diff/limit.h"

bool limit_allowed(const struct limit *limit, const struct limit_counts *counts, int64_t *allowed)
{
	__int128 max = counts->base;

	if (limit->kind != LIMIT_CEILING && !counts->has_base)
		return false;
	switch (limit->kind) {
	case LIMIT_GROWTH:
		max += (__int128)((unsigned __int128)cg_magnitude(counts->base) * limit->value /
				  LIMIT_WHOLE);
		break;
	case LIMIT_INCREASE:
		max += limit->value;
		break;
	case LIMIT_CEILING:
		max = limit->value;
		break;
	case LIMIT_EQUAL:
		break;
	case LIMIT_PRESENT:
		return false;
	}
	*allowed = max > INT64_MAX ? INT64_MAX : (int64_t)max;
	return true;
}

enum limit_status limit_judge(const struct limit *limit, const struct limit_counts *counts)
{
	int64_t allowed;

	/* Rounding the allowed growth down decides as the exact comparison
	 * (head - base) * LIMIT_WHOLE > |base| * value would: the left side grows
	 * in whole steps of LIMIT_WHOLE. A sum above INT64_MAX allows all. */
	if (!limit_allowed(limit, counts, &allowed))
		return LIMIT_NO_BASE;
	if (limit->kind == LIMIT_EQUAL ? counts->head == allowed : counts->head <= allowed)
		return LIMIT_PASS;
	return counts->has_base && counts->tolerance &&
			       cg_distance(counts->base, counts->head) <= counts->tolerance
		       ? LIMIT_TOLERATED
		       : LIMIT_EXCEEDED;
}

struct limit_verdict limit_verdict(const struct limit_rule *rule, const char *subject,
				   const struct limit_counts *counts)
{
	struct limit_verdict verdict = {
		.rule = *rule,
		.subject = subject,
		.inclusive = rule->limit->inclusive,
		.counts = *counts,
		.status = rule->overridden_by ? LIMIT_OVERRIDDEN : limit_judge(rule->limit, counts),
	};

	verdict.has_allowed = limit_allowed(rule->limit, counts, &verdict.allowed);
	return verdict;
}

bool limit_fails(enum limit_status status, bool require_base)
{
	return status == LIMIT_EXCEEDED || status == LIMIT_MISSING || status == LIMIT_UNCOUNTED ||
	       status == LIMIT_NO_METRIC ||
	       (require_base && (status == LIMIT_NO_BASE || status == LIMIT_NO_MATCH));
}

bool limit_was_judged(enum limit_status status)
{
	return status == LIMIT_PASS || status == LIMIT_EXCEEDED || status == LIMIT_ACCEPTED ||
	       status == LIMIT_TOLERATED;
}

const char *limit_status_name(enum limit_status status)
{
	static const char *const names[] = {
		[LIMIT_PASS] = "pass",
		[LIMIT_EXCEEDED] = "exceeded",
		[LIMIT_NO_BASE] = "no base",
		[LIMIT_NO_METRIC] = "no metric",
		[LIMIT_NO_MATCH] = "no match",
		[LIMIT_OVERRIDDEN] = "overridden",
		[LIMIT_ACCEPTED] = "accepted",
		[LIMIT_TOLERATED] = "within tolerance",
		[LIMIT_MISSING] = "missing in head",
		[LIMIT_UNCOUNTED] = "not counted",
	};

	return names[status];
}
