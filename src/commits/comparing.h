/* Two states of a project built, measured, compared and judged: what `compare` and `check` do. */
#ifndef IRDIFF_COMMITS_COMPARING_H
#define IRDIFF_COMMITS_COMPARING_H

#include "src/commits/range.h"
#include "src/compare/reporting.h"
#include "src/measure/shard.h"
#include "src/compare/suite.h"

struct comparing_options {
	bool gate; /* irdiff check */
	const char *range;           /* "main...feature"; NULL: as range_default says */
	struct text_list benches;    /* names or patterns, as in glob(7); empty: all */
	const char *build;           /* shell command instead of irdiff.yml's build:; NULL: that */
	const char *shard_text;      /* "K/N"; NULL: all */
	struct shard shard;
	const char *results;         /* directory to keep what is compared in, for merge; NULL: none */
	const char *const *command;  /* NULL-terminated: compare this instead of benchmarks */
	struct build_area_options workshop;
	struct suite_options suite;
};

/* Lines in the table of options of both commands. */
#define COMPARING_OPTIONS(options)                                                                 \
	{ "bench", 'b', OPTION_LIST, &(options)->benches, "NAME",                                  \
	  "only this benchmark, or those that match a pattern (all)" },                            \
	{ "baseline", 0, OPTION_TEXT, &(options)->suite.baseline, "NAME",                          \
	  "compare the work tree with a baseline instead of a commit" },                           \
	{ "build", 0, OPTION_TEXT, &(options)->build, "COMMAND",                                   \
	  "build with this shell command (build: of irdiff.yml)" },                                \
	{ "fresh", 0, OPTION_SWITCH, &(options)->workshop.fresh, NULL,                             \
	  "build and measure again what is in the cache" },                                        \
	JOBS_OPTIONS(&(options)->workshop.jobs),                                                   \
	SHARD_OPTION(&(options)->shard_text),                                                      \
	{ "results", 0, OPTION_TEXT, &(options)->results, "DIR",                                   \
	  "write what was measured to DIR, for irdiff merge" },                                    \
	{ "valgrind", 0, OPTION_TEXT, &(options)->workshop.valgrind, "PATH",                       \
	  "the Valgrind to use (the one in PATH)" },                                               \
	{ "format", 0, OPTION_CHOICE, &(options)->suite.format, REPORT_FORMATS "|html",            \
	  "how to write it (text)" },                                                              \
	{ "view", 0, OPTION_CHOICE, &(options)->suite.view, "flat|tree|causes",                    \
	  "of one benchmark as text: functions, paths of calls, or who decided (causes)" },        \
	{ "output", 'o', OPTION_TEXT, &(options)->suite.output, "FILE", "write to FILE" },         \
	{ "step-summary", 0, OPTION_SWITCH, &(options)->suite.step_summary, NULL,                  \
	  "also append a report in markdown to $GITHUB_STEP_SUMMARY" },                            \
	METRIC_OPTIONS(&(options)->suite.compare),                                                 \
	{ "top", 'n', OPTION_NUMBER, &(options)->suite.compare.top, "N",                           \
	  "show at most N functions, paths or causes; 0: all (20)" },                              \
	{ "filter", 0, OPTION_TEXT, &(options)->suite.compare.filter, "REGEX",                     \
	  "only functions that match" },                                                           \
	{ "ignore", 0, OPTION_TEXT, &(options)->suite.compare.ignore, "REGEX",                     \
	  "no functions that match" },                                                             \
	PAGE_OPTIONS(&(options)->suite),                                                           \
	INSIGHTS_OPTION(&(options)->suite.compare.insights, "auto"),                               \
	INLINES_OPTION(&(options)->suite.compare.inlines),                                         \
	{ "color", 0, OPTION_CHOICE, &(options)->suite.color, "auto|always|never",                 \
	  "use colours (auto)" },                                                                  \
	{ "wide", 'w', OPTION_SWITCH, &(options)->suite.wide, NULL, "whole names" },               \
	{ "quiet", 'q', OPTION_SWITCH, &(options)->workshop.quiet, NULL,                           \
	  "no progress, but errors and warnings" }

#define COMPARING_DEFAULTS                                                                         \
	.workshop.jobs = JOBS_DEFAULTS,                                                            \
	.suite = { .format = "text", .view = "causes", .color = "auto", .last = true,              \
		   .most_frames = SUITE_FRAMES, .compare = { COMPARISON_DEFAULTS } }

/* Checks the operands and what makes no sense together, as errors of usage; takes them. */
bool comparing_check_usage(const char *name, struct comparing_options *options,
			   const struct arguments *args, int *exit_code);

/* Does all of it, and prints errors. Returns the exit code. */
int compare_commits(struct comparing_options *options);
/* Where the command line was wrong: leaves a report that says it failed, in the place of an older one. */
void comparing_leave_failure(const struct comparing_options *options, int exit_code);
void comparing_options_free(struct comparing_options *options);

#endif
