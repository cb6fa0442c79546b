#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/cli/commit_operands.h"
#include "src/cli/shared_options.h"
#include "src/cli/write_suite.h"
#include "src/cmd/command.h"
#include "src/compare/baseline_operand.h"
#include "src/compare/expand_operands.h"
#include "src/compare/reporting.h"
#include "src/compare/suite.h"
#include "src/compare/verdicts_file.h"
#include "src/store/find_profile.h"
#include "src/text/text.h"

#define OLD ".old" /* ends the label of the profile that another one replaced */

/* What makes irdiff compare write a report. */
static const char compare_options[] = " --format=html -o report.html";

static bool explain_report(const struct arguments *args, const char *bench)
{
	return explain_commits(args, bench, compare_options);
}

static const struct command_help help = {
	"report",
	(const char *const[]){ "[-o FILE] BASE HEAD [BASE HEAD]… [OPTIONS]",
			       "[-o FILE] [PROFILE] [OPTIONS]",
			       "[-o FILE] --baseline=NAME [BENCH]… [OPTIONS]", NULL },
	"Writes an HTML report on the change between two profiles: verdict, causes, flame graphs of base,\n"
	"head and the change, a table of all functions, the source of the causes, and differences of the\n"
	"environment. It is a single file that loads nothing. Several pairs become one report with an\n"
	"overview. A label alone is compared with the profile that it replaced; without operands,\n"
	"all labels that replaced one are. Another profile alone is shown without a comparison. With\n"
	"--baseline, benchmarks (default: all) are compared with the profiles that 'irdiff baseline save'\n"
	"saved. --format selects another format.",
	.takes_command = false,
	.main_options = "output baseline check limit metric title root include",
	.commands_with = commands_with_option,
	.operands = (const char *const[]){ "--baseline BENCH…", "PROFILE…", NULL },
	.ranges = (const struct option_range[]){ PAGE_RANGE, { 0 } },
	.rules = (const struct option_rule[]){ JUDGING_RULES, PAGE_RULES, { 0 } },
	.explain = explain_report,
};

static bool parse_report_options(struct suite_options *s, int argc, char **argv,
				 struct arguments *args, int *exit_code)
{
	struct comparison_options *c = &s->compare;
	const struct option_spec specs[] = {
		{ "output", 'o', OPTION_TEXT, &s->output, "FILE", "write to FILE" },
		{ "format", 0, OPTION_CHOICE, &s->format, "html|" REPORT_FORMATS,
		  "output format (html)" },
		{ "step-summary", 0, OPTION_SWITCH, &s->step_summary, NULL,
		  "also append a markdown report to $GITHUB_STEP_SUMMARY" },
		{ "baseline", 0, OPTION_TEXT, &s->baseline, "NAME",
		  "compare profiles of benchmarks with those of a baseline" },
		JUDGING_OPTIONS(&c->judging),
		METRIC_OPTIONS(c),
		TOP_OPTION(c),
		PAGE_OPTIONS(s),
		INSIGHTS_OPTION(&c->insights, "auto"),
		INLINES_OPTION(&c->reading.inlines),
		SELECTION_OPTIONS(&c->reading.selection),
		{ "lenient", 0, OPTION_SWITCH, &c->reading.lenient, NULL,
		  "skip and count malformed lines" },
	};
	return options_parse(&help, specs, sizeof specs / sizeof *specs, argc, argv, args,
			     exit_code);
}

/* ---- pairs ---- */

/* A label and what it replaced. */
static int add_replaced(struct suite *suite, const char *label, struct cg_error *err)
{
	char *old;
	if (asprintf(&old, "%s" OLD, label) < 0)
		return cg_fail_nomem(err);
	int status = suite_add(suite, old, label, err);
	free(old);
	return status;
}

static bool is_replaced_label(const struct path_list *labels, const char *label, const char *end)
{
	size_t len = strlen(label), n = strlen(end);
	for (size_t i = 0; i < labels->count; i++)
		if (strncmp(labels->paths[i], label, len) == 0 &&
		    strcmp(labels->paths[i] + len, end) == 0 && strlen(labels->paths[i]) == len + n)
			return true;
	return false;
}

/* Only a page shows a profile without a comparison. */
static int refuse_alone(const struct project *project, const struct path_list *labels,
			const char *name, struct cg_error *err)
{
	struct path_list named = { 0 };
	int status = CG_OK;

	if (is_replaced_label(labels, name, ""))
		return cg_fail(
			err, CG_EINVAL, NULL, 0,
			"%s has not replaced a profile; measure it again, or name BASE and HEAD",
			name);
	/* For an unknown label, report that, and not what it would have replaced. */
	status = store_find_profiles(project->root, name, &named, err);
	path_list_free(&named);
	return status ? status
		      : cg_fail(err, CG_EINVAL, NULL, 0, "%s is not a label; name BASE and HEAD",
				name);
}

/* What replaced a profile is compared with it. Of a benchmark with cases: those cases that did. */
static int add_one_operand(struct suite *suite, const struct project *project, const char *operand,
			   struct cg_error *err)
{
	const struct suite_options *s = suite->options;
	bool alone = suite_is_page(s) && !s->compare.judging.check && !s->step_summary;
	struct path_list cases = { 0 }, labels = { 0 };
	int status = expand_operands_of(project, operand, &cases, err);

	if (!status)
		status = store_list_labels(project->root, &labels, err);
	for (size_t i = 0; !status && i < cases.count; i++)
		if (is_replaced_label(&labels, cases.paths[i], OLD))
			status = add_replaced(suite, cases.paths[i], err);
	const char *const *names = cases.count ? (const char *const *)cases.paths : &operand;
	size_t count = suite->count ? 0 : cases.count ? cases.count : 1;
	for (size_t i = 0; !status && i < count; i++)
		status = is_replaced_label(&labels, names[i], OLD)
				 ? add_replaced(suite, names[i], err)
			 : alone ? suite_add_alone(suite, names[i], err)
				 : refuse_alone(project, &labels, names[i], err);
	path_list_free(&cases);
	path_list_free(&labels);
	return status;
}

/* What there is to report on, and else how to measure it. */
static int nothing_replaced(const struct project *project, const struct path_list *labels,
			    struct cg_error *err)
{
	enum { MOST = 5 };
	char *known = NULL;
	size_t size;

	if (!labels->count)
		return cg_fail(err, CG_EINVAL, NULL, 0,
			       "no profiles in %s; measure with 'irdiff profile', or report on two "
			       "commits with 'irdiff compare --format=html -o report.html'",
			       project->root);
	FILE *to = open_memstream(&known, &size);
	if (!to)
		return cg_fail_nomem(err);
	for (size_t i = 0; i < labels->count && i < MOST; i++) {
		fputs(i ? ", " : "", to);
		text_print_name(to, labels->paths[i], 0);
	}
	fputs(labels->count > MOST ? ", …" : "", to);
	if (fclose(to) != 0) {
		free(known);
		return cg_fail_nomem(err);
	}
	int status = cg_fail(err, CG_EINVAL, NULL, 0,
			     "no profile in %s has replaced another one; measure again, or name "
			     "BASE and HEAD; labels: %s",
			     project->root, known);
	free(known);
	return status;
}

static int add_all_replaced(struct suite *suite, const struct project *project,
			    struct cg_error *err)
{
	struct path_list labels = { 0 };
	int status = store_list_labels(project->root, &labels, err);

	for (size_t i = 0; !status && i < labels.count; i++)
		if (is_replaced_label(&labels, labels.paths[i], OLD))
			status = add_replaced(suite, labels.paths[i], err);
	if (!status && !suite->count)
		status = nothing_replaced(project, &labels, err);
	path_list_free(&labels);
	return status;
}

static int add_baseline(struct suite *suite, const struct project *project,
			const struct arguments *args, struct cg_error *err)
{
	struct baseline_pairs pairs = { 0 };
	int status = baseline_pairs_make(project, suite->options->baseline, args->operands,
					 args->count, &pairs, err);

	for (size_t i = 0; !status && i < pairs.count; i++)
		status = suite_add(suite, pairs.items[i].base, pairs.items[i].head, err);
	baseline_pairs_free(&pairs);
	return status;
}

static int list_benches(struct suite *suite, const struct project *project,
			const struct arguments *args, struct cg_error *err)
{
	int status = CG_OK;

	if (suite->options->baseline)
		return add_baseline(suite, project, args, err);
	if (args->count == 0)
		return add_all_replaced(suite, project, err);
	if (args->count == 1)
		return add_one_operand(suite, project, args->operands[0], err);
	for (size_t i = 0; !status && i + 1 < args->count; i += 2)
		status = expand_operands_add(suite, project, args->operands[i],
					     args->operands[i + 1], err);
	return status;
}

static int add_and_compare(struct suite *suite, const struct project *project,
			   const struct arguments *args, struct cg_error *err)
{
	int status = list_benches(suite, project, args, err);

	if (!status)
		status = suite_compare(suite, project, err);
	if (status == CG_EINVAL && !suite->options->baseline)
		mention_commits(project, args, suite->options->compare.judging.benchmark,
				compare_options, err);
	return status;
}

int cmd_report(int argc, char **argv)
{
	struct suite_options s = { .format = "html",
				   .color = "never",
				   .wide = true,
				   .most_frames = SUITE_FRAMES,
				   .compare = { COMPARISON_DEFAULTS } };
	struct suite suite = { .options = &s };
	struct arguments args = { 0 };
	struct project project = { 0 };
	struct cg_error err = { 0 };
	int exit_code;

	if (!parse_report_options(&s, argc, argv, &args, &exit_code))
		goto done;
	if (!s.baseline && args.count > 1 && args.count % 2) {
		exit_code = usage_error("report",
					"expected BASE HEAD [BASE HEAD]…, but found %zu operands",
					args.count);
		goto done;
	}
	if (!suite_check_usage("report", &s, &exit_code))
		goto done;

	suite_options_complete(&s);
	int status = project_open(&project, &terminal_notices, &err);
	if (!status && s.compare.judging.check)
		verdicts_file_forget(&project);
	if (!status)
		status = add_and_compare(&suite, &project, &args, &err);
	if (!status)
		status = suite_settle(&suite, &err);
	if (!status)
		status = write_suite(&suite, &err);
	if (!status)
		status = suite_keep_verdicts(&suite, &project, &err);
	exit_code = status ? print_error(&err) : exit_code_of(suite_ending(&suite));
done:
	suite_free(&suite);
	project_close(&project);
	free(s.include.items);
	free(s.compare.judging.limits.items);
	free(args.operands);
	return exit_code;
}
