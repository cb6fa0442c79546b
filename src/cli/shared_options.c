#include "src/cli/shared_options.h"

#include "src/cli/pager.h"

bool suite_check_usage(const char *command, const struct suite_options *s, int *exit_code)
{
	if (!suite_is_page(s) || s->output || !stdout_is_seen())
		return true;
	*exit_code = usage_error(command,
				 "refusing to write HTML to a terminal; redirect it or use "
				 "-o report.html");
	return false;
}

bool shard_check_usage(const char *command, const char *text, struct shard *out, int *exit_code)
{
	if (!text || !*text || shard_parse(text, out))
		return true;
	*exit_code = usage_error(command, "--shard=%s: expected K/N, part K of N, such as 1/4",
				 text);
	return false;
}

bool comparing_check_usage(const char *name, struct comparing_options *options,
			   const struct arguments *args, int *exit_code)
{
	if (args->count == 2)
		*exit_code = usage_error(name,
					 "expected one range of commits, such as %s..%s; "
					 "--bench=NAME selects a benchmark",
					 args->operands[0], args->operands[1]);
	else if (args->count > 2)
		*exit_code = usage_error(name, "expected one range of commits: BASE, BASE..HEAD or "
					       "BASE...HEAD; --bench=NAME selects a benchmark");
	else if (args->count && !*args->operands[0])
		*exit_code = usage_error(name, "the range of commits is empty");
	else if (args->has_rest && !args->rest[0])
		*exit_code = usage_error(name, "expected a command after --");
	else if (!shard_check_usage(name, options->shard_text, &options->shard, exit_code) ||
		 !suite_check_usage(name, &options->suite, exit_code))
		return false;
	else {
		options->range = args->count ? args->operands[0] : NULL;
		options->command = args->has_rest ? args->rest : NULL;
		return true;
	}
	return false;
}
