#include "src/compare/judging.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cgprofile/names.h"
#include "src/diff/metric.h"
#include "src/load/project.h"
#include "src/measure/plan.h"
#include "src/report/meant_function.h"
#include "src/report/unseen_inlined.h"
#include "src/store/beneath.h"

#define DEFAULT_LIMIT "Ir=+1%"
#define DEFAULT_LIMIT_OF_HEAP "allocs=+1%"

int accepted_path(const struct project *project, char **path, struct cg_error *err)
{
	if (asprintf(path, "%s/" ACCEPTED_NAME, project->root) < 0) {
		*path = NULL;
		return cg_fail_nomem(err);
	}
	int status = beneath_is_there(project->root, *path)
			     ? beneath_check(project->root, *path, err)
			     : CG_OK;
	if (status) {
		free(*path);
		*path = NULL;
	}
	return status;
}

int judging_benchmark(const struct judging_options *options, const struct project *project,
		      const struct cg_profile *head, const struct config_benchmark **out,
		      const char **of_case, struct cg_error *err)
{
	const struct config *config = project->config;
	const char *name = options->benchmark;

	*out = NULL;
	*of_case = NULL;
	if (name && !(config && (*out = config_benchmark(config, name))))
		return no_benchmark(config, name, err);
	if (!name && config) {
		name = cg_desc_value(head, SUBJECT_PREFIX "benchmark");
		*out = name ? config_benchmark(config, name) : NULL;
	}
	const char *slash = name ? strchr(name, '/') : NULL;
	*of_case = slash ? slash + 1 : NULL;
	return CG_OK;
}

static int collect_limits(const struct judging_options *options, const struct project *project,
			  const struct cg_profile *head, struct judging *j, struct cg_error *err)
{
	const struct config *config = project->config;
	const struct config_benchmark *benchmark;
	const struct limit_set *sets[3];
	const char *of_case;
	size_t nsets = 0, count = 0;
	int status = judging_benchmark(options, project, head, &benchmark, &of_case, err);

	for (size_t i = 0; !status && i < options->limits.count; i++)
		status = limit_set_add_spec(&j->own_limits, options->limits.items[i],
					    LIMIT_COMMAND_LINE, "--limit", err);
	if (status)
		return status;
	if (config)
		sets[nsets++] = &config->limits;
	if (benchmark)
		sets[nsets++] = &benchmark->limits;
	sets[nsets++] = &j->own_limits;
	for (size_t i = 0; i < nsets; i++)
		for (size_t k = 0; k < sets[i]->count; k++)
			count += limit_is_on_case(sets[i]->items[k], of_case) &&
				 !metric_is_elsewhere(head, sets[i]->items[k]->metric);
	if (count == 0)
		status = limit_set_add_spec(&j->own_limits,
					    metric_is_heap(head) ? DEFAULT_LIMIT_OF_HEAP
								 : DEFAULT_LIMIT,
					    LIMIT_GENERAL, LIMIT_DEFAULT, err);
	return status ? status : limit_resolve(sets, nsets, of_case, &j->rules, &j->nrules, err);
}

/* The first benchmarks in which a limit is that matches nothing, or all of a few. */
static void print_benches_with(const struct judged_bench *benches, size_t count,
			       const struct limit *limit, FILE *to)
{
	enum { FEW = 3 };
	size_t named = 0;

	for (size_t i = 0; i < count; i++) {
		if (!judge_has_limit(&benches[i], 1, limit, false) || named++ >= FEW)
			continue;
		fputs(named > 1 ? ", " : "", to);
		text_print_name(to, benches[i].name, 0);
	}
	if (named > FEW)
		fprintf(to, " and %zu more", named - FEW);
}

/* "fn:^prase$ (irdiff.yml:2) matches no function of scan, so its limit +1% guards nothing here" */
static char *format_no_match(const struct judged_bench *benches, size_t count,
			     const struct limit *limit)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	fprintf(to, "%s%s ", limit->module ? "" : "fn:", limit->function);
	if (limit->line)
		fprintf(to, "(%s:%" PRIu64 ") ", cg_base_name(limit->file), limit->line);
	fputs("matches no function of ", to);
	print_benches_with(benches, count, limit, to);
	fprintf(to, ", so its limit %s guards nothing here", limit->text);
	if (fclose(to)) {
		free(text);
		return NULL;
	}
	return text;
}

/* The verdict stands, as the function may be in a benchmark that was not compared. */
static int remark_no_match(const struct judged_bench *benches, size_t count,
			   const struct limit *limit, struct remarks *remarks, struct cg_error *err)
{
	struct unseen_inlined unseen = { 0 };
	char *meant = NULL, *advice = NULL;
	int len = 0;

	for (size_t i = 0; !meant && !unseen.object && i < count; i++)
		if (judge_has_limit(&benches[i], 1, limit, false) &&
		    (limit->module || !unseen_inlined_find(benches[i].diff, &unseen)))
			meant = limit_meant_function(benches[i].diff, limit);
	if (unseen.object)
		len = asprintf(&advice,
			       "It may be inlined in %s, which has no debug information (-g) in %s",
			       cg_base_name(unseen.object), unseen.where);
	else if (meant)
		len = asprintf(&advice, "Did you mean %s?", meant);
	if (len < 0)
		advice = NULL;
	free(meant);
	return remarks_add(remarks, REMARK_WARNING, "no-match",
			   format_no_match(benches, count, limit), advice, err);
}

static bool is_of_missing_heap(const char *metric, const struct loaded *head)
{
	return metric_is_of_heap(metric) && !metric_is_heap(head->profile);
}

static int fail_default_limit(const struct limit *limit, const struct loaded *head,
			      struct cg_error *err)
{
	return cg_fail(err, CG_EINVAL, NULL, 0,
		       "without --limit, %s is limited, which was not measured for %s; state a "
		       "limit, such as --limit=%s=+5%%",
		       limit->metric, head->origin.name, metric_default(head->profile));
}

/* A limit on an event that was not measured is a mistake. */
static int check_judgement(const struct judgement *judgement, const struct loaded *head,
			   struct cg_error *err)
{
	for (size_t i = 0; i < judgement->count; i++) {
		const struct limit_verdict *v = &judgement->verdicts[i];
		const struct limit *limit = v->rule.limit;
		if (v->status != LIMIT_NO_METRIC)
			continue;
		if (limit_is_default(limit))
			return fail_default_limit(limit, head, err);
		return cg_fail(err, CG_EINVAL, limit->file, limit->line,
			       "a limit on %s, which was not measured for %s%s", limit->metric,
			       head->origin.name,
			       is_of_missing_heap(limit->metric, head)
				       ? "; count: [heap] of the benchmark measures it"
				       : "");
	}
	return CG_OK;
}

/* Self costs are no substitute: what a function calls would go unlimited. */
static int check_inclusive(const struct judgement *judgement, const struct diff *d,
			   struct cg_error *err)
{
	const bool no_base = d->options.missing != DIFF_NO_BASE && diff_without_calls(d->base);
	const bool no_head = diff_without_calls(d->head);

	for (size_t i = 0; i < judgement->count; i++) {
		const struct limit *limit = judgement->verdicts[i].rule.limit;
		if (!judgement->verdicts[i].inclusive ||
		    (!no_head && (!no_base || limit->kind == LIMIT_CEILING)))
			continue;
		return cg_fail(
			err, CG_EINVAL, limit->file, limit->line,
			"a limit on inclusive costs, which are not known: %s is a profile of "
			"cachegrind, which has no calls",
			no_head ? "head" : "base");
	}
	return CG_OK;
}

int judging_unmatched(const struct judged_bench *benches, size_t count, bool complete,
		      struct remarks *remarks, struct cg_error *err)
{
	int status = CG_OK;

	judge_unmatched(benches, count, complete);
	for (size_t i = 0; !status && i < count; i++)
		for (size_t k = 0; !status && k < benches[i].judgement->count; k++) {
			const struct limit_verdict *v = &benches[i].judgement->verdicts[k];
			const struct limit *limit = v->rule.limit;
			if (v->status == LIMIT_NO_MATCH && !v->fails &&
			    !judge_has_limit(benches, count, limit, true) &&
			    !judge_has_limit(benches, i, limit, false))
				status = remark_no_match(benches, count, limit, remarks, err);
		}
	return status;
}

void judging_warn(const struct notices *n, const struct remarks *remarks, size_t from)
{
	for (size_t i = from; i < remarks->count; i++)
		notice_warning(n, "%s%s%s", remarks->items[i].text,
			       remarks->items[i].advice ? ". " : "",
			       remarks->items[i].advice ? remarks->items[i].advice : "");
}

static int load_accepted(const struct project *project, struct accepted *out, struct cg_error *err)
{
	char *path;
	int status = accepted_path(project, &path, err);

	if (status)
		return status;
	status = accepted_load(path, out, err);
	free(path);
	return status;
}

static int accept_broken_limits(const char *benchmark, struct judging *j, struct cg_error *err)
{
	const struct accepting a = { .items = j->accepted.items,
				     .count = j->accepted.count,
				     .benchmark = benchmark,
				     .shown = text_safe };

	return accept_verdicts(&a, &j->judgement) ? cg_fail_nomem(err) : CG_OK;
}

static struct judge_options judge_options_of(const struct judging_options *options)
{
	return (struct judge_options){ options->require_base, options->allow_removed,
				       options->alone };
}

int judging_make(const struct judging_options *options, const struct project *project,
		 const struct diff *d, const struct loaded *head, const char *benchmark,
		 struct judging *out, struct cg_error *err)
{
	const struct judge_options how = judge_options_of(options);
	int status = collect_limits(options, project, head->profile, out, err);
	if (!status)
		status = judge(d, out->rules, out->nrules, &how, &out->judgement, err);
	if (!status && !options->no_accepted)
		status = load_accepted(project, &out->accepted, err);
	if (!status)
		status = accept_broken_limits(benchmark, out, err);
	if (!status)
		status = check_judgement(&out->judgement, head, err);
	return status ? status : check_inclusive(&out->judgement, d, err);
}

int judging_heap(const struct judging_options *options, const struct diff *heap,
		 const struct diff *code, const char *benchmark, struct judging *j,
		 struct cg_error *err)
{
	const struct judge_options how = judge_options_of(options);
	int status = judge_missing_in_heap(heap, code, j->rules, j->nrules, &how, &j->judgement,
					   err);

	return status ? status : accept_broken_limits(benchmark, j, err);
}

void judging_free(struct judging *j)
{
	judgement_free(&j->judgement);
	accepted_free(&j->accepted);
	free(j->rules);
	limit_set_free(&j->own_limits);
	*j = (struct judging){ 0 };
}

static void tell_environments(const struct notices *n, const struct environment_diff *environment)
{
	struct notice m;

	notice_begin(&m, n, NOTICE_MESSAGE);
	fputs("base and head were measured in different environments (", m.to);
	for (size_t i = 0; i < environment->moving; i++) {
		fputs(i ? ", " : "", m.to);
		text_print_name(m.to, environment->differences[i].name, 40);
		if (environment->differences[i].features)
			fprintf(m.to, ": %s", environment->differences[i].features);
	}
	fputs("); measure both again, or judge anyway with --allow-env-change", m.to);
	notice_end(&m);
}

static enum ending ending_of(enum judged judged)
{
	return judged == JUDGED_FAIL           ? ENDED_LIMIT_EXCEEDED
	       : judged == JUDGED_INCONCLUSIVE ? ENDED_UNTRUSTED
					       : ENDED_FINE;
}

enum ending judging_ending(const struct notices *n, const struct judging_options *options,
			   enum judged judged, const struct environment_diff *environment,
			   const struct loaded *base, const struct loaded *head,
			   struct warnings *warnings)
{
	static const struct warning_kind unknown = {
		"",
		"does not record its environment; the counts may not be comparable",
		"do not record their environment; the counts may not be comparable",
	};

	if (!options->check)
		return ENDED_FINE;
	if (!environment)
		return ending_of(judged);
	if (environment->moving && !options->allow_env_change) {
		tell_environments(n, environment);
		return ENDED_UNTRUSTED;
	}
	if (!environment->base_known || !environment->head_known)
		warnings_add(warnings, n, &unknown,
			     !environment->base_known ? base->name : head->name);
	return ending_of(judged);
}
