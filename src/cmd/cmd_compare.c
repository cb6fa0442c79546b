#include <stdlib.h>

#include "src/cli/shared_options.h"
#include "src/cli/write_suite.h"
#include "src/cmd/command.h"
#include "src/commits/comparing.h"

static const struct command_help help = {
	"compare",
	(const char *const[]){ "[BASE[...HEAD]] [OPTIONS] [-- COMMAND ARGS…]", NULL },
	"Builds two states of the project, measures its benchmarks on both, and says what changed and\n"
	"who decided it. BASE alone is compared with the work tree as it stands, with its changes and\n"
	"new files; BASE..HEAD are two commits; BASE...HEAD is what HEAD did since it left BASE.\n"
	"Without BASE it is the merge base with the branch that the work is to go to (base: in\n"
	"irdiff.yml, the default branch of origin, main or master), or else the commit before.\n"
	"\n"
	"Both are built at one place that is the same for everybody, outside of the work tree; the\n"
	"repository is not touched. What was measured before is not built or measured again. The\n"
	"benchmarks are those of HEAD's irdiff.yml, or COMMAND, which runs in the project's root.",
	.takes_command = true,
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
				       .notices = &terminal_notices };
	struct arguments args = { 0 };
	int exit_code;

	if (parse_compare_options(&o, argc, argv, &args, &exit_code) &&
	    comparing_check_usage("compare", &o, &args, &exit_code))
		exit_code = exit_code_of(compare_commits(&o));
	else
		comparing_leave_failure(&o, exit_code);
	comparing_options_free(&o);
	free(args.operands);
	return exit_code;
}
