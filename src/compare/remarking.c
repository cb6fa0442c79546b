#include "src/compare/remarking.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "src/compare/reporting.h"
#include "src/diff/same_code.h"
#include "src/diff/threads.h"
#include "src/text/shell.h"
#include "src/text/text.h"

/* ---- counts that may differ by chance ---- */

static bool has_tolerance(const struct diff_options *o, const char *metric)
{
	return tolerance_find(o->tolerances, o->ntolerances, metric) != NULL;
}

const char *remarking_lacks_tolerance(const struct comparison *c)
{
	const struct diff_options *o = &c->diff->options;
	const struct judgement *j = &c->judging.judgement;

	if (!has_tolerance(o, o->metric))
		return o->metric;
	for (size_t i = 0; i < j->count; i++)
		if (!has_tolerance(o, j->verdicts[i].rule.limit->metric))
			return j->verdicts[i].rule.limit->metric;
	return NULL;
}

/* With tolerances for everything that is shown or judged, nothing is left to chance. */
bool remarking_has_tolerances(const struct comparison *c)
{
	return !remarking_lacks_tolerance(c);
}

#define TO_FIND_A_TOLERANCE "To find a tolerance for irdiff.yml, run irdiff verify "

static const char *benchmark_of(const struct comparison *c)
{
	return cg_desc_value(c->head.profile, SUBJECT_PREFIX "benchmark");
}

/* A tolerance is one of all cases of a benchmark; its heap is measured by a run of its own. */
static char *advise_verify(const struct comparison *c)
{
	const char *bench = benchmark_of(c);
	const bool whole = metric_is_heap(c->head.profile);
	char *name = bench ? strndup(bench, strcspn(bench, whole ? "" : "/")) : NULL;
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to || (bench && !name)) {
		if (to)
			fclose(to);
		free(text);
		free(name);
		return NULL;
	}
	fputs(TO_FIND_A_TOLERANCE, to);
	if (name)
		shell_print_quoted(to, name);
	else
		fputs("-- COMMAND", to);
	free(name);
	if (fclose(to) == 0)
		return text;
	free(text);
	return NULL;
}

int remarking_chance(struct comparison *c, const char *id, char *text, struct cg_error *err)
{
	char *advice = advise_verify(c);
	if (!advice) {
		free(text);
		return cg_fail_nomem(err);
	}
	int status = remarks_add(&c->remarks, REMARK_CHANCE, id, text, advice, err);
	if (!status && benchmark_of(c))
		c->remarks.items[c->remarks.count - 1].shared_advice = TO_FIND_A_TOLERANCE "BENCH";
	return status;
}

static int remark_threads(struct comparison *c, struct cg_error *err)
{
	uint64_t base = threads_of(c->base.profile), head = threads_of(c->head.profile);
	uint64_t most = base > head ? base : head;
	char threads[THREADS_TEXT], *text = NULL;

	if (most <= 1 || remarking_has_tolerances(c))
		return CG_OK;
	if (asprintf(&text, "%s: counts depend on how they are scheduled, and may differ by chance",
		     threads_text(most, threads)) < 0)
		text = NULL;
	return remarking_chance(c, "threads", text, err);
}

bool remarking_counts_differ(const struct comparison *c)
{
	const struct diff *d = c->diff;
	return diff_base_value(d, d->base->total) != diff_head_value(d, d->head->total);
}

static int remark_same_code(struct comparison *c, struct cg_error *err)
{
	if (c->environment.moving || remarking_has_tolerances(c) || !same_measurement(c->diff) ||
	    !remarking_counts_differ(c))
		return CG_OK;
	return remarking_chance(
		c, "same-code",
		strdup("The same code was measured twice with different counts: counts vary by chance"),
		err);
}

/* ---- acceptances ---- */

static bool concerns(const struct acceptance *a, const struct limit_verdict *v)
{
	char *function = v->subject ? text_safe(v->subject) : NULL;
	bool does = (!v->subject || function) && acceptance_concerns(a, v, function);

	free(function);
	return does;
}

/* The subject was judged, and the entry was not needed. Entries shown next to a verdict are
 * reported there. */
static bool has_expired(const struct judgement *j, const struct acceptance *a)
{
	bool judged = false;

	for (size_t i = 0; i < j->count; i++) {
		if (j->verdicts[i].acceptance == a)
			return false;
		judged |= limit_was_judged(j->verdicts[i].status) && concerns(a, &j->verdicts[i]);
	}
	return judged;
}

int remarking_find_expired(struct comparison *c, struct cg_error *err)
{
	const struct accepted *all = &c->judging.accepted;
	const char *bench = comparison_bench_name(c);
	size_t expired = 0;
	char *text = NULL;

	for (size_t i = 0; i < all->count; i++)
		expired += strcmp(all->items[i].benchmark, bench) == 0 &&
			   has_expired(&c->judging.judgement, &all->items[i]);
	if (!expired)
		return CG_OK;
	if (asprintf(
		    &text,
		    "%zu accepted regression%s of %s %s expired: base or head no longer has the accepted count",
		    expired, expired == 1 ? "" : "s", bench, expired == 1 ? "has" : "have") < 0)
		text = NULL;
	return remarks_add(&c->remarks, REMARK_WARNING, "expired", text,
			   strdup("To remove expired entries: irdiff baseline prune"), err);
}

int remarking_find(struct comparison *c, struct cg_error *err)
{
	int status = c->options->judging.check ? remarking_find_files(c, err) : CG_OK;

	if (status || c->diff->options.missing != DIFF_BOTH_THERE)
		return status;
	status = remarking_find_samples(c, err);
	if (!status)
		status = remark_threads(c, err);
	if (!status)
		status = remarking_find_runs(c, err);
	if (!status)
		status = remark_same_code(c, err);
	if (!status)
		status = remarking_find_own(c, err);
	if (!status)
		status = remarking_find_limits(c, err);
	if (!status && c->options->judging.check && !metric_is_heap(c->head.profile))
		status = remarking_find_expired(c, err);
	return status;
}
