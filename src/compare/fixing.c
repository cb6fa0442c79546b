#include "src/compare/fixing.h"
#include "src/compare/make_comparison.h"

#include <stdlib.h>
#include <string.h>

#include "src/compare/remarking.h"
#include "src/compare/reporting.h"
#include "src/load/hints.h"

void fixing_free(struct fixing *f)
{
	free(f->rows);
	judging_free(&f->judging);
	remarks_free(&f->remarks);
	environment_diff_free(&f->environment);
	fix_free(f->diff);
	diff_free(f->left);
	diff_free(f->won);
	diff_free(f->of_functions);
	loaded_free(&f->fix);
	comparison_free(&f->c);
	*f = (struct fixing){ 0 };
}

static int load_fix(struct fixing *f, const struct project *project, const char *fix,
		    struct cg_error *err)
{
	const struct load_options options = comparison_load_options(&f->c);
	int status = load_profile(project, &fix, 1, &options, &f->fix, err);

	if (!status)
		warn_about_inlines(project->notices, f->options->reading.inlines, f->fix.profile,
				   f->fix.name);
	return status;
}

static int compare_with_fix(struct fixing *f, const struct project *project, struct cg_error *err)
{
	const struct config_benchmark *benchmark;
	const char *of_case;
	struct diff_options options = f->c.diff->options;
	const struct cg_profile *main = f->c.base.profile, *fix = f->fix.profile;
	struct metric metric;
	if (!metric_find(fix, options.metric, &metric))
		return cg_fail(err, CG_EINVAL, NULL, 0,
			       "the profile of the fix, %s, has no metric '%s'", f->fix.name,
			       options.metric);
	int status = judging_benchmark(&f->options->judging, project, fix, &benchmark, &of_case,
				       err);

	if (!status && benchmark) {
		options.tolerances = benchmark->tolerances;
		options.ntolerances = benchmark->ntolerances;
	}
	if (!status)
		status = diff_make(main, fix, &options, &f->left, err);
	if (!status)
		status = diff_make(f->c.head.profile, fix, &options, &f->won, err);
	if (!status)
		status = fix_make(f->c.diff, f->left, f->won, &f->diff, err);
	options.by = CG_BY_FUNCTION;
	if (!status && f->options->by != CG_BY_FUNCTION && f->options->judging.check)
		status = diff_make(main, fix, &options, &f->of_functions, err);
	if (!status && environment_compare(main, fix, &f->environment))
		status = cg_fail_nomem(err);
	if (!status && f->c.environment.moving)
		notice_warning(
			project->notices,
			"main and the regression were measured in different environments, which may explain what was lost");
	return status;
}

/* Main and fix are judged as base and head of any other comparison. */
static int judge_fix(struct fixing *f, const struct project *project, struct cg_error *err)
{
	struct comparison judged = { .options = f->options,
				     .base = f->c.base,
				     .head = f->fix,
				     .diff = f->left,
				     .environment = f->environment };
	int status = judging_make(&f->options->judging, project,
				  f->of_functions ? f->of_functions : f->left, &f->fix,
				  comparison_bench_name(&judged), &judged.judging, err);

	if (!status)
		status = remarking_find(&judged, err);
	if (!status) {
		struct judged_bench bench = comparison_judged(&judged, false);
		status = judging_unmatched(&bench, 1, false, &judged.remarks, err);
	}
	f->judging = judged.judging;
	f->remarks = judged.remarks;
	return status;
}

static int find_fix_match(struct fixing *f, const struct fix_row *row, struct cg_error *err)
{
	bool matches = true;
	int status = CG_OK;

	if (f->unmatched)
		status = comparison_matches(&f->c, row->object, row->file, row->name, &matches,
					    err);
	f->unmatched &= !matches;
	return status;
}

static int choose_fix_rows(struct fixing *f, struct cg_error *err)
{
	size_t top = comparison_top(f->options);

	f->rows = calloc(f->diff->count + 1, sizeof *f->rows);
	if (!f->rows)
		return cg_fail_nomem(err);
	f->unmatched = f->options->filter != NULL;
	for (size_t i = 0; i < f->diff->count; i++) {
		const struct fix_row *row = &f->diff->rows[i];
		bool chosen;
		int status = find_fix_match(f, row, err);
		if (status)
			return status;
		if (!fix_is_large(f->diff, fix_values_of(f->diff, row->self)))
			continue;
		f->changed++;
		status = comparison_chooses(&f->c, row->object, row->file, row->name, &chosen, err);
		if (status)
			return status;
		if (chosen)
			f->rows[f->filtered++] = (uint32_t)i;
	}
	f->nrows = top && top < f->filtered ? top : f->filtered;
	return CG_OK;
}

int fixing_make(const struct project *project, const char *main, const char *regression,
		const char *fix, const struct comparison_options *options, struct fixing *out,
		struct cg_error *err)
{
	struct fixing *f = out;

	f->options = options;
	f->unjudged = *options;
	f->unjudged.judging.check = false;
	f->unjudged.insights = "none";
	int status = comparison_make(project, main, regression, &f->unjudged, &f->c, err);
	if (!status)
		status = load_fix(f, project, fix, err);
	if (!status)
		status = compare_with_fix(f, project, err);
	if (!status && options->judging.check)
		status = judge_fix(f, project, err);
	return status ? status : choose_fix_rows(f, err);
}

static struct diff_report judged_report(const struct fixing *f)
{
	bool check = f->options->judging.check;

	return (struct diff_report){
		.diff = f->left,
		.base = f->c.base.origin,
		.head = f->fix.origin,
		.environment = &f->environment,
		.judgement = check ? &f->judging.judgement : NULL,
		.remarks = &f->remarks,
		.top = f->options->top,
		.untrusted = check && f->environment.moving &&
			     !f->options->judging.allow_env_change,
	};
}

int fixing_write(const struct fixing *f, const char *format, const struct text_style *style,
		 FILE *to)
{
	const struct fix_report report = {
		.fix = f->diff,
		.origins = { f->c.base.origin, f->c.head.origin, f->fix.origin },
		.judged = judged_report(f),
		.rows = f->rows,
		.nrows = f->nrows,
		.changed = f->changed,
		.filtered = f->filtered,
		.filter = f->options->filter,
		.unmatched = f->unmatched,
	};
	return strcmp(format, "json") == 0       ? fix_json(&report, to)
	       : strcmp(format, "csv") == 0      ? fix_csv(&report, to)
	       : strcmp(format, "markdown") == 0 ? fix_markdown(&report, to)
						 : fix_text(&report, style, to);
}

enum ending fixing_ending(const struct fixing *f)
{
	return judging_ending(f->c.notices, &f->options->judging,
			      remarks_judge(&f->remarks, f->left, &f->judging.judgement),
			      &f->environment, &f->c.base, &f->fix, f->options->warnings);
}
