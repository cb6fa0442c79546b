#include <stdlib.h>

#include "src/cli/shared_options.h"
#include "src/cli/write_suite.h"
#include "src/cmd/command.h"
#include "src/commits/comparing.h"

static const struct command_help help = {
	"compare",
	(const char *const[]){ "[BASE[...HEAD]] [OPTIONS] [-- COMMAND ARGS…]", NULL },
	"Builds two versions of the project, measures its benchmarks on both, and shows what changed and\n"
	"what caused it. BASE alone is compared with the work tree, including uncommitted changes and new\n"
	"files; BASE..HEAD compares two commits; BASE...HEAD compares HEAD with its merge base with BASE.\n"
	"BASE defaults to the merge base with the target branch (base: in irdiff.yml, the default branch\n"
	"of origin, main, master or trunk), or else to the previous commit.\n"
	"\n"
	"Both are built in the same directory outside of the work tree, at a path that is the same for\n"
	"all users; the repository is not touched. Earlier measurements are reused. The benchmarks are\n"
	"those of HEAD's irdiff.yml, or COMMAND, which runs in the project's root.",
	.takes_command = true,
	.main_options = "check limit bench metric jobs view top output fresh",
	.commands_with = commands_with_option,
	.operands = (const char *const[]){ "RANGE", NULL },
	.ranges = (const struct option_range[]){ JOBS_RANGE, PAGE_RANGE, { 0 } },
	.rules = (const struct option_rule[]){ CHECK_RULES, COMPARING_RULES, { 0 } },
};

static bool parse_compare_options(struct comparing_options *o, int argc, char **argv,
				  struct arguments *args, int *exit_code)
{
	const struct option_spec specs[] = {
		CHECK_OPTION(&o->suite.compare.judging),
		LIMIT_OPTIONS(&o->suite.compare.judging),
		COMPARING_OPTIONS(o),
	};
	return options_parse(&help, specs, sizeof specs / sizeof *specs, argc, argv, args,
			     exit_code);
}

int cmd_compare(int argc, char **argv)
{
	struct comparing_options o = { COMPARING_DEFAULTS, .write = write_suite,
				       .write_failed = write_failed_run,
				       .notices = &terminal_notices };
	struct arguments args = { 0 };
	int exit_code;

	if (parse_compare_options(&o, argc, argv, &args, &exit_code) &&
	    comparing_check_usage("compare", &o, &args, &exit_code))
		exit_code = exit_code_of(compare_commits(&o));
	else if (exit_code)
		comparing_forget_last(&o);
	comparing_options_free(&o);
	free(args.operands);
	return exit_code;
}
