/* Options that several commands have: their lines in tables of options, and what of them fits
 * together. */
#ifndef IRDIFF_CLI_SHARED_OPTIONS_H
#define IRDIFF_CLI_SHARED_OPTIONS_H

#include "src/cli/options.h"
#include "src/commits/comparing.h"
#include "src/run/setting_names.h"

/* Their lines in a table of options. */
#define SELECTION_OPTIONS(texts) \
	{ "pid",         0,          OPTION_TEXT, \
	  &(texts)->pid, "LIST|all", "only these processes, or the sum of all" }, \
		{ "thread",    0, \
		  OPTION_TEXT, &(texts)->thread, \
		  "LIST",      "only these threads, recorded with --separate-threads=yes: 1,3-5" }, \
	{ \
		"parts", 0, OPTION_TEXT, &(texts)->parts, "LIST", \
			"only these dumps, by number or trigger: 1,3-5 or 'parse*'" \
	}

/* The option --inlines, in a table of options: `to` is a const char *. */
#define INLINES_OPTION(to) \
	{ \
		"inlines", 0, OPTION_CHOICE, to, "auto|yes|all|no|approximate", \
			"attribute inlined code to the inlined functions, if known (auto)" \
	}

/* Its line in a table of options. */
#define INSIGHTS_OPTION(target, standard) \
	{ \
		"insights", 0, OPTION_TEXT, target, "auto|none|FILE", \
			"show insights, by irdiff's own rules or those of FILE (" standard ")" \
	}

/* Lines in the table of options of a command. */
#define JOBS_OPTIONS(options) \
	{ "jobs",        'j', \
	  OPTION_NUMBER, &(options)->at_once, \
	  "N",           "make N measurements at a time; 0: as many as fit (0)" }, \
	{ \
		"launcher", 0, OPTION_TEXT, &(options)->launcher, "COMMAND", \
			"start workers through this command, such as 'srun -n1'" \
	}

#define JOBS_RANGE \
	{ \
		"jobs", 0, JOBS_AT_ONCE_MAX \
	}

/* Line in the table of options of a command. */
#define SHARD_OPTION(text) \
	{ \
		"shard", 0, OPTION_TEXT, (text), "K/N", \
			"only part K of N of the benchmarks, to spread them over N machines" \
	}

/* Their lines in a table of options: what the limits are, and how they are judged … */
#define LIMIT_OPTIONS(options) \
	{ "limit",     'l', \
	  OPTION_LIST, &(options)->limits, \
	  "LIMIT",     "additional limit; may be repeated" }, \
		{ "require-base", \
		  0, \
		  OPTION_SWITCH, \
		  &(options)->require_base, \
		  NULL, \
		  "fail if a limit has no base to compare with, or matches no function" }, \
		{ "allow-removed", \
		  0, \
		  OPTION_SWITCH, \
		  &(options)->allow_removed, \
		  NULL, \
		  "do not fail for benchmarks or functions missing in head" }, \
		{ "allow-env-change",           0,    OPTION_SWITCH, \
		  &(options)->allow_env_change, NULL, "judge even if the environments differ" }, \
	{ \
		"no-accepted", 0, OPTION_SWITCH, &(options)->no_accepted, NULL, \
			"ignore accepted regressions (irdiff baseline accept)" \
	}

/* … whether … */
#define CHECK_OPTION(options) \
	{ \
		"check", 0, OPTION_SWITCH, &(options)->check, NULL, \
			"judge against the limits; exit with 1 if one is exceeded" \
	}

/* … and the limits of which benchmark, as a profile need not name it. */
#define JUDGING_OPTIONS(options) \
	CHECK_OPTION(options), LIMIT_OPTIONS(options), \
	{ \
		"bench", 'b', OPTION_TEXT, &(options)->benchmark, "NAME", \
			"use the limits of this benchmark (the one measured in HEAD)" \
	}

/* Rules of these: judging requires --check. */
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
		{ "threshold",    0, \
		  OPTION_PERCENT, &(options)->threshold, \
		  "PERCENT",      "treat changes below this % of base as unchanged (0.05)" }, \
	{ \
		"min-delta", 0, OPTION_NUMBER, &(options)->min_delta, "N", \
			"treat changes of less than N as unchanged (100, or 1 of rare events)" \
	}

/* Lines in the table of options of a command: only for HTML. */
#define PAGE_OPTIONS(options) \
	{ \
		"title",     0, \
		OPTION_TEXT, &(options)->title, \
		"TEXT",      "title of the page (the benchmark, or the profile of head)" \
	}, \
		{ "root",      0, \
		  OPTION_TEXT, &(options)->root, \
		  "FUNCTION",  "start flame graphs at FUNCTION; '': where threads start (main)" }, \
		{ "max-frames",  0, \
		  OPTION_NUMBER, &(options)->most_frames, \
		  "N",           "keep the N widest frames of all flame graphs (50000)" }, \
	{ \
		"include", 'I', OPTION_LIST, &(options)->include, "DIR", \
			"also look for source files in DIR" \
	}

#define PAGE_RANGE \
	{ \
		"max-frames", 100, UINT64_MAX \
	}
#define PAGE_RULES \
	{ \
		"--title --root --max-frames --include", REQUIRES, "--format=html", NULL \
	}

/* Its line in the table of options of a command. */
#define TOP_OPTION(options) \
	{ \
		"top", 'n', OPTION_NUMBER, &(options)->top, "N", \
			"show at most N functions, paths or causes; 0: all (20; summary: 10; markdown: 5; JSON: 10, causes: 5)" \
	}

/* Lines in the table of options of both commands. */
#define COMPARING_OPTIONS(options) \
	{ \
		"bench", \
		'b', \
		OPTION_LIST, \
		&(options)->benches, \
		"NAME", \
		"only this benchmark, or those that match a pattern or have tag:TAG (all)" \
	}, \
		{ "baseline",  0, \
		  OPTION_TEXT, &(options)->suite.baseline, \
		  "NAME",      "compare the work tree with a baseline instead of a commit" }, \
		{ "cases", \
		  0, \
		  OPTION_CHOICE, \
		  &(options)->cases, \
		  RUN_CASES_NAMES("|", "|"), \
		  "how COMMAND marks where its cases begin and end (auto)" }, \
		{ "depth",           0,   OPTION_NUMBER, \
		  &(options)->depth, "N", "callers of each call of COMMAND to record" }, \
		{ "cache-sim",           0,    OPTION_MAYBE, \
		  &(options)->cache_sim, NULL, "simulate caches for COMMAND (yes)" }, \
		{ "image",           0,         OPTION_TEXT, \
		  &(options)->image, "PROGRAM", "if COMMAND runs several programs, measure this one" }, \
		{ "build",     0, \
		  OPTION_TEXT, &(options)->build, \
		  "COMMAND",   "build with this shell command (build: in irdiff.yml)" }, \
		{ "fresh",       0, \
		  OPTION_SWITCH, &(options)->area.fresh, \
		  NULL,          "ignore the cache; build and measure again" }, \
		JOBS_OPTIONS(&(options)->area.jobs), SHARD_OPTION(&(options)->shard_text), \
		{ "results",           0,     OPTION_TEXT, \
		  &(options)->results, "DIR", "write the results to DIR, for irdiff merge" }, \
		{ "valgrind",  0, \
		  OPTION_TEXT, &(options)->area.valgrind, \
		  "PATH",      "the Valgrind to use (the one in $PATH)" }, \
		{ "format", \
		  0, \
		  OPTION_CHOICE, \
		  &(options)->suite.format, \
		  REPORT_FORMATS "|html", \
		  "output format (text)" }, \
		{ "view", \
		  0, \
		  OPTION_CHOICE, \
		  &(options)->suite.view, \
		  "summary|flat|tree|causes", \
		  "text view of a single benchmark (summary: causes, then functions)" }, \
		{ "output", 'o', OPTION_TEXT, &(options)->suite.output, "FILE", "write to FILE" }, \
		{ "step-summary", 0, \
		  OPTION_SWITCH,  &(options)->suite.step_summary, \
		  NULL,           "also append a markdown report to $GITHUB_STEP_SUMMARY" }, \
		METRIC_OPTIONS(&(options)->suite.compare), TOP_OPTION(&(options)->suite.compare), \
		{ "filter",    0, \
		  OPTION_TEXT, &(options)->suite.compare.filter, \
		  "REGEX",     "only functions that match" }, \
		{ "ignore",    0, \
		  OPTION_TEXT, &(options)->suite.compare.ignore, \
		  "REGEX",     "hide functions that match" }, \
		PAGE_OPTIONS(&(options)->suite), \
		INSIGHTS_OPTION(&(options)->suite.compare.insights, "auto"), \
		INLINES_OPTION(&(options)->suite.compare.reading.inlines), \
		{ "color", \
		  0, \
		  OPTION_CHOICE, \
		  &(options)->suite.color, \
		  "auto|always|never", \
		  "use colours (auto)" }, \
		{ "wide", 'w', OPTION_SWITCH, &(options)->suite.wide, NULL, "show full names" }, \
	{ \
		"quiet", 'q', OPTION_SWITCH, &(options)->area.quiet, NULL, \
			"print only errors and warnings, no progress" \
	}

#define COMPARING_RULES \
	{ "--baseline", EXCLUDES, "BASE", NULL }, \
		{ "--bench --shard --results", EXCLUDES, "-- COMMAND", NULL }, \
		{ "--cases --depth --cache-sim --image", REQUIRES, "-- COMMAND", NULL }, \
		{ "--view", REQUIRES, "--format=text", NULL }, PAGE_RULES

/* These print what is wrong, as an error of usage; *exit_code is then set. */
bool suite_check_usage(const char *command, const struct suite_options *options, int *exit_code);
/* Takes the value of --shard, which may be NULL. */
bool shard_check_usage(const char *command, const char *text, struct shard *out, int *exit_code);
/* The operands, too, which it takes. */
bool comparing_check_usage(const char *name, struct comparing_options *options,
			   const struct arguments *args, int *exit_code);

#endif
