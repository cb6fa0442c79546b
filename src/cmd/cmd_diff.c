#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/cli/commit_operands.h"
#include "src/cli/output.h"
#include "src/cli/shared_options.h"
#include "src/cli/write_suite.h"
#include "src/cmd/command.h"
#include "src/compare/baseline_operand.h"
#include "src/compare/comparison.h"
#include "src/compare/expand_operands.h"
#include "src/compare/fixing.h"
#include "src/compare/make_comparison.h"
#include "src/compare/reporting.h"
#include "src/compare/suite.h"
#include "src/compare/verdicts_file.h"
#include "src/store/results.h"

#define NUMBER_NOT_GIVEN UINT64_MAX /* --context */
#define THRESHOLD_NOT_GIVEN (-1.0)

struct diff_settings {
	const char *view, *by, *fix, *format, *color, *output, *baseline;
	bool wide, step_summary;
	struct text_list include;
	struct comparison_options compare;
};

static bool explain_diff(const struct arguments *args, const char *bench)
{
	return explain_commits(args, bench, "");
}

static const struct command_help help = {
	"diff",
	(const char *const[]){ "BASE HEAD [FILTER] [OPTIONS]",
			       "MAIN REGRESSION --fix=FIX [FILTER] [OPTIONS]",
			       "--baseline=NAME BENCH [FILTER] [OPTIONS]",
			       "[--baseline=NAME] DIRECTORY [OPTIONS]", NULL },
	"Compares two profiles: shows the causes of the change (functions whose self cost changed, and\n"
	"callers that make more or fewer calls), then the largest changes in self cost. --view=flat,\n"
	"tree, causes, source or asm shows only functions, call paths by inclusive cost, causes, or the\n"
	"lines or instructions that changed. BASE and HEAD are files, labels, or patterns of\n"
	"files that are one profile, such as 'old/callgrind.out.*'. FILTER is a regular expression over\n"
	"object:file:function. After --, a word that begins with - is an operand. Benchmarks with cases\n"
	"are compared case by case. With --baseline, base is the profile of BENCH that 'irdiff baseline\n"
	"save' kept. For a DIRECTORY of gungraun (target/gungraun, target/iai), all benchmarks are\n"
	"compared: the last run with the previous one, or with gungraun's baseline NAME. --fix compares\n"
	"main, a regression and its fix.\n"
	"\n"
	"With --check, the comparison is judged against the limits of irdiff.yml (those of the measured\n"
	"benchmark, and the general ones) and of --limit; without any, Ir may grow by 1 %; any limit\n"
	"replaces this. A limit is METRIC=VALUE, 'METRIC=VALUE fn:REGEX' for functions, 'METRIC=VALUE\n"
	"mod:REGEX' for the sum of all functions that match object:file:function, or 'METRIC=VALUE\n"
	"namespace:REGEX' for the sum of those in matching namespaces. VALUE is +2% (growth), +500\n"
	"(absolute growth), 1.2M (ceiling) or = (must not change).",
	.takes_command = false,
	.main_options = "view check limit metric top format",
	.commands_with = commands_with_option,
	.operands = (const char *const[]){ "--baseline BENCH", "PROFILE PROFILE", NULL },
	.html_by = "irdiff report",
	.explain = explain_diff,
	.rules =
		(const struct option_rule[]){
			{ "--filter", EXCLUDES, "--baseline BENCH FILTER", NULL },
			{ "--filter", EXCLUDES, "BASE HEAD FILTER", NULL },
			JUDGING_RULES,
			{ "--fix", REQUIRES, "--view=summary|flat --format=text|json|csv|markdown",
			  NULL },
			{ "--step-summary --insights --sort --show", EXCLUDES, "--fix", NULL },
			{ "--view", REQUIRES, "--format=text|json|csv", NULL },
			{ "--sort", REQUIRES, "--view=summary|flat --format=text|json|csv", NULL },
			{ "--by", REQUIRES, "--view=summary|flat --format=text|json|csv|markdown",
			  NULL },
			{ "--show", REQUIRES,
			  "--view=summary|flat|tree|source|asm --format=text|csv", NULL },
			{ "--include --context", REQUIRES, "--view=source|asm", NULL },
			{ "--format=csv", EXCLUDES, "--view=asm", NULL },
			{ 0 } },
};

static bool parse_diff_options(struct diff_settings *s, int argc, char **argv,
			       struct arguments *args, int *exit_code)
{
	struct comparison_options *c = &s->compare;
	const struct option_spec specs[] = {
		{ "view", 0, OPTION_CHOICE, &s->view, "summary|flat|tree|causes|source|asm",
		  "functions, call tree, causes, source lines or instructions (summary: causes, functions)" },
		{ "by", 0, OPTION_CHOICE, &s->by, "function|file|object|namespace",
		  "what each row of the flat view stands for (function)" },
		{ "fix", 0, OPTION_TEXT, &s->fix, "FIX",
		  "a third profile: how much of the regression it undoes, and what remains" },
		{ "baseline", 0, OPTION_TEXT, &s->baseline, "NAME",
		  "compare the profile of BENCH with that of a baseline" },
		JUDGING_OPTIONS(&c->judging),
		METRIC_OPTIONS(c),
		{ "top", 'n', OPTION_NUMBER, &c->top, "N",
		  "show at most N functions or paths; 0: all (20; asm: 1; summary: 10; markdown: 5; JSON: 10, causes: 5; CSV: 0)" },
		{ "sort", 0, OPTION_TEXT, &c->sort, COMPARISON_ORDERS "|METRIC",
		  "order of the flat view, by self cost except for inclusive (delta)" },
		{ "show", 0, OPTION_TEXT, &c->show, "EVENTS",
		  "show these events side by side (the metric, and those that explain it)" },
		{ "filter", 0, OPTION_TEXT, &c->filter, "REGEX",
		  "only functions that match, like FILTER" },
		{ "ignore", 0, OPTION_TEXT, &c->ignore, "REGEX", "hide functions that match" },
		INLINES_OPTION(&c->reading.inlines),
		INSIGHTS_OPTION(&c->insights, "auto"),
		SELECTION_OPTIONS(&c->reading.selection),
		{ "include", 'I', OPTION_LIST, &s->include, "DIR",
		  "also look for source files in DIR" },
		{ "context", 0, OPTION_NUMBER, &c->context, "N",
		  "source lines or instructions around those that changed (8; JSON, CSV: 0)" },
		{ "format", 0, OPTION_CHOICE, &s->format, REPORT_FORMATS, "output format (text)" },
		{ "step-summary", 0, OPTION_SWITCH, &s->step_summary, NULL,
		  "also append a markdown report to $GITHUB_STEP_SUMMARY" },
		{ "output", 'o', OPTION_TEXT, &s->output, "FILE", "write to FILE" },
		{ "color", 0, OPTION_CHOICE, &s->color, "auto|always|never", "use colours (auto)" },
		{ "wide", 'w', OPTION_SWITCH, &s->wide, NULL, "show all columns and full names" },
		{ "lenient", 0, OPTION_SWITCH, &c->reading.lenient, NULL,
		  "skip and count malformed lines" },
	};
	return options_parse(&help, specs, sizeof specs / sizeof *specs, argc, argv, args,
			     exit_code);
}

/* What a report adds to two profiles: places in the source, a report elsewhere. */
struct extras {
	const struct project *project;
	const char *base, *head; /* operands */
	const struct comparison *c;
	const struct diff_settings *s;
	struct diff_report report;
	struct source_annotations places;
};

/* On a terminal the verdict and the next steps should be visible at once: if the default number of
 * rows would move them off the screen, fewer are shown. */
static uint64_t rows_on_screen(const struct diff_settings *s)
{
	enum { AROUND = 28, LEAST = 5 }; /* lines around the rows, with the metrics of caches */
	unsigned lines = terminal_lines();

	if (!lines || s->compare.view == DIFF_VIEW_SUMMARY || s->wide || s->output ||
	    strcmp(s->format, "text") != 0 || lines >= AROUND + COMPARISON_TOP)
		return DIFF_TOP_AUTO;
	unsigned left = lines > AROUND + LEAST ? lines - AROUND : LEAST;
	return s->compare.view == DIFF_VIEW_CAUSES ? (left + 1) / 2 : left; /* and their places */
}

static struct bench_report bench_of(const struct extras *x)
{
	return (struct bench_report){ comparison_bench_name(x->c), x->report, x->places.cause,
				      x->places.verdicts, x->places.nverdicts };
}

static int render_to(const struct extras *x, const struct output *out)
{
	const struct diff_settings *s = x->s;
	struct bench_report bench = bench_of(x);
	struct suite_report suite = { .benches = &bench, .count = 1 };

	if (report_format_is_fixed(s->format))
		return report_write(s->format, &suite, out->to);
	if (strcmp(s->format, "json") == 0)
		return diff_json(&x->report, out->to);
	return diff_text(&x->report, &out->style, out->to);
}

static int render_diff(struct extras *x, struct cg_error *err)
{
	const struct diff_settings *s = x->s;
	struct output out;
	int status = CG_OK;

	if (report_format_has_places(s->format))
		status = source_annotations_find(x->project, x->base, x->head, x->c, &x->places,
						 err);
	if (!status)
		status = output_open(&out, s->output, s->color, s->wide, err);
	if (status)
		return status;
	status = render_to(x, &out);
	if (status == CG_ENOMEM)
		cg_fail_nomem(err);
	status = output_close(&out, status, err);
	struct bench_report bench = bench_of(x);
	return status || !s->step_summary
		       ? status
		       : report_step_summary(
				 &terminal_notices,
				 &(struct suite_report){ .benches = &bench, .count = 1 }, err);
}

/* ---- defaults ---- */

/* Who asks for the lines of a function wants to see them, however little changed. The verdict is on
 * the whole profile, and stays what it is in other views. */
static void complete_view(struct diff_settings *s)
{
	enum { AROUND_LINES = 8 };
	struct comparison_options *c = &s->compare;
	c->view = diff_view_of(s->view);
	bool code = c->view == DIFF_VIEW_SOURCE || c->view == DIFF_VIEW_ASM;
	bool asked = code && c->filter;

	c->rows_below_threshold = asked && c->threshold == THRESHOLD_NOT_GIVEN;
	c->rows_below_min_delta = asked && c->min_delta == COMPARISON_MIN_DELTA;
	if (c->threshold == THRESHOLD_NOT_GIVEN)
		c->threshold = (double)DIFF_DEFAULT_THRESHOLD_PPB / 1e7;
	if (c->view == DIFF_VIEW_ASM && c->top == DIFF_TOP_AUTO && !c->filter)
		c->top = 1;
	if (c->context == NUMBER_NOT_GIVEN)
		c->context = strcmp(s->format, "text") == 0 ? AROUND_LINES : 0;
}

/* ---- results of gungraun ---- */

static bool has_bench_name(const struct suite *suite, const char *name)
{
	for (size_t i = 0; i < suite->count; i++)
		if (suite->benches[i]->name && strcmp(suite->benches[i]->name, name) == 0)
			return true;
	return false;
}

/* Names the last pair as gungraun does. Of two packages with the same name, one keeps its path. */
static int name_results(struct suite *suite, const char *path, struct cg_error *err)
{
	char *name = results_name(path);
	int status = name && !has_bench_name(suite, name) ? suite_name(suite, name, err) : CG_OK;

	free(name);
	return status;
}

static int add_results(struct suite *suite, const char *directory, struct cg_error *err)
{
	const char *baseline = suite->options->baseline;
	struct path_list base = { 0 }, last = { 0 };
	size_t pairs = 0;
	int status = results_list(directory, baseline, &base, &last, err);

	for (size_t i = 0; !status && i < last.count; i++) {
		bool has_base = *base.paths[i], has_head = *last.paths[i];
		pairs += has_base && has_head;
		status = suite_add(suite, has_base ? base.paths[i] : NULL,
				   has_head ? last.paths[i] : NULL, err);
		if (!status)
			status = name_results(suite, has_head ? last.paths[i] : base.paths[i], err);
	}
	if (!status && !pairs)
		status = cg_fail(
			err, CG_EINVAL, directory, 0, "no benchmark has %s%s to compare with",
			baseline ? "a baseline " : "an earlier run", baseline ? baseline : "");
	path_list_free(&base);
	path_list_free(&last);
	return status;
}

/* ---- several ---- */

/* Fills a suite with the pairs to compare. */
typedef int fill_suite(struct suite *suite, const struct project *project,
		       const struct arguments *args, struct cg_error *err);

static int fill_results(struct suite *suite, const struct project *project,
			const struct arguments *args, struct cg_error *err)
{
	(void)project;
	return add_results(suite, args->operands[0], err);
}

static int fill_cases(struct suite *suite, const struct project *project,
		      const struct arguments *args, struct cg_error *err)
{
	const char *baseline = suite->options->baseline;
	struct baseline_pairs pairs = { 0 };

	if (!baseline)
		return expand_operands_add(suite, project, args->operands[0], args->operands[1],
					   err);
	int status = baseline_pairs_make(project, baseline, args->operands, 1, &pairs, err);
	for (size_t i = 0; !status && i < pairs.count; i++)
		status = suite_add(suite, pairs.items[i].base, pairs.items[i].head, err);
	baseline_pairs_free(&pairs);
	return status;
}

static int compare_several(struct diff_settings *s, const struct arguments *args, fill_suite *fill,
			   bool keep)
{
	complete_view(s);
	if (s->compare.view == DIFF_VIEW_SOURCE || s->compare.view == DIFF_VIEW_ASM)
		return usage_error(
			"diff", "--view=%s requires two profiles; name those of one case", s->view);
	struct suite_options options = {
		.format = s->format,
		.view = s->view,
		.output = s->output,
		.baseline = s->baseline,
		.color = s->color,
		.wide = s->wide,
		.step_summary = s->step_summary,
		.compare = s->compare,
	};
	struct suite suite = { .options = &options };
	struct project project = { 0 };
	struct cg_error err = { 0 };
	int status = project_open(&project, &terminal_notices, &err);

	suite_options_complete(&options);
	if (!status && s->compare.judging.check)
		verdicts_file_forget(&project);
	if (!status)
		status = fill(&suite, &project, args, &err);
	if (!status)
		status = suite_compare(&suite, &project, &err);
	if (!status)
		status = suite_settle(&suite, &err);
	if (!status)
		status = write_suite(&suite, &err);
	if (!status && keep)
		status = suite_keep_verdicts(&suite, &project, &err);
	int exit_code = status ? print_error(&err) : exit_code_of(suite_ending(&suite));
	suite_free(&suite);
	project_close(&project);
	return exit_code;
}

/* ---- the whole ---- */

/* A format that --view applies to. */
static bool has_views(const char *format)
{
	return !report_format_is_fixed(format) || strcmp(format, "csv") == 0;
}

static bool is_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool check_operands(const struct diff_settings *s, const struct arguments *args,
			   int *exit_code)
{
	size_t profiles = s->baseline ? 1 : 2;

	if (args->count == profiles || args->count == profiles + 1)
		return true;
	if (!s->baseline && args->count == 1 &&
	    (operand_is_range(args->operands[0]) || operand_is_commit(args->operands[0])))
		*exit_code = usage_error("diff",
					 "expected two profiles; to compare commits, run 'irdiff "
					 "compare %s'",
					 args->operands[0]);
	else if (!s->baseline && args->count == 1 && is_directory(args->operands[0]))
		*exit_code = usage_error("diff",
					 "%s has no profiles of gungraun; to compare others, name "
					 "both: BASE HEAD [FILTER]",
					 args->operands[0]);
	else
		*exit_code = usage_error("diff", s->baseline
							 ? "expected BENCH [FILTER] with --baseline"
							 : "expected BASE HEAD [FILTER]");
	return false;
}

static int make_comparison(const struct project *project, const struct extras *x,
			   const struct arguments *args, struct comparison *c, struct cg_error *err)
{
	int status = comparison_make(project, x->base, x->head, &x->s->compare, c, err);

	if (status == CG_EINVAL && !x->s->baseline)
		mention_commits(project, args, x->s->compare.judging.benchmark, "", err);
	return status;
}

/* Whether an operand is a benchmark that has only cases. Errors in it are reported later. */
static bool names_cases(const struct diff_settings *s, const struct project *project,
			const struct arguments *args)
{
	struct path_list cases = { 0 };
	size_t profiles = s->baseline ? 1 : 2;

	for (size_t i = 0; i < profiles && !cases.count; i++)
		expand_operands_cases(project, args->operands[i], &cases, NULL);
	bool any = cases.count > 0;
	path_list_free(&cases);
	return any;
}

/* Whether the summary has nothing but functions: these options are for one table. */
static bool is_about_functions(const struct diff_settings *s)
{
	return strcmp(s->view, "summary") == 0 &&
	       (s->compare.sort || s->compare.show || s->fix || strcmp(s->by, "function") != 0 ||
		strcmp(s->format, "csv") == 0);
}

/* Defaults that depend on the format. A table for programs has all its rows. */
static void complete_diff_settings(struct diff_settings *s)
{
	struct comparison_options *c = &s->compare;

	if (!has_views(s->format))
		s->view = "summary";
	else if (is_about_functions(s))
		s->view = "flat";
	complete_view(s);
	if (c->top == DIFF_TOP_AUTO && strcmp(s->format, "json") != 0)
		c->top = strcmp(s->format, "csv") == 0 ? 0 : rows_on_screen(s);
	c->tree = c->view == DIFF_VIEW_TREE;
	c->causes = c->view == DIFF_VIEW_CAUSES ||
		    (c->view == DIFF_VIEW_SUMMARY && strcmp(s->format, "text") == 0);
	c->dirs = s->include.items;
	c->whole_names = s->wide;
	if (!c->tree && c->view != DIFF_VIEW_CAUSES)
		c->by = cg_rollup_by_word(s->by);
	if (!s->fix && c->by == CG_BY_FUNCTION)
		report_format_needs(s->format, s->step_summary, c);
	if (c->tree || c->causes || c->depth)
		c->sort = NULL;
}

/* The operands; with a baseline *owned is the base, NULL if it lacks the benchmark. */
static int choose_profiles(struct extras *x, const struct arguments *args, char **owned,
			   struct cg_error *err)
{
	const char *name = x->s->baseline;

	x->base = args->operands[0];
	x->head = args->operands[name ? 0 : 1];
	if (!name)
		return CG_OK;
	int status = baseline_operand_if_any(x->project, name, x->head, owned, err);
	x->base = *owned;
	return status;
}

/* Three profiles. */
static int compare_fix(const struct diff_settings *s, const struct project *project,
		       const char *main, const char *regression)
{
	struct fixing f = { 0 };
	struct cg_error err = { 0 };
	struct output out;
	int status = fixing_make(project, main, regression, s->fix, &s->compare, &f, &err);

	if (!status)
		status = output_open(&out, s->output, s->color, s->wide, &err);
	if (!status) {
		status = fixing_write(&f, s->format, &out.style, out.to);
		if (status == CG_ENOMEM)
			cg_fail_nomem(&err);
		status = output_close(&out, status, &err);
	}
	int exit_code = status ? print_error(&err) : exit_code_of(fixing_ending(&f));
	fixing_free(&f);
	return exit_code;
}

int cmd_diff(int argc, char **argv)
{
	struct diff_settings s = { .view = "summary",
				   .by = "function",
				   .format = "text",
				   .color = "auto",
				   .compare = { COMPARISON_DEFAULTS } };
	struct arguments args = { 0 };
	struct project project = { 0 };
	struct cg_error err = { 0 };
	struct comparison c = { 0 };
	char *owned = NULL;
	int exit_code;

	s.compare.context = NUMBER_NOT_GIVEN;
	s.compare.threshold = THRESHOLD_NOT_GIVEN;
	if (!parse_diff_options(&s, argc, argv, &args, &exit_code))
		goto done;
	if (args.count == 1 && !s.fix && results_are_in(args.operands[0])) {
		exit_code = compare_several(&s, &args, fill_results, false);
		goto done;
	}
	if (!check_operands(&s, &args, &exit_code))
		goto done;
	if (args.count == (s.baseline ? 2 : 3))
		s.compare.filter = args.operands[args.count - 1];
	int status = project_open(&project, &terminal_notices, &err);
	if (!status && s.compare.judging.check)
		verdicts_file_forget(&project);
	if (!status && names_cases(&s, &project, &args)) {
		exit_code = compare_several(&s, &args, fill_cases, true);
		goto done;
	}
	complete_diff_settings(&s);
	s.compare.judging.alone = true;
	struct extras x = { .project = &project, .c = &c, .s = &s };
	if (!status)
		status = choose_profiles(&x, &args, &owned, &err);
	if (!status && s.fix) {
		exit_code = compare_fix(&s, &project, x.base, x.head);
		goto done;
	}
	if (!status)
		status = make_comparison(&project, &x, &args, &c, &err);
	if (!status) {
		struct judged_bench judged = comparison_judged(&c, false);
		const size_t before = c.remarks.count;
		status = judging_unmatched(&judged, 1, false, &c.remarks, &err);
		if (strcmp(s.format, "csv") == 0)
			judging_warn(&terminal_notices, &c.remarks, before);
		x.report = comparison_report(&c);
		if (!status)
			status = render_diff(&x, &err);
		struct bench_report bench = bench_of(&x);
		verdicts_file_save(&project,
				   &(struct suite_report){ .benches = &bench, .count = 1 });
		source_annotations_free(&x.places);
	}
	exit_code = status ? print_error(&err) : exit_code_of(comparison_ending(&c));
done:
	comparison_free(&c);
	free(owned);
	project_close(&project);
	free(s.include.items);
	free(s.compare.judging.limits.items);
	free(args.operands);
	return exit_code;
}
