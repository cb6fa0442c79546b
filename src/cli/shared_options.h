/* Options that several commands have: their lines in tables of options, and what of them fits
 * together. */
#ifndef IRDIFF_CLI_SHARED_OPTIONS_H
#define IRDIFF_CLI_SHARED_OPTIONS_H

#include "src/cli/options.h"
#include "src/commits/comparing.h"

/* Their lines in a table of options. */
#define SELECTION_OPTIONS(texts) \
	{ "pid",         0,          OPTION_TEXT, \
	  &(texts)->pid, "LIST|all", "only these processes, or add all of them up" }, \
		{ "thread",         0,      OPTION_TEXT, \
		  &(texts)->thread, "LIST", "only these threads, of --separate-threads=yes: 1,3-5" }, \
	{ \
		"parts", 0, OPTION_TEXT, &(texts)->parts, "LIST", \
			"only these dumps, by number or trigger: 1,3-5 or 'parse*'" \
	}

/* The option --inlines, in a table of options: `to` is a const char *. */
#define INLINES_OPTION(to) \
	{ \
		"inlines", 0, OPTION_CHOICE, to, "auto|yes|no|approximate", \
			"count inlined code for the inlined functions, where they are known (auto)" \
	}

/* Its line in a table of options. */
#define INSIGHTS_OPTION(target, standard) \
	{ \
		"insights", 0, OPTION_TEXT, target, "auto|none|FILE", \
			"what stands out, by irdiff's own rules or those of FILE (" standard ")" \
	}

/* Lines in the table of options of a command. */
#define JOBS_OPTIONS(options) \
	{ "jobs",        'j', \
	  OPTION_NUMBER, &(options)->at_once, \
	  "N",           "measure N benchmarks at a time; 0: as many as there are CPUs (1)" }, \
	{ \
		"launcher", 0, OPTION_TEXT, &(options)->launcher, "COMMAND", \
			"start workers with this command in front, such as 'srun -n1'" \
	}

#define JOBS_RANGE \
	{ \
		"jobs", 0, JOBS_AT_ONCE_MAX \
	}

/* Line in the table of options of a command. */
#define SHARD_OPTION(text) \
	{ \
		"shard", 0, OPTION_TEXT, (text), "K/N", \
			"only the benchmarks of part K of N, for one of several machines" \
	}

/* Their lines in a table of options: what the limits are, and how they are judged … */
#define LIMIT_OPTIONS(options) \
	{ "limit",     'l', \
	  OPTION_LIST, &(options)->limits, \
	  "LIMIT",     "one more limit; may be given several times" }, \
		{ "require-base", 0, \
		  OPTION_SWITCH,  &(options)->require_base, \
		  NULL,           "fail where a limit has no base to compare with, or no function" }, \
		{ "allow-removed",           0,    OPTION_SWITCH, \
		  &(options)->allow_removed, NULL, "do not fail for what is missing in head" }, \
		{ "allow-env-change",           0,    OPTION_SWITCH, \
		  &(options)->allow_env_change, NULL, "judge although the environments differ" }, \
	{ \
		"no-accepted", 0, OPTION_SWITCH, &(options)->no_accepted, NULL, \
			"judge as if no regression had been accepted (irdiff baseline accept)" \
	}

/* … whether … */
#define CHECK_OPTION(options) \
	{ \
		"check", 0, OPTION_SWITCH, &(options)->check, NULL, \
			"judge against the limits; exit 1 if one is broken" \
	}

/* … and of which benchmark, where a profile need not say it. */
#define JUDGING_OPTIONS(options) \
	CHECK_OPTION(options), LIMIT_OPTIONS(options), \
	{ \
		"bench", 'b', OPTION_TEXT, &(options)->benchmark, "NAME", \
			"use the limits of this benchmark (the one that HEAD measured)" \
	}

/* Rules of these: what is judged takes --check. */
#define CHECK_RULES \
	{ \
		"--limit --require-base --allow-removed --allow-env-change --no-accepted", \
			REQUIRES, "--check", NULL \
	}
#define JUDGING_RULES \
	CHECK_RULES, \
	{ \
		"--bench", REQUIRES, "--check", NULL \
	}

/* Lines in the table of options of a command, in this order. */
#define METRIC_OPTIONS(options) \
	{ "metric",    'm', \
	  OPTION_TEXT, &(options)->metric, \
	  "METRIC",    "event to compare, or EstCycles, CEst, L1hits, LLhits, RAMhits (Ir)" }, \
		{ "threshold", \
		  0, \
		  OPTION_PERCENT, \
		  &(options)->threshold, \
		  "PERCENT", \
		  "impact from which a function, path or cause counts as changed (0.05)" }, \
	{ \
		"min-delta", 0, OPTION_NUMBER, &(options)->min_delta, "N", \
			"difference from which it does (100; of samples 1)" \
	}

/* Lines in the table of options of a command: what only a page has. */
#define PAGE_OPTIONS(options) \
	{ "title",           0,      OPTION_TEXT, \
	  &(options)->title, "TEXT", "what the page is called (by the profile)" }, \
		{ "root",      0, \
		  OPTION_TEXT, &(options)->root, \
		  "FUNCTION",  "begin flame graphs there; '': where threads begin (main)" }, \
		{ "max-frames",  0, \
		  OPTION_NUMBER, &(options)->most_frames, \
		  "N",           "keep at most N frames of all flame graphs, the widest (50000)" }, \
	{ \
		"include", 'I', OPTION_LIST, &(options)->include, "DIR", \
			"look for source files in DIR too" \
	}

#define PAGE_RANGE \
	{ \
		"max-frames", 100, UINT64_MAX \
	}
#define PAGE_RULES \
	{ \
		"--title --root --max-frames --include", REQUIRES, "--format=html", NULL \
	}

/* Lines in the table of options of both commands. */
#define COMPARING_OPTIONS(options) \
	{ "bench",     'b', \
	  OPTION_LIST, &(options)->benches, \
	  "NAME",      "only this benchmark, or those that match a pattern (all)" }, \
		{ "baseline",  0, \
		  OPTION_TEXT, &(options)->suite.baseline, \
		  "NAME",      "compare the work tree with a baseline instead of a commit" }, \
		{ "build",     0, \
		  OPTION_TEXT, &(options)->build, \
		  "COMMAND",   "build with this shell command (build: of irdiff.yml)" }, \
		{ "fresh",       0, \
		  OPTION_SWITCH, &(options)->area.fresh, \
		  NULL,          "build and measure again what is in the cache" }, \
		JOBS_OPTIONS(&(options)->area.jobs), SHARD_OPTION(&(options)->shard_text), \
		{ "results",           0,     OPTION_TEXT, \
		  &(options)->results, "DIR", "write what was measured to DIR, for irdiff merge" }, \
		{ "valgrind",  0, \
		  OPTION_TEXT, &(options)->area.valgrind, \
		  "PATH",      "the Valgrind to use (the one in PATH)" }, \
		{ "format", \
		  0, \
		  OPTION_CHOICE, \
		  &(options)->suite.format, \
		  REPORT_FORMATS "|html", \
		  "how to write it (text)" }, \
		{ "view", \
		  0, \
		  OPTION_CHOICE, \
		  &(options)->suite.view, \
		  "flat|tree|causes", \
		  "of one benchmark as text: functions, paths of calls, or who decided (causes)" }, \
		{ "output", 'o', OPTION_TEXT, &(options)->suite.output, "FILE", "write to FILE" }, \
		{ "step-summary", 0, \
		  OPTION_SWITCH,  &(options)->suite.step_summary, \
		  NULL,           "also append a report in markdown to $GITHUB_STEP_SUMMARY" }, \
		METRIC_OPTIONS(&(options)->suite.compare), \
		{ "top",         'n', \
		  OPTION_NUMBER, &(options)->suite.compare.top, \
		  "N",           "show at most N functions, paths or causes; 0: all (20)" }, \
		{ "filter",    0, \
		  OPTION_TEXT, &(options)->suite.compare.filter, \
		  "REGEX",     "only functions that match" }, \
		{ "ignore",    0, \
		  OPTION_TEXT, &(options)->suite.compare.ignore, \
		  "REGEX",     "no functions that match" }, \
		PAGE_OPTIONS(&(options)->suite), \
		INSIGHTS_OPTION(&(options)->suite.compare.insights, "auto"), \
		INLINES_OPTION(&(options)->suite.compare.reading.inlines), \
		{ "color", \
		  0, \
		  OPTION_CHOICE, \
		  &(options)->suite.color, \
		  "auto|always|never", \
		  "use colours (auto)" }, \
		{ "wide", 'w', OPTION_SWITCH, &(options)->suite.wide, NULL, "whole names" }, \
	{ \
		"quiet", 'q', OPTION_SWITCH, &(options)->area.quiet, NULL, \
			"no progress, but errors and warnings" \
	}

#define COMPARING_RULES \
	{ "--baseline", EXCLUDES, "BASE", NULL }, \
		{ "--bench --shard --results", EXCLUDES, "-- COMMAND", NULL }, \
		{ "--view", REQUIRES, "--format=text", NULL }, PAGE_RULES

/* These print what is wrong, as an error of usage; *exit_code is then set. */
bool suite_check_usage(const char *command, const struct suite_options *options, int *exit_code);
/* Takes the value of --shard, which may be NULL. */
bool shard_check_usage(const char *command, const char *text, struct shard *out, int *exit_code);
/* The operands, too, which it takes. */
bool comparing_check_usage(const char *name, struct comparing_options *options,
			   const struct arguments *args, int *exit_code);

#endif
