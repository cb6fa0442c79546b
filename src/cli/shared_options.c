#include "src/cli/shared_options.h"

#include <string.h>

#include "src/cli/pager.h"

const char *judging_unused(const struct judging_options *options, const struct arguments *args)
{
	static const char *const judging[] = { "limit",         "require-base",
					       "allow-removed", "allow-env-change",
					       "no-accepted",   NULL };
	static const char *const bench[] = { "bench", NULL };
	const char *unused = options_given(args, judging);

	if (options->check)
		return NULL;
	return unused || !options->benchmark ? unused : options_given(args, bench);
}

bool suite_check_usage(const char *command, const struct suite_options *s,
		       const struct arguments *args, int *exit_code)
{
	static const char *const pages[] = { "title", "root", "max-frames", "include", NULL };
	const char *unused = judging_unused(&s->compare.judging, args);
	const char *of_pages = suite_is_page(s) ? NULL : options_given(args, pages);

	if (unused)
		*exit_code = usage_error(command, "--%s goes with --check", unused);
	else if (of_pages)
		*exit_code = usage_error(command, "--%s goes with --format=html", of_pages);
	else if (s->most_frames < 100)
		*exit_code = usage_error(command, "--max-frames is at least 100");
	else if (suite_is_page(s) && !s->output && stdout_is_seen())
		*exit_code = usage_error(command,
					 "a page is nothing to read in a terminal: write it to a "
					 "file with -o report.html");
	else
		return true;
	return false;
}

bool jobs_check_usage(const char *command, const struct jobs_options *options, int *exit_code)
{
	if (options->at_once <= JOBS_AT_ONCE_MAX)
		return true;
	*exit_code = usage_error(command, "--jobs is at most %d", JOBS_AT_ONCE_MAX);
	return false;
}

bool shard_check_usage(const char *command, const char *text, struct shard *out, int *exit_code)
{
	if (!text || !*text || shard_parse(text, out))
		return true;
	*exit_code = usage_error(command, "--shard=%s: expected K/N, part K of N, as in 1/4 … 4/4",
				 text);
	return false;
}

bool comparing_check_usage(const char *name, struct comparing_options *options,
			   const struct arguments *args, int *exit_code)
{
	static const char *const benches[] = { "bench", NULL }, *const views[] = { "view", NULL };
	static const char *const of_benchmarks[] = { "shard", "results", NULL };

	if (args->count > 1)
		*exit_code = usage_error(name, "expected one range of commits: BASE, BASE..HEAD or "
					       "BASE...HEAD");
	else if (args->count && !*args->operands[0])
		*exit_code = usage_error(name, "the range of commits is an empty word");
	else if (args->count && options->suite.baseline)
		*exit_code = usage_error(name, "--baseline goes without a range of commits");
	else if (args->has_rest && !args->rest[0])
		*exit_code = usage_error(name, "there is no command behind --");
	else if (args->has_rest && options_given(args, benches))
		*exit_code = usage_error(name, "--bench goes without a command behind --");
	else if (strcmp(options->suite.format, "text") != 0 && options_given(args, views))
		*exit_code = usage_error(name, "--view goes with --format=text");
	else if (args->has_rest && options_given(args, of_benchmarks))
		*exit_code = usage_error(name, "--%s goes without a command behind --",
					 options_given(args, of_benchmarks));
	else if (!shard_check_usage(name, options->shard_text, &options->shard, exit_code))
		return false;
	else if (!jobs_check_usage(name, &options->workshop.jobs, exit_code))
		return false;
	else if (!suite_check_usage(name, &options->suite, args, exit_code))
		return false;
	else {
		options->range = args->count ? args->operands[0] : NULL;
		options->command = args->has_rest ? args->rest : NULL;
		if (options_given(args, views))
			options->suite.compare.view = diff_view_of(options->suite.view);
		return true;
	}
	return false;
}
