#include <stdlib.h>

#include "src/cli/shared_options.h"
#include "src/cli/write_suite.h"
#include "src/cmd/command.h"
#include "src/commits/comparing.h"

static const struct command_help help = {
	"check",
	(const char *const[]){ "[BASE] [OPTIONS] [-- COMMAND ARGS…]", NULL },
	"Compares like 'irdiff compare', judges against the limits of irdiff.yml and of --limit, and\n"
	"fails if one is exceeded. Without any limit, Ir may grow by 1 %; any limit replaces this. In CI,\n"
	"BASE defaults to the merge base with the target branch of the pull request (GitHub, GitLab,\n"
	"Bitbucket, Azure, Jenkins, Buildkite, Drone, Travis), or, on that branch itself, to the commit\n"
	"before the push; outside of CI, to that of 'irdiff compare'.",
	.takes_command = true,
	.main_options = "limit bench baseline jobs shard metric format output top fresh",
	.commands_with = commands_with_option,
	.operands = (const char *const[]){ "REF", NULL },
	.ranges = (const struct option_range[]){ JOBS_RANGE, PAGE_RANGE, { 0 } },
	.rules = (const struct option_rule[]){ COMPARING_RULES, { 0 } },
};

static bool parse_check_options(struct comparing_options *o, int argc, char **argv,
				struct arguments *args, int *exit_code)
{
	const struct option_spec specs[] = {
		LIMIT_OPTIONS(&o->suite.compare.judging),
		COMPARING_OPTIONS(o),
	};
	return options_parse(&help, specs, sizeof specs / sizeof *specs, argc, argv, args,
			     exit_code);
}

int cmd_check(int argc, char **argv)
{
	struct comparing_options o = { COMPARING_DEFAULTS, .write = write_suite,
				       .write_failed = write_failed_run,
				       .notices = &terminal_notices };
	struct arguments args = { 0 };
	int exit_code;

	o.gate = o.suite.compare.judging.check = true;
	if (parse_check_options(&o, argc, argv, &args, &exit_code) &&
	    comparing_check_usage("check", &o, &args, &exit_code))
		exit_code = exit_code_of(compare_commits(&o));
	else if (exit_code)
		comparing_forget_last(&o);
	comparing_options_free(&o);
	free(args.operands);
	return exit_code;
}
