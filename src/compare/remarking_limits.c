/* Remarks on limits that guard less than they seem to. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "callgrind/support/number.h"
#include "src/compare/remarking.h"
#include "src/text/text.h"
#include "src/view/scripted.h"

/* ---- names ---- */

/* A limit on functions of an interpreted language, none of which has a name in either profile. */
static const char *advise_names(const struct comparison *c, const struct limit_verdict *v)
{
	const char *regex = v->rule.limit->function;
	const char *advice = NULL;

	if (v->status == LIMIT_NO_MATCH && regex && !v->rule.limit->module &&
	    scripted_advice(regex, c->base.profile))
		advice = scripted_advice(regex, c->head.profile);
	return advice;
}

static int remark_unnamed(struct comparison *c, struct cg_error *err)
{
	const struct judgement *j = &c->judging.judgement;
	int status = CG_OK;

	for (size_t i = 0; !status && i < j->count; i++) {
		const char *advice = advise_names(c, &j->verdicts[i]);
		char *text = NULL;
		if (!advice)
			continue;
		if (asprintf(&text, "The limit on fn:%s matches no function",
			     j->verdicts[i].rule.limit->function) < 0)
			text = NULL;
		status = remarks_add(&c->remarks, REMARK_WARNING, "unnamed-functions", text,
				     strdup(advice), err);
	}
	return status;
}

/* ---- tolerances ---- */

/* Whether a limit on a function, or a module, can only fail after it has more than doubled, as the
 * tolerance is of the whole benchmark. */
static bool is_blunt(const struct limit_verdict *v)
{
	const struct limit_counts *n = &v->counts;

	return limit_was_judged(v->status) && n->has_base && n->base && n->tolerance &&
	       cg_magnitude(n->base) <= n->tolerance;
}

/* Of all that the limit of verdict `from` is on: of so many, whose largest cost in base is *most.
 * 0: not so. The verdicts of one limit follow each other. */
static size_t count_blunt(const struct judgement *j, size_t from, int64_t *most)
{
	const struct limit *limit = j->verdicts[from].rule.limit;
	size_t count = 0;

	*most = 0;
	for (size_t i = from; i < j->count && j->verdicts[i].rule.limit == limit; i++) {
		const struct limit_verdict *v = &j->verdicts[i];
		if (!limit_was_judged(v->status))
			continue;
		if (!is_blunt(v))
			return 0;
		*most = v->counts.base > *most ? v->counts.base : *most;
		count++;
	}
	return count;
}

static int remark_blunt(struct comparison *c, const struct limit_verdict *v, size_t count,
			int64_t most, struct cg_error *err)
{
	const struct limit *limit = v->rule.limit;
	char tolerance[TEXT_NUMBER], cost[TEXT_NUMBER], *text;

	text_count(v->counts.tolerance, tolerance);
	if (asprintf(&text,
		     "The limit %s on %s of %s%s fails only if that more than doubles: it is %s%s "
		     "in base, and the tolerance is %s",
		     limit->text, limit->metric, limit->module ? "" : "fn:", limit->function,
		     count > 1 ? "at most " : "", text_cost(most, cost), tolerance) < 0)
		text = NULL;
	return remarks_add(&c->remarks, REMARK_WARNING, "blunt-limit", text,
			   strdup("A ceiling has no tolerance"), err);
}

static int remark_tolerances(struct comparison *c, struct cg_error *err)
{
	const struct judgement *j = &c->judging.judgement;
	int status = CG_OK;

	for (size_t i = 0; !status && i < j->count; i++) {
		const struct limit *limit = j->verdicts[i].rule.limit;
		int64_t most;
		bool first = i == 0 || j->verdicts[i - 1].rule.limit != limit;
		bool relative = limit->function && limit->kind != LIMIT_CEILING;
		size_t count = first && relative ? count_blunt(j, i, &most) : 0;
		if (count)
			status = remark_blunt(c, &j->verdicts[i], count, most, err);
	}
	return status;
}

/* ---- self costs ---- */

static int64_t inclusive_in_head(const struct comparison *c, const char *function)
{
	const struct diff *d = c->diff;
	int64_t most = 0;

	for (size_t i = 0; i < d->count; i++) {
		const struct diff_row *row = &d->rows[i];
		if (!row->head.present || strcmp(row->name, function) != 0)
			continue;
		int64_t cost = diff_head_value(d, row->head.inclusive);
		most = cost > most ? cost : most;
	}
	return most;
}

/* Whether all that the limit of verdict `from` is on costs nothing itself, in base and head, and
 * *most is what one of them costs with its callees. */
static bool is_on_nothing(const struct comparison *c, size_t from, int64_t *most)
{
	const struct judgement *j = &c->judging.judgement;
	const struct limit *limit = j->verdicts[from].rule.limit;

	*most = 0;
	for (size_t i = from; i < j->count && j->verdicts[i].rule.limit == limit; i++) {
		const struct limit_verdict *v = &j->verdicts[i];
		if (!limit_was_judged(v->status) || v->inclusive || v->counts.base ||
		    v->counts.head || !v->subject)
			return false;
		int64_t cost = inclusive_in_head(c, v->subject);
		*most = cost > *most ? cost : *most;
	}
	return *most > 0;
}

static int remark_on_nothing(struct comparison *c, const struct limit *limit, int64_t most,
			     struct cg_error *err)
{
	char cost[TEXT_NUMBER], *text, *advice;

	if (asprintf(&text,
		     "The limit %s on %s of fn:%s guards nothing: what it matches has no self "
		     "cost, but an inclusive cost of %s",
		     limit->text, limit->metric, limit->function, text_cost(most, cost)) < 0)
		text = NULL;
	if (asprintf(&advice, "Limit incl.%s instead", limit->metric) < 0)
		advice = NULL;
	return remarks_add(&c->remarks, REMARK_WARNING, "idle-limit", text, advice, err);
}

static int remark_self_costs(struct comparison *c, struct cg_error *err)
{
	const struct judgement *j = &c->judging.judgement;
	int status = CG_OK;

	for (size_t i = 0; !status && i < j->count; i++) {
		const struct limit *limit = j->verdicts[i].rule.limit;
		bool first = i == 0 || j->verdicts[i - 1].rule.limit != limit;
		int64_t most;
		if (first && limit->function && !limit->module && !limit_is_on_calls(limit) &&
		    metric_is_same(limit->metric, c->diff->options.metric) &&
		    is_on_nothing(c, i, &most))
			status = remark_on_nothing(c, limit, most, err);
	}
	return status;
}

int remarking_find_limits(struct comparison *c, struct cg_error *err)
{
	int status = remark_unnamed(c, err);

	if (!status)
		status = remark_tolerances(c, err);
	return status ? status : remark_self_costs(c, err);
}
